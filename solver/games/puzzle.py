"""A puzzle: a position and its game.  The main value of the Python API."""

from __future__ import annotations

import os
import sys

from solver.errors import BoardError, Fault, FileError, UserError, check_known, did_you_mean
from solver.games import GAMES, check_variant, game_named, game_of
from solver.search.position import FORCED

TYPE_CHECKING = False
if TYPE_CHECKING:
    from solver.games import Game
    from solver.play.game import GameResult
    from solver.search.position import Position

LARGEST_BOARD = 100_000  # bytes
MOST_LISTED = 12  # moves in a message
FILES = "abcdefgh"


class Puzzle:
    """Immutable: `play` returns the next puzzle.  `form` is the format that was read.  `notation`
    names moves by `squares` (c5-d6) or by `pdn` numbers, the default for positions read from a
    FEN."""

    __slots__ = ("form", "game", "notation", "position", "source", "warnings")

    def __init__(
        self,
        game: Game,
        position: Position,
        form: str = "board",
        source: str = "position",
        notation: str = "",
        warnings: tuple[str, ...] = (),
    ) -> None:
        self.game = game
        self.position = position
        self.form = form
        self.source = source
        self.notation = notation or ("squares" if form == "board" else "pdn")
        self.warnings = warnings

    def __setattr__(self, name: str, value: object) -> None:
        if hasattr(self, name):
            raise AttributeError("a puzzle cannot be changed; play() returns the next one")
        object.__setattr__(self, name, value)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Puzzle):
            return NotImplemented
        return self.game is other.game and self.position == other.position

    def __hash__(self) -> int:
        return hash(self.position)

    def __str__(self) -> str:
        return self.game.write(self.position, "board")

    def __repr__(self) -> str:
        text = self.game.with_side(self.position)
        return f"solver.read({text!r}, game={self.game.NAME!r})"

    def _repr_svg_(self) -> str:
        """Shown by notebooks."""
        return render_svg(self)

    @property
    def mover(self) -> str:
        return self.position.mover()

    @property
    def result(self) -> GameResult | None:
        """None while the game goes on."""
        return self.game.outcome(self.position)

    def moves(self) -> list[str]:
        if self.result is not None:
            return []
        return [self.move_name(self.position, child) for child in self.position.children()]

    def children(self) -> list[Puzzle]:
        """After each of `moves()`, in that order; faster than to play them by name."""
        if self.result is not None:
            return []
        return [self.at(child) for child in self.position.children()]

    def play(self, move: str) -> Puzzle:
        """The puzzle after a move, by squares or PDN numbers: all of them, or first and last."""
        return self.at(self.find_move(move))

    def at(self, position: Position) -> Puzzle:
        """Another position of the same game, with the same format and notation."""
        return Puzzle(self.game, position, self.form, self.source, self.notation)

    def move_name(self, parent: Position, child: Position) -> str:
        return self.game.move_name(parent, child, self.notation == "squares")

    def line_names(self, line: list[Position]) -> list[str]:
        """The moves of a line from this position."""
        positions = [self.position, *line]
        return [self.move_name(*pair) for pair in zip(positions, line, strict=False)]

    def write(self, form: str = "") -> str:
        """By default in the format that was read."""
        return self.game.write(self.position, form or self.form)

    def draw(self) -> str:
        """The board with ranks, files and PDN numbers."""
        rows = zip(str(self.position).split("\n"), self.game.beside(self.position), strict=True)
        lines = [
            f"{8 - row}  {' '.join(pieces)}   {beside}".rstrip()
            for row, (pieces, beside) in enumerate(rows)
        ]
        return "\n".join([*lines, "", f"   {' '.join(FILES)}"])

    def find_move(self, move: str) -> Position:
        """The position after a move; raises `UserError` with the legal moves."""
        if self.result is not None:
            raise UserError(f"{move!a} is not a legal move: {self.result}.")
        for child in self.position.children():  # as `moves` names them, without a closer look
            if self.move_name(self.position, child) == move:
                return child
        wanted = _squares_of(move)
        whole, ends, from_there = [], [], []
        for child in self.position.children():
            names = [self.game.move_name(self.position, child, way) for way in (False, True)]
            paths = [_squares_of(name) for name in names]
            if wanted in paths:
                whole.append(child)
            elif wanted in [[path[0], path[-1]] for path in paths]:
                ends.append(child)
            elif wanted and wanted[0] in [path[0] for path in paths]:
                from_there.append(child)
        found = whole or ends
        if len(found) == 1:
            return found[0]
        if found:
            names = [self.move_name(self.position, child) for child in found]
            raise UserError(f"{move} could be {' or '.join(names)}.")
        raise UserError(self._explain_illegal(move, wanted, from_there))

    def _explain_illegal(self, move: str, wanted: list[str], from_there: list[Position]) -> str:
        names = self.moves()
        legal = f"Legal moves: {_join_names(names)}."
        if not wanted:
            return f"{move!a} is not a legal move.{did_you_mean(move, names)} {legal}"
        if from_there:
            near = _join_names([self.move_name(self.position, child) for child in from_there])
            return f"{move} is not a legal move. Legal from {wanted[0]}: {near}."
        if self.position.status() == FORCED:
            return f"{move} is not a legal move: a jump is compulsory. {legal}"
        return f"{move} is not a legal move: {self.mover} cannot move from {wanted[0]}. {legal}"


