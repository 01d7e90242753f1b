"""The results of a comparison, as values: all that is printed, saved or drawn."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from statistics import fmean, geometric_mean
from typing import Any

from grader.grading.records import Verdict
from grader.lab.stats import Ratio, Share, noise_of, paired_ratio
from grader.lab.variants import Variant
from grader.puzzles.truth import parse_value

MUCH_NOISE = 0.05
SUMMED = ("expanded", "evaluated", "visited", "cutoffs", "hits", "seconds")


@dataclass(frozen=True)
class CaseFacts:
    """A position that all variants are given, and the truth about it."""

    name: str
    game: str
    board: str  # rows, without a final newline
    mover: str
    value: str  # as `grader.puzzles.truth.Value` prints it
    proven: str  # of `grader.puzzles.truth.Proven`
    best: tuple[str, ...]  # the names of the best moves, the canonical one first
    best_board: str = ""  # after the canonical one


@dataclass(frozen=True)
class Measurement:
    """One variant on one case.  All but `cpu_s` is the same on every machine."""

    variant: str
    case: str
    move: str
    board: str  # after the move
    value: str  # what the variant believes: `+12 at depth 4`, `win in 5`
    score: int
    depth: int  # the last one finished: less than the limit where the result is certain
    verdict: str  # of `grader.grading.records.Verdict`: exact, equal, slower or worse
    worth: str  # the true value of the move
    kept: bool | None  # whether it keeps a proven win or draw; None where that is unknown
    plies_lost: int | None  # of a win that is kept, if both lengths are proven
    expanded: int
    evaluated: int
    visited: int
    alpha_cuts: int
    beta_cuts: int
    hits: int
    probes: int
    known: int
    branching_factor: float
    cpu_s: tuple[float, ...]  # processor seconds, round by round

    @property
    def cutoffs(self) -> int:
        return self.alpha_cuts + self.beta_cuts

    @property
    def seconds(self) -> float:
        """The fastest round: anything else the machine does only makes one slower."""
        return min(self.cpu_s)


Row = tuple[Measurement, ...]  # one case, in the order of the variants


@dataclass(frozen=True)
class Kept:
    """How many proven wins and draws a variant's answers keep.

    An answer about which nothing is proven is `unknown`, and does not count as kept.
    """

    wins: Share
    draws: Share
    plies_lost: int  # in all wins that are kept and whose lengths are proven
    timed_wins: int  # number of these wins
    unknown: int = 0

    @property
    def mean_plies_lost(self) -> float | None:
        return self.plies_lost / self.timed_wins if self.timed_wins else None


@dataclass(frozen=True)
class Summary:
    """One variant on all cases, at one limit.  Ratios are to the reference, case by case."""

    variant: str
    exact: int
    equal: int
    slower: int
    worse: int
    kept: Kept
    expanded: int
    evaluated: int
    visited: int
    cutoffs: int
    hits: int
    depth: float  # reached, on average
    branching_factor: float  # the geometric mean
    nodes: Ratio | None  # visited nodes; None for the reference itself
    seconds: float
    time: Ratio | None  # None for the reference, and without repeats, since noise is unknown
    at: int | None = None  # the value of the option that is scanned
    reached: int = 0  # cases searched to this depth; the others were decided sooner
    growth: float | None = None  # factor of nodes for one more ply, over the cases that reached it

    @property
    def right(self) -> int:
        return self.exact + self.equal


@dataclass(frozen=True)
class Endings:
    """Where random positions come from."""

    game: str
    seed: int
    pieces: int
    tried: int  # positions generated, until enough had something to lose


@dataclass(frozen=True)
class Comparison:
    """Variants on the same cases, at their own limits or at growing ones.  The first variant is
    the reference."""

    cases: tuple[CaseFacts, ...]
    measurements: Row  # of the last limit: case by case, and there in the order of the variants
    summaries: tuple[Summary, ...]  # variant by variant
    option: str = ""  # depth or nodes, if that is scanned
    repeat: int = 1
    warnings: tuple[str, ...] = ()  # about timings
    endings: Endings | None = None  # if the cases are random, and searched without the tables


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
    """All parts that were requested."""

    variants: tuple[Variant, ...]
    comparison: Comparison | None = None
    scan: Comparison | None = None
    truth: Comparison | None = None
    ladder: Ladder | None = None
    notes: tuple[str, ...] = ()  # what was left out, and why


def summarise(
    cases: Sequence[CaseFacts],
    tables: Sequence[Sequence[Row]],
    option: str = "",
    values: Sequence[int] = (),
    repeat: int = 1,
) -> Comparison:
    """From a row for each case, at each of the values of an option."""
    found = []
    for number in range(len(tables[0][0])):
        columns = [[row[number] for row in rows] for rows in tables]
        for at, own in enumerate(columns):
            reference = [row[0] for row in tables[at]] if number else []
            summary = _summarise_variant(cases, own, reference)
            reached, growth = len(own), None
            if option == "depth":
                reached = sum(each.depth >= values[at] for each in own)
                if at:
                    growth = _growth(columns[at - 1], own, values[at - 1], values[at])
            value = values[at] if values else None
            found.append(replace(summary, at=value, reached=reached, growth=growth))
    return Comparison(
        cases=tuple(cases),
        measurements=tuple(each for row in tables[-1] for each in row),
        summaries=tuple(found),
        option=option,
        repeat=repeat,
        warnings=tuple(_warn_of_noise(tables[-1])),
    )


def _growth(
    before: Sequence[Measurement], own: Sequence[Measurement], last: int, depth: int
) -> float | None:
    """By how much another ply multiplies the nodes, over the cases that reached the depth."""
    pairs = [pair for pair in zip(before, own, strict=True) if pair[1].depth >= depth]
    then, now = (sum(pair[place].visited for pair in pairs) for place in (0, 1))
    return (now / then) ** (1 / (depth - last)) if then else None


def _summarise_variant(
    cases: Sequence[CaseFacts], own: Sequence[Measurement], reference: Sequence[Measurement]
) -> Summary:
    """The reference itself is compared with nothing."""
    verdicts = [each.verdict for each in own]
    sums: dict[str, Any] = {name: sum(getattr(each, name) for each in own) for name in SUMMED}
    nodes = time = None
    if reference:
        nodes = paired_ratio([each.visited for each in own], [each.visited for each in reference])
    if reference and min(len(each.cpu_s) for each in own) > 1:
        time = paired_ratio([each.seconds for each in own], [each.seconds for each in reference])
    return Summary(
        variant=own[0].variant,
        exact=verdicts.count(Verdict.EXACT),
        equal=verdicts.count(Verdict.EQUAL),
        slower=verdicts.count(Verdict.SLOWER),
        worse=verdicts.count(Verdict.WORSE),
        kept=_count_kept(cases, own),
        depth=fmean(each.depth for each in own),
        branching_factor=geometric_mean(each.branching_factor for each in own),
        nodes=nodes,
        time=time,
        **sums,
    )


def _count_kept(cases: Sequence[CaseFacts], own: Sequence[Measurement]) -> Kept:
    pairs = [(parse_value(case.value), each) for case, each in zip(cases, own, strict=True)]
    wins, draws = (
        [each.kept for value, each in pairs if value.certain and value.result == result]
        for result in (1, 0)
    )
    lost = [each.plies_lost for each in own if each.plies_lost is not None]
    return Kept(
        wins=Share(wins.count(True), len(wins)),
        draws=Share(draws.count(True), len(draws)),
        plies_lost=sum(lost),
        timed_wins=len(lost),
        unknown=(wins + draws).count(None),
    )


def _warn_of_noise(rows: Sequence[Row]) -> list[str]:
    found = []
    for column in zip(*rows, strict=True):
        noise = noise_of(each.cpu_s for each in column)
        if noise > MUCH_NOISE:
            found.append(f"{column[0].variant}: the same search differs by {noise:.0%} in time")
    if found:
        found.append("For clearer times, use an idle machine, -j 1 and a larger --repeat.")
    return found
