"""A comparison as one static page."""

from __future__ import annotations

from grader.compare.results import Report
from grader.report.grading.html.boards import Boards
from grader.report.page.depths import depths
from grader.report.page.disputes import disputes
from grader.report.page.endings import endings
from grader.report.page.frame import Section, page, section
from grader.report.page.measured import every_answer, measured
from grader.report.page.rungs import rungs
from grader.report.page.tables import listed, paragraph, table
from grader.variants.variant import Variant

SWITCHES = (
    *("alpha_beta", "scouts", "aspiration", "win_bounds", "transposition_cuts", "deepening"),
    *("strides", "extension", "tables"),
)


def compare_page(report: Report) -> str:
    boards = Boards()
    sections = [*_numbers(report), *_boards(report, boards)]
    if report.comparison:
        sections.append(every_answer(report.comparison.measurements))
    if not sections:
        sections.append(section("Comparison", paragraph("Nothing was compared.")))
    if report.notes:
        sections.insert(0, section("Notes", listed(report.notes, "warnings part")))
    if report.variants:
        sections.append(_variants(report.variants))
    names = ", ".join(each.name for each in report.variants)
    return page("Comparison", names, boards, sections)


def _numbers(report: Report) -> list[Section]:
    return [
        *(measured(report.comparison) if report.comparison else []),
        *([endings(report.truth)] if report.truth else []),
        *(rungs(report.ladder) if report.ladder else []),
        *([depths(report.scan)] if report.scan else []),
    ]


def _boards(report: Report, boards: Boards) -> list[Section]:
    """After all numbers, because they are long."""
    found = {"Disagreements": report.comparison, "Disagreements in endings": report.truth}
    return [
        section(title, disputes(part.cases, part.measurements, boards))
        for title, part in found.items()
        if part
    ]


def _variants(variants: tuple[Variant, ...]) -> Section:
    heads = ("variant", "heuristic", "ordering", "cache", "win", "without", "limit")
    rows = [
        (
            each.name,
            each.heuristic or "default",
            each.ordering,
            each.cache,
            each.terminal,
            ", ".join(name.replace("_", "-") for name in SWITCHES if not getattr(each, name))
            or "-",
            _limit(each),
        )
        for each in variants
    ]
    return section("The variants", table("The variants", heads, rows, "w"))


def _limit(variant: Variant) -> str:
    limits = [
        f"depth {variant.depth}" if variant.depth is not None else "",
        f"{variant.nodes:,} nodes" if variant.nodes is not None else "",
        f"{variant.seconds:g} s" if variant.seconds is not None else "",
    ]
    return ", ".join(each for each in limits if each) or "-"
