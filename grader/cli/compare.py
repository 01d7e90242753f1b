"""`grader compare`: variants of the search, measured on the same positions."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from grader.cli.bar import progress
from grader.cli.forms import add_forms, checked_forms, write_forms
from grader.cli.options import add_jobs, add_puzzles, add_settings, cases_of, file_settings, jobs_of
from grader.cli.parser import GraderParser
from grader.grading.plan import Mode
from grader.lab.compare import (
    DEPTH,
    GAME,
    NODES,
    PIECES,
    Endings,
    Problem,
    compare,
    crew,
    problems_of,
    scan,
    spread,
    truth_kept,
    values_of,
)
from grader.lab.compare_results import Report
from grader.lab.ladder import climb_all
from grader.lab.variants import DEFAULT, Variant, told_apart, variants_named
from grader.puzzles.find import Case
from grader.report import COMPARISON_FORMATS, render_comparison
from solver.cli.console import tell
from solver.cli.options import number
from solver.errors import UserError, did_you_mean
from solver.search.score import MAX_DEPTH

# What `grader compare` was asked for, and the work of it.


USUAL_DEPTH = 6
LADDER_DEPTHS = (2, 4, 6)
LADDER_CASES = 30
MOST_NODES = 10**12
MOST = {DEPTH: MAX_DEPTH, NODES: MOST_NODES}


@dataclass(frozen=True)
class Wanted:
    """The parts of the report; those that are not wanted are empty."""

    variants: tuple[Variant, ...]
    cases: bool
    option: str  # that is scanned
    values: tuple[int, ...]
    endings: int
    depths: tuple[int, ...]  # of the ladder

    @property
    def scan(self) -> bool:
        """With --truth, it is the endings that are scanned, unless --cases wants both."""
        return bool(self.values) and (self.cases or not self.endings)

    @property
    def comparison(self) -> bool:
        return self.cases or not (self.values or self.endings or self.depths)


def work(arguments: argparse.Namespace) -> Report:
    wanted = _wanted(arguments)
    variants = wanted.variants
    notes = list(_notes(wanted))
    cases = _cases(arguments) if wanted.comparison or wanted.scan or wanted.depths else []
    problems: list[Problem] = []
    ladder: list[Problem] = []
    if wanted.comparison or wanted.scan:
        problems, left_out = problems_of(cases, variants)
        problems = spread(problems, arguments.sample or len(problems))
        notes += left_out
    if wanted.depths:
        ladder, left_out = problems_of(cases, variants[:1])
        ladder = spread(ladder, arguments.sample or LADDER_CASES)
        notes += [note for note in left_out if note not in notes]
    report = Report(variants, notes=tuple(notes))
    total = len(problems) * (wanted.comparison + wanted.scan) + wanted.endings + len(ladder)
    with (
        progress(total, "case") as bar,
        crew(min(jobs_of(arguments), total), bar.update) as workers,
    ):
        if wanted.comparison:
            compared = compare(problems, variants, arguments.repeat, workers)
            report = replace(report, comparison=compared)
        if wanted.scan:
            scanned = scan(problems, variants, wanted.option, wanted.values, workers)
            report = replace(report, scan=scanned)
        if wanted.endings:
            endings = Endings(arguments.seed, arguments.pieces)
            steps = wanted.option, wanted.values
            kept = truth_kept(endings, wanted.endings, variants, *steps, workers)
            report = replace(report, truth=kept)
        if wanted.depths:
            climbed = climb_all(ladder, variants[0], wanted.depths, workers)
            report = replace(report, ladder=climbed)
    return report


def _wanted(arguments: argparse.Namespace) -> Wanted:
    named = variants_named(arguments.variants, arguments.file and Path(arguments.file))
    depths: tuple[int, ...] = arguments.depth or ()
    if arguments.ladder and arguments.nodes is not None:
        raise UserError("--ladder compares searches of the same depth: --depth, not --nodes.")
    if len(depths) > 1 and not arguments.ladder:
        raise UserError("--depth: one depth, please; several are for --ladder. See also --scan.")
    depth = None if arguments.nodes is not None else max(depths, default=USUAL_DEPTH)
    variants = [
        variant.limited(depth=depth, nodes=arguments.nodes)
        for variant in named or variants_named([DEFAULT])
    ]
    option, values = _scanned(arguments.scan) if arguments.scan else ("", ())
    wanted = Wanted(
        variants=tuple(told_apart(variants)),
        cases=arguments.cases,
        option=option,
        values=values,
        endings=arguments.truth or 0,
        depths=(depths or LADDER_DEPTHS) if arguments.ladder else (),
    )
    _check(wanted)
    return wanted


def _check(wanted: Wanted) -> None:
    idle = [variant.name for variant in wanted.variants if not variant.plays(GAME)]
    if wanted.endings and idle:
        raise UserError(
            f"--truth is about {GAME}, which has tables of the truth; {' and '.join(idle)}"
            " cannot play it."
        )


def _scanned(words: list[str]) -> tuple[str, tuple[int, ...]]:
    option, first, last = words
    if option not in MOST:
        known = " and ".join(MOST)
        raise UserError(
            f"--scan {option}: what can be scanned is {known}.{did_you_mean(option, list(MOST))}"
        )
    try:
        start, end = (number(1, MOST[option])(word) for word in (first, last))
    except argparse.ArgumentTypeError as error:
        raise UserError(f"--scan {option}: {error}.") from None
    if end < start:
        raise UserError(f"--scan {option}: {end} is less than {start}.")
    return option, tuple(values_of(option, start, end))


def _cases(arguments: argparse.Namespace) -> list[Case]:
    settings = file_settings(arguments)
    inputs = Path(arguments.inputs) if arguments.inputs else settings.inputs
    expected = Path(arguments.expected) if arguments.expected else settings.expected
    asked = replace(settings, inputs=inputs, expected=expected, mode=Mode.MOVE)
    return cases_of(arguments, asked)


def _notes(wanted: Wanted) -> Sequence[str]:
    notes = []
    for variant in wanted.variants:
        by_depth = variant.depth is not None and wanted.option != NODES
        if not (by_depth or variant.techniques.has("deepening")):
            notes.append(
                f"{variant.name} does not deepen: it finishes no depth and answers by its"
                " heuristic alone. Give it a depth, or +with=deepening."
            )
    if wanted.endings and any(variant.techniques.has("tables") for variant in wanted.variants):
        notes.append("--truth: all variants search without the tables")
    return notes


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
