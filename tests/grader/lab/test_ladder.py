"""One technique after the other: what each saves, and that none changes a value."""

from __future__ import annotations

from itertools import pairwise

from support.compare_problems import SAMPLE, problem
from support.minimax import Minimax

from grader.lab.compare import MINIMAX, TABLES, climb, rungs
from grader.lab.variants import Player, Variant, variant_named
from solver.games import game_named
from solver.search.techniques import Techniques

PROBLEMS = [problem(name) for name in SAMPLE]
RUNGS = [
    *(MINIMAX, "+ alpha-beta", "+ ordering", "+ cache", "+ deepening", "+ pvs"),
    *("+ aspiration", "+ mate-distance", "+ etc", TABLES),
]


def test_rungs_go_from_nothing_to_the_usual_search_by_one_technique_at_a_time() -> None:
    found = rungs(Variant("default"), 4)
    assert [rung.name for rung in found] == RUNGS
    assert found[-1].techniques.as_dict() == Techniques().as_dict()
    nothing = found[0].techniques.as_dict()
    assert nothing.pop("extension") is True
    assert nothing.pop("terminal") == "distance"
    assert set(nothing.values()) == {False, "none"}
    for last, here in pairwise(found):
        before, after = last.techniques.as_dict(), here.techniques.as_dict()
        assert sum(after[name] != before[name] for name in after) == 1


def test_every_value_is_as_it_must_be() -> None:
    """And those of the first and the last rung are those of the textbook."""
    ladder = climb(PROBLEMS, variant_named("default"), (1, 3))
    assert ladder.faults == ()
    assert [rung.name for rung in ladder.rungs] == RUNGS * 2
    assert not any(rung.changed for rung in ladder.rungs)
    leaves = 0
    for here in PROBLEMS:
        rules, position = game_named(here.game), here.position()
        evaluate = rules.evaluator(rules.DEFAULT_HEURISTIC, position)
        plain = Minimax(evaluate, extend=True)
        knowing = Minimax(evaluate, extend=True, exact=rules.tables())
        first, *_, last = (
            Player(rung, rules).search(position).score
            for rung in rungs(variant_named("default"), 3)
        )
        assert first == plain.value(position, 3)
        assert last == knowing.value(position, 3)
        leaves += plain.leaves
    assert ladder.rungs[len(RUNGS)].evaluated == leaves


def test_nodes_are_added_up_and_compared() -> None:
    few = PROBLEMS[:2]
    alone = [climb([each], variant_named("default"), [4]) for each in few]
    ladder = climb(few, variant_named("default"), (4,))
    first = ladder.rungs[0].visited
    for at, rung in enumerate(ladder.rungs):
        assert rung.visited == sum(each.rungs[at].visited for each in alone)
        assert rung.to_minimax == rung.visited / first
        assert rung.to_last == (rung.visited / ladder.rungs[at - 1].visited if at else None)
    assert ladder.rungs[1].visited < first


def test_a_cache_that_lies_is_caught() -> None:
    ladder = climb(PROBLEMS, variant_named("default+cache=unsound-board"), (4,))
    assert {fault.rung for fault in ladder.faults} >= {"+ deepening"}
    assert not {fault.rung for fault in ladder.faults} & {MINIMAX, "+ alpha-beta", "+ ordering"}
    for fault in ladder.faults:
        assert fault.case in SAMPLE
        assert fault.value != fault.wanted
    changed = {rung.name: rung.changed for rung in ladder.rungs}
    assert changed["+ deepening"] == sum(each.rung == "+ deepening" for each in ladder.faults)
