"""The part of a page about truth mode: how much of random endings is kept."""

from __future__ import annotations

from grader.compare.results import TruthKept, TruthPoint
from grader.report.page.depths import grown
from grader.report.page.frame import Section, section
from grader.report.page.lines import Series, line_plot
from grader.report.page.measured import KEPT_HEADS, kept_cells, kept_plots
from grader.report.page.tables import beside, figure, paragraph, table


def endings(truth: TruthKept) -> Section:
    about = (
        f"{len(truth.cases)} random endings of {truth.game} with {truth.pieces} pieces, of "
        f"{truth.tried} tried, from seed {truth.seed}. Everything is known about them, and nothing "
        "of it to the variants."
    )
    by_variant: dict[str, list[TruthPoint]] = {}
    for point in truth.points:
        by_variant.setdefault(point.variant, []).append(point)
    last = [(name, points[-1].kept) for name, points in by_variant.items()]
    lines = _lines(truth.option, by_variant) if truth.option else ""
    where = f" at {truth.option} {truth.points[-1].at}" if truth.option and truth.points else ""
    parts = (paragraph(about), kept_plots(last, where), lines, _numbers(truth))
    return section("Truth kept in endings", *parts)


def _lines(option: str, by_variant: dict[str, list[TruthPoint]]) -> str:
    plots = []
    for kind in ("wins", "draws"):
        series = [Series(name, _shares(kind, points)) for name, points in by_variant.items()]
        caption = f"{kind.capitalize()} kept by {option}"
        plot = line_plot(caption, series, option, f"% of {kind} kept", log=False)
        plots.append(figure(caption, plot) if any(each.points for each in series) else "")
    return beside(*plots)


def _shares(kind: str, points: list[TruthPoint]) -> tuple[tuple[int, float], ...]:
    shares = [(each.at, each.kept.wins if kind == "wins" else each.kept.draws) for each in points]
    return tuple((at, 100 * share.share) for at, share in shares if at is not None and share.of)


def _numbers(truth: TruthKept) -> str:
    if not truth.option:
        rows = [
            (each.variant, *kept_cells(each.kept), f"{each.visited:,}") for each in truth.points
        ]
        return table("Truth kept in endings", ("variant", *KEPT_HEADS, "nodes"), rows)
    cells = {
        (each.variant, each.at): (*kept_cells(each.kept), f"{each.visited:,}")
        for each in truth.points
        if each.at is not None
    }
    return beside(
        *(
            grown(head, truth.option, {key: words[place] for key, words in cells.items()})
            for place, head in enumerate((*KEPT_HEADS, "nodes"))
            if any(words[place] != "0" for words in cells.values())
        )
    )
