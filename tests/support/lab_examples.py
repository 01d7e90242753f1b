"""A comparison to draw, with everything at once."""

from __future__ import annotations

from dataclasses import replace

from grader.lab.compare_results import (
    CaseFacts,
    Comparison,
    ComparisonReport,
    Endings,
    Kept,
    Ladder,
    Measurement,
    Rung,
    Summary,
)
from grader.lab.stats import Ratio, Share
from grader.lab.variants import Variant
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
CASES = (
    CaseFacts("jump-01", "checkers", BOARD, "red", "win in 5", "all", ("c3xe5xg7", "h2-g3"), BEST),
    CaseFacts("pawns-02", "twoflags", START, "white", "draw", "result", ("a2a3",), STEPPED),
    CaseFacts("agreed-03", "checkers", BOARD, "red", "+12 at depth 8", "none", ("c3xe5xg7",), BEST),
)


def _measured(
    variant: str, case: str, move: str, board: str, verdict: str, nodes: int
) -> Measurement:
    worth = {"exact": "win in 5", "slower": "win in 9", "worse": "loss in 8"}[verdict]
    kept = verdict != "worse"
    return Measurement(
        variant, case, move, board, "+12 at depth 4", 12, 4, verdict, worth, kept,
        0 if verdict == "exact" else 4, nodes // 3, nodes // 2, nodes, nodes // 9, nodes // 8,
        nodes // 20, nodes // 5, nodes // 100, 3.21, (nodes / 1e6, nodes / 9e5),
    )  # fmt: skip


JUMP, STEP = ("c3xe5xg7", BEST, "exact"), ("h2-g3", OTHER, "worse")
SHORT, LONG = ("a2a3", STEPPED, "exact"), ("a2a4", DOUBLE, "slower")
ANSWERS = (
    ("jump-01", (JUMP, STEP, STEP)),
    ("pawns-02", (LONG, LONG, SHORT)),
    ("agreed-03", (JUMP, JUMP, JUMP)),
)
MEASUREMENTS = tuple(
    _measured(variant, case, *answer, nodes)
    for case, answers in ANSWERS
    for variant, answer, nodes in zip(NAMES, answers, (12_345, 4_321, 98_765), strict=True)
)

KEPT = (
    Kept(Share(16, 18), Share(7, 8), 12, 14, 3),
    Kept(Share(11, 18), Share(8, 8), 40, 10, 3),
    Kept(Share(4, 18), Share(0, 8), 0, 0, 4),
)
NODE_RATIOS = (None, Ratio(0.42, 0.33, 0.53), Ratio(7.9, 4.4, 14.2))
TIME_RATIOS = (None, Ratio(0.55, 0.31, 0.98), None)


def _summary(place: int, nodes: int) -> Summary:
    return Summary(
        NAMES[place], 20 - 4 * place, 3, 2 + place, 5 + 3 * place, KEPT[place], nodes // 3,
        nodes // 2, nodes, nodes // 4, nodes // 20, 7.6 - place, 2.4 + place / 3,
        NODE_RATIOS[place], nodes / 3e6, TIME_RATIOS[place],
    )  # fmt: skip


def _scan(limits: range | tuple[None]) -> tuple[Summary, ...]:
    bases = (2.4, 2.1, 3.3)
    return tuple(
        replace(
            _summary(place, int(40 * base ** (at or 9))),
            at=at,
            reached=30 - (at or 9),
            growth=base if at else None,
        )
        for place, base in enumerate(bases)
        for at in limits
    )


COMPARISON = Comparison(
    CASES, MEASUREMENTS, _scan((None,)), repeat=5,
    warnings=("The times of centre differ by 9 % from round to round.",),
)  # fmt: skip
SCAN = Comparison(CASES, MEASUREMENTS, _scan(range(2, 9)), "depth")
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


TRUTH = replace(SCAN, summaries=_scan(range(2, 7, 2)), endings=Endings("checkers", 7, 4, 340))
VARIANTS = (
    Variant(NAMES[0], "centre", depth=6),
    Variant(NAMES[1], "six-regions", Techniques(ordering="static"), nodes=20_000),
    Variant(NAMES[2], "my/heuristics/first-try.py:evaluate", Techniques("tables"), seconds=0.5),
)
COMPARED = ComparisonReport(
    VARIANTS, COMPARISON, SCAN, TRUTH, LADDER, ("Two Flags has no endings.",)
)
