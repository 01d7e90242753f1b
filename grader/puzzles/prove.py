"""What a puzzle's files in `expected/` say: a best move's board, and every move with its value."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from grader.puzzles.difficulty import Difficulty, measure
from grader.truth.canonical import canonical
from grader.truth.find import DEPTH, Findings, find, over, tables_of
from grader.truth.model import Move, Truth
from grader.truth.read import SCHEMA
from solver.errors import UserError
from solver.games import game_named, game_of
from solver.limits import Limits
from solver.solve import DEFAULT_NODES, solve
from solver.switches import Switches

if TYPE_CHECKING:
    from solver.finding import Finding
    from solver.games import Game

NODES = 500_000  # some ten seconds in plain Python at the most: what takes longer stays unproven


@dataclass(frozen=True)
class Proof:
    """The truth about a puzzle, what it took to find, and how hard the puzzle is."""

    truth: Truth
    nodes: int
    limit: int  # of nodes
    difficulty: Difficulty | None = None  # none if the game is over
    confirms: bool = False  # the board that was expected is canonical

    def as_dict(self) -> dict[str, Any]:
        """The fields of a puzzle's JSON file; README describes them."""
        truth = self.truth
        return {
            "schema": SCHEMA,
            "game": truth.game,
            "variant": truth.variant,
            "mover": truth.mover,
            "value": truth.value,
            "proven": truth.proven,
            "proof": truth.proof,
            "best": list(truth.best),
            "moves": [_move(move) for move in truth.moves],
            "nodes": self.nodes,
            "limit": self.limit,
            "difficulty": None if self.difficulty is None else self.difficulty.as_dict(),
        }


def _move(move: Move) -> dict[str, Any]:
    return {
        "move": move.name,
        "board": move.board.split("\n"),
        "value": move.value,
        "proof": move.source,
    }


def prove(
    input_text: str,
    source: str,
    nodes: int = NODES,
    *,
    game: str = "",
    variant: str = "",
    expected: str = "",
    insist: bool = False,
) -> Proof:
    """Every legal move with its value, proven where that can be done within so many nodes.

    The expected board is canonical if it is that of a best move; who insists on it gets
    `NotBest` if it is not.  Otherwise the solver's own answer is canonical, if it is as good as
    any, or the first of the best moves.
    """
    rules = game_named(game) if game else game_of(input_text)
    position, form, _ = rules.read(input_text, source, False, variant)
    wanted = _wanted(rules, position, expected, source, variant, insist)
    if rules.outcome(position) is not None:
        return Proof(over(rules, position, form, variant), 0, nodes, confirms=wanted is not None)
    own = _own_answer(rules, position)
    findings = find(rules, position, DEPTH if own.proven else own.depth, nodes)
    best = [findings.children[index] for index in findings.best]
    if wanted is not None and wanted not in best and insist:
        raise NotBest(source, findings.truth(wanted, form, variant), findings)
    chosen = next((child for child in (wanted, own.best) if child in best), best[0])
    return Proof(
        findings.truth(chosen, form, variant),
        findings.nodes,
        nodes,
        measure(rules, position, findings.best, tables_of(rules.NAME)),
        confirms=chosen == wanted,
    )


def _wanted(
    rules: Game, position: Any, expected: str, source: str, variant: str, insist: bool
) -> Any:
    """The position that an expected board means, or None."""
    if not expected.strip():
        return None
    try:
        return canonical(rules, position, expected, source, variant)
    except UserError:
        if insist:
            raise
        return None


class NotBest(UserError):
    """An expected board that is not that of a best move."""

    def __init__(self, source: str, truth: Truth, findings: Findings) -> None:
        chosen, top = (
            next(move for move in truth.moves if move.name == name)
            for name in (truth.best[0], truth.moves[findings.best[0]].name)
        )
        super().__init__(
            f"{source}: the expected board is that of {chosen.name} ({chosen.value}); "
            f"{top.name} is better ({top.value})."
        )


def _own_answer(rules: Game, position: Any) -> Finding:
    """What `solver IN OUT` writes."""
    evaluate = rules.evaluator(rules.DEFAULT_HEURISTIC, position)
    exact = tables_of(rules.NAME)
    limits = Limits(nodes=DEFAULT_NODES)
    return solve(position, evaluate, limits, Switches(), exact=exact).finding


def as_json(proof: Proof) -> str:
    """The text of a puzzle's JSON file."""
    return json.dumps(proof.as_dict(), indent=2) + "\n"
