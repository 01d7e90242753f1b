"""`grader compare`: variants of the search, measured on the same positions."""

from __future__ import annotations

import argparse
from dataclasses import replace

from grader.cli.options import (
    GraderParser,
    cases_of,
    checked_forms,
    jobs_of,
    progress,
    puzzle_settings,
    write_forms,
)
from grader.grading.plan import Mode
from grader.lab.compare import (
    DEPTH,
    NODES,
    TRUTH_GAME,
    Problem,
    climb,
    compare,
    crew,
    make_problems,
    measure_truth,
    sample_evenly,
    scan_values,
)
from grader.lab.compare_results import ComparisonReport
from grader.lab.variants import DEFAULT, Variant, make_names_unique, variants_named
from grader.puzzles.find import Case
from grader.report import COMPARISON_FORMATS, render_comparison
from solver.cli.console import tell
from solver.cli.options import number
from solver.errors import UserError, did_you_mean
from solver.search.score import MAX_DEPTH

SEED = 1
USUAL_DEPTH = 6
LADDER_DEPTHS = (2, 4, 6)
LADDER_CASES = 30
MOST = {DEPTH: MAX_DEPTH, NODES: 10**12}
EXAMPLES = """\
  grader compare safe-mobile material centre
  grader compare default default+ordering=static default+without=pvs --repeat 5 -j 1
  grader compare default my.py:evaluate --depth 4 -k shot -v
  grader compare --ladder                           # what does each technique save?
  grader compare default centre --scan depth 2 8    # how nodes grow
  grader compare material centre --truth 1000 --depth 4
  grader compare --variants mine.toml --cases --ladder --truth 500 -o html:page.html
"""


def make_parser() -> GraderParser:
    parser = GraderParser(
        "compare",
        "Gives the same positions to variants of the search, and compares their answers,\n"
        "nodes and times. The first variant is the reference. A variant is a heuristic, a preset\n"
        "or FILE.py:FUNCTION, with options after it: centre+without=tables+depth=4.",
        EXAMPLES,
        {
            0: "compared; with --ladder, no technique has changed a value",
            1: "with --ladder, some technique has changed a value",
        },
    )
    add = parser.option
    add("variants [VARIANT...]", f"(default: {DEFAULT})")
    parser.add_variants_file()
    about = f"only N puzzles, evenly spread (default: all; {LADDER_CASES} for --ladder)"
    add("--sample N", about, number(1))
    parser.add_puzzles()
    parser.section("what to compare (default: --cases)")
    add("--cases", "answers and node counts on puzzles")
    about = "the same at every depth, or with nodes doubled from step to step"
    add("--scan OPTION FROM TO", about)
    about = f"wins and draws kept in N random {TRUTH_GAME} endings, searched without tables"
    add("--truth N", about, number(1, 1_000_000))
    add("--ladder", "one technique after the other, from minimax to all of the first variant")
    add("--seed S", "of --truth", number(0), SEED)
    parser.section("measuring")
    limit = parser.either()
    ladder = ",".join(map(str, LADDER_DEPTHS))
    about = f"for variants without a limit (default: {USUAL_DEPTH}; for --ladder: {ladder})"
    add("--depth N", about, _parse_depths, either=limit)
    add("--nodes N", "the same, in nodes", number(1, MOST[NODES]), either=limit)
    add("--repeat N", "measure times N times, with the variants in turn", number(1, 1000), 1)
    parser.add_jobs()
    parser.add_settings()
    parser.section("results")
    add("-v --per-case", "add a table of all answers")
    parser.add_forms(COMPARISON_FORMATS)
    return parser


def _parse_depths(words: str) -> tuple[int, ...]:
    """One depth, or several as in `2,4,6`."""
    check = number(1, MAX_DEPTH)
    return tuple(sorted({check(word) for word in words.split(",")}))


def run(arguments: argparse.Namespace) -> int:
    forms = checked_forms(arguments.outputs)
    report = _measure(arguments)
    for note in report.notes:
        tell(f"grader: {note}")
    write_forms(forms, lambda form: render_comparison(form, report, arguments.per_case))
    for warning in report.comparison.warnings if report.comparison is not None else ():
        tell(f"grader: {warning}")
    return 1 if report.ladder is not None and report.ladder.faults else 0


