"""Why a move is best.  `solver.explain` is also a function of the public interface.  Importing this
package replaces the function, so the package is callable."""

from __future__ import annotations

import sys
from types import ModuleType


class CallablePackage(ModuleType):
    def __call__(self, *puzzle: object, **options: object) -> object:
        return _explain(*puzzle, **options)


_explain = vars(sys.modules["solver"])["explain"]
sys.modules[__name__].__class__ = CallablePackage
