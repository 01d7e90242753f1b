"""The part of a page about a scan: what grows with depth, and how fast."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from grader.compare.results import Scan, Step
from grader.report.grading.html.markup import escaped
from grader.report.page.frame import Section, section
from grader.report.page.lines import Series, line_plot
from grader.report.page.svg import swatch
from grader.report.page.tables import Markup, beside, breakable, figure, table
from grader.report.page.wording import times
from solver.errors import counted

COLUMNS: dict[str, Callable[[Step], str]] = {
    "nodes": lambda step: f"{step.summary.visited:,}",
    "growth": lambda step: times(step.growth),
    "cases so deep": lambda step: str(step.reached),
    "cases right": lambda step: str(step.summary.right),
    "CPU s": lambda step: f"{step.summary.seconds:.3f}",
}


def depths(scan: Scan) -> Section:
    by_variant: dict[str, list[Step]] = {}
    for step in scan.steps:
        by_variant.setdefault(step.variant, []).append(step)
    series = [
        Series(name, tuple((step.at, step.summary.visited) for step in steps))
        for name, steps in by_variant.items()
    ]
    caption = f"Nodes by {scan.option}, {counted(len(scan.cases), 'case')}"
    plot = figure(caption, line_plot(caption, series, scan.option, "nodes"))
    numbers = [
        grown(head, scan.option, {(step.variant, step.at): say(step) for step in scan.steps})
        for head, say in COLUMNS.items()
    ]
    return section(f"Growth with {scan.option}", beside(plot), beside(*numbers))


def grown(head: str, option: str, cells: Mapping[tuple[str, int], str]) -> str:
    """A table of variants by steps, whose names show how their lines are drawn."""
    names = dict.fromkeys(name for name, _ in cells)
    steps = sorted({step for _, step in cells})
    rows = [
        (keyed(name, place), *(cells.get((name, step), "") for step in steps))
        for place, name in enumerate(names)
    ]
    return table(f"{head} by {option}", (f"{head} by {option}", *map(str, steps)), rows)


def keyed(name: str, series: int) -> Markup:
    """A name and how its line is drawn."""
    return Markup(f"{swatch(series)}{breakable(escaped(name))}")
