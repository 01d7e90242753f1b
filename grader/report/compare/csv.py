"""CSV for spreadsheets: one measurement to a row, or one step, rung or policy; the first column
says which."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator
from dataclasses import asdict
from typing import Any

from grader.compare.results import Kept, Measurement, Report
from grader.report.grading.csv import safe

Row = dict[str, Any]


def render(report: Report) -> str:
    rows = list(_rows(report))
    columns = dict.fromkeys(name for row in rows for name in row)
    out = io.StringIO()
    writer = csv.DictWriter(out, list(columns), lineterminator="\n")
    writer.writeheader()
    writer.writerows({name: safe(value) for name, value in row.items()} for row in rows)
    return out.getvalue()


def _rows(report: Report) -> Iterator[Row]:
    if report.comparison is not None:
        values = {case.name: case.value for case in report.comparison.cases}
        for each in report.comparison.measurements:
            yield _measurement("case", each, values[each.case])
    if report.scan is not None:
        for step in report.scan.steps:
            summary = asdict(step.summary)
            for name in ("kept", "nodes", "time"):
                del summary[name]
            own: Row = {"at": step.at, "reached": step.reached, "growth": step.growth}
            yield {
                "part": f"scan {report.scan.option}",
                **summary,
                **own,
                **_kept(step.summary.kept),
            }
    if report.truth is not None:
        for point in report.truth.points:
            own = {"variant": point.variant, "at": point.at, "visited": point.visited}
            yield {"part": "truth", **own, **_kept(point.kept)}
        values = {case.name: case.value for case in report.truth.cases}
        for each in report.truth.measurements:
            yield _measurement("ending", each, values[each.case])
    if report.ladder is not None:
        for rung in report.ladder.rungs:
            yield {"part": "rung", "variant": report.ladder.variant, **asdict(rung)}
        for policy in report.ladder.policies:
            yield {"part": "policy", "variant": report.ladder.variant, **asdict(policy)}


def _measurement(part: str, each: Measurement, truth: str) -> Row:
    row = {"part": part, **asdict(each), "truth": truth, "cpu_s": each.seconds}
    row["board"] = each.board.replace("\n", "/")
    return row


def _kept(kept: Kept) -> Row:
    return {
        "wins": kept.wins.of,
        "wins_kept": kept.wins.kept,
        "draws": kept.draws.of,
        "draws_kept": kept.draws.kept,
        "plies_lost": kept.plies_lost,
    }
