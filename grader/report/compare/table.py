"""Tables for the terminal."""

from __future__ import annotations

from collections.abc import Iterator

from grader.compare.comparing import DEPTH
from grader.compare.results import (
    CaseFacts,
    Comparison,
    Measurement,
    Report,
    Scan,
    Summary,
    TruthKept,
)
from grader.report.compare.columns import (
    count,
    number,
    seconds,
    share,
    share_with_interval,
    table,
    times,
    times_of_reference,
)
from grader.report.compare.ladder_table import ladder_tables
from grader.variants.variant import Variant
from solver.cli.words import shown
from solver.errors import counted

ANSWERS = (
    *("variant", "best", "equal", "slower", "worse"),
    *("wins kept", "draws kept", "unproven", "plies lost"),
)
EFFORT = ("depth", "expanded", "evaluated", "visited", "cutoffs", "hits", "ebf", "CPU time")
REFERENCE = "1.00 x"


def render(report: Report, per_case: bool = False) -> str:
    return "\n".join(_tables(report, per_case))


def _tables(report: Report, per_case: bool) -> Iterator[str]:
    if report.comparison is not None:
        if per_case:
            yield _answers(report.comparison.cases, report.comparison.measurements)
        yield from _comparison(report.comparison, report.variants)
    if report.scan is not None:
        yield from _scan(report.scan)
    if report.truth is not None:
        if per_case:
            yield _answers(report.truth.cases, report.truth.measurements)
        yield from _truth(report.truth, report.variants)
    if report.ladder is not None:
        yield from ladder_tables(report.ladder)


def _answers(cases: tuple[CaseFacts, ...], measurements: tuple[Measurement, ...]) -> str:
    """Every answer of every variant, case by case."""
    truths = {case.name: case.value for case in cases}
    headers = ("case", "truth", "variant", "move", "value", "verdict", "worth", *EFFORT)
    rows = []
    named = ""
    for each in measurements:
        first = each.case != named
        named = each.case
        rows.append(
            [
                shown(each.case) if first else "",
                truths[each.case] if first else "",
                shown(each.variant),
                each.move,
                each.value,
                each.verdict,
                each.worth,
                *_counts(each),
            ]
        )
    return table(headers, rows, 7)


def _counts(each: Measurement | Summary) -> list[str]:
    counts = (each.expanded, each.evaluated, each.visited, each.cutoffs, each.hits)
    alone = isinstance(each, Measurement)
    return [
        number(each.depth, 0 if alone else 1),
        *map(count, counts),
        number(each.branching_factor),
        seconds(each.seconds, 4 if alone else 2),
    ]


def _comparison(comparison: Comparison, variants: tuple[Variant, ...]) -> Iterator[str]:
    summaries = comparison.summaries
    yield table(ANSWERS, [_verdicts(each) for each in summaries])
    repeated = comparison.repeat > 1
    headers = ["variant", *EFFORT, "nodes [95 %]", *(["time [95 %]"] if repeated else [])]
    yield table(headers, [_effort(each, repeated) for each in summaries])
    cases = counted(len(comparison.cases), "case")
    rounds = f"; the quickest of {comparison.repeat} rounds" if repeated else ""
    yield f"{cases}{_limit(variants)}; {shown(summaries[0].variant)} is {REFERENCE}{rounds}\n"


def _verdicts(each: Summary) -> list[str]:
    verdicts = (each.exact, each.equal, each.slower, each.worse)
    kept = each.kept
    return [
        shown(each.variant),
        *map(str, verdicts),
        share(kept.wins),
        share(kept.draws),
        str(kept.unknown),
        number(kept.mean_plies_lost),
    ]


def _effort(each: Summary, repeated: bool) -> list[str]:
    row = [shown(each.variant), *_counts(each)]
    row.append(times_of_reference(each.nodes) if each.nodes else REFERENCE)
    if repeated:
        row.append(times_of_reference(each.time) if each.time else REFERENCE)
    return row


def _limit(variants: tuple[Variant, ...]) -> str:
    """The limit of the variants, if they have the same."""
    limits = {(each.depth, each.nodes, each.seconds) for each in variants}
    if len(limits) > 1:
        return ""
    depth, nodes, seconds = limits.pop()
    words = [f"depth {depth}"] if depth is not None else []
    words += [f"{nodes:,} nodes"] if nodes is not None else []
    words += [f"{seconds:g} s"] if seconds is not None else []
    return "".join(f", {word}" for word in words)


def _scan(scan: Scan) -> Iterator[str]:
    by_depth = scan.option == DEPTH
    headers = ["variant", scan.option, "reached", "right", "visited", "per ply", "ebf"]
    if not by_depth:
        headers = ["variant", scan.option, "right", "visited", "mean depth", "ebf"]
    rows = []
    for step in scan.steps:
        right, visited = str(step.summary.right), count(step.summary.visited)
        cells = [count(step.reached), right, visited, times(step.growth)]
        if not by_depth:
            cells = [right, visited, number(step.summary.depth)]
        ebf = number(step.summary.branching_factor)
        rows.append([shown(step.variant), count(step.at), *cells, ebf])
    yield table(headers, rows)
    words = "; reached: not decided sooner; per ply: growth of the nodes of these"
    yield f"{counted(len(scan.cases), 'case')}{words if by_depth else ''}\n"


def _truth(truth: TruthKept, variants: tuple[Variant, ...]) -> Iterator[str]:
    scanned = [truth.option] if truth.option else []
    headers = ["variant", *scanned]
    headers += ["wins", "kept [95 %]", "draws", "kept [95 %]", "plies lost", "visited"]
    rows = []
    for point in truth.points:
        kept = point.kept
        rows.append(
            [
                shown(point.variant),
                *([] if point.at is None else [count(point.at)]),
                share(kept.wins),
                share_with_interval(kept.wins),
                share(kept.draws),
                share_with_interval(kept.draws),
                number(kept.mean_plies_lost),
                count(point.visited),
            ]
        )
    yield table(headers, rows)
    limit = "" if truth.option else _limit(variants)
    yield (
        f"{counted(len(truth.cases), 'ending')} of {truth.pieces} pieces with something to lose"
        f" ({truth.tried:,} tried, seed {truth.seed}){limit}, without tables\n"
    )
