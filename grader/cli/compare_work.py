"""What `grader compare` was asked for, and the work of it."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from grader.cli.options import cases_of, file_settings, jobs_of, progress
from grader.grading.plan import Mode
from grader.lab.compare import (
    DEPTH,
    NODES,
    Problem,
    compare,
    crew,
    problems_of,
    scan,
    spread,
    values_of,
)
from grader.lab.compare_results import Report
from grader.lab.endings import GAME, Endings, truth_kept
from grader.lab.ladder import climb_all
from grader.lab.variants import DEFAULT, Variant, told_apart, variants_named
from grader.puzzles.find import Case
from solver.cli.options import number
from solver.errors import UserError, did_you_mean
from solver.search.score import MAX_DEPTH

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