def _squares_of(move: str) -> list[str]:
    """The squares in a move name, with any separators; empty if it does not look like one."""
    import re

    move = move.strip().lower()
    if not re.fullmatch(r"(?:(?:[a-h][1-8]|\d+)[-x: ]*){2,}[qrbn]?", move):
        return []
    return re.findall(r"[a-h][1-8]|\d+", move)


def _join_names(names: list[str]) -> str:
    more = f" and {len(names) - MOST_LISTED} more" if len(names) > MOST_LISTED else ""
    return ", ".join(names[:MOST_LISTED]) + more


def read_puzzle(
    content: str,
    source: str = "text",
    *,
    strict: bool = False,
    game_name: str = "",
    variant: str = "",
    notation: str = "",
) -> Puzzle:
    """`warnings` says what was repaired; `strict` refuses repairs."""
    game = _known_game(game_name) if game_name else game_of(content)
    check_variant(game, variant)
    read = game.read(content, source, strict, variant)
    warnings = tuple(str(fault) for fault in read.warnings)
    return Puzzle(game, read.position, read.form, source, notation, warnings)


def start_puzzle(game_name: str, files: int = 8, variant: str = "", notation: str = "") -> Puzzle:
    game = _known_game(game_name)
    check_variant(game, variant)
    position = game.read(game.start(files), "the start", True, variant).position
    return Puzzle(game, position, "board", "the start", notation)


def _known_game(name: str) -> Game:
    check_known("game", name, GAMES)
    return game_named(name)


def is_path(text_or_path: str) -> bool:
    """Whether this is a file name and not a position.  Boards have line breaks; positions in one
    line have colons or spaces, unless there is such a file."""
    if "\n" in text_or_path:
        return False
    looks_like_text = ":" in text_or_path or len(text_or_path.split()) > 1
    return not looks_like_text or os.path.exists(text_or_path)


def source_of(path: str) -> str:
    """The name of a path in messages."""
    return "standard input" if path == "-" else path


def read_text(path: str, source: str, largest: int = LARGEST_BOARD) -> str:
    """The content of a file, or of standard input for `-`; invalid UTF-8 is escaped."""
    try:
        if path == "-":
            if sys.stdin is None:
                raise FileError("standard input is closed")
            data = sys.stdin.buffer.read(largest + 1)
        else:
            with open(path, "rb") as file:
                data = file.read(largest + 1)
    except OSError as error:
        raise FileError(f"{source}: {error.strerror}") from None
    except ValueError as error:  # a path with a NUL byte
        raise FileError(f"{source!r}: {error}") from None
    if len(data) > largest:
        what = "a board" if largest == LARGEST_BOARD else "a log"
        raise UserError(f"{source}: more than {largest} bytes, too large for {what}")
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        fault = Fault(1, 1, "this looks like UTF-16")
        raise BoardError(source, [fault], "Save it as plain text, ASCII or UTF-8.")
    return data.decode("utf-8", "surrogateescape")


SVG_HEAD = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 8 8" width="320" role="img">'
SVG_COLOURS = ("#f0e0c0", "#b08860")  # light and dark squares


def render_svg(puzzle: Puzzle) -> str:
    """Round pieces in the colours of the sides; kings have a golden rim."""
    game = puzzle.game
    parts = [f"<title>{game.TITLE}, {puzzle.mover} to move</title>"]
    for index, letter in enumerate(str(puzzle.position).replace("\n", "")):
        row, column = divmod(index, 8)
        fill = SVG_COLOURS[(row + column) % 2]
        parts.append(f'<rect x="{column}" y="{row}" width="1" height="1" fill="{fill}"/>')
        if piece := game.PIECES.get(letter):
            rim = "gold" if piece.endswith(" king") else "grey"
            parts.append(
                f'<circle cx="{column + 0.5}" cy="{row + 0.5}" r="0.38" stroke-width="0.1"'
                f' stroke="{rim}" fill="{game.colour(letter)}">'
                f"<title>{piece} on {FILES[column]}{8 - row}</title></circle>"
            )
    return f"{SVG_HEAD}{''.join(parts)}</svg>"
