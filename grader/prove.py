"""What a puzzle's files in `expected/` say: the solver's answer, and every move with its value."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING

from grader.truth.find import DEPTH, find_truth
from grader.truth.model import Truth
from grader.truth.read import SCHEMA
from solver.games import game_of
from solver.limits import Limits
from solver.solve import DEFAULT_NODES, solve
from solver.switches import Switches

if TYPE_CHECKING:
    from solver.games import Game

# Half a minute in plain Python at the most: what takes longer stays unproven.
NODES = 2_000_000


@dataclass(frozen=True)
class Answer:
    """The solver's answer as a board, and the depth it has reached without a proof."""

    board: str
    depth: int


def prove(input_text: str, source: str, nodes: int = NODES) -> Truth:
    """Every legal move with its value, proven where that can be done.

    What cannot be proven is searched as deep as the solver's own answer.
    """
    game = game_of(input_text)
    answer = default_answer(game, input_text, source)
    return find_truth(
        game.NAME, input_text, answer.board, source=source, depth=answer.depth, nodes=nodes
    )


def default_answer(game: Game, input_text: str, source: str) -> Answer:
    """What `solver IN OUT` writes, without the final newline."""
    position, form, _ = game.read(input_text, source, False)
    if game.outcome(position) is not None:
        return Answer(game.write(position, form), 0)
    evaluate = game.evaluator(game.DEFAULT_HEURISTIC, position)
    finding = solve(position, evaluate, Limits(nodes=DEFAULT_NODES), Switches()).finding
    return Answer(game.write(finding.best, form), DEPTH if finding.proven else finding.depth)


def as_json(truth: Truth) -> str:
    """The text of a puzzle's JSON file; README describes its fields."""
    fields = {
        "schema": SCHEMA,
        "game": truth.game,
        "variant": truth.variant,
        "mover": truth.mover,
        "value": truth.value,
        "proof": truth.proof,
        "best": list(truth.best),
        "moves": [
            {"move": move.name, "board": move.board.split("\n"), "value": move.value}
            for move in truth.moves
        ],
    }
    return json.dumps(fields, indent=2) + "\n"
