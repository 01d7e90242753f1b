"""The ablation ladder: what each technique saves, and that none changes a value.

Every rung must have the value that plain minimax has at the same depth.  The tables replace
opinions by facts, so the rung that has them must have the value of minimax that knows them, too.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from grader.lab.compare import ALONE, Crew, Problem, player_of
from grader.lab.compare_results import Fault, Ladder, Policy, Rung
from grader.lab.variants import Player, Variant
from solver.games import game_named
from solver.search.result import Counters
from solver.search.techniques import CACHES, NONE, ORDERINGS, TECHNIQUES

# The rungs of the ladder, and the ways to order and to remember that are tried beside them.


MINIMAX, TABLES = "minimax", "+ tables"
ORDERING, CACHE = "ordering", "cache"


@dataclass(frozen=True)
class Way:
    """An ordering or a cache policy, in a search that is otherwise sound."""

    kind: str
    name: str
    variant: Variant

    def heuristic_calls(self, counters: Counters) -> int:
        """For leaves, and for children to be put in order."""
        calls = counters.evaluated
        if self.variant.techniques.ordering == "static":
            calls += counters.generated
        if self.variant.techniques.cache == "static-values":
            calls -= counters.hits
        return calls


def rungs(variant: Variant, depth: int) -> dict[str, Variant]:
    """From minimax, with the variant's heuristic and its value of a win, to everything that does
    not change a value, one technique at a time, and then the tables.  Ordering and cache are
    those of the variant; where it has none, the usual ones."""
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


def ways(variant: Variant, depth: int) -> list[Way]:
    """Every ordering without a cache, and every cache with the usual ordering, at one depth at
    once and deepening."""
    bare = rungs(variant, depth)["+ alpha-beta"]
    ordered = bare.changed(with_="ordering")
    found = [Way(ORDERING, name, bare.changed(ordering=name)) for name in ORDERINGS]
    for searched in (ordered, ordered.changed(with_="deepening")):
        found += [Way(CACHE, name, searched.changed(cache=name)) for name in CACHES]
    return found


@dataclass(frozen=True)
class Climbed:
    """One rung on one case."""

    visited: int
    evaluated: int
    value: int
    wanted: int


@dataclass(frozen=True)
class Tried:
    """One ordering or cache policy on one case."""

    visited: int
    heuristic_calls: int
    value_changed: bool
    move_spoiled: bool


@dataclass(frozen=True)
class Climb:
    """One case at one depth: the rungs by name, and the ways in their order."""

    rungs: dict[str, Climbed]
    ways: tuple[Tried, ...]


class Reference(Player):
    """Knows what a move is worth at a depth, by a sound search."""

    def __init__(self, variant: Variant, game: str) -> None:
        sound = rungs(variant, variant.depth or 1)["+ pvs"].changed(cache="sound")
        super().__init__(sound, game_named(game))

    def value_of(self, position: Any, child: Any) -> int:
        children = position.children()
        others = frozenset(range(len(children))) - {children.index(child)}
        return self.look(position, others).score


def climb(problem: Problem, variant: Variant, depths: Sequence[int]) -> tuple[Climb, ...]:
    """The whole ladder on one case, depth by depth."""
    return tuple(_climb(problem, replace(variant, depth=depth), depth) for depth in depths)


def _climb(problem: Problem, variant: Variant, depth: int) -> Climb:
    position = problem.position()
    climbed: dict[str, Climbed] = {}
    every = rungs(variant, depth)
    for name, rung in every.items():
        result = player_of(rung, problem.game).look(position)
        counters = result.counters
        wanted = climbed[MINIMAX].value if climbed else result.score
        if name == TABLES:
            knowing = every[MINIMAX].changed(with_="tables")
            wanted = player_of(knowing, problem.game).look(position).score
        climbed[name] = Climbed(counters.visited, counters.evaluated, result.score, wanted)
    wanted = climbed[MINIMAX].value
    reference = Reference(variant, problem.game)
    tried = [_try(way, problem, position, wanted, reference) for way in ways(variant, depth)]
    return Climb(climbed, tuple(tried))


def _try(way: Way, problem: Problem, position: Any, wanted: int, reference: Reference) -> Tried:
    result = player_of(way.variant, problem.game).look(position)
    return Tried(
        visited=result.counters.visited,
        heuristic_calls=way.heuristic_calls(result.counters),
        value_changed=result.score != wanted,
        move_spoiled=reference.value_of(position, result.best) != wanted,
    )


def climb_all(
    problems: Sequence[Problem],
    variant: Variant,
    depths: Sequence[int],
    crew: Crew = ALONE,
) -> Ladder:
    climbs = crew.each(partial(climb, variant=variant, depths=tuple(depths)), problems)
    by_depth = list(zip(depths, zip(*climbs, strict=True), strict=True))
    names = [problem.name for problem in problems]
    return Ladder(
        variant=variant.name,
        cases=tuple(names),
        depths=tuple(depths),
        rungs=tuple(rung for depth, there in by_depth for rung in _rungs(depth, there)),
        policies=tuple(
            policy for depth, there in by_depth for policy in _policies(variant, depth, there)
        ),
        faults=tuple(fault for depth, there in by_depth for fault in _faults(depth, names, there)),
    )


def _rungs(depth: int, climbs: Sequence[Climb]) -> list[Rung]:
    found: list[Rung] = []
    for name in climbs[0].rungs:
        climbed = [each.rungs[name] for each in climbs]
        visited = sum(each.visited for each in climbed)
        found.append(
            Rung(
                name=name,
                depth=depth,
                visited=visited,
                evaluated=sum(each.evaluated for each in climbed),
                to_last=visited / found[-1].visited if found else None,
                to_minimax=visited / found[0].visited if found else 1.0,
                changed=sum(each.value != each.wanted for each in climbed),
            )
        )
    return found


def _policies(variant: Variant, depth: int, climbs: Sequence[Climb]) -> list[Policy]:
    found = []
    plain = 1
    for index, way in enumerate(ways(variant, depth)):
        tried = [each.ways[index] for each in climbs]
        visited = sum(each.visited for each in tried)
        if way.name == NONE:  # which comes first of its kind
            plain = visited
        found.append(
            Policy(
                kind=way.kind,
                name=way.name,
                deepening=way.variant.techniques.has("deepening"),
                depth=depth,
                visited=visited,
                heuristic_calls=sum(each.heuristic_calls for each in tried),
                ratio=visited / plain,
                values_changed=sum(each.value_changed for each in tried),
                moves_spoiled=sum(each.move_spoiled for each in tried),
            )
        )
    return found


def _faults(depth: int, names: Sequence[str], climbs: Iterable[Climb]) -> list[Fault]:
    return [
        Fault(rung, name, depth, climbed.value, climbed.wanted)
        for name, each in zip(names, climbs, strict=True)
        for rung, climbed in each.rungs.items()
        if climbed.value != climbed.wanted
    ]
