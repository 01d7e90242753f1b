"""A comparison for the terminal, and as CSV and JSON.  Its HTML page shows the same tables."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from typing import Any

from grader.compare.results import (
    Comparison,
    Kept,
    Ladder,
    Measurement,
    Policy,
    Report,
    Scan,
    Summary,
    TruthKept,
)
from grader.report.text import (
    Table,
    decimals,
    printable,
    ratio_words,
    share_interval,
    share_words,
    times,
    to_csv,
    to_json,
)
from grader.variants.variant import Variant
from grader.verdicts import Verdict
from solver import __version__
from solver.errors import counted

SCHEMA = 1
EFFORT = ("depth", "expanded", "evaluated", "visited", "cutoffs", "hits", "ebf", "CPU time")
MOST_FAULTS = 20  # a longer list is of no use


def render_table(report: Report, per_case: bool = False) -> str:
    return "\n".join(printable(str(part)).rstrip("\n") + "\n" for part in _parts(report, per_case))


def _parts(report: Report, per_case: bool) -> Iterator[Table | str]:
    """Tables, each group followed by a line about them."""
    if (comparison := report.comparison) is not None:
        if per_case:
            yield case_table(comparison)
        yield answer_table(comparison)
        yield effort_table(comparison)
        yield comparison_note(comparison, report.variants)
    if report.scan is not None:
        yield scan_table(report.scan)
        yield scan_note(report.scan)
    if (truth := report.truth) is not None:
        if per_case:
            yield case_table(truth)
        yield truth_table(truth)
        yield truth_note(truth, report.variants)
    if report.ladder is not None:
        yield rung_table(report.ladder)
        yield "\n".join(ladder_notes(report.ladder))
        for kind in dict.fromkeys(policy.kind for policy in report.ladder.policies):
            yield policy_table(report.ladder, kind)


def case_table(found: Comparison | TruthKept) -> Table:
    """Every answer of every variant, case by case."""
    truths = {case.name: case.value for case in found.cases}
    heads = ("case", "truth", "variant", "move", "value", "verdict", "worth", *EFFORT)
    rows = []
    for each in found.measurements:
        answer = (each.variant, each.move, each.value, Verdict(each.verdict).words, each.worth)
        rows.append((each.case, truths[each.case], *answer, *_effort(each, 0, 4)))
    return Table("Every answer", heads, rows, 7)


def answer_table(comparison: Comparison) -> Table:
    verdicts = ("best", "equal", Verdict.SLOWER.words, "worse")
    rows = [
        (
            each.variant,
            *map(str, (each.exact, each.equal, each.slower, each.worse)),
            share_words(each.kept.wins),
            share_words(each.kept.draws),
            str(each.kept.unknown),
            decimals(each.kept.mean_plies_lost),
        )
        for each in comparison.summaries
    ]
    heads = ("variant", *verdicts, "wins kept", "draws kept", "unproven", "plies lost")
    return Table("Answers", heads, rows)


def effort_table(comparison: Comparison) -> Table:
    repeated = comparison.repeat > 1
    heads = ("variant", *EFFORT, "nodes [95 %]", *(["time [95 %]"] if repeated else []))
    rows = []
    for place, each in enumerate(comparison.summaries):
        ratios = (each.nodes, each.time) if repeated else (each.nodes,)
        rows.append(
            (each.variant, *_effort(each, 1, 2), *(ratio_words(one, place == 0) for one in ratios))
        )
    return Table("Effort", heads, rows)


def _effort(each: Measurement | Summary, digits: int, time_digits: int) -> list[str]:
    counts = (each.expanded, each.evaluated, each.visited, each.cutoffs, each.hits)
    return [
        decimals(each.depth, digits),
        *(f"{count:,}" for count in counts),
        decimals(each.branching_factor),
        f"{each.seconds:.{time_digits}f} s",
    ]


def comparison_note(comparison: Comparison, variants: Sequence[Variant]) -> str:
    if not comparison.summaries:
        return "No case was compared."
    rounds = f"; fastest of {comparison.repeat} rounds" if comparison.repeat > 1 else ""
    cases = counted(len(comparison.cases), "case")
    limit = _common_limit(variants)
    return f"{cases}{limit}; {comparison.summaries[0].variant} is {ratio_words(None, True)}{rounds}"


def limit_words(variant: Variant) -> str:
    """`depth 6`, `20,000 nodes`, `0.5 s`."""
    words = [f"depth {variant.depth}"] if variant.depth is not None else []
    words += [f"{variant.nodes:,} nodes"] if variant.nodes is not None else []
    words += [f"{variant.seconds:g} s"] if variant.seconds is not None else []
    return ", ".join(words)


def _common_limit(variants: Sequence[Variant]) -> str:
    limits = {limit_words(each) for each in variants}
    return f", {limits.pop()}" if len(limits) == 1 and "" not in limits else ""


def scan_table(scan: Scan) -> Table:
    by_depth = scan.option == "depth"
    own = ("reached", "right", "visited", "per ply") if by_depth else ("right", "visited", "depth")
    rows = []
    for step in scan.steps:
        right, visited = str(step.summary.right), f"{step.summary.visited:,}"
        cells = [right, visited, decimals(step.summary.depth)]
        if by_depth:
            cells = [f"{step.reached:,}", right, visited, times(step.growth)]
        ebf = decimals(step.summary.branching_factor)
        rows.append([step.variant, f"{step.at:,}", *cells, ebf])
    return Table(f"Growth with {scan.option}", ("variant", scan.option, *own, "ebf"), rows)


def scan_note(scan: Scan) -> str:
    words = "; reached: cases not decided sooner; per ply: growth of their nodes"
    return f"{counted(len(scan.cases), 'case')}{words if scan.option == 'depth' else ''}"


def truth_table(truth: TruthKept) -> Table:
    scanned = [truth.option] if truth.option else []
    kept = ("wins", "kept [95 %]", "draws", "kept [95 %]", "plies lost", "visited")
    rows = [
        (
            point.variant,
            *([f"{point.at or 0:,}"] if truth.option else []),
            share_words(point.kept.wins),
            share_interval(point.kept.wins),
            share_words(point.kept.draws),
            share_interval(point.kept.draws),
            decimals(point.kept.mean_plies_lost),
            f"{point.visited:,}",
        )
        for point in truth.points
    ]
    return Table("Truth kept in endings", ("variant", *scanned, *kept), rows)


def truth_note(truth: TruthKept, variants: Sequence[Variant]) -> str:
    limit = "" if truth.option else _common_limit(variants)
    return (
        f"{counted(len(truth.cases), 'ending')} of {truth.pieces} pieces with something to lose"
        f" ({truth.tried:,} tried, seed {truth.seed}){limit}, without tables"
    )


def rung_table(ladder: Ladder) -> Table:
    """Nodes at each depth, and in proportion to the rung before."""
    rows = []
    for name in dict.fromkeys(rung.name for rung in ladder.rungs):
        own = {rung.depth: rung for rung in ladder.rungs if rung.name == name}
        nodes = {depth: (rung.visited, rung.to_last) for depth, rung in own.items()}
        changed = sum(rung.changed for rung in own.values())
        values = f"{changed} differ" if changed else "equal"
        minimax = times(own[max(own)].to_minimax)
        rows.append((name, *_nodes_by_depth(ladder, nodes), minimax, values))
    heads = [head for depth in ladder.depths for head in (f"depth {depth}", "x last")]
    return Table("Ablation ladder", ("rung", *heads, "x minimax", "values"), rows)


def _nodes_by_depth(ladder: Ladder, found: Mapping[int, tuple[int, float | None]]) -> Iterator[str]:
    for depth in ladder.depths:
        visited, ratio = found.get(depth, (None, None))
        yield decimals(visited, 0)
        yield times(ratio)


def ladder_notes(ladder: Ladder) -> list[str]:
    about = f"{counted(len(ladder.cases), 'case')}, {ladder.variant}:"
    if not ladder.faults:
        last = "the last that of minimax with tables"
        return [f"{about} every rung has the value of minimax, {last}."]
    lines = [f"{about} {counted(len(ladder.faults), 'value')} changed."]
    lines += [
        f"  {each.case} at depth {each.depth}: {each.rung} has {each.value}, not {each.wanted}"
        for each in ladder.faults[:MOST_FAULTS]
    ]
    more = len(ladder.faults) - MOST_FAULTS
    return [*lines, f"  and {more} more"] if more > 0 else lines


def policy_table(ladder: Ladder, kind: str) -> Table:
    """Ways of ordering or caching: what they cost and what they break."""
    rows = []
    for name, own in policies(ladder, kind).items():
        nodes = {depth: (each.visited, each.ratio) for depth, each in own.items()}
        changed = "/".join(str(each.values_changed) for each in own.values())
        spoiled = "/".join(str(each.moves_spoiled) for each in own.values())
        calls = f"{own[max(own)].heuristic_calls:,}"
        rows.append((name, *_nodes_by_depth(ladder, nodes), calls, changed, spoiled))
    heads = [head for depth in ladder.depths for head in (f"depth {depth}", "x none")]
    more = ("heuristic calls", "values changed", "moves spoiled")
    title = "Ways of ordering" if kind == "ordering" else "Ways of caching"
    return Table(title, (kind, *heads, *more), rows)


def policy_name(policy: Policy) -> str:
    return f"{policy.name} with deepening" if policy.deepening else policy.name


def policies(ladder: Ladder, kind: str) -> dict[str, dict[int, Policy]]:
    """By name and depth."""
    found: dict[str, dict[int, Policy]] = {}
    for each in ladder.policies:
        if each.kind == kind:
            found.setdefault(policy_name(each), {})[each.depth] = each
    return found


def render_json(report: Report) -> str:
    """Everything; only `cpu_s`, `seconds`, `time` and `warnings` differ from run to run."""
    return to_json({"schema": SCHEMA, "version": __version__, **vars(report)}, indent=1)


def render_csv(report: Report) -> str:
    """One measurement, step, rung or policy per row; the first column says which."""
    rows = list(_rows(report))
    return to_csv(list(dict.fromkeys(name for row in rows for name in row)), rows)


def _rows(report: Report) -> Iterator[dict[str, Any]]:
    if report.comparison is not None:
        yield from _measured("case", report.comparison)
    if report.scan is not None:
        for step in report.scan.steps:
            summary = asdict(step.summary)
            for name in ("kept", "nodes", "time"):
                del summary[name]
            row: dict[str, Any] = {"part": f"scan {report.scan.option}", **summary}
            row |= {"at": step.at, "reached": step.reached, "growth": step.growth}
            yield row | _kept(step.summary.kept)
    if report.truth is not None:
        for point in report.truth.points:
            row = {"part": "truth", "variant": point.variant, "at": point.at}
            yield row | {"visited": point.visited} | _kept(point.kept)
        yield from _measured("ending", report.truth)
    if report.ladder is not None:
        for part, items in (("rung", report.ladder.rungs), ("policy", report.ladder.policies)):
            for each in items:
                yield {"part": part, "variant": report.ladder.variant, **asdict(each)}


def _measured(part: str, found: Comparison | TruthKept) -> Iterator[dict[str, Any]]:
    truths = {case.name: case.value for case in found.cases}
    for each in found.measurements:
        row = {"part": part, **asdict(each), "truth": truths[each.case], "cpu_s": each.seconds}
        yield {**row, "board": each.board.replace("\n", "/")}


def _kept(kept: Kept) -> dict[str, Any]:
    return {
        "wins": kept.wins.of,
        "wins_kept": kept.wins.kept,
        "draws": kept.draws.of,
        "draws_kept": kept.draws.kept,
        "plies_lost": kept.plies_lost,
    }
