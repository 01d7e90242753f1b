"""One technique after the other: what each saves, and that none changes a value."""

from __future__ import annotations

from itertools import pairwise

from support.compare_problems import RACE, SAMPLE, SHOT, problem
from support.minimax import Minimax

from grader.lab.compare import MINIMAX, TABLES, climb, climb_all, rungs
from grader.lab.variants import Player, Variant, variant_named
from solver.games import game_named
from solver.search.techniques import Techniques

PROBLEMS = [problem(name) for name in SAMPLE]
RUNGS = [
    *(MINIMAX, "+ alpha-beta", "+ ordering", "+ cache", "+ deepening", "+ pvs"),
    *("+ aspiration", "+ mate-distance", "+ etc", TABLES),
]


def test_the_last_rung_is_the_usual_search_and_the_first_has_nothing() -> None:
    found = rungs(Variant("default"), 4)
    assert list(found) == RUNGS
    assert found[TABLES].techniques.as_dict() == Techniques().as_dict()
    nothing = found[MINIMAX].techniques.as_dict()
    assert nothing.pop("extension") is True
    assert nothing.pop("terminal") == "distance"
    assert set(nothing.values()) == {False, "none"}


def test_every_rung_differs_from_the_last_by_one_technique() -> None:
    found = rungs(Variant("default"), 4)
    for last, here in pairwise(found):
        before, after = found[last].techniques.as_dict(), found[here].techniques.as_dict()
        changed = {name for name in after if after[name] != before[name]}
        assert len(changed) == 1


def test_every_value_is_as_it_must_be() -> None:
    """And the first rung's, and the last one's, are those of the textbook."""
    ladder = climb_all(PROBLEMS, variant_named("default"), (1, 2, 4))
    assert ladder.faults == ()
    assert [rung.name for rung in ladder.rungs] == RUNGS * 3
    for here in PROBLEMS:
        rules, position = game_named(here.game), here.position()
        evaluate = rules.evaluator(rules.DEFAULT_HEURISTIC, position)
        alone = climb(here, variant_named("default"), [3])
        climbed = {rung.name: rung for rung in alone.rungs}
        plain = Minimax(evaluate, extend=True)
        knowing = Minimax(evaluate, extend=True, exact=rules.tables())
        values = {
            name: Player(rung, rules).search(position).score
            for name, rung in rungs(variant_named("default"), 3).items()
        }
        assert values[MINIMAX] == plain.value(position, 3)
        assert climbed[MINIMAX].evaluated == plain.leaves
        assert values[TABLES] == knowing.value(position, 3)
        assert alone.faults == ()


def test_nodes_are_added_up_and_compared() -> None:
    here = problem(SHOT), problem(RACE)
    alone = [climb(each, variant_named("default"), [4]) for each in here]
    ladder = climb_all(here, variant_named("default"), (4,))
    first = ladder.rungs[0].visited
    for at, rung in enumerate(ladder.rungs):
        assert rung.visited == sum(each.rungs[at].visited for each in alone)
        assert rung.to_minimax == rung.visited / first
        assert rung.to_last == (rung.visited / ladder.rungs[at - 1].visited if at else None)
    assert ladder.rungs[1].visited < ladder.rungs[0].visited


def test_a_cache_that_lies_is_caught() -> None:
    ladder = climb_all(PROBLEMS, variant_named("default+cache=unsound-board"), (4,))
    assert {fault.rung for fault in ladder.faults} >= {"+ deepening"}
    assert not {fault.rung for fault in ladder.faults} & {MINIMAX, "+ alpha-beta", "+ ordering"}
    for fault in ladder.faults:
        assert fault.case in SAMPLE
        assert fault.value != fault.wanted
    changed = {rung.name: rung.changed for rung in ladder.rungs}
    assert changed["+ deepening"] == sum(each.rung == "+ deepening" for each in ladder.faults)
