"""`grader compare`: variants of the search, measured on the same positions."""

from __future__ import annotations

import argparse

from grader.cli.compare_work import LADDER_CASES, LADDER_DEPTHS, MOST_NODES, USUAL_DEPTH, work
from grader.cli.options import (
    GraderParser,
    add_forms,
    add_jobs,
    add_puzzles,
    add_settings,
    checked_forms,
    write_forms,
)
from grader.lab.endings import GAME, PIECES
from grader.lab.variants import DEFAULT
from grader.report import COMPARISON_FORMATS, render_comparison
from solver.cli.console import tell
from solver.cli.options import number
from solver.search.score import MAX_DEPTH

SEED = 1

EXAMPLES = """\
  grader compare safe-mobile material centre
  grader compare default default+ordering=static default+without=pvs --repeat 5 -j 1
  grader compare default my.py:evaluate --depth 4 -k shot -v
  grader compare --ladder                           # what does each technique save?
  grader compare default centre --scan depth 2 8    # how nodes grow
  grader compare material centre --truth 1000 --depth 4
  grader compare --variants mine.toml --cases --ladder --truth 500 -o html:page.html
"""
EXIT_CODES = """exit codes:
  0    compared; on the ladder, every value is as it must be
  1    on the ladder, some technique has changed a value
  2    wrong usage, a malformed puzzle or file of variants, a heuristic that fails
  3    a file that cannot be read or written
  130  interrupted
"""


def make_parser() -> GraderParser:
    parser = GraderParser(
        command="compare",
        about="Gives the same positions to variants of the search, and compares their answers,\n"
        "nodes and times. The first variant is the reference. A variant is a heuristic, a preset\n"
        "or FILE.py:FUNCTION, with options after it: centre+without=tables+depth=4.",
        examples=EXAMPLES,
        codes=EXIT_CODES,
    )
    parser.add_argument("variants", metavar="VARIANT", nargs="*", help=f"(default: {DEFAULT})")
    parser.add_argument(
        "--variants", dest="file", metavar="FILE", help="a TOML file with variants by name"
    )
    add_puzzles(parser)
    parser.add_argument(
        "--sample",
        metavar="N",
        type=number(1),
        help=f"only N puzzles, evenly spread (default: all; {LADDER_CASES} on the ladder)",
    )
    _add_parts(parser)
    _add_measuring(parser)
    return parser


def _add_parts(parser: GraderParser) -> None:
    parts = parser.add_argument_group("what to compare (default: --cases)")
    parts.add_argument("--cases", action="store_true", help="answers and effort on the puzzles")
    parts.add_argument(
        "--scan",
        nargs=3,
        metavar=("OPTION", "FROM", "TO"),
        help="the same at every depth, or with twice the nodes again and again",
    )
    parts.add_argument(
        "--truth",
        metavar="N",
        type=number(1, 1_000_000),
        help=f"how much of the truth is kept in N random {GAME} endings, searched without tables",
    )
    parts.add_argument(
        "--ladder",
        action="store_true",
        help="one technique after the other, from minimax to all of the first variant",
    )
    parts.add_argument(
        "--seed", metavar="S", type=number(0), default=SEED, help=f"of --truth (default: {SEED})"
    )
    parts.add_argument(
        "--pieces",
        metavar="N",
        type=number(PIECES[0], PIECES[-1]),
        default=PIECES[-1],
        help=f"of --truth (default: {PIECES[-1]})",
    )


def _add_measuring(parser: GraderParser) -> None:
    measuring = parser.add_argument_group("measuring")
    limits = measuring.add_mutually_exclusive_group()
    limits.add_argument(
        "--depth",
        metavar="N",
        type=_depths,
        help=f"for variants without a limit (default: {USUAL_DEPTH}; of the ladder:"
        f" {','.join(map(str, LADDER_DEPTHS))})",
    )
    limits.add_argument(
        "--nodes", metavar="N", type=number(1, MOST_NODES), help="the same, in positions visited"
    )
    measuring.add_argument(
        "--repeat",
        metavar="N",
        type=number(1, 1000),
        default=1,
        help="measure times N times, one variant after the other (default: 1)",
    )
    add_jobs(measuring)
    add_settings(measuring)
    results = parser.add_argument_group("results")
    results.add_argument(
        "-v", "--per-case", action="store_true", help="every answer, in a table of its own"
    )
    add_forms(results, COMPARISON_FORMATS)


def _depths(words: str) -> tuple[int, ...]:
    """One depth, or several as in `2,4,6`."""
    check = number(1, MAX_DEPTH)
    return tuple(sorted({check(word) for word in words.split(",")}))


def run(arguments: argparse.Namespace) -> int:
    forms = checked_forms(arguments.outputs)
    report = work(arguments)
    for note in report.notes:
        tell(f"grader: {note}")
    write_forms(forms, lambda form: render_comparison(form, report, arguments.per_case))
    for warning in report.comparison.warnings if report.comparison is not None else ():
        tell(f"grader: {warning}")
    return 1 if report.ladder is not None and report.ladder.faults else 0
