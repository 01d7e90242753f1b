"""Variants on problems: at one limit each, or at growing limits."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from itertools import compress

from grader.compare.measuring import measured
from grader.compare.problem import Problem
from grader.compare.results import Comparison, Measurement, Scan, Step
from grader.compare.sharing import ALONE, Crew
from grader.compare.summing import compared, summed
from grader.variants.variant import Variant

DEPTH, NODES = "depth", "nodes"
Variants = tuple[Variant, ...]
Table = list[tuple[Measurement, ...]]


def compare(
    problems: Sequence[Problem],
    variants: Sequence[Variant],
    repeat: int = 1,
    crew: Crew = ALONE,
) -> Comparison:
    rows = _measure(problems, variants, repeat, crew)
    return compared([problem.facts() for problem in problems], rows, repeat)


def scan(
    problems: Sequence[Problem],
    variants: Sequence[Variant],
    option: str,
    values: Sequence[int],
    crew: Crew = ALONE,
) -> Scan:
    """The variants at each value of `depth` or `nodes`; the first is the reference at each."""
    cases = tuple(problem.facts() for problem in problems)
    tables = measured_at(steps_of(variants, option, values), problems, crew)
    steps: list[Step] = []
    for number in range(len(variants)):
        columns = [[row[number] for row in rows] for rows in tables]
        references = [[row[0] for row in rows] for rows in tables] if number else columns
        summaries = map(partial(summed, cases), columns, references)
        growths = _growths(columns, values) if option == DEPTH else [None] * len(values)
        for value, own, summary, growth in zip(values, columns, summaries, growths, strict=True):
            reached = sum(each.depth >= value for each in own) if option == DEPTH else len(own)
            steps.append(Step(summary.variant, value, summary, reached, growth))
    return Scan(option, cases, tuple(steps))


def steps_of(variants: Sequence[Variant], option: str, values: Sequence[int]) -> list[Variants]:
    return [tuple(at(variant, option, value) for variant in variants) for value in values]


def measured_at(steps: Sequence[Variants], problems: Sequence[Problem], crew: Crew) -> list[Table]:
    """A table of measurements for each step, problem by problem."""
    rows = _measure(problems, [variant for step in steps for variant in step], 1, crew)
    width = len(steps[0])
    return [[row[start : start + width] for row in rows] for start in range(0, len(rows[0]), width)]


def at(variant: Variant, option: str, value: int) -> Variant:
    """With that limit, and no other."""
    depth, nodes = (value, None) if option == DEPTH else (None, value)
    return replace(variant, depth=depth, nodes=nodes, seconds=None)


def _measure(
    problems: Sequence[Problem], variants: Sequence[Variant], repeat: int, crew: Crew
) -> Table:
    return crew.each(partial(measured, variants=tuple(variants), repeat=repeat), problems)


def values_of(option: str, first: int, last: int) -> list[int]:
    """Every depth; of nodes, each as many again as the last."""
    if option == DEPTH:
        return list(range(first, last + 1))
    values = [first]
    while values[-1] * 2 <= last:
        values.append(values[-1] * 2)
    return values


def _growths(columns: Sequence[Sequence[Measurement]], depths: Sequence[int]) -> list[float | None]:
    """By how much another ply multiplies the nodes, over the cases that reached each depth."""
    growths: list[float | None] = [None]
    for before, own, last, depth in zip(columns, columns[1:], depths, depths[1:], strict=False):
        there = [each.depth >= depth for each in own]
        now, then = (
            sum(each.visited for each in compress(these, there)) for these in (own, before)
        )
        growths.append((now / then) ** (1 / (depth - last)) if then else None)
    return growths
