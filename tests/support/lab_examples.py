"""A comparison and a ladder to draw."""

from __future__ import annotations

from grader.grading.records import Verdict
from grader.lab.compare_results import (
    ComparisonReport,
    Ladder,
    Measurement,
    Problem,
    Rung,
    summarise,
)
from grader.lab.variants import Variant
from grader.puzzles.truth import JudgedMove, Proven, Truth, parse_value
from solver.search.techniques import Techniques
from support.grading_examples import EXPECTED, GIVEN, INPUT, PAWNS, PAWNS_BEST, PAWNS_GIVEN

NAMES = (
    "centre",
    "six-regions+ordering=static",
    "my/heuristics/first-try.py:evaluate+without=tables",
)

BOARD, BEST, OTHER, START, STEPPED, DOUBLE = (
    board.rstrip("\n") for board in (INPUT, EXPECTED, GIVEN, PAWNS, PAWNS_BEST, PAWNS_GIVEN)
)


def _problem(
    name: str, game: str, board: str, value: str, proven: Proven, best: tuple[str, ...], after: str
) -> Problem:
    worth, mover = parse_value(value), "red" if game == "checkers" else "white"
    moves = (JudgedMove(best[0], after, worth),)
    truth = Truth(game=game, mover=mover, value=worth, best=best, moves=moves, proven=proven)
    return Problem(name, game, board, truth)


JUMPS = ("c3xe5xg7", "h2-g3")
CASES = (
    _problem("jump-01", "checkers", BOARD, "win in 5", Proven.ALL, JUMPS, BEST),
    _problem("pawns-02", "twoflags", START, "draw", Proven.RESULT, ("a2a3",), STEPPED),
    _problem("agreed-03", "checkers", BOARD, "+12 at depth 8", Proven.NONE, JUMPS[:1], BEST),
)


def _measured(
    variant: str, case: str, move: str, board: str, verdict: Verdict, nodes: int
) -> Measurement:
    worth = {
        Verdict.EXACT: "win in 5",
        Verdict.SLOWER: "win in 9",
        Verdict.WORSE: "loss in 8",
    }[verdict]
    curve = tuple((depth, nodes >> 2 * (4 - depth)) for depth in range(1, 5))
    return Measurement(
        *(variant, case, move, board, "+12 at depth 4", None, 4, verdict, worth),
        *(verdict is not Verdict.WORSE, nodes, curve, nodes / 1e6),
    )


JUMP, STEP = ("c3xe5xg7", BEST, Verdict.EXACT), ("h2-g3", OTHER, Verdict.WORSE)
SHORT, LONG = ("a2a3", STEPPED, Verdict.EXACT), ("a2a4", DOUBLE, Verdict.SLOWER)
ANSWERS = (
    ("jump-01", (JUMP, STEP, STEP)),
    ("pawns-02", (LONG, LONG, SHORT)),
    ("agreed-03", (JUMP, JUMP, JUMP)),
)
ROWS = [
    tuple(
        _measured(variant, case, *answer, nodes)
        for variant, answer, nodes in zip(NAMES, answers, (12_345, 4_321, 98_765), strict=True)
    )
    for case, answers in ANSWERS
]
COMPARISON = summarise(CASES, ROWS)
RUNGS = ("minimax", "+ alpha-beta", "+ ordering", "+ cache", "+ deepening", "+ tables")
SAVED = (1.0, 0.11, 0.42, 0.55, 1.2, 0.8)


def _rungs(depth: int) -> list[Rung]:
    found, nodes, minimax = [], 60.0 * 5**depth, 60.0 * 5**depth
    for place, name in enumerate(RUNGS):
        nodes *= SAVED[place]
        last = SAVED[place] if place else None
        found.append(Rung(name, depth, int(nodes), int(nodes / 2), last, nodes / minimax, 0))
    return found


LADDER = Ladder(
    "centre+without=captures",
    tuple(f"case-{number:02}" for number in range(30)),
    (2, 4, 6, 8),
    tuple(rung for depth in (2, 4, 6, 8) for rung in _rungs(depth)),
    (),
)


VARIANTS = (
    Variant(NAMES[0], "centre", depth=6),
    Variant(NAMES[1], "six-regions", Techniques(ordering="static"), nodes=20_000),
    Variant(NAMES[2], "my/heuristics/first-try.py:evaluate", Techniques("tables"), seconds=0.5),
)
COMPARED = ComparisonReport(VARIANTS, COMPARISON, ("Two Flags has no heuristic centre.",))
CLIMBED = ComparisonReport(VARIANTS[:1], LADDER)
