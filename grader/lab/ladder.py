"""The ablation ladder: what each technique saves, and that none changes a value.

Every rung must have the value of plain minimax at the same depth.  Tables replace estimates by
facts, so the rung with tables must have the value of minimax with tables.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial

from grader.lab.compare import ALONE, Crew, Problem, player_of
from grader.lab.compare_results import ChangedValue, Ladder, Rung
from grader.lab.variants import Variant
from solver.search.techniques import TECHNIQUES

MINIMAX, TABLES = "minimax", "+ tables"


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


def climb(problem: Problem, variant: Variant, depths: Sequence[int]) -> Ladder:
    """The whole ladder on one case."""
    position = problem.position()
    climbed: list[Rung] = []
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
    return Ladder(variant.name, (problem.name,), tuple(depths), tuple(climbed), tuple(faults))


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
