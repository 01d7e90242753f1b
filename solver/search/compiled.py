"""Hints about classes for the compiler; in plain Python they do nothing.

Never compiled itself: a plain call must not need the compiler's own package.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from mypy_extensions import mypyc_attr as mypyc_attr
else:

    def mypyc_attr(**_):
        return lambda described: described
