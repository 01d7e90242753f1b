"""`grader doctor`: how well this machine can keep programs in a box."""

from __future__ import annotations

import argparse

from tabulate import tabulate

from grader.cli.parser import GraderParser
from grader.cli.sitting import JUDGE_ERROR
from grader.runner import Level, LevelReport, chosen_level, levels
from grader.runs import Sandbox
from grader.sandbox.probes import Held, ProbeResult, probe_all
from solver.cli.words import tell

SHOWN = {Held.HELD: "held", Held.NOT_HELD: "NOT HELD", Held.NOT_APPLICABLE: "-"}
EXIT_CODES = """exit codes:
  0    the strongest box is there, and held everything
  3    it is not, or did not
"""


def make_parser() -> GraderParser:
    return GraderParser(
        command="doctor",
        about="Attacks every box that this machine gives, and shows what held.",
        examples="  grader doctor\n",
        codes=EXIT_CODES,
    )


def run(arguments: argparse.Namespace) -> int:
    tell("Running the attacks; this takes some ten seconds.")
    results = probe_all()
    reports = levels()
    print(tabulate(_rows(results), ["attack", *Level]))
    print()
    for report in reports:
        print(f"{report.level}: {_about(report)}")
    print(f"\nSubmissions run in: {chosen_level(Sandbox.AUTO)}")
    for each in results:
        if each.held is Held.NOT_HELD and each.words:
            tell(f"{each.level}: {each.probe}: {each.words}")
    strongest = [each.held for each in results if each.level is Level.BUBBLEWRAP]
    return 0 if set(strongest) == {Held.HELD} else JUDGE_ERROR


def _rows(results: list[ProbeResult]) -> list[list[str]]:
    rows: dict[str, dict[Level, str]] = {}
    for each in results:
        rows.setdefault(each.probe, {})[each.level] = SHOWN[each.held]
    return [[probe, *(row.get(level, "-") for level in Level)] for probe, row in rows.items()]


def _about(report: LevelReport) -> str:
    if not report.available:
        return f"not available: {report.reason}"
    return f"{report.level.summary}{f'; {report.reason}' if report.reason else ''}"
