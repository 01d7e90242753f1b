"""The games and their common interface.  `GAMES` is the only list of them."""

from __future__ import annotations

from importlib import import_module

from solver.errors import UserError, did_you_mean

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from types import ModuleType
    from typing import Generic, TypeVar

    from solver.errors import Fault
    from solver.explain.describe import Describer
    from solver.games.breach import Breach, Displaced
    from solver.games.bugs import Bug, PlainRules
    from solver.play.game import GameResult
    from solver.search.heuristic import Evaluate, Exact, Heuristic, Term
    from solver.search.position import Position

    P = TypeVar("P", bound=Position)
    Chance = Callable[[], float]  # a random number from 0 up to 1
    Place = tuple[int, int]  # row and column, from 0 at the top left
else:  # types only: loading `typing` would slow down the start

    class Generic:
        def __class_getitem__(cls, _):
            return cls

    P = None

GAMES = ("checkers", "twoflags")


class ReadBoard(Generic[P]):
    """A position read from a text, the format of the text, and repairs."""

    def __init__(self, position: P, form: str) -> None:
        self.position = position
        self.form = form
        self.warnings: list[Fault] = []
        self.crowned: set[int] = set()  # squares of men read as kings, 0 top left


class GameOf(Generic[P]):
    """A game besides its rules; the only instance is `game` in its folder.  What a plain call does
    not need is in modules of the folder, loaded when used."""

    NAME = ""
    TITLE = ""  # for people
    SIDES = ("", "")  # the beginning side first
    FORMATS = ("board", "")  # rows of text, and one line
    VARIANTS: tuple[str, ...] = ()  # other rule sets
    MOST_PIECES = 0  # of a side
    PIECES: Mapping[str, str] = {}  # by letter: `red man`
    PDN_SIDES = ("", "")  # names of the sides in PDN
    PDN_TAGS: Mapping[str, str] = {}  # tags that identify the game
    PDN_POSITION = ""  # the tag of the start position
    BOARD_NAMES_SIDE = False  # whether a line after the board names the side to move
    AFTER_SIDE = ""  # name of the square that may follow the side to move
    DEFAULT_HEURISTIC = ""
    PLAINEST_HEURISTIC = ""

    def part(self, name: str) -> ModuleType:
        return import_module(f"solver.games.{self.NAME}.{name}")

    def recognises(self, content: str) -> bool:
        """Whether a text looks like this game, even with faults."""
        raise NotImplementedError

    def means_position(self, line: str) -> bool:
        """Whether a line looks like a whole position, even with faults."""
        raise NotImplementedError

    def names_side(self, content: str) -> bool:
        """Whether a text says who is to move; if not, a reader has to assume a side."""
        return any(word.lower().removesuffix("'s") in self.SIDES for word in content.split())

    def start(self, files: int = 8) -> str:
        """The start position as text; on fewer files for study."""
        raise NotImplementedError

    def read(self, content: str, source: str, strict: bool, variant: str = "") -> ReadBoard[P]:
        """Raises `BoardError` with every fault."""
        raise NotImplementedError

    def write(self, position: P, form: str) -> str:
        """Without a final newline."""
        raise NotImplementedError

    def with_side(self, position: P) -> str:
        """The board and the side to move; reads back as the same position."""
        raise NotImplementedError

    def beside(self, position: P) -> list[str]:
        """Text to the right of each row, such as PDN numbers."""
        return [""] * 8

    def move_name(self, parent: P, child: P, squares: bool = False) -> str:
        """By squares, or in the game's own notation."""
        name: str = self.part("moves").move_name(parent, child, squares)
        return name

    def move_places(self, parent: P, child: P) -> tuple[list[Place], list[Place]]:
        """The squares of the moving piece, from first to last, and of the pieces it took."""
        places: tuple[list[Place], list[Place]] = self.part("moves").move_places(parent, child)
        return places

    def is_progress(self, parent: P, child: P) -> bool:
        """Whether the move can never be undone."""
        return True

    def passed(self, position: P) -> P:
        """The same pieces with the other side to move."""
        raise NotImplementedError

    def outcome(self, position: P) -> GameResult | None:
        """None while the game goes on."""
        ended = self.winner_and_reason(position)
        if ended is None:
            return None
        from solver.play.game import GameResult

        return GameResult(*ended)

    def winner_and_reason(self, position: P) -> tuple[str, str] | None:
        raise NotImplementedError

    def other(self, side: str) -> str:
        first, second = self.SIDES
        return second if side == first else first

    def colour(self, letter: str) -> str:
        """The side of a letter; empty for an empty square."""
        return self.PIECES[letter].partition(" ")[0] if letter in self.PIECES else ""

    def swapped(self) -> dict[int, str]:
        """For `str.translate`: exchanges the colours of a board."""
        names = {name: letter for letter, name in self.PIECES.items()}
        sides = {side: self.other(side) for side in self.SIDES}
        return {
            ord(letter): names[f"{sides[side]} {kind}"]
            for letter, name in self.PIECES.items()
            for side, kind in [name.split()]
        }

    def find_fault(self, position: P, moved: Displaced) -> Breach:
        """What is wrong with a move of one piece; an empty reason if nothing is."""
        breach: Breach = self.part("faults").find_fault(position, moved)
        return breach

    def bugs(self) -> tuple[Bug, ...]:
        """Bugs in the rules that a diagnosis looks for; none if the game has no `bugs.py`."""
        try:
            bugs: tuple[Bug, ...] = self.part("bugs").BUGS
        except ModuleNotFoundError:
            return ()
        return bugs

    def plain_rules(self, bug: str = "") -> PlainRules:
        """Plain rules with one of `bugs`, or without any."""
        rules: PlainRules = self.part("bugs").rules(bug)
        return rules

    def heuristic_table(self) -> Mapping[str, Heuristic]:
        table: Mapping[str, Heuristic] = self.part("heuristics").HEURISTICS
        return table

    def heuristics(self) -> dict[str, str]:
        """Names and descriptions."""
        return {name: heuristic.about() for name, heuristic in self.heuristic_table().items()}

    def evaluator(self, name: str, position: P) -> Evaluate:
        return self.heuristic_table()[name]

    def explain(self, name: str, position: P) -> list[Term]:
        """The terms of the named heuristic."""
        return self.heuristic_table()[name].terms(position)

    def random_position(self, chance: Chance, own: int, other: int, variant: str = "") -> P:
        """`own` pieces of the mover and `other` of the opponent, placed at random."""
        raise NotImplementedError

    def tables(self, path: str = "") -> Exact:
        """Endgame tables, from a file or from the package."""
        from solver.search.heuristic import NOTHING

        if path:
            raise UserError(f"There are no endgame tables for {self.TITLE}. Leave the file out.")
        return NOTHING

    def insight(self) -> Exact:
        """What proofs about the start know without search."""
        return self.tables()

    def describer(self) -> Describer[P]:
        describer: Describer[P] = self.part("describe").DESCRIBER
        return describer


Game = GameOf["Position"]


def game_of(content: str) -> Game:
    """The game whose text this looks like; the first one if none recognises it."""
    for name in GAMES:
        game = game_named(name)
        if game.recognises(content):
            return game
    plain = plain_text(content)
    names = [name for name in GAMES if game_named(name).recognises(plain)]
    return game_named((names or GAMES)[0])


def plain_text(content: str) -> str:
    """A board without what is repaired when it is read; any other text as it is."""
    from solver.games.rows import BoardRows

    sides = tuple(side for name in GAMES for side in game_named(name).SIDES)
    board = BoardRows(content, sides, strict=False)
    if not board.warnings:
        return content
    last = " ".join(word for word, _ in board.words)
    return "\n".join([*board.texts, *([last] if last else [])])


def game_named(name: str) -> Game:
    game: Game = import_module(f"solver.games.{name}").game
    return game


def check_variant(game: Game, variant: str) -> None:
    if variant and variant not in game.VARIANTS:
        known = f"Known: {', '.join(game.VARIANTS)}." if game.VARIANTS else "It has none."
        hint = did_you_mean(variant, list(game.VARIANTS))
        raise UserError(f"{game.NAME} has no variant {variant!r}.{hint} {known}")
