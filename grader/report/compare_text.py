"""A comparison for the terminal, and as CSV and JSON.  Its HTML page shows the same tables."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from typing import Any

import grader.lab.compare_results as results
from grader.grading.records import Verdict
from grader.lab.ratios import Ratio, Share
from grader.lab.variants import Variant
from grader.report.text import (
    Column,
    Table,
    cell,
    printable,
    ratio_words,
    share_words,
    times,
    to_csv,
    to_json,
)
from solver import __version__
from solver.errors import counted

SCHEMA = 1
EFFORT: tuple[Column, ...] = (
    *("depth", "expanded", "evaluated", "visited", "cutoffs", "hits", ("ebf", "branching_factor")),
    ("CPU s", lambda each: f"{each.seconds:.3f}"),
)
KEPT: tuple[Column, ...] = (
    *(("wins kept (95 %)", "kept.wins"), ("draws kept (95 %)", "kept.draws")),
    ("plies lost", "kept.mean_plies_lost"),
)
MOST_FAULTS = 20  # a longer list is of no use

cell.register(Share, share_words)
cell.register(Ratio, ratio_words)


def render_table(report: results.ComparisonReport, per_case: bool = False) -> str:
    return "\n".join(printable(str(part)).rstrip("\n") + "\n" for part in _parts(report, per_case))


def _parts(report: results.ComparisonReport, per_case: bool) -> Iterator[Table | str]:
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


def case_table(found: results.Comparison | results.TruthKept) -> Table:
    """Every answer of every variant, case by case."""
    truths = {case.name: case.value for case in found.cases}
    columns: tuple[Column, ...] = (
        *("case", ("truth", lambda each: truths[each.case]), "variant", "move", "value"),
        *(("verdict", lambda each: Verdict(each.verdict).words), "worth", *EFFORT),
    )
    return Table.of("Every answer", found.measurements, columns, 7)


def answer_table(comparison: results.Comparison) -> Table:
    verdicts = (("best", "exact"), "equal", (Verdict.SLOWER.words, "slower"), "worse")
    columns = ("variant", *verdicts, *KEPT, ("unproven", "kept.unknown"))
    return Table.of("Answers", comparison.summaries, columns)


def effort_table(comparison: results.Comparison) -> Table:
    """Ratios are to the first variant."""
    time = [("time [95 %]", "time")] if comparison.repeat > 1 else []
    columns = ("variant", *EFFORT, ("nodes [95 %]", "nodes"), *time)
    return Table.of("Effort", comparison.summaries, columns)


def comparison_note(comparison: results.Comparison, variants: Sequence[Variant]) -> str:
    if not comparison.summaries:
        return "No case was compared."
    rounds = f"; fastest of {comparison.repeat} rounds" if comparison.repeat > 1 else ""
    cases = counted(len(comparison.cases), "case")
    limit = _common_limit(variants)
    return f"{cases}{limit}; {comparison.summaries[0].variant} is the reference{rounds}"


def _common_limit(variants: Sequence[Variant]) -> str:
    """`, depth 6`, if all variants have the same limit."""
    limits = {(each.depth, each.nodes, each.seconds) for each in variants}
    if len(limits) != 1:
        return ""
    forms = zip((", depth {}", ", {:,} nodes", ", {:g} s"), limits.pop(), strict=True)
    return "".join(form.format(value) for form, value in forms if value is not None)


def scan_table(scan: results.Scan) -> Table:
    work = (("right", "summary.right"), ("visited", "summary.visited"))
    columns: tuple[Column, ...] = (*work, ("mean depth", "summary.depth"))
    if scan.option == "depth":
        columns = ("reached", *work, ("per ply", lambda step: times(step.growth)))
    columns = ("variant", (scan.option, "at"), *columns, ("ebf", "summary.branching_factor"))
    return Table.of(f"Growth with {scan.option}", scan.steps, columns)


def scan_note(scan: results.Scan) -> str:
    words = "; reached: cases not decided sooner; per ply: growth of their nodes"
    return f"{counted(len(scan.cases), 'case')}{words if scan.option == 'depth' else ''}"


def truth_table(truth: results.TruthKept) -> Table:
    scanned = [(truth.option, "at")] if truth.option else []
    return Table.of("Truth kept in endings", truth.points, ("variant", *scanned, *KEPT, "visited"))


def truth_note(truth: results.TruthKept, variants: Sequence[Variant]) -> str:
    limit = "" if truth.option else _common_limit(variants)
    return (
        f"{counted(len(truth.cases), 'ending')} of {truth.pieces} pieces with something to lose"
        f" ({truth.tried:,} tried, seed {truth.seed}){limit}, without tables"
    )


def rung_table(ladder: results.Ladder) -> Table:
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


def _nodes_by_depth(
    ladder: results.Ladder, found: Mapping[int, tuple[int, float | None]]
) -> Iterator[str]:
    for depth in ladder.depths:
        visited, ratio = found.get(depth, (None, None))
        yield from (cell(visited), times(ratio))


def ladder_notes(ladder: results.Ladder) -> list[str]:
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


def policy_table(ladder: results.Ladder, kind: str) -> Table:
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


def policy_name(policy: results.Policy) -> str:
    return f"{policy.name} with deepening" if policy.deepening else policy.name


def policies(ladder: results.Ladder, kind: str) -> dict[str, dict[int, results.Policy]]:
    """By name and depth."""
    found: dict[str, dict[int, results.Policy]] = {}
    for each in ladder.policies:
        if each.kind == kind:
            found.setdefault(policy_name(each), {})[each.depth] = each
    return found


def render_json(report: results.ComparisonReport) -> str:
    """Everything; only `cpu_s`, `seconds`, `time` and `warnings` differ from run to run."""
    return to_json({"schema": SCHEMA, "version": __version__, **vars(report)}, indent=1)


def render_csv(report: results.ComparisonReport) -> str:
    """One measurement, step, rung or policy per row; the first column says which."""
    rows = list(_rows(report))
    return to_csv(list(dict.fromkeys(name for row in rows for name in row)), rows)


def _rows(report: results.ComparisonReport) -> Iterator[dict[str, Any]]:
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


def _measured(part: str, found: results.Comparison | results.TruthKept) -> Iterator[dict[str, Any]]:
    truths = {case.name: case.value for case in found.cases}
    for each in found.measurements:
        row = {"part": part, **asdict(each), "truth": truths[each.case], "cpu_s": each.seconds}
        yield {**row, "board": each.board.replace("\n", "/")}


def _kept(kept: results.Kept) -> dict[str, Any]:
    return {
        "wins": kept.wins.of,
        "wins_kept": kept.wins.kept,
        "draws": kept.draws.of,
        "draws_kept": kept.draws.kept,
        "plies_lost": kept.plies_lost,
    }
