"""The part of a page about the ladder: what each technique saves, and which of them are unsound."""

from __future__ import annotations

from collections.abc import Sequence

from grader.compare.results import Ladder, Policy, Rung
from grader.report.page.bars import Bar, bar_chart
from grader.report.page.depths import keyed
from grader.report.page.frame import Section, section
from grader.report.page.lines import Series, line_plot
from grader.report.page.tables import beside, figure, listed, paragraph, table
from grader.report.page.wording import times
from solver.errors import counted


def rungs(ladder: Ladder) -> list[Section]:
    if not ladder.rungs:
        return []
    faults = [
        f"{each.case}: {each.rung} has the value {each.value} at depth {each.depth}, and must have "
        f"{each.wanted}"
        for each in ladder.faults
    ]
    about = (
        f"{ladder.variant} on {counted(len(ladder.cases), 'case')}, one technique after another."
    )
    if not faults:
        about += " Every rung has the values that it must have."
    depth = max(each.depth for each in ladder.rungs)
    plots = beside(_bars(ladder.rungs, depth), _lines(ladder))
    parts = (paragraph(about), listed(faults, "warnings bad"), plots, _numbers(ladder))
    return [section("Ablation ladder", *parts), *_policies(ladder.policies)]


def _bars(rungs: Sequence[Rung], depth: int) -> str:
    bars = [
        Bar(
            each.name, each.visited, f"{each.visited:,}, {times(each.to_minimax)}", each.changed > 0
        )
        for each in rungs
        if each.depth == depth
    ]
    caption = f"Nodes at depth {depth}, and in proportion to minimax"
    return figure(caption, bar_chart(caption, bars, "nodes", log=True))


def _names(ladder: Ladder) -> list[str]:
    return list(dict.fromkeys(each.name for each in ladder.rungs))


def _lines(ladder: Ladder) -> str:
    if len(ladder.depths) < 2:
        return ""
    series = [
        Series(
            name, tuple((each.depth, each.visited) for each in ladder.rungs if each.name == name)
        )
        for name in _names(ladder)
    ]
    caption = "Nodes by depth"
    return figure(caption, line_plot(caption, series, "depth", "nodes"))


def _numbers(ladder: Ladder) -> str:
    """Nodes, and in proportion to the rung below."""
    at = {(each.name, each.depth): each for each in ladder.rungs}
    rows = [
        (
            keyed(name, place) if len(ladder.depths) > 1 else name,
            *(_cell(at.get((name, depth))) for depth in ladder.depths),
        )
        for place, name in enumerate(_names(ladder))
    ]
    heads = ("nodes, to the rung above", *(f"depth {depth}" for depth in ladder.depths))
    return table("Ablation ladder", heads, rows)


def _cell(rung: Rung | None) -> str:
    if rung is None:
        return ""
    ratio = f", {times(rung.to_last)}" if rung.to_last is not None else ""
    changed = f", {counted(rung.changed, 'value')} changed" if rung.changed else ""
    return f"{rung.visited:,}{ratio}{changed}"


def _policies(policies: Sequence[Policy]) -> list[Section]:
    kinds = dict.fromkeys(each.kind for each in policies)
    return [_policy(kind, [each for each in policies if each.kind == kind]) for kind in kinds]


def _policy(kind: str, policies: Sequence[Policy]) -> Section:
    depth = max(each.depth for each in policies)
    bars = [
        Bar(_named(each), each.visited, f"{each.visited:,}, {times(each.ratio)}", _breaks(each))
        for each in policies
        if each.depth == depth
    ]
    heads = (kind, "depth", "nodes", "ratio", "heuristic calls", "values changed", "moves spoiled")
    rows = [
        (
            _named(each),
            str(each.depth),
            f"{each.visited:,}",
            times(each.ratio),
            f"{each.heuristic_calls:,}",
            str(each.values_changed),
            str(each.moves_spoiled),
        )
        for each in policies
    ]
    caption = f"Nodes at depth {depth}, and in proportion to no {kind}"
    plot = figure(caption, bar_chart(caption, bars, "nodes", log=True))
    note = "An open bar with a dashed edge changes values." if any(map(_breaks, policies)) else ""
    parts = (paragraph(note) if note else "", beside(plot, table(caption, heads, rows)))
    return section(f"Ways of {'ordering' if kind == 'ordering' else 'remembering'}", *parts)


def _named(policy: Policy) -> str:
    return f"{policy.name} with deepening" if policy.deepening else policy.name


def _breaks(policy: Policy) -> bool:
    return policy.values_changed > 0
