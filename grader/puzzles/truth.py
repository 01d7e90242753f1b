"""What is known about a puzzle: every legal move and its value, as the JSON file beside its
expected board says it."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import TYPE_CHECKING, Any

from solver.errors import UserError
from solver.games import GAMES, game_named
from solver.search.score import describe, distance, in_words, is_decisive, loss_in, win_in

if TYPE_CHECKING:
    from solver.games import Game
    from solver.search.position import Position

SCHEMA = 2
DECIDED = re.compile(r"(win|loss) in (at most )?([0-9]{1,3})")
SEARCHED = re.compile(r"([+-]?[0-9]{1,6}) at depth ([0-9]{1,3})")
BLANK = "\ufeff\r\n \t"


@dataclass(frozen=True)
class Value:
    """What a move is worth to the mover, as a score of the solver.

    With a depth it is the opinion of a search.  A bounded one is a win or loss for certain, but
    it is not proven that it cannot come sooner.  As text: `win in 5`, `draw`, `loss in 4`,
    `win in at most 33`, `+12 at depth 8`.
    """

    score: int
    depth: int | None = None
    bounded: bool = False

    @property
    def result(self) -> int:
        """1 for a win, -1 for a loss, 0 for a draw or what is not proven."""
        return (self.score > 0) - (self.score < 0) if is_decisive(self.score) else 0

    @property
    def certain(self) -> bool:
        """Whether nothing can change the result."""
        return self.depth is None

    @property
    def proven(self) -> bool:
        """Whether nothing can change the value: neither the result nor how long it takes."""
        return self.certain and not self.bounded

    @property
    def plies(self) -> int | None:
        """How long the game lasts with best play, if that is known."""
        return None if self.bounded else self.most_plies

    @property
    def most_plies(self) -> int | None:
        """How long it lasts at the most, if a side wins for certain."""
        return distance(self.score) if self.result else None

    def after_a_ply(self) -> Value:
        """What a position of this value, proven for the side to move there, is to the other
        side one ply before."""
        if not self.result:
            return self
        plies = distance(self.score) + 1
        return Value(loss_in(plies) if self.result > 0 else win_in(plies), None, self.bounded)

    def __str__(self) -> str:
        if self.depth is None:
            return in_words(self.score, exactly=not self.bounded)
        return f"{describe(self.score)} at depth {self.depth}"


def parse_value(words: str) -> Value:
    """The inverse of `str`; raises `ValueError` for anything else."""
    if words == "draw":
        return Value(0)
    if decided := DECIDED.fullmatch(words):
        plies = int(decided[3])
        won = decided[1] == "win"
        if plies % 2 != won:
            raise ValueError(f"{words!r}: a win takes an odd number of plies, a loss an even one")
        return Value(win_in(plies) if won else loss_in(plies), bounded=decided[2] is not None)
    if searched := SEARCHED.fullmatch(words):
        score = int(searched[1])
        if not is_decisive(score):
            return Value(score, int(searched[2]))
    raise ValueError(
        f"{words!r} is not like 'win in 5', 'draw', 'loss in 4', 'win in at most 33' or "
        "'+12 at depth 8'"
    )


class Source(StrEnum):
    """Where the value of a move comes from."""

    TABLES = "tables"  # the endgame tables have the position after it
    SEARCH = "search"  # all that matters was searched, to the end of the game or into the tables
    NONE = "none"  # nothing is proven: it is the opinion of a search


class Proven(StrEnum):
    """How much of a puzzle is a fact."""

    ALL = "all"  # every move's value
    BEST = "best"  # the puzzle's value, and that the best moves reach it
    RESULT = "result"  # who wins, but not how soon
    NONE = "none"
    OVER = "over"  # there is nothing to prove


@dataclass(frozen=True)
class JudgedMove:
    name: str
    board: str  # without a final newline
    value: Value  # for the mover
    source: Source = Source.NONE


@dataclass(frozen=True)
class Truth:
    """The moves of a position.  Over already if there are none: then `board` is the answer,
    or the input itself if `board` is empty."""

    game: str
    variant: str
    mover: str
    value: Value | None  # None if the game is over
    proof: str  # how the values were proven, or that they were not
    best: tuple[str, ...]  # the names of all moves that are as good as the first
    moves: tuple[JudgedMove, ...]
    board: str  # the canonical answer, without a final newline
    proven: Proven = Proven.NONE
    canonical: str = ""  # the name of the move that leads to `board`


def how_much_proven(values: list[Value], value: Value | None) -> Proven:
    """How much is proven if these are the moves' values, and that is the puzzle's."""
    if value is None:
        return Proven.OVER
    if all(each.proven for each in values):
        return Proven.ALL
    if value.proven:
        return Proven.BEST
    return Proven.RESULT if value.certain else Proven.NONE


def read_truth(proof_json: str, expected: str, source: str) -> Truth:
    """What the JSON text says; `expected` is the canonical board's text, or empty if the first
    of the best moves is canonical.  `check_truth` compares them with the input."""
    try:
        fields = json.loads(proof_json)
    except (ValueError, RecursionError) as error:
        raise UserError(f"{source}: is not JSON: {error}") from None
    try:
        truth = _truth(fields)
    except ValueError as error:
        raise UserError(f"{source}: {error}") from None
    first = [move.board for move in truth.moves if move.name in truth.best[:1]]
    return replace(truth, board=without_blanks(expected) or "".join(first))


def _truth(fields: Any) -> Truth:
    if not isinstance(fields, dict):
        raise ValueError("is not a JSON object")
    if fields.get("schema") != SCHEMA:
        raise ValueError(f"schema is {fields.get('schema')!r}, not {SCHEMA}. Prove it again")
    game, variant, mover = (_text(fields, name) for name in ("game", "variant", "mover"))
    if game not in GAMES:
        raise ValueError(f"game is {game!r}, not one of {', '.join(GAMES)}")
    if variant and variant not in game_named(game).VARIANTS:
        raise ValueError(f"{game} has no variant {variant!r}")
    if mover not in game_named(game).SIDES:
        raise ValueError(f"mover is {mover!r}, not a side of {game}")
    listed = fields.get("moves")
    if not isinstance(listed, list):
        raise ValueError("'moves' is missing or is not a list")
    moves = tuple(_move(move, f"move {at}: ") for at, move in enumerate(listed, 1))
    if len({move.name for move in moves}) < len(moves):
        raise ValueError("two moves have the same name")
    best, words = _best(fields, moves), _text(fields, "value")
    value = _value(words) if moves else None
    proven = how_much_proven([move.value for move in moves], value)
    if _text(fields, "proven") != proven:
        raise ValueError(
            f"proven is {fields['proven']!r}, but by the values it is {proven.value!r}"
        )
    return Truth(
        game=game,
        variant=variant,
        mover=mover,
        value=value,
        proof=_text(fields, "proof"),
        best=best,
        moves=moves,
        board="",
        proven=proven,
    )


def _text(fields: dict[str, Any], name: str, where: str = "") -> str:
    value = fields.get(name)
    if not isinstance(value, str):
        raise ValueError(f"{where}{name!r} is missing or is not text")
    return value


def _value(words: str, where: str = "") -> Value:
    try:
        return parse_value(words)
    except ValueError as error:
        raise ValueError(f"{where}value {error}") from None


def _move(fields: Any, where: str) -> JudgedMove:
    if not isinstance(fields, dict):
        raise ValueError(f"{where}is not an object")
    board = fields.get("board")
    if not (isinstance(board, list) and all(isinstance(line, str) for line in board)):
        raise ValueError(f"{where}'board' is missing or is not a list of lines")
    value = _value(_text(fields, "value", where), where)
    certain = value.certain
    source = _text(fields, "proof", where)
    if source not in list(Source) or (source == Source.NONE) == certain:
        known = "tables or search" if certain else "none"
        raise ValueError(f"{where}proof is {source!r}, for such a value it is {known}")
    return JudgedMove(_text(fields, "move", where), "\n".join(board), value, Source(source))


def _best(fields: dict[str, Any], moves: tuple[JudgedMove, ...]) -> tuple[str, ...]:
    listed = fields.get("best")
    if not (isinstance(listed, list) and all(isinstance(name, str) for name in listed)):
        raise ValueError("'best' is missing or is not a list of moves")
    values = {move.name: move.value for move in moves}
    for name in listed:
        if name not in values:
            raise ValueError(f"the best move {name!r} is not among the moves")
        if values[name] != values[listed[0]]:
            raise ValueError(f"the best moves {listed[0]!r} and {name!r} differ in value")
    if moves and not listed:
        raise ValueError("'best' names no move")
    return tuple(listed)


def without_blanks(text: str) -> str:
    """A text of ours without byte order mark, trailing spaces and empty lines around it."""
    lines = text.strip(BLANK).replace("\r\n", "\n").split("\n")
    return "\n".join(line.rstrip(" \t") for line in lines)


def names_side(text: str, form: str, rules: Game) -> bool:
    """Whether a text says who is to move; if not, a reader has to assume a side."""
    return form == "fen" or any(word.lower() in rules.SIDES for word in text.split())


def canonical(rules: Game, position: Position, text: str, source: str, variant: str) -> Position:
    """The position that an expected text means: the input after a legal move, or the input itself
    where the game is over.  Raises `UserError` if it cannot be reached.  Only a text that is
    written in another way than ours is parsed."""
    text = without_blanks(text)
    for child in [position] if rules.outcome(position) is not None else position.children():
        if text == rules.write(child, "board"):
            return child
    read = rules.read(text, f"{source}, expected", False, variant)
    expected, form = read.position, read.form
    if rules.outcome(position) is not None:
        if str(expected) != str(position):
            raise UserError(
                f"{source}: the game is over in the input, so the expected board must be the "
                "same; it is another one."
            )
        return position
    for child in position.children():
        if str(child) == str(expected):
            if names_side(text, form, rules) and expected.mover() != child.mover():
                raise UserError(
                    f"{source}: the expected board names {expected.mover()} as the side to move; "
                    f"after a move of {position.mover()} it is {child.mover()}."
                )
            return child
    raise UserError(
        f"{source}: the expected board is not the input after a legal move of {position.mover()}."
    )


def check_truth(truth: Truth, position: Position, source: str) -> Truth:
    """The truth with the name of the canonical move, and with boards as we write them.

    Raises `UserError` unless the moves are the legal moves of the position, all of them, and the
    canonical board is that of a best move, or the input itself where the game is over.  Files are
    edited one without the other.
    """
    rules = game_named(truth.game)
    if position.mover() != truth.mover:
        raise UserError(f"{source}: {position.mover()} is to move, the proof says {truth.mover}")
    over = rules.outcome(position) is not None
    legal = {} if over else {rules.write(child, "board"): child for child in position.children()}
    listed = [_as_we_write(rules, move.board, legal, truth.variant, source) for move in truth.moves]
    if sorted(legal) != sorted(listed):
        raise UserError(
            f"{source}: the proof lists {len(listed)} moves that are not the {len(legal)} legal "
            "moves of the input. Was the input changed? Prove it again."
        )
    if over and not truth.board:
        return truth
    expected = canonical(rules, position, truth.board, source, truth.variant)
    moves = tuple(
        replace(move, board=board) for move, board in zip(truth.moves, listed, strict=True)
    )
    named = [move.name for move in moves if legal[move.board] == expected]
    if not over and named[0] not in truth.best:
        raise UserError(f"{source}: the expected board is none of the best moves' boards")
    return replace(truth, moves=moves, canonical="".join(named))


def _as_we_write(
    rules: Game, board: str, legal: dict[str, Position], variant: str, source: str
) -> str:
    """A listed board in our own words; it is parsed only if they are others."""
    if board in legal:
        return board
    look = str(rules.read(board, source, False, variant).position)
    return next((text for text, child in legal.items() if str(child) == look), "")
