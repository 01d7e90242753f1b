"""The part of a page about variants on cases: what they cost, and what their answers are worth."""

from __future__ import annotations

from collections.abc import Sequence

from grader.compare.results import Comparison, Kept, Measurement, Summary
from grader.report.page.frame import Section, section
from grader.report.page.intervals import Interval, interval_plot
from grader.report.page.tables import beside, figure, listed, table, tiles
from grader.report.page.wording import NOTHING, ratio_words, share_words, times
from grader.stats.ratios import Ratio
from grader.stats.shares import Share
from solver.errors import counted

KEPT_HEADS = ("wins kept", "draws kept", "plies lost in a win", "not proven")
VERDICTS = ("exact", "equal", "slower", "worse")


def measured(comparison: Comparison) -> list[Section]:
    if not comparison.summaries:
        return []
    summaries = comparison.summaries
    facts = {
        "cases": str(len(comparison.cases)),
        "variants": str(len(summaries)),
        "disputed cases": str(len(comparison.disputed)),
        "reference": summaries[0].variant,
        "rounds of timing": str(comparison.repeat),
    }
    answers = (tiles(facts), listed(comparison.warnings, "warnings part"), _answers(summaries))
    kept = [(each.variant, each.kept) for each in summaries]
    kept_rows = [(name, *kept_cells(each)) for name, each in kept]
    kept_table = table("Truth kept", ("variant", *KEPT_HEADS), kept_rows)
    return [
        section("Variants on cases", *answers),
        section("Truth kept", kept_plots(kept), kept_table),
        section("Effort", _effort(summaries)),
    ]


def _answers(summaries: Sequence[Summary]) -> str:
    rows = [
        (
            each.variant,
            str(each.right),
            *(str(getattr(each, verdict)) for verdict in VERDICTS),
            f"{each.depth:.1f}",
        )
        for each in summaries
    ]
    return table("Answers", ("variant", "right", *VERDICTS, "mean depth"), rows)


def kept_plots(kept: Sequence[tuple[str, Kept]], where: str = "") -> str:
    """How much of won and of drawn positions is kept, side by side."""
    return beside(
        _kept_plot(f"Wins kept{where}", [(name, each.wins) for name, each in kept]),
        _kept_plot(f"Draws kept{where}", [(name, each.draws) for name, each in kept]),
    )


def kept_cells(kept: Kept) -> tuple[str, ...]:
    lost = kept.mean_plies_lost
    mean = NOTHING if lost is None else f"{lost:.2f}"
    return share_words(kept.wins), share_words(kept.draws), mean, str(kept.unknown)


def _kept_plot(caption: str, shares: Sequence[tuple[str, Share]]) -> str:
    intervals = [
        Interval(name, 100 * share.share, 100 * share.low, 100 * share.high, share_words(share))
        for name, share in shares
        if share.of
    ]
    if not intervals:
        return ""
    plot = interval_plot(caption, intervals, "% with 95 % interval")
    return figure(caption, plot)


def _effort(summaries: Sequence[Summary]) -> str:
    heads = ("variant", "nodes", "to reference", "expanded", "evaluated", "cutoffs", "cache hits")
    rows = [
        (
            each.variant,
            f"{each.visited:,}",
            _to_reference(each.nodes, place),
            f"{each.expanded:,}",
            f"{each.evaluated:,}",
            f"{each.cutoffs:,}",
            f"{each.hits:,}",
            f"{each.branching_factor:.2f}",
            f"{each.seconds:.3f}",
            _to_reference(each.time, place),
        )
        for place, each in enumerate(summaries)
    ]
    more = ("branching factor", "CPU s", "to reference")
    numbers = table("Effort", (*heads, *more), rows)
    reference = summaries[0].variant
    nodes = _ratio_plot("Nodes", reference, [(each.variant, each.nodes) for each in summaries])
    time = _ratio_plot("CPU time", reference, [(each.variant, each.time) for each in summaries])
    return beside(nodes, time) + numbers


def _to_reference(ratio: Ratio | None, place: int) -> str:
    return ratio_words(ratio) if place else times(1.0)


def _ratio_plot(of: str, reference: str, ratios: Sequence[tuple[str, Ratio | None]]) -> str:
    intervals = [
        Interval(name, each.ratio, each.low, each.high, ratio_words(each))
        for name, each in ratios
        if each is not None
    ]
    if not intervals:
        return ""
    caption = f"{of} against {reference}"
    plot = interval_plot(caption, intervals, "ratio with 95 % interval", zero=1.0, log=True)
    return figure(caption, plot)


def every_answer(measurements: Sequence[Measurement]) -> Section:
    heads = ("case", "variant", "move", "verdict", "worth", "believed", "plies lost", "depth")
    more = ("nodes", "expanded", "evaluated", "cutoffs", "cache hits", "branching factor", "CPU s")
    rows = [
        (
            each.case,
            each.variant,
            each.move,
            each.verdict,
            each.worth,
            each.value,
            NOTHING if each.plies_lost is None else str(each.plies_lost),
            str(each.depth),
            f"{each.visited:,}",
            f"{each.expanded:,}",
            f"{each.evaluated:,}",
            f"{each.cutoffs:,}",
            f"{each.hits:,}",
            f"{each.branching_factor:.2f}",
            f"{each.seconds:.4f}",
        )
        for each in measurements
    ]
    numbers = table("Every answer", (*heads, *more), rows, "w")
    body = f"<details><summary>{counted(len(rows), 'answer')}</summary>{numbers}</details>"
    return section("Every answer", body)
