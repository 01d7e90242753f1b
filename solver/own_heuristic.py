"""A user's own heuristic, from a Python file: `my.py:evaluate`."""

from __future__ import annotations

from solver.errors import FileError, UserError
from solver.score import DECISIVE

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from solver.position import Position


def is_own(name: str) -> bool:
    return name.rpartition(":")[0].endswith(".py")


def load(name: str) -> OwnHeuristic:
    """The function that `FILE.py:FUNCTION` names."""
    from importlib.util import module_from_spec, spec_from_file_location

    path, _, function = name.rpartition(":")
    spec = spec_from_file_location("own_heuristic", path)
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    try:
        spec.loader.exec_module(module)
    except OSError as error:
        raise FileError(f"{path}: {error.strerror}") from None
    except Exception as error:
        raise UserError(f"{path}: {_told(error)}") from None
    evaluate = getattr(module, function, None)
    if not callable(evaluate):
        raise UserError(f"{path}: there is no function {function!r} in it")
    return OwnHeuristic(name, evaluate)


class OwnHeuristic:
    """Calls the user's function and checks what it returns."""

    def __init__(self, name: str, evaluate: Callable[[Position], object]) -> None:
        self.name = name
        self.evaluate = evaluate

    def __call__(self, position: Position) -> int:
        try:
            value = self.evaluate(position)
        except Exception as error:
            raise UserError(f"{self.name}: {_told(error)}") from None
        if type(value) is not int:
            raise UserError(
                f"{self.name} returned {value!r}, a {type(value).__name__}; it must return an int: "
                "how good the position is for the side to move"
            )
        if not -DECISIVE < value < DECISIVE:
            raise UserError(
                f"{self.name} returned {value}; values from {DECISIVE} on mean proven wins"
            )
        return value


def _told(error: Exception) -> str:
    """An exception of the user's code in one line, with the line it came from."""
    line = getattr(error, "lineno", None)
    trace = error.__traceback__
    while trace is not None:
        line = trace.tb_lineno if not isinstance(error, SyntaxError) else line
        trace = trace.tb_next
    return f"line {line}: {type(error).__name__}: {error}"
