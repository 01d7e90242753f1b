"""One problem given to variants: the counts are those of the search, the verdict the judge's."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from support.compare_problems import DRAW, SAMPLE, SHOT, problem
from support.judging import find_truth

from grader.lab.compare import Problem, is_kept, measured, plies_lost
from grader.lab.variants import variant_named
from grader.puzzles.truth import Move, Truth, parse_value
from solver.games import game_named
from solver.search.alphabeta import Search
from solver.search.counters import branching_factor
from solver.search.exact import NOTHING
from solver.search.limits import Limits

# The man on c3 is taken on b4, and safe on d4.
CHOICE = "........\n........\n........\nb.......\n........\n..r.....\n........\n........\n"
SAFE = "........\n........\n........\nb.......\n...r....\n........\n........\n........\n"


@pytest.mark.parametrize("name", SAMPLE)
@pytest.mark.parametrize(
    "words",
    ["default+depth=4", "default+without=tables,cache,pvs+depth=3", "default+nodes=90"],
)
def test_what_is_counted_is_what_the_search_counts(name: str, words: str) -> None:
    here = problem(name)
    variant = variant_named(words)
    (found,) = measured(here, [variant])
    rules, position = game_named(here.game), here.position()
    exact = rules.tables() if variant.techniques.has("tables") else NOTHING
    evaluate = rules.evaluator(rules.DEFAULT_HEURISTIC, position)
    limits = Limits(variant.depth, variant.nodes)
    finding = Search(evaluate, variant.techniques, exact).run(position, limits)
    effort = finding.effort
    assert (found.expanded, found.evaluated, found.visited, found.hits, found.known) == (
        *(effort.expanded, effort.evaluated, effort.visited, effort.hits, effort.known),
    )
    assert found.cutoffs == effort.alpha_cuts + effort.beta_cuts
    assert (found.score, found.depth) == (finding.score, finding.depth)
    assert found.move == rules.move_name(position, finding.best, True)
    assert found.branching_factor == branching_factor(effort.visited, finding.depth)


def test_rounds_repeat_the_same_search() -> None:
    variants = [variant_named(f"{name}+depth=3") for name in ("material", "centre")]
    once = measured(problem(SHOT), variants)
    thrice = measured(problem(SHOT), variants, repeat=3)
    assert [len(each.cpu_s) for each in thrice] == [3, 3]
    assert [replace(each, cpu_s=()) for each in thrice] == [
        replace(each, cpu_s=()) for each in once
    ]
    assert thrice[0].seconds == min(thrice[0].cpu_s) > 0


def own(path: Path, better: str) -> str:
    """A heuristic that likes a board with this row in it."""
    path.write_text(f"def evaluate(position):\n    return -5 * ({better!r} in str(position))\n")
    return f"{path}:evaluate+depth=1+without=tables,captures"


def test_an_answer_is_judged_by_the_truth(tmp_path: Path) -> None:
    truth = find_truth("checkers", CHOICE, SAFE)
    here = Problem("choice", "checkers", CHOICE, truth)
    good = variant_named(own(tmp_path / "good.py", "...r...."))
    bad = variant_named(own(tmp_path / "bad.py", ".r......"))
    right, wrong = measured(here, [good, bad])
    assert (right.move, right.verdict) == (truth.best[0], "exact")
    assert (wrong.verdict, wrong.worth) == ("worse", "loss in 2")
    assert (wrong.value, wrong.score) == ("+5 at depth 1", 5)
    assert wrong.kept is False
    assert right.kept is True


@pytest.mark.parametrize(
    ("name", "depth"), [(SHOT, 5), (DRAW, 8), ("twoflags/race-far-from-the-others", 9)]
)
def test_a_deep_look_solves_a_puzzle(name: str, depth: int) -> None:
    (found,) = measured(problem(name), [variant_named(f"default+depth={depth}")])
    assert found.verdict in ("exact", "equal")
    assert found.kept is True


def truth(value: str, *moves: str) -> Truth:
    listed = tuple(Move(f"m{number}", "", parse_value(words)) for number, words in enumerate(moves))
    return Truth("checkers", "", "red", parse_value(value), "", ("m0",), listed, "")


@pytest.mark.parametrize(
    ("value", "given", "kept", "lost"),
    [
        ("win in 5", "win in 5", True, 0),
        ("win in 5", "win in 9", True, 4),
        ("win in 5", "win in at most 9", True, None),
        ("win in at most 5", "win in 9", True, None),
        ("win in 5", "draw", False, None),
        ("win in 5", "loss in 4", False, None),
        ("win in 5", "+40 at depth 8", None, None),
        ("draw", "draw", True, None),
        ("draw", "loss in 4", False, None),
        ("draw", "-3 at depth 8", None, None),
        ("loss in 8", "loss in 4", None, None),
        ("+3 at depth 8", "loss in 4", None, None),
    ],
)
def test_what_it_is_to_keep_the_truth(
    value: str, given: str, kept: bool | None, lost: int | None
) -> None:
    facts = truth(value, value, given)
    assert is_kept(facts.moves[1], facts) is kept
    if kept:
        assert plies_lost(facts.moves[1], facts) == lost
