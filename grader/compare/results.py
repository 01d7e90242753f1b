"""What a comparison has found, as values: everything that is printed, saved or drawn."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from grader.stats.ratios import Ratio
    from grader.stats.shares import Share
    from grader.variants.variant import Variant


@dataclass(frozen=True)
class CaseFacts:
    """A position that all variants are given, and the truth about it."""

    name: str
    game: str
    board: str  # rows, without a final newline
    mover: str
    value: str  # in the words of `grader.puzzles.truth.values`
    proven: str  # a word of `grader.puzzles.truth.Proven`
    best: tuple[str, ...]  # the names of the best moves, the canonical one first


@dataclass(frozen=True)
class Measurement:
    """What one variant made of one case.  All but `cpu_s` is the same on every machine."""

    variant: str
    case: str
    move: str
    board: str  # after the move
    value: str  # what the variant believes: `+12 at depth 4`, `win in 5`
    score: int
    depth: int  # the last that was finished: less than asked for where the end is certain
    verdict: str  # of `grader.grading.records.Verdict`: exact, equal, slower or worse
    worth: str  # what the move is worth in truth
    kept: bool | None  # whether it keeps a proven win or draw; None where that is no question
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
        """The quickest round: whatever else the machine does only makes one slower."""
        return min(self.cpu_s)


@dataclass(frozen=True)
class Kept:
    """How much of what the positions are worth a variant's answers keep.

    Only positions proven to be a win or a draw count.  An answer about which nothing is proven is
    `unknown`, and does not count as one that keeps anything.
    """

    wins: Share
    draws: Share
    plies_lost: int  # in all wins that are kept and whose lengths are proven
    timed_wins: int  # so many
    unknown: int = 0

    @property
    def mean_plies_lost(self) -> float | None:
        return self.plies_lost / self.timed_wins if self.timed_wins else None


@dataclass(frozen=True)
class Summary:
    """One variant on all cases.  Ratios are to the reference, case by case."""

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
    time: Ratio | None  # None for the reference, and if nothing was repeated: noise is unknown then

    @property
    def right(self) -> int:
        return self.exact + self.equal


@dataclass(frozen=True)
class Comparison:
    """Variants on cases; the first variant is the reference."""

    cases: tuple[CaseFacts, ...]
    measurements: tuple[Measurement, ...]  # case by case, and there in the order of the variants
    summaries: tuple[Summary, ...]
    repeat: int
    warnings: tuple[str, ...] = ()  # about timings

    def of_case(self, name: str) -> tuple[Measurement, ...]:
        return tuple(each for each in self.measurements if each.case == name)

    @property
    def disputed(self) -> tuple[CaseFacts, ...]:
        """The cases on which the variants give different answers."""
        moves: dict[str, set[str]] = {}
        for each in self.measurements:
            moves.setdefault(each.case, set()).add(each.move)
        return tuple(case for case in self.cases if len(moves[case.name]) > 1)


@dataclass(frozen=True)
class Step:
    """One variant at one value of the option that is scanned."""

    variant: str
    at: int
    summary: Summary
    reached: int  # cases that were searched so deep; the others were decided sooner
    growth: float | None  # nodes for one more ply, over the cases that reached this step


@dataclass(frozen=True)
class Scan:
    """The same cases at growing limits."""

    option: str  # depth or nodes
    cases: tuple[CaseFacts, ...]
    steps: tuple[Step, ...]  # variant by variant


@dataclass(frozen=True)
class Rung:
    """One technique more than the rung below, on all cases at one depth."""

    name: str  # minimax, + alpha-beta, + ordering, ...
    depth: int
    visited: int
    evaluated: int
    to_last: float | None  # nodes in proportion to the rung below
    to_minimax: float
    changed: int  # cases whose value is not what it must be


@dataclass(frozen=True)
class Policy:
    """A way to order or to remember, on all cases at one depth: what it costs and breaks."""

    kind: str  # ordering or cache
    name: str
    deepening: bool
    depth: int
    visited: int
    heuristic_calls: int  # for leaves and for ordering
    ratio: float  # nodes in proportion to no ordering, or no cache
    values_changed: int  # cases with another value than plain minimax has at this depth
    moves_spoiled: int  # cases answered with a move that is not a best one at this depth


@dataclass(frozen=True)
class Fault:
    """A sound rung whose value is not what it must be."""

    rung: str
    case: str
    depth: int
    value: int
    wanted: int


@dataclass(frozen=True)
class Ladder:
    """From plain minimax to the whole search, one technique at a time."""

    variant: str  # what the rungs have in common: heuristic, extension, value of a win
    cases: tuple[str, ...]
    depths: tuple[int, ...]
    rungs: tuple[Rung, ...]  # depth by depth
    policies: tuple[Policy, ...]
    faults: tuple[Fault, ...]


@dataclass(frozen=True)
class TruthPoint:
    """One variant at one depth: how much of the truth its answers keep."""

    variant: str
    at: int | None  # the step of a scan
    kept: Kept
    visited: int


@dataclass(frozen=True)
class TruthKept:
    """Random endings of which everything is known, searched without the tables."""

    game: str
    seed: int
    pieces: int
    tried: int  # positions looked at, until so many had something to lose
    option: str  # what is scanned, or nothing
    cases: tuple[CaseFacts, ...]
    points: tuple[TruthPoint, ...]  # variant by variant
    measurements: tuple[Measurement, ...]  # of the last step


@dataclass(frozen=True)
class Report:
    """Whatever was asked for, in one."""

    variants: tuple[Variant, ...]
    comparison: Comparison | None = None
    scan: Scan | None = None
    truth: TruthKept | None = None
    ladder: Ladder | None = None
    notes: tuple[str, ...] = ()  # what was left out, and why
