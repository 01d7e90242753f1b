"""`grader doctor`: how well this machine isolates submissions."""

from __future__ import annotations

import argparse

from grader.cli.options import GraderParser
from grader.cli.run import JUDGE_ERROR
from grader.report.text import Table
from grader.sandbox import Level, LevelReport, Sandbox, choose_level, level_reports
from grader.sandbox.attacks import AttackResult, Held, run_attacks
from solver.cli.console import tell

SHOWN = {Held.HELD: "held", Held.NOT_HELD: "NOT HELD", Held.NOT_APPLICABLE: "-"}
EXIT_CODES = """exit codes:
  0    the strongest level is available and held against every attack
  3    it is not, or an attack succeeded
"""


def make_parser() -> GraderParser:
    about = "Attacks every sandbox level of this machine and shows which attacks were held."
    return GraderParser("doctor", about, "  grader doctor\n", EXIT_CODES)


def run(arguments: argparse.Namespace) -> int:
    tell("Running the attacks. This takes about 20 seconds.")
    results = run_attacks()
    reports = level_reports()
    print(Table("", ["attack", *Level], _rows(results), words=1 + len(Level)))
    for report in reports:
        print(f"{report.level}: {_about(report)}")
    print(f"\nSubmissions run in: {choose_level(Sandbox.AUTO)}")
    for each in results:
        if each.held is Held.NOT_HELD and each.words:
            tell(f"{each.level}: {each.attack}: {each.words}")
    strongest = [each.held for each in results if each.level is Level.BUBBLEWRAP]
    return 0 if set(strongest) == {Held.HELD} else JUDGE_ERROR


def _rows(results: list[AttackResult]) -> list[list[str]]:
    rows: dict[str, dict[Level, str]] = {}
    for each in results:
        rows.setdefault(each.attack, {})[each.level] = SHOWN[each.held]
    return [[attack, *(row.get(level, "-") for level in Level)] for attack, row in rows.items()]


def _about(report: LevelReport) -> str:
    if not report.available:
        return f"not available: {report.reason}"
    return f"{report.level.summary}{f'; {report.reason}' if report.reason else ''}"
