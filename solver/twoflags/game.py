"""Two Flags as the command line sees it; the same names in every game's `game.py`."""

from __future__ import annotations

from solver.twoflags import text
from solver.twoflags.rules import BLACK_LANDED_AT, NO_EN_PASSANT, WHITE_LANDED_AT, Pawns
from solver.twoflags.sides import SIDES, other
from solver.twoflags.squares import FILES

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from solver.errors import Fault
    from solver.evaluate import Evaluate
    from solver.exact import Exact
    from solver.explain.teller import Teller
    from solver.outcome import Outcome
    from solver.term import Term

NAME = "twoflags"
PDN_SIDES = ("White", "Black")
PIECES = {"w": "white pawn", "b": "black pawn"}
FORMATS = ("board", "setup")
VARIANTS = ("no-en-passant",)
DEFAULT_HEURISTIC = "race"
PLAINEST_HEURISTIC = "two-flags"
MOST_PIECES = 8


def start(files: int = 8) -> str:
    """The position that a game begins with, on fewer files for study."""
    pawns = [f"W{file}2" for file in FILES[:files]] + [f"B{file}7" for file in FILES[:files]]
    return f"Setup {' '.join(pawns)}"


def recognises(content: str) -> bool:
    """Also what is faulty, if it looks more like this game than like any other."""
    if is_setup(content):
        return True
    if any(word.lower() in SIDES for word in content.split()[-2:]):
        return True
    letters = set(content)
    return "w" in letters and not letters & set("rRB")


def is_setup(content: str) -> bool:
    words = content.lstrip(text.MARK).split(maxsplit=1)
    return bool(words) and words[0].lower() == "setup"


def read(
    content: str, source: str, strict: bool, variant: str = ""
) -> tuple[Pawns, str, list[Fault]]:
    """A position and the format it was written in; nothing is ever mended in it."""
    state = NO_EN_PASSANT if variant == "no-en-passant" else 0
    if is_setup(content):
        return text.parse_setup(content, source, state), "setup", []
    return text.parse_board(content, source, state), "board", []


def write(position: Pawns, form: str) -> str:
    """A position as text, without a final newline."""
    return text.setup_text(position) if form == "setup" else text.board_text(position)


def with_side(position: Pawns) -> str:
    """The board and, below it, who is to move: it reads back as it was."""
    return text.board_text(position)


def beside(position: Pawns) -> list[str]:
    """What to write beside the rows of a board: squares have no other names."""
    return [""] * 8


def move_name(parent: Pawns, child: Pawns, squares: bool = False) -> str:
    """The squares a pawn leaves and reaches; there is no other notation."""
    from solver.twoflags.moves import move_name

    return move_name(parent, child)


def move_places(parent: Pawns, child: Pawns) -> tuple[list[tuple[int, int]], list[tuple[int, int]]]:
    """Where the moving pawn was and is, and where the one stood that it took."""
    from solver.twoflags.moves import move_places

    return move_places(parent, child)


def is_progress(parent: Pawns, child: Pawns) -> bool:
    """Every move goes forward."""
    return True


def outcome(position: Pawns) -> Outcome | None:
    """How the game has ended, if it has."""
    here = position.mover()
    there = other(here)
    landed = {
        "white": position.state >> WHITE_LANDED_AT & 0xFF,
        "black": position.state >> BLACK_LANDED_AT,
    }
    for side in (there, here):
        if landed[side]:
            return _outcome(side, f"a {side} pawn has reached the last rank")
    if not position.own:
        return _outcome(there, f"{here} has no pawn left")
    if not position.enemy:
        return _outcome(here, f"{there} has no pawn left")
    if not position.children():
        return _outcome(there, f"{here} is to move and has no legal move")
    return None


def _outcome(winner: str, reason: str) -> Outcome:
    from solver.outcome import Outcome

    return Outcome(winner, reason)


def heuristics() -> dict[str, str]:
    """The names of the heuristics, and what each is about."""
    from solver.twoflags.catalogue import HEURISTICS

    return {name: heuristic.about for name, heuristic in HEURISTICS.items()}


def evaluator(name: str, position: Pawns) -> Evaluate:
    from solver.twoflags.catalogue import HEURISTICS

    evaluate: Evaluate = HEURISTICS[name].evaluate
    return evaluate


def explain(name: str, position: Pawns) -> list[Term]:
    """What the named heuristic sees in a position, term by term."""
    from solver.twoflags.catalogue import HEURISTICS

    return HEURISTICS[name].explain(position)


def styles() -> dict[str, str]:
    """The names of the ways to place pawns at random, and what each is about."""
    from solver.twoflags.placing import STYLES

    return STYLES


def random_position(
    chance: Callable[[], float], own: int, other: int, style: str, variant: str = ""
) -> Pawns:
    from solver.twoflags import placing

    return placing.random_position(chance, own, other, variant != "no-en-passant")


def tables(path: str = "") -> Exact:
    """There are none."""
    from solver.errors import UserError
    from solver.exact import NOTHING

    if path:
        raise UserError("There are no endgame tables for Two Flags. Leave the file out.")
    return NOTHING


def teller() -> Teller:
    """Who tells moves and lines in words."""
    from solver.twoflags.teller import PawnTeller

    return PawnTeller()
