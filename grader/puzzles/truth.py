"""What is known about a puzzle: every legal move and its value, as the JSON file beside its
expected board says it."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any

from solver.errors import UserError
from solver.games import Game
from solver.search.position import Position
from solver.search.score import describe, distance, in_words, is_decisive, loss_in, win_in

SCHEMA = 2
DECIDED = re.compile(r"(win|loss) in (at most )?([0-9]{1,3})")
SEARCHED = re.compile(r"([+-]?[0-9]{1,6}) at depth ([0-9]{1,3})")
BLANK = "\ufeff\r\n \t"


@dataclass(frozen=True)
class Value:
    """What a move is worth to the mover, as a score of the solver.  With a depth it is the estimate
    of a search.  A bounded one is a win or loss for certain, which may come sooner.  As text: `win
    in 5`, `draw`, `loss in 4`, `win in at most 33`, `+12 at depth 8`."""

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
        """How long it lasts at most, if a side wins for certain."""
        return distance(self.score) if self.result else None

    def after_a_ply(self) -> Value:
        """What a position of this value, proven for the side to move there, is to the other
        side one ply before."""
        if not self.result:
            return self
        plies = distance(self.score) + 1
        return Value(loss_in(plies) if self.result > 0 else win_in(plies), None, self.bounded)

    @property
    def words(self) -> str:
        """For students: the numbers of a search say nothing to them."""
        if self.certain:
            return str(self)
        side = "ahead" if self.score > 0 else "behind" if self.score < 0 else "level"
        return f"{side} (estimate)"

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
        f"value {words!r} is not like 'win in 5', 'draw', 'loss in 4', 'win in at most 33' or "
        "'+12 at depth 8'"
    )


class Source(StrEnum):
    """Where the value of a move comes from."""

    TABLES = "tables"  # the endgame tables have the position after it
    SEARCH = "search"  # all that matters was searched, to the end of the game or into the tables
    NONE = "none"  # nothing is proven: it is the estimate of a search


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


@dataclass(frozen=True, kw_only=True)
class Truth:
    """The moves of a position.  If there are none the game is over, and `board` is the input."""

    game: str
    mover: str
    variant: str = ""
    proof: str = ""  # how the values were proven, or that they were not
    value: Value | None = None  # None if the game is over
    best: tuple[str, ...] = ()  # the names of all moves that are as good as the first
    moves: tuple[JudgedMove, ...] = ()
    board: str = ""  # the canonical answer, without a final newline
    proven: Proven = Proven.NONE
    canonical: str = ""  # the name of the move that leads to `board`

    @property
    def can_be_lost(self) -> bool:
        """Whether a win or a draw is proven."""
        return self.value is not None and self.value.certain and self.value.result >= 0

    def find_better(self) -> tuple[JudgedMove, JudgedMove] | None:
        """The canonical move and the best one, if that is proven to be better.

        Where the puzzle's value is a proven win, no other value wins as soon: every move was
        asked for a win in that number of plies.
        """
        if not self.moves:
            return None
        chosen = next(move for move in self.moves if move.name == self.canonical)
        best = max(self.moves, key=lambda move: (move.value.certain, move.value.score))
        given, top = chosen.value, best.value
        is_better = top.certain and top.result > given.result and given.certain
        is_longer = given.proven and top.proven and top.score > given.score
        is_shortest = top == self.value and top.proven and top.result > 0
        return (chosen, best) if is_better or is_longer or (is_shortest and given != top) else None


def how_much_proven(values: list[Value], value: Value | None) -> Proven:
    """How much is proven if these are the moves' values, and that is the puzzle's."""
    if value is None:
        return Proven.OVER
    if all(each.proven for each in values):
        return Proven.ALL
    if value.proven:
        return Proven.BEST
    return Proven.RESULT if value.certain else Proven.NONE


def read_truth(proof: str, rules: Game, position: Position, expected: str, source: str) -> Truth:
    """What a puzzle's JSON file says about its position.  Raises `UserError` unless it lists all
    legal moves, and the expected board is that of a best move, or the position itself where the
    game is over.  Without an expected board, the first of the best moves is canonical."""
    try:
        truth = _parse(proof, rules)
    except ValueError as error:
        raise UserError(f"{source}: {error}") from None
    if position.mover() != truth.mover:
        raise UserError(f"{source}: {position.mover()} is to move, the proof says {truth.mover}")
    over = rules.outcome(position) is not None
    legal = {} if over else {rules.write(child, "board"): child for child in position.children()}
    if sorted(legal) != sorted(move.board for move in truth.moves):
        raise UserError(
            f"{source}: the proof lists {len(truth.moves)} moves that are not the {len(legal)} "
            "legal moves of the input. Was the input changed? Prove it again."
        )
    first = "".join(move.board for move in truth.moves if move.name in truth.best[:1])
    board = without_blanks(expected) or first or rules.write(position, "board")
    wanted = canonical(rules, position, board, source, truth.variant)
    named = [move.name for move in truth.moves if legal[move.board] == wanted]
    if not over and named[0] not in truth.best:
        raise UserError(f"{source}: the expected board is none of the best moves' boards")
    return replace(truth, board=board, canonical="".join(named))


def _parse(proof: str, rules: Game) -> Truth:
    """The JSON text by itself; raises `ValueError`."""
    try:
        fields = json.loads(proof)
    except (ValueError, RecursionError) as error:
        raise ValueError(f"is not JSON: {error}") from None
    if not isinstance(fields, dict):
        raise ValueError("is not a JSON object")
    if fields.get("schema") != SCHEMA:
        raise ValueError(f"schema is {fields.get('schema')!r}, not {SCHEMA}. Prove it again")
    variant, mover = _text(fields, "variant"), _text(fields, "mover")
    if _text(fields, "game") != rules.NAME:
        raise ValueError(f"game is {fields['game']!r}, not {rules.NAME}")
    if variant and variant not in rules.VARIANTS:
        raise ValueError(f"{rules.NAME} has no variant {variant!r}")
    if not isinstance(fields.get("moves"), list):
        raise ValueError("'moves' is missing or is not a list")
    moves = tuple(_parse_move(move, at) for at, move in enumerate(fields["moves"], 1))
    values = {move.name: move.value for move in moves}
    if len(values) < len(moves):
        raise ValueError("two moves have the same name")
    best = _texts(fields, "best")
    for name in best:
        if name not in values:
            raise ValueError(f"the best move {name!r} is not among the moves")
        if values[name] != values[best[0]]:
            raise ValueError(f"the best moves {best[0]!r} and {name!r} differ in value")
    if moves and not best:
        raise ValueError("'best' names no move")
    value = parse_value(_text(fields, "value")) if moves else None
    proven = how_much_proven(list(values.values()), value)
    if _text(fields, "proven") != proven:
        raise ValueError(
            f"proven is {fields['proven']!r}, but by the values it is {proven.value!r}"
        )
    return Truth(
        game=rules.NAME,
        variant=variant,
        mover=mover,
        value=value,
        proof=_text(fields, "proof"),
        best=best,
        moves=moves,
        proven=proven,
    )


def _parse_move(fields: Any, number: int) -> JudgedMove:
    try:
        if not isinstance(fields, dict):
            raise ValueError("is not an object")
        board, value = "\n".join(_texts(fields, "board")), parse_value(_text(fields, "value"))
        source = _text(fields, "proof")
        if source not in list(Source) or (source == Source.NONE) == value.certain:
            known = "tables or search" if value.certain else "none"
            raise ValueError(f"proof is {source!r}, for such a value it is {known}")
        name = _text(fields, "move")
        return JudgedMove(name=name, board=board, value=value, source=Source(source))
    except ValueError as error:
        raise ValueError(f"move {number}: {error}") from None


def _text(fields: dict[str, Any], name: str) -> str:
    value = fields.get(name)
    if not isinstance(value, str):
        raise ValueError(f"{name!r} is missing or is not text")
    return value


def _texts(fields: dict[str, Any], name: str) -> tuple[str, ...]:
    value = fields.get(name)
    if not (isinstance(value, list) and all(isinstance(each, str) for each in value)):
        raise ValueError(f"{name!r} is missing or is not a list of texts")
    return tuple(value)


def without_blanks(text: str) -> str:
    """A text of ours without byte order mark, trailing spaces and empty lines around it."""
    lines = text.strip(BLANK).replace("\r\n", "\n").split("\n")
    return "\n".join(line.rstrip(" \t") for line in lines)


def canonical(rules: Game, position: Position, text: str, source: str, variant: str) -> Position:
    """The position that an expected text means: the input after a legal move, or the input itself
    where the game is over.  Raises `UserError` if it cannot be reached.  Only a text that is
    written in another way than ours is parsed."""
    text = without_blanks(text)
    over = rules.outcome(position) is not None
    reachable = [position] if over else position.children()
    for each in reachable:
        if text == rules.write(each, "board"):
            return each
    read = rules.read(text, f"{source}, expected", False, variant)
    found = next((each for each in reachable if str(each) == str(read.position)), None)
    if found is None and over:
        raise UserError(
            f"{source}: the game is over in the input, so the expected board must be the "
            "same; it is another one."
        )
    mover, named = position.mover(), read.position.mover()
    if found is None:
        raise UserError(
            f"{source}: the expected board is not the input after a legal move of {mover}."
        )
    if not over and rules.names_side(text) and named != found.mover():
        raise UserError(
            f"{source}: the expected board names {named} as the side to move; "
            f"after a move of {mover} it is {found.mover()}."
        )
    return found
