"""One technique after the other: what each saves, and that none changes a value."""

from __future__ import annotations

from itertools import pairwise

import pytest
from support.compare_problems import DRAW, RACE, SAMPLE, SHOT, TRAP, problem

from grader.lab.ladder import (
    CACHE,
    MINIMAX,
    ORDERING,
    TABLES,
    climb,
    climb_all,
    policies,
    rungs,
    sound_player,
    value_of_move,
)
from grader.lab.variants import Player, Variant, variant_named
from solver.games import game_named
from solver.search.minimax import Minimax
from solver.search.techniques import CACHES, ORDERINGS, Techniques

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
    for at, policy in enumerate(ladder.policies):
        calls = [each.policies[at].heuristic_calls for each in alone]
        assert policy.heuristic_calls == sum(calls)
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


def test_every_ordering_and_every_cache_is_tried() -> None:
    found = policies(Variant("default"), 4)
    assert [name for kind, name, _ in found if kind == ORDERING] == list(ORDERINGS)
    caches = [
        (name, each.techniques.has("deepening")) for kind, name, each in found if kind == CACHE
    ]
    assert set(caches) == {(name, deepening) for name in CACHES for deepening in (False, True)}
    assert caches[0] == ("none", False)


def test_only_unsound_caches_change_values_and_spoil_moves() -> None:
    ladder = climb_all([problem(TRAP), problem(DRAW)], variant_named("default"), (2, 5))
    for policy in ladder.policies:
        sound = policy.kind == ORDERING or not policy.name.startswith("unsound")
        assert not (sound and (policy.values_changed or policy.moves_spoiled)), policy
    by_board = [each for each in ladder.policies if each.name == "unsound-board"]
    assert any(each.values_changed for each in by_board)


def test_putting_children_in_order_by_value_asks_the_heuristic_for_each() -> None:
    ladder = climb_all([problem(SHOT)], variant_named("default"), (3,))
    calls = {each.name: each for each in ladder.policies if each.kind == ORDERING}
    assert calls["static"].heuristic_calls > calls["static"].visited
    assert calls["none"].heuristic_calls < calls["none"].visited


@pytest.mark.parametrize("name", [SHOT, RACE])
def test_the_value_of_a_move_at_a_depth_is_that_of_the_textbook(name: str) -> None:
    here = problem(name)
    rules, position = game_named(here.game), here.position()
    evaluate = rules.evaluator(rules.DEFAULT_HEURISTIC, position)
    reference = sound_player(variant_named("default+depth=3"), here.game)
    plain = Minimax(evaluate, extend=True)
    for child in position.children():
        assert value_of_move(reference, position, child) == plain.min_value(child, 2, 1)
