"""The results of a comparison, as values: all that is printed, saved or drawn."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from grader.grading.records import Verdict
from grader.lab.stats import Estimate, Share, paired_difference, paired_ratio
from grader.lab.variants import Variant
from grader.puzzles.truth import JudgedMove, Truth
from solver.games import game_named
from solver.search.position import Position

Curve = tuple[tuple[int, int], ...]  # depths, each with the nodes visited until it was finished


@dataclass(frozen=True)
class Problem:
    """A position that all variants are given, and the truth about it."""

    name: str
    game: str
    text: str
    truth: Truth

    def position(self) -> Position:
        rules = game_named(self.game)
        return rules.read(self.text, self.name, False, self.truth.variant).position

    @property
    def board(self) -> str:
        return game_named(self.game).write(self.position(), "board")

    @property
    def best(self) -> JudgedMove:
        return next(move for move in self.truth.moves if move.name == self.truth.best[0])

    def move_to(self, child: Position) -> JudgedMove:
        """The move that leads there, found by its board: names depend on the notation."""
        board = game_named(self.game).write(child, "board")
        return next(move for move in self.truth.moves if move.board == board)


@dataclass(frozen=True)
class Measurement:
    """One variant on one case.  All but `cpu_s` is the same on every machine."""

    variant: str
    case: str
    move: str
    board: str  # after the move
    value: str  # what the variant believes: `+12 at depth 4`, `win in 5`
    settled: int | None  # what it has proven: 1 a win, 0 a draw, -1 a loss; None if it estimates
    depth: int  # the last one finished: less than the limit where the result is settled
    verdict: Verdict  # exact, equal, slower or worse
    worth: str  # the true value of the move
    kept: bool  # it is proven to keep a proven win or draw
    visited: int
    curve: Curve
    cpu_s: float

    @property
    def is_best(self) -> bool:
        return self.verdict.accepted

    def nodes_until(self, depth: int) -> int:
        """A search that was settled sooner needs no more."""
        return max((nodes for reached, nodes in self.curve if reached <= depth), default=0)


Row = tuple[Measurement, ...]  # one case, in the order of the variants


@dataclass(frozen=True)
class Summary:
    """One variant on all cases.  Answers count where variants differ, nodes everywhere.  What is
    compared with the reference, case by case, is None for the reference itself."""

    variant: str
    best: Share  # moves found
    kept: Share  # of proven wins and draws
    visited: int
    cpu_s: float
    more_best: Estimate | None  # percent
    more_kept: Estimate | None
    nodes: Estimate | None  # a ratio
    curve: Curve


@dataclass(frozen=True)
class Comparison:
    """Variants on the same cases.  The first variant is the reference."""

    cases: tuple[Problem, ...]
    measurements: Row  # case by case, and there in the order of the variants
    summaries: tuple[Summary, ...]
    agreed: tuple[str, ...]  # cases set aside: all variants give the same move and kind of value
    settled: tuple[str, ...]  # cases that every variant decided without its heuristic
    origin: str = ""  # where the cases come from, if they are random


@dataclass(frozen=True)
class Rung:
    """One technique more than the rung below, on all cases at one depth."""

    name: str  # minimax, + alpha-beta, + ordering, ...
    depth: int
    visited: int
    evaluated: int
    to_last: float | None  # nodes in proportion to the rung below
    to_minimax: float
    changed: int  # cases with a wrong value


@dataclass(frozen=True)
class ChangedValue:
    """A wrong value on a sound rung."""

    rung: str
    case: str
    depth: int
    value: int
    wanted: int


@dataclass(frozen=True)
class Ladder:
    """From plain minimax to the whole search, one technique at a time."""

    variant: str  # the rungs share its heuristic, capture extension and value of a win
    cases: tuple[str, ...]
    depths: tuple[int, ...]
    rungs: tuple[Rung, ...]  # depth by depth
    faults: tuple[ChangedValue, ...]


@dataclass(frozen=True)
class ComparisonReport:
    variants: tuple[Variant, ...]
    found: Comparison | Ladder
    notes: tuple[str, ...] = ()  # what was left out, and why


def summarise(cases: Sequence[Problem], rows: Sequence[Row], origin: str = "") -> Comparison:
    """From a row for each case.  A single variant has nobody to agree with."""
    agreed = [
        row[0].case
        for row in rows
        if len(row) > 1 and len({(each.move, each.settled) for each in row}) == 1
    ]
    settled = [row[0].case for row in rows if None not in [each.settled for each in row]]
    kept = {case.name for case in cases if case.truth.can_be_lost}.difference(agreed)
    columns = list(zip(*rows, strict=True))
    return Comparison(
        cases=tuple(cases),
        measurements=tuple(each for row in rows for each in row),
        summaries=tuple(
            _summarise_variant(own, columns[0] if number else (), set(agreed), kept)
            for number, own in enumerate(columns)
        ),
        agreed=tuple(agreed),
        settled=tuple(settled),
        origin=origin,
    )


def _summarise_variant(own: Row, reference: Row, agreed: set[str], to_keep: set[str]) -> Summary:
    best, best_there = (
        [each.is_best for each in row if each.case not in agreed] for row in (own, reference)
    )
    kept, kept_there = (
        [each.kept for each in row if each.case in to_keep] for row in (own, reference)
    )
    nodes, nodes_there = ([each.visited for each in row] for row in (own, reference))
    return Summary(
        variant=own[0].variant,
        best=Share(sum(best), len(best)),
        kept=Share(sum(kept), len(kept)),
        visited=sum(nodes),
        cpu_s=sum(each.cpu_s for each in own),
        more_best=paired_difference(best, best_there) if best_there else None,
        more_kept=paired_difference(kept, kept_there) if kept_there else None,
        nodes=paired_ratio(nodes, nodes_there) if nodes_there else None,
        curve=_add_curves(own),
    )


def _add_curves(own: Row) -> Curve:
    """The nodes of all cases, at the depths that every search has either reached or not needed."""
    curves = [each.curve for each in own if each.curve]
    if len(curves) < len(own):
        return ()
    last = [each.depth for each in own if each.settled is None] or [max(each.depth for each in own)]
    depths = range(max(curve[0][0] for curve in curves), min(last) + 1)
    return tuple((depth, sum(each.nodes_until(depth) for each in own)) for depth in depths)
