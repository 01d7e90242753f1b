"""Checkers as the command line sees it; the same names in every game's `game.py`."""

from __future__ import annotations

from solver.bits import count
from solver.checkers import text
from solver.checkers.rules import LIGHT, Board
from solver.errors import UserError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from solver.checkers.mixed import TwoBoards
    from solver.errors import Fault
    from solver.evaluate import Evaluate
    from solver.exact import Exact
    from solver.explain.teller import Teller
    from solver.outcome import Outcome
    from solver.term import Term

    Checkers = Board | TwoBoards

NAME = "checkers"
FORMATS = ("board", "fen")
SIDES = text.SIDES
PDN_SIDES = ("Black", "White")
PIECES = {"r": "red man", "R": "red king", "b": "black man", "B": "black king"}
DEFAULT_HEURISTIC = "tuned"
PLAINEST_HEURISTIC = "material"
VARIANTS: tuple[str, ...] = ()
MOST_PIECES = 12


def start(files: int = 8) -> str:
    if files != 8:
        raise UserError("Checkers is played on 8 files.")
    return "B:W21-32:B1-12"


def recognises(content: str) -> bool:
    """A board with `b` alone and black to move could be of another game too, and is left to it."""
    if looks_like_fen(content):
        return True
    rows, _, last = content.rstrip().rpartition("\n")
    side = last.strip().lower()
    if side == "red" or (side == "black" and set(rows) & set("rRB")):
        content = rows
    return set(content) <= set(".rbRB \t\r\n")


def read(
    content: str, source: str, strict: bool, variant: str = ""
) -> tuple[Checkers, str, list[Fault]]:
    """A position, the format it was written in, and what had to be mended in it."""
    if looks_like_fen(content):
        from solver.checkers import fen

        board, warnings = fen.parse(content, source, strict)
        return board, "fen", warnings
    position, warnings = text.parse(content, source, strict)
    return position, "board", warnings


def looks_like_fen(content: str) -> bool:
    start = content.lstrip('\ufeff \t\r\n"').upper()
    return "[FEN " in start or (start[:1] in "BW" and start[1:].lstrip().startswith(":"))


def write(position: Checkers, form: str) -> str:
    """A position as text, without a final newline."""
    if form != "fen":
        return str(position)
    from solver.checkers import fen

    if not isinstance(position, Board):
        raise UserError("A board with pieces on both colours has no FEN. Use --format board.")
    return fen.render(position)


def with_side(position: Checkers) -> str:
    """The board and, below it, who is to move: it reads back as it was."""
    return f"{position}\n{position.mover()}"


def beside(position: Checkers) -> list[str]:
    """What to write beside the rows of a board: the PDN numbers of its squares."""
    from solver.checkers.squares import row_numbers

    if not isinstance(position, Board):
        return [""] * 8
    return row_numbers(position.side & LIGHT != 0)


def move_name(parent: Checkers, child: Checkers, squares: bool = False) -> str:
    from solver.checkers.moves import move_name

    return move_name(parent, child, squares)


def move_places(
    parent: Checkers, child: Checkers
) -> tuple[list[tuple[int, int]], list[tuple[int, int]]]:
    """Where the moving piece has been, from the first square to the last, and what it took."""
    from solver.checkers.moves import move_places

    return move_places(parent, child)


def is_progress(parent: Checkers, child: Checkers) -> bool:
    """Whether the move took something or was a man's: neither can be undone."""
    men_before = [(board.own | board.enemy) & ~board.kings for board in parent.boards()]
    men_after = [(board.own | board.enemy) & ~board.kings for board in child.boards()]
    return men_before != men_after or pieces(parent) != pieces(child)


def pieces(position: Checkers) -> int:
    return sum(count(board.own | board.enemy) for board in position.boards())


def outcome(position: Checkers) -> Outcome | None:
    """How the game has ended, if it has."""
    here = position.mover()
    other = "red" if here == "black" else "black"
    if not any(board.own for board in position.boards()):
        return _outcome(other, f"{here} has no piece left")
    if not any(board.enemy for board in position.boards()):
        return _outcome(here, f"{other} has no piece left")
    if not position.children():
        return _outcome(other, f"{here} is to move and has no legal move")
    return None


def _outcome(winner: str, reason: str) -> Outcome:
    from solver.outcome import Outcome

    return Outcome(winner, reason)


def heuristics() -> dict[str, str]:
    """The names of the heuristics, and what each is about."""
    from solver.checkers.catalogue import HEURISTICS

    return {name: heuristic.about for name, heuristic in HEURISTICS.items()}


def evaluator(name: str, position: Checkers) -> Evaluate:
    """The named heuristic for positions of this kind."""
    from solver.checkers.catalogue import HEURISTICS

    evaluate: Any = HEURISTICS[name].evaluate
    if not isinstance(position, Board):
        from solver.checkers.mixed import OnBothBoards

        evaluate = OnBothBoards(evaluate)
    fitting: Evaluate = evaluate
    return fitting


def explain(name: str, position: Checkers) -> list[Term]:
    """What the named heuristic sees in a position, term by term."""
    from solver.checkers.catalogue import HEURISTICS, explain

    return explain(HEURISTICS[name], position)


def styles() -> dict[str, str]:
    """The names of the ways to place pieces at random, and what each is about."""
    from solver.checkers.placing import STYLES

    return STYLES


def random_position(
    chance: Callable[[], float], own: int, other: int, style: str, variant: str = ""
) -> Checkers:
    from solver.checkers import placing

    return placing.random_position(chance, own, other, style)


def tables(path: str = "") -> Exact:
    """What is certain about small positions: from a file, or else from the package's tables."""
    from solver.checkers.endgame.probe import tables

    return tables(path)


def teller() -> Teller:
    """Who tells moves and lines in words."""
    from solver.checkers.teller import CheckersTeller

    return CheckersTeller()
