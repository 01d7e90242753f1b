"""The ablation ladder: what each technique saves, and that none changes a value.

Every rung must have the value of plain minimax at the same depth.  Tables replace estimates by
facts, so the rung with tables must have the value of minimax with tables.  Beside the rungs, every
ordering and every cache policy is tried in a search that is otherwise sound.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial

from grader.lab.compare import ALONE, Crew, Problem, player_of
from grader.lab.compare_results import ChangedValue, Ladder, Policy, Rung
from grader.lab.variants import Player, Variant
from solver.games import game_named
from solver.search.position import Position
from solver.search.result import Counters
from solver.search.techniques import CACHES, NONE, ORDERINGS, TECHNIQUES, Techniques

MINIMAX, TABLES = "minimax", "+ tables"
ORDERING, CACHE = "ordering", "cache"


def rungs(variant: Variant, depth: int) -> dict[str, Variant]:
    """From minimax to everything that does not change a value, one technique at a time, and then
    the tables.  Heuristic, value of a win, ordering and cache are those of the variant; where it
    has no ordering or cache, the default."""
    names = [technique.name for technique in TECHNIQUES.values() if technique.sound]
    own = variant.techniques
    here = replace(variant, depth=depth, nodes=None, seconds=None)
    here = here.changed(without=",".join([*names, "tables"]))
    found = {MINIMAX: here}
    for name in [*names, "tables"]:
        chosen = own.values[name] if own.has(name) else TECHNIQUES[name].default
        choice = {name: str(chosen)} if TECHNIQUES[name].choices else {}
        here = here.changed(with_=name, **choice)
        found[f"+ {name}"] = here
    return found


def policies(variant: Variant, depth: int) -> list[tuple[str, str, Variant]]:
    """Kind, name and variant: every ordering without a cache, and every cache with the default
    ordering, without deepening and with it."""
    bare = rungs(variant, depth)["+ alpha-beta"]
    ordered = bare.changed(with_="ordering")
    found = [(ORDERING, name, bare.changed(ordering=name)) for name in ORDERINGS]
    for searched in (ordered, ordered.changed(with_="deepening")):
        found += [(CACHE, name, searched.changed(cache=name)) for name in CACHES]
    return found


def count_heuristic_calls(techniques: Techniques, counters: Counters) -> int:
    """For leaves, and for ordering."""
    calls = counters.evaluated
    if techniques.ordering == "static":
        calls += counters.generated
    if techniques.cache == "static-values":
        calls -= counters.hits
    return calls


def sound_player(variant: Variant, game: str) -> Player:
    """The reference for the values of moves at a depth."""
    sound = rungs(variant, variant.depth or 1)["+ pvs"].changed(cache="sound")
    return Player(sound, game_named(game))


def value_of_move(player: Player, position: Position, child: Position) -> int:
    children = position.children()
    others = frozenset(range(len(children))) - {children.index(child)}
    return player.search(position, others).score


def climb(problem: Problem, variant: Variant, depths: Sequence[int]) -> Ladder:
    """The whole ladder on one case."""
    position = problem.position()
    climbed: list[Rung] = []
    tried: list[Policy] = []
    faults: list[ChangedValue] = []
    for depth in depths:
        every = rungs(variant, depth)
        values: dict[str, int] = {}
        for name, rung in every.items():
            result = player_of(rung, problem.game).search(position)
            values[name] = result.score
            wanted = values[MINIMAX]
            if name == TABLES:
                knowing = every[MINIMAX].changed(with_="tables")
                wanted = player_of(knowing, problem.game).search(position).score
            if result.score != wanted:
                faults.append(ChangedValue(name, problem.name, depth, result.score, wanted))
            counters, wrong = result.counters, int(result.score != wanted)
            climbed.append(
                Rung(name, depth, counters.visited, counters.evaluated, None, 1.0, wrong)
            )
        reference = sound_player(replace(variant, depth=depth), problem.game)
        for kind, name, policy in policies(variant, depth):
            result = player_of(policy, problem.game).search(position)
            best = value_of_move(reference, position, result.best)
            tried.append(
                Policy(
                    kind=kind,
                    name=name,
                    deepening=policy.techniques.has("deepening"),
                    depth=depth,
                    visited=result.counters.visited,
                    heuristic_calls=count_heuristic_calls(policy.techniques, result.counters),
                    ratio=1.0,
                    values_changed=int(result.score != values[MINIMAX]),
                    moves_spoiled=int(best != values[MINIMAX]),
                )
            )
    return Ladder(
        variant.name, (problem.name,), tuple(depths), tuple(climbed), tuple(tried), tuple(faults)
    )


def climb_all(
    problems: Sequence[Problem], variant: Variant, depths: Sequence[int], crew: Crew = ALONE
) -> Ladder:
    climbs = crew.each(partial(climb, variant=variant, depths=tuple(depths)), problems)
    order = {depth: at for at, depth in enumerate(depths)}
    faults = [fault for each in climbs for fault in each.faults]
    return Ladder(
        variant=variant.name,
        cases=tuple(problem.name for problem in problems),
        depths=tuple(depths),
        rungs=tuple(_add_up_rungs([each.rungs for each in climbs])),
        policies=tuple(_add_up_policies([each.policies for each in climbs])),
        faults=tuple(sorted(faults, key=lambda fault: order[fault.depth])),
    )


def _add_up_rungs(climbs: Sequence[tuple[Rung, ...]]) -> Iterator[Rung]:
    first = last = 1
    for same in zip(*climbs, strict=True):
        visited = sum(each.visited for each in same)
        is_first = same[0].name == MINIMAX
        first = visited if is_first else first
        yield replace(
            same[0],
            visited=visited,
            evaluated=sum(each.evaluated for each in same),
            to_last=None if is_first else visited / last,
            to_minimax=visited / first,
            changed=sum(each.changed for each in same),
        )
        last = visited


def _add_up_policies(climbs: Sequence[tuple[Policy, ...]]) -> Iterator[Policy]:
    plain = 1
    for same in zip(*climbs, strict=True):
        visited = sum(each.visited for each in same)
        if same[0].name == NONE:  # the first of its kind
            plain = visited
        yield replace(
            same[0],
            visited=visited,
            heuristic_calls=sum(each.heuristic_calls for each in same),
            ratio=visited / plain,
            values_changed=sum(each.values_changed for each in same),
            moves_spoiled=sum(each.moves_spoiled for each in same),
        )
