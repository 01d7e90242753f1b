"""Measurements added up: one line for each variant, beside the reference."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import fmean, geometric_mean

from grader.compare.results import CaseFacts, Comparison, Kept, Measurement, Summary
from grader.grading.records import Verdict
from grader.puzzles.truth import parse_value
from grader.stats.noise import noise_of
from grader.stats.ratios import Ratio, paired_ratio
from grader.stats.shares import Share


def compared(
    cases: Sequence[CaseFacts], measurements: Sequence[Sequence[Measurement]], repeat: int
) -> Comparison:
    """From the measurements of each case, all in the order of the variants."""
    columns = [list(column) for column in zip(*measurements, strict=True)]
    summaries = tuple(summed(cases, column, columns[0]) for column in columns)
    return Comparison(
        cases=tuple(cases),
        measurements=tuple(each for row in measurements for each in row),
        summaries=summaries,
        repeat=repeat,
        warnings=tuple(_warnings(columns, summaries)),
    )


def summed(
    cases: Sequence[CaseFacts], own: Sequence[Measurement], reference: Sequence[Measurement]
) -> Summary:
    verdicts = [each.verdict for each in own]
    return Summary(
        variant=own[0].variant,
        exact=verdicts.count(Verdict.EXACT),
        equal=verdicts.count(Verdict.EQUAL),
        slower=verdicts.count(Verdict.SLOWER),
        worse=verdicts.count(Verdict.WORSE),
        kept=kept(cases, own),
        expanded=sum(each.expanded for each in own),
        evaluated=sum(each.evaluated for each in own),
        visited=sum(each.visited for each in own),
        cutoffs=sum(each.cutoffs for each in own),
        hits=sum(each.hits for each in own),
        depth=fmean(each.depth for each in own),
        branching_factor=geometric_mean(each.branching_factor for each in own),
        nodes=None if own is reference else _ratio_of_nodes(own, reference),
        seconds=sum(each.seconds for each in own),
        time=None if own is reference else _ratio_of_times(own, reference),
    )


def kept(cases: Sequence[CaseFacts], own: Sequence[Measurement]) -> Kept:
    pairs = [(parse_value(case.value), each) for case, each in zip(cases, own, strict=True)]
    wins, draws = (
        [each for value, each in pairs if value.certain and value.result == result]
        for result in (1, 0)
    )
    lost = [each.plies_lost for each in own if each.plies_lost is not None]
    return Kept(
        wins=_share(wins),
        draws=_share(draws),
        plies_lost=sum(lost),
        timed_wins=len(lost),
        unknown=sum(each.kept is None for each in wins + draws),
    )


def _share(measurements: Sequence[Measurement]) -> Share:
    return Share(sum(each.kept is True for each in measurements), len(measurements))


def _ratio_of_nodes(own: Sequence[Measurement], reference: Sequence[Measurement]) -> Ratio:
    return paired_ratio([each.visited for each in own], [each.visited for each in reference])


def _ratio_of_times(own: Sequence[Measurement], reference: Sequence[Measurement]) -> Ratio | None:
    if min(len(each.cpu_s) for each in own) < 2:
        return None
    return paired_ratio([each.seconds for each in own], [each.seconds for each in reference])


def _warnings(columns: Sequence[Sequence[Measurement]], summaries: Sequence[Summary]) -> list[str]:
    """What is to be said about the timings, if there are several of each."""
    found = []
    for column, summary in zip(columns, summaries, strict=True):
        noise = noise_of([each.cpu_s for each in column])
        if not noise.is_much:
            continue
        words = f"{summary.variant}: the same search differs by {noise.spread:.0%} in time"
        if summary.time is not None and noise.hides(summary.time.ratio):
            words += f", too much to say whether {summary.time.ratio:.2f} x is a difference"
        found.append(words)
    if found:
        found.append("A quiet machine, -j 1 and a larger --repeat make times clearer.")
    return found