def _measure(arguments: argparse.Namespace) -> ComparisonReport:
    variants = _read_variants(arguments)
    option, values = _parse_scan(arguments.scan) if arguments.scan else ("", ())
    endings = arguments.truth or 0
    _check_truth(endings, variants)
    compares = arguments.cases or not (values or endings or arguments.ladder)
    # With --truth, it is the endings that are scanned, unless --cases asks for both.
    scans = bool(values) and (arguments.cases or not endings)
    notes = _warn(variants, option, endings)
    cases = _find_cases(arguments) if compares or scans or arguments.ladder else []
    problems: list[Problem] = []
    rungs: list[Problem] = []
    if compares or scans:
        problems, left_out = make_problems(cases, variants)
        problems = sample_evenly(problems, arguments.sample or len(problems))
        notes += left_out
    if arguments.ladder:
        rungs, left_out = make_problems(cases, variants[:1])
        rungs = sample_evenly(rungs, arguments.sample or LADDER_CASES)
        notes += [note for note in left_out if note not in notes]
    report = ComparisonReport(variants, notes=tuple(notes))
    total = len(problems) * (compares + scans) + endings + len(rungs)
    jobs = min(jobs_of(arguments), total)
    with progress(total, "case") as advance, crew(jobs, advance) as workers:
        if compares:
            found = compare(problems, variants, repeat=arguments.repeat, crew=workers)
            report = replace(report, comparison=found)
        if scans:
            scanned = compare(problems, variants, option, values, crew=workers)
            report = replace(report, scan=scanned)
        if endings:
            kept = measure_truth(arguments.seed, endings, variants, option, values, workers)
            report = replace(report, truth=kept)
        if arguments.ladder:
            climbed = climb(rungs, variants[0], arguments.depth or LADDER_DEPTHS, workers)
            report = replace(report, ladder=climbed)
    return report


def _read_variants(arguments: argparse.Namespace) -> tuple[Variant, ...]:
    named = variants_named(arguments.variants, arguments.file) or variants_named([DEFAULT])
    depths: tuple[int, ...] = arguments.depth or ()
    if arguments.ladder and arguments.nodes is not None:
        raise UserError("--ladder compares searches of the same depth: use --depth, not --nodes.")
    if len(depths) > 1 and not arguments.ladder:
        raise UserError("--depth: several depths are for --ladder only. See also --scan.")
    depth = None if arguments.nodes is not None else max(depths, default=USUAL_DEPTH)
    limited = [variant.limited(depth=depth, nodes=arguments.nodes) for variant in named]
    return tuple(make_names_unique(limited))


def _check_truth(endings: int, variants: tuple[Variant, ...]) -> None:
    idle = [variant.name for variant in variants if not variant.plays(TRUTH_GAME)]
    if endings and idle:
        has = "has" if len(idle) == 1 else "have"
        raise UserError(
            f"--truth needs {TRUTH_GAME}: {' and '.join(idle)} {has} no heuristic for it."
        )


def _parse_scan(words: list[str]) -> tuple[str, tuple[int, ...]]:
    option, first, last = words
    if option not in MOST:
        hint = did_you_mean(option, list(MOST))
        raise UserError(f"--scan {option}: only {' and '.join(MOST)} can be scanned.{hint}")
    try:
        start, end = (number(1, MOST[option])(word) for word in (first, last))
    except argparse.ArgumentTypeError as error:
        raise UserError(f"--scan {option}: {error}.") from None
    if end < start:
        raise UserError(f"--scan {option}: {end} is less than {start}.")
    return option, tuple(scan_values(option, start, end))


def _find_cases(arguments: argparse.Namespace) -> list[Case]:
    return cases_of(arguments, replace(puzzle_settings(arguments), mode=Mode.MOVE))


def _warn(variants: tuple[Variant, ...], option: str, endings: int) -> list[str]:
    notes = [
        f"{variant.name} does not deepen: within a number of nodes it finishes no depth, and its"
        " answers come from the heuristic alone. Give it a depth, or +with=deepening."
        for variant in variants
        if not variant.techniques.has("deepening") and (variant.depth is None or option == NODES)
    ]
    if endings and any(variant.techniques.has("tables") for variant in variants):
        notes.append("--truth: all variants search without the tables")
    return notes
