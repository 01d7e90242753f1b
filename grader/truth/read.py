"""The truth about a puzzle from its JSON file; README describes the fields."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

from grader.truth.canonical import plain
from grader.truth.model import Move, Proven, Source, Truth, how_much
from grader.truth.values import Value, parse_value
from solver.errors import UserError
from solver.games import GAMES, game_named

SCHEMA = 2  # the first one knew neither what is proven nor wins of unproven length


def read_truth(proof_json: str, expected: str, source: str) -> Truth:
    """What the JSON text says; `expected` is the canonical board's text, or empty if the first
    of the best moves is canonical.  Raises `UserError` if they are not what they should be."""
    reader = _Reader(source)
    try:
        fields = json.loads(proof_json)
    except (ValueError, RecursionError) as error:
        raise reader.error(f"is not JSON: {error}") from None
    return reader.truth(fields, expected)


class _Reader:
    """Reads one file, and knows its name for complaints."""

    def __init__(self, source: str) -> None:
        self.source = source

    def error(self, rule: str) -> UserError:
        return UserError(f"{self.source}: {rule}")

    def truth(self, fields: Any, expected: str) -> Truth:
        if not isinstance(fields, dict):
            raise self.error("is not a JSON object")
        schema = fields.get("schema")
        if schema not in (1, SCHEMA) or isinstance(schema, bool | float):
            raise self.error(f"schema is {schema!r}, only 1 and {SCHEMA} are known")
        game = self.text(fields, "game")
        if game not in GAMES:
            raise self.error(f"game is {game!r}, not one of {', '.join(GAMES)}")
        variant = self.text(fields, "variant")
        if variant and variant not in game_named(game).VARIANTS:
            raise self.error(f"{game} has no variant {variant!r}")
        mover = self.text(fields, "mover")
        if mover not in game_named(game).SIDES:
            raise self.error(f"mover is {mover!r}, no side of {game}")
        moves = self.moves(fields, schema)
        value, best = self.text(fields, "value"), self.best(fields, moves)
        truth = Truth(
            game=game,
            variant=variant,
            mover=mover,
            value=value,
            proof=self.text(fields, "proof"),
            best=best,
            moves=moves,
            board="",
            proven=self.proven(fields, value, best, moves),
        )
        return self.with_board(truth, expected)

    def text(self, fields: dict[str, Any], name: str, where: str = "") -> str:
        value = fields.get(name)
        if not isinstance(value, str):
            raise self.error(f"{where}{name!r} is missing or is not text")
        return value

    def proven(
        self, fields: dict[str, Any], value: str, best: tuple[str, ...], moves: tuple[Move, ...]
    ) -> Proven:
        """How much is proven, which the values must bear out; the first schema does not say."""
        values = {move.name: parse_value(move.value) for move in moves}
        if fields["schema"] == 1:
            return how_much(list(values.values()), values[best[0]] if best else None)
        root = self.value(value, "") if moves else None
        borne_out = how_much(list(values.values()), root)
        said = self.text(fields, "proven")
        if said != borne_out:
            raise self.error(f"proven is {said!r}, but by the values it is {borne_out.value!r}")
        return borne_out

    def value(self, words: str, where: str) -> Value:
        try:
            return parse_value(words)
        except ValueError as error:
            raise self.error(f"{where}value {error}") from None

    def moves(self, fields: dict[str, Any], schema: int) -> tuple[Move, ...]:
        listed = fields.get("moves")
        if not isinstance(listed, list):
            raise self.error("'moves' is missing or is not a list")
        moves = tuple(
            self.move(move, f"move {number}: ", schema) for number, move in enumerate(listed, 1)
        )
        if len({move.name for move in moves}) < len(moves):
            raise self.error("two moves have the same name")
        return moves

    def move(self, fields: Any, where: str, schema: int) -> Move:
        if not isinstance(fields, dict):
            raise self.error(f"{where}is not an object")
        board = fields.get("board")
        if not (isinstance(board, list) and all(isinstance(line, str) for line in board)):
            raise self.error(f"{where}'board' is missing or is not a list of lines")
        value = self.text(fields, "value", where)
        certain = self.value(value, where).certain
        source = Source.SEARCH if certain else Source.NONE
        if schema == SCHEMA:
            source = self.source_of(self.text(fields, "proof", where), certain, where)
        return Move(self.text(fields, "move", where), "\n".join(board), value, source)

    def source_of(self, word: str, certain: bool, where: str) -> Source:
        if word not in list(Source) or (word == Source.NONE) == certain:
            known = "tables or search" if certain else "none"
            raise self.error(f"{where}proof is {word!r}, for such a value it is {known}")
        return Source(word)

    def best(self, fields: dict[str, Any], moves: tuple[Move, ...]) -> tuple[str, ...]:
        listed = fields.get("best")
        if not (isinstance(listed, list) and all(isinstance(name, str) for name in listed)):
            raise self.error("'best' is missing or is not a list of moves")
        values = {move.name: move.value for move in moves}
        for name in listed:
            if name not in values:
                raise self.error(f"the best move {name!r} is not among the moves")
            if values[name] != values[listed[0]]:
                raise self.error(f"the best moves {listed[0]!r} and {name!r} differ in value")
        if moves and not listed:
            raise self.error("'best' names no move")
        return tuple(listed)

    def with_board(self, truth: Truth, expected: str) -> Truth:
        """The truth with its canonical board, which must be one of the best moves'.  Whether a
        finished game is left as it was is for `check_truth` to say, which knows the input."""
        board = plain(expected)
        boards = [move.board for name in truth.best for move in truth.moves if move.name == name]
        game = game_named(truth.game)
        if not board:
            return replace(truth, board=boards[0] if boards else "")
        read = [game.read(text, self.source, False, truth.variant).position for text in boards]
        wanted = game.read(
            board, f"expected board beside {self.source}", False, truth.variant
        ).position
        # A checkers board does not say who is to move, so boards are compared as they look.
        if truth.moves and str(wanted) not in map(str, read):
            raise self.error("the expected board is none of the best moves' boards")
        return replace(truth, board=board)
