"""`grader compare`: variants of the search, measured on the same positions."""

from __future__ import annotations

import argparse
from dataclasses import replace

from grader.cli import options
from grader.grading.plan import Mode
from grader.lab.compare import climb, compare, make_problems, random_endings, sample_evenly
from grader.lab.compare_results import Comparison, ComparisonReport, Ladder
from grader.lab.variants import DEFAULT, Variant, make_names_unique, variant_named
from grader.report import COMPARISON_FORMATS, render_comparison
from solver.cli.console import tell
from solver.cli.options import number
from solver.errors import UserError
from solver.search.score import MAX_DEPTH

SEED = 1
USUAL_DEPTH = 6
LADDER_DEPTHS = (2, 4, 6)
LADDER_CASES = 30
EXAMPLES = """\
  grader compare material centre my.py:evaluate --depth 4 -o page.html -o all.csv
  grader compare default default+ordering=static default+without=pvs
  grader compare default my.py:evaluate --depth 4 -k shot -o csv
  grader compare material centre --truth 1000 --depth 4
  grader compare --ladder                           # what does each technique save?
"""


def make_parser() -> options.GraderParser:
    parser = options.GraderParser(
        "compare",
        "Gives the same boards to variants of the search: how many best moves each finds, how\n"
        "many proven wins and draws it keeps, and how many nodes it needs. The first variant is\n"
        "the reference. A variant is a heuristic, a preset or FILE.py:FUNCTION, with options\n"
        "after it: centre+without=pvs+depth=4.",
        EXAMPLES,
        {
            0: "compared; with --ladder, no technique has changed a value",
            1: "with --ladder, some technique has changed a value",
        },
    )
    add = parser.option
    add("variants [VARIANT...]", f"(default: {DEFAULT})")
    about = f"only N puzzles, evenly spread (default: all; {LADDER_CASES} for --ladder)"
    add("--sample N", about, number(1))
    parser.add_puzzles()
    parser.section("what to compare")
    about = "N random endings with a win or a draw to keep, in place of puzzles"
    add("--truth N", about, number(1, 1_000_000))
    add("--seed S", "of --truth", number(0), SEED)
    add("--ladder", "one technique after the other, from minimax to all of the first variant")
    about = "use endgame tables (default: only where heuristics are the same, not with --truth)"
    add("--tables", about)
    parser.section("measuring")
    limit = parser.either()
    ladder = ",".join(map(str, LADDER_DEPTHS))
    about = f"for variants without a limit (default: {USUAL_DEPTH}; for --ladder: {ladder})"
    add("--depth N", about, _parse_depths, either=limit)
    add("--nodes N", "the same, in nodes", number(1, 10**12), either=limit)
    parser.add_jobs()
    parser.add_settings()
    parser.section("results")
    parser.add_forms(COMPARISON_FORMATS)
    return parser


def _parse_depths(words: str) -> tuple[int, ...]:
    """One depth, or several as in `2,4,6`."""
    check = number(1, MAX_DEPTH)
    return tuple(sorted({check(word) for word in words.split(",")}))


def run(arguments: argparse.Namespace) -> int:
    forms = options.check_outputs(arguments.outputs)
    report = _measure(arguments)
    for note in report.notes:
        tell(f"grader: {note}")
    options.write_forms(forms, lambda form: render_comparison(form.name, report))
    return 1 if isinstance(report.found, Ladder) and report.found.faults else 0


def _measure(arguments: argparse.Namespace) -> ComparisonReport:
    variants = _read_variants(arguments)
    notes = [
        f"{variant.name} does not deepen: within a number of nodes it finishes no depth, and its"
        " answers come from the heuristic alone. Give it a depth, or +with=deepening."
        for variant in variants
        if not variant.techniques.has("deepening") and variant.depth is None
    ]
    origin = ""
    if arguments.truth:
        problems, origin = random_endings(arguments.seed, arguments.truth, variants)
    else:
        settings = replace(options.puzzle_settings(arguments), mode=Mode.MOVE)
        cases = options.cases_of(arguments, settings)
        marked = [case for case in cases if case.points]  # probes show bugs, not strength
        problems, left_out = make_problems(marked or cases, variants)
        notes += left_out
    usual = LADDER_CASES if arguments.ladder else len(problems)
    problems = sample_evenly(problems, arguments.sample or usual)
    jobs = options.jobs_of(arguments)
    with options.progress(len(problems), "board") as advance:
        found: Comparison | Ladder
        if arguments.ladder:
            depths = arguments.depth or LADDER_DEPTHS
            found = climb(problems, variants[0], depths, jobs, advance)
        else:
            found = compare(problems, variants, origin, jobs, advance)
    return ComparisonReport(variants, found, tuple(notes))


def _read_variants(arguments: argparse.Namespace) -> tuple[Variant, ...]:
    """Tables would answer for a heuristic, so that nothing would be learnt about it."""
    named = [variant_named(name) for name in arguments.variants or [DEFAULT]]
    depths: tuple[int, ...] = arguments.depth or ()
    if arguments.ladder and arguments.nodes is not None:
        raise UserError("--ladder compares searches of the same depth: use --depth, not --nodes.")
    if len(depths) > 1 and not arguments.ladder:
        raise UserError("--depth: several depths are for --ladder only.")
    named = named[:1] if arguments.ladder else named
    depth = None if arguments.nodes is not None else max(depths, default=USUAL_DEPTH)
    found = [variant.limited(depth=depth, nodes=arguments.nodes) for variant in named]
    of_heuristics = len({each.heuristic for each in found}) > 1
    if (of_heuristics or arguments.truth) and not arguments.tables:
        found = [variant.changed(without="tables") for variant in found]
    return tuple(make_names_unique(found))
