"""What is measured: each row a fixed amount of work, and how much was done in what time.

The amounts are the same on every machine and in every build, and can be tested; the times are
for comparison within one run only.
"""

from __future__ import annotations

import sys
import time

from solver.games import game_named
from solver.limits import Limits
from solver.own_heuristic import OwnHeuristic
from solver.perft import perft
from solver.search import Search
from solver.switches import Switches, plain

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from solver.evaluate import Evaluate

LEAST_SECONDS = 0.2  # of work, for a speed to mean something
# Before that, unmeasured: a just-in-time compiler gets faster for seconds.
WARM_UP = {"pypy": 3.0}.get(sys.implementation.name, 0.0)
START = "B:W21-32:B1-12"
BOARDS = (
    START,
    "B:W14,17,19,24,27,28,29,30,31,32:B1,2,4,5,6,7,8,10,11,12",
    "B:W13,19,22,23,25,26,29,30:B2,3,4,5,6,8,9,12,21",
    "W:W12,15,19,24,27,29,30:B1,3,4,5,8,9,21",
)
PLAIN_DEPTH = 8
FULL_DEPTH = 8
OWN_DEPTH = 5
PERFT_DEPTH = 6


def own_heuristic(position: Any) -> int:
    """As a user may write it: men and kings, counted in plain Python."""
    own, enemy, kings = position.own, position.enemy, position.kings
    men: int = own.bit_count() - enemy.bit_count()
    crowned: int = (own & kings).bit_count() - (enemy & kings).bit_count()
    return men + crowned


def plain_search() -> int:
    return _nodes(plain(), PLAIN_DEPTH, game_named("checkers").evaluator("material", _board(START)))


def full_search() -> int:
    checkers = game_named("checkers")
    return _nodes(
        Switches(), FULL_DEPTH, checkers.evaluator(checkers.DEFAULT_HEURISTIC, _board(START))
    )


def own_search() -> int:
    return _nodes(Switches(), OWN_DEPTH, OwnHeuristic("yours", "yours", own_heuristic))


def leaves() -> int:
    return _leaves(bulk=False)


def leaves_in_bulk() -> int:
    return _leaves(bulk=True)


def _nodes(switches: Switches, depth: int, evaluate: Evaluate) -> int:
    nodes = 0
    for text in BOARDS:
        nodes += Search(evaluate, switches).run(_board(text), Limits(depth=depth)).effort.visited
    return nodes


def _leaves(bulk: bool) -> int:
    return sum(perft(_board(text), PERFT_DEPTH, bulk=bulk) for text in BOARDS)


def _board(text: str) -> Any:
    return game_named("checkers").read(text, "bench", True).position


# Name, what is counted, and the work.
ROWS: dict[str, tuple[str, Callable[[], int]]] = {
    "plain alpha-beta": ("nodes", plain_search),
    "all techniques": ("nodes", full_search),
    "own heuristic": ("nodes", own_search),
    "perft": ("leaves", leaves),
    "perft in bulk": ("leaves", leaves_in_bulk),
}


def measure() -> dict[str, tuple[int, float]]:
    """Every row's count, and the seconds that it takes once."""
    return {name: _measured(work) for name, (_, work) in ROWS.items()}


def _measured(work: Callable[[], int]) -> tuple[int, float]:
    count = work()  # at least once unmeasured, so that everything is loaded and warm
    _repeated(work, WARM_UP)
    return count, _repeated(work, LEAST_SECONDS)


def _repeated(work: Callable[[], int], least: float) -> float:
    """Seconds that the work takes once, if it is repeated for so long; 0 if not at all."""
    times = 0
    started = time.process_time()
    while time.process_time() - started < least:
        work()
        times += 1
    return (time.process_time() - started) / max(times, 1)
