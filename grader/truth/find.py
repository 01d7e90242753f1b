"""The truth about a puzzle that comes without a proof: the solver looks for one, within limits.

All moves are treated alike: every question "is it over in n plies?" is asked about each of
them before the next n, and the search reaches the same depth for each.  Counts of nodes bound
both, so that the same puzzle has the same truth on every machine.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from grader.truth.canonical import canonical
from grader.truth.model import Move, Truth
from grader.truth.values import Value
from solver.games import game_named
from solver.limits import Limits, Stop
from solver.score import loss_in, win_in
from solver.search import Search
from solver.shortest import LONGEST, ShortestWin
from solver.standing import LOST
from solver.switches import Switches

if TYPE_CHECKING:
    from solver.games import Game

DEPTH = 10
NODES = 120_000  # about a second in plain Python, for the proof and again for the search


def find_truth(
    game: str,
    input_text: str,
    expected_text: str,
    *,
    variant: str = "",
    source: str = "the puzzle",
    depth: int = DEPTH,
    nodes: int = NODES,
) -> Truth:
    """Every legal move with its value.  The expected board is canonical; it must be the board
    after a legal move, or the input itself if nothing can be moved."""
    rules = game_named(game)
    position, form, _ = rules.read(input_text, source, False, variant)
    expected = canonical(rules, position, expected_text, source, variant)
    over = rules.outcome(position)
    if over is not None:
        board = rules.write(position, form)
        return Truth(game, variant, position.mover(), "", str(over), (), (), board)
    children = position.children()
    values, asked, searched = _values(rules, position, children, depth, nodes)
    moves = tuple(
        Move(rules.move_name(position, child, True), rules.write(child, "board"), str(value))
        for child, value in zip(children, values, strict=True)
    )
    chosen = children.index(expected)
    return Truth(
        game=game,
        variant=variant,
        mover=position.mover(),
        value=str(max(values, key=_rank)),
        proof=_proof(asked, searched),
        best=_best(moves, values, chosen),
        moves=moves,
        board=rules.write(expected, form),
    )


def _values(
    rules: Game, position: Any, children: list[Any], depth: int, nodes: int
) -> tuple[list[Value], int, int]:
    """The values of the children for the mover, the plies asked about, the depth searched."""
    proven, asked = _proofs(children, nodes)
    if None not in proven:
        return [value for value in proven if value is not None], asked, 0
    left = [index for index, value in enumerate(proven) if value is None]
    evaluate = rules.evaluator(rules.DEFAULT_HEURISTIC, position)
    found, searched = _searches(evaluate, [children[index] for index in left], depth, nodes)
    for index, value in zip(left, found, strict=True):
        proven[index] = value
    return [value for value in proven if value is not None], asked, searched


def _proofs(children: list[Any], nodes: int) -> tuple[list[Value | None], int]:
    """What can be proven about each child, and how many plies of each were asked about."""
    proof = ShortestWin(Limits(nodes=nodes))
    values: list[Value | None] = [
        Value(win_in(1)) if child.standing() == LOST else None for child in children
    ]
    asked = 1
    try:
        while None in values and asked < LONGEST:
            answers = [
                known is None and _is_over_in(proof, child, asked)
                for child, known in zip(children, values, strict=True)
            ]
            for index, over in enumerate(answers):
                if over:
                    plies = asked + 1
                    values[index] = Value(win_in(plies) if plies & 1 else loss_in(plies))
            asked += 1
    except Stop:
        pass
    return values, asked


def _is_over_in(proof: ShortestWin, position: Any, plies: int) -> bool:
    return proof.wins_in(position, plies) if plies & 1 else proof.loses_in(position, plies)


def _searches(
    evaluate: Any, children: list[Any], depth: int, nodes: int
) -> tuple[list[Value], int]:
    """The value of every child at one depth, the deepest that the nodes allow for all."""
    search = Search(evaluate, Switches())
    values = [Value(-evaluate(child), 1) for child in children]
    reached = 1
    for wanted in range(2, depth + 1):
        found = []
        for child in children:
            finding = search.run(child, Limits(depth=wanted - 1, nodes=nodes))
            nodes -= finding.effort.visited
            if finding.depth < wanted - 1 and not finding.proven:
                return values, reached
            found.append(Value(_opinion(-finding.score), wanted))
        values, reached = found, wanted
    return values, reached


def _opinion(score: int) -> int:
    """A score that is no proof: wins and losses that were not proven are only very good or bad."""
    return max(-99_999, min(99_999, score))


def _rank(value: Value) -> int:
    return value.score


def _best(moves: tuple[Move, ...], values: list[Value], chosen: int) -> tuple[str, ...]:
    """The canonical move, then every other that is at least as good."""
    others = [
        move.name
        for index, (move, value) in enumerate(zip(moves, values, strict=True))
        if index != chosen and value.score >= values[chosen].score
    ]
    return (moves[chosen].name, *others)


def _proof(asked: int, searched: int) -> str:
    if not searched:
        return "every move proven by search for the shortest win"
    return f"wins and losses within {asked} plies proven; the rest searched to depth {searched}"
