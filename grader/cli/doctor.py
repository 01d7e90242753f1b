"""`grader doctor`: how well this machine isolates submissions."""

from __future__ import annotations

import argparse

from grader.cli.options import GraderParser
from grader.cli.run import JUDGE_ERROR
from grader.report.text import Table
from grader.sandbox import Level, Sandbox, choose_level, level_reports
from grader.sandbox.attacks import Held, run_attacks
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
    held = {(each.attack, each.level): SHOWN[each.held] for each in results}
    attacks = dict.fromkeys(each.attack for each in results)
    rows = [[attack, *(held.get((attack, level), "-") for level in Level)] for attack in attacks]
    print(Table("", ["attack", *Level], rows, words=1 + len(Level)))
    for report in reports:
        about = f"{report.level.summary}{f'; {report.reason}' if report.reason else ''}"
        about = about if report.available else f"not available: {report.reason}"
        print(f"{report.level}: {about}")
    print(f"\nSubmissions run in: {choose_level(Sandbox.AUTO)}")
    for each in results:
        if each.held is Held.NOT_HELD and each.words:
            tell(f"{each.level}: {each.attack}: {each.words}")
    strongest = [each.held for each in results if each.level is Level.BUBBLEWRAP]
    return 0 if set(strongest) == {Held.HELD} else JUDGE_ERROR
