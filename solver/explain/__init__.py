"""Why a move is best: lines in words, compared with each other, and hints.

`solver.explain` is a function of the public interface as well as this package.  Importing the
package replaces the function, so the package can be called like it.
"""

from __future__ import annotations

import sys
from types import ModuleType


class CallablePackage(ModuleType):
    def __call__(self, *puzzle: object, **options: object) -> object:
        return _explain(*puzzle, **options)


_explain = vars(sys.modules["solver"])["explain"]
sys.modules[__name__].__class__ = CallablePackage
