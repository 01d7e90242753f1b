"""The ladder on the terminal: the rungs, the orderings, the caches."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from grader.compare.results import Ladder, Policy
from grader.compare.rungs import CACHE, ORDERING
from grader.report.compare.columns import count, table, times
from solver.cli.words import shown
from solver.errors import counted

MOST_FAULTS = 20  # beyond that a list helps nobody


def ladder_tables(ladder: Ladder) -> Iterator[str]:
    yield _rungs(ladder)
    yield _verdict(ladder)
    yield _orderings(ladder)
    yield _caches(ladder)


def _rungs(ladder: Ladder) -> str:
    """Depth by depth the nodes, and what they are of those of the rung before."""
    headers = ["rung"]
    for depth in ladder.depths:
        headers += [f"depth {depth}", "x last"]
    rows = []
    for name in dict.fromkeys(rung.name for rung in ladder.rungs):
        row = [name]
        own = [rung for rung in ladder.rungs if rung.name == name]
        for rung in own:
            row += [count(rung.visited), times(rung.to_last)]
        rows.append([*row, times(own[-1].to_minimax), _agreed(sum(rung.changed for rung in own))])
    return table([*headers, "x minimax", "values"], rows)


def _agreed(changed: int) -> str:
    return f"{changed} differ" if changed else "equal"


def _verdict(ladder: Ladder) -> str:
    cases = counted(len(ladder.cases), "case")
    if not ladder.faults:
        return (
            f"{cases}, {shown(ladder.variant)}: every rung has the value of minimax,"
            " the last that of minimax with tables.\n"
        )
    lines = [f"{cases}, {shown(ladder.variant)}: {counted(len(ladder.faults), 'value')} changed."]
    lines += [
        f"  {shown(each.case)} at depth {each.depth}: {each.rung} has {each.value},"
        f" minimax {each.wanted}"
        for each in ladder.faults[:MOST_FAULTS]
    ]
    if len(ladder.faults) > MOST_FAULTS:
        lines.append(f"  and {len(ladder.faults) - MOST_FAULTS} more")
    return "\n".join(lines) + "\n"


def _orderings(ladder: Ladder) -> str:
    headers = ["ordering"]
    for depth in ladder.depths:
        headers += [f"depth {depth}", "x none"]
    rows = []
    for own in _by_name(ladder, ORDERING):
        cells = [cell for each in own for cell in (count(each.visited), times(each.ratio))]
        rows.append([own[0].name, *cells, count(own[-1].heuristic_calls)])
    return table([*headers, "heuristic calls"], rows)


def _caches(ladder: Ladder) -> str:
    depths = "/".join(str(depth) for depth in ladder.depths)
    headers = ["cache", "deepening", f"values changed {depths}", f"moves spoiled {depths}"]
    rows = []
    for own in _by_name(ladder, CACHE):
        rows.append(
            [
                own[0].name,
                "yes" if own[0].deepening else "no",
                "/".join(str(each.values_changed) for each in own),
                "/".join(str(each.moves_spoiled) for each in own),
                count(own[-1].visited),
                times(own[-1].ratio),
            ]
        )
    return table([*headers, f"depth {ladder.depths[-1]}", "x none"], rows, 2)


def _by_name(ladder: Ladder, kind: str) -> list[Sequence[Policy]]:
    """The policies of a kind, each with all its depths."""
    found: dict[tuple[str, bool], list[Policy]] = {}
    for each in ladder.policies:
        if each.kind == kind:
            found.setdefault((each.name, each.deepening), []).append(each)
    return list(found.values())
