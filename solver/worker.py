"""One of several workers: a process that searches what it is sent until nobody is left to ask."""

from __future__ import annotations

import os
import signal
from itertools import pairwise

from solver.effort import Effort
from solver.errors import UserError
from solver.limits import Budget, Limits, Stop
from solver.score import INFINITY
from solver.variation import Link, variation

TYPE_CHECKING = False
if TYPE_CHECKING:
    from multiprocessing.connection import Connection

    from solver.position import Position
    from solver.search import Search

    Path = tuple[int, ...]  # from the root, by the index of each child


def positions(root: Position, line: Path) -> list[Position]:
    positions: list[Position] = []
    for index in line:
        root = root.children()[index]
        positions.append(root)
    return positions


def work(
    pipe: Connection,
    others: list[Connection],
    parent: int,
    root: Position,
    search: Search,
) -> None:
    """What a worker does until the other end of its pipe is closed, or whoever held it is gone."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the keyboard speaks to the parent, which ends us
    for other in others:  # else that end would never be closed
        other.close()
    limits = Limits(poll=lambda visited: os.getppid() != parent)
    while True:
        try:
            path, depth, floor, another = pipe.recv()
            search.effort = Effort()
            search.budget = Budget(limits)
            search.check_at = 0
            if search.static_values is not None:
                search.static_values.effort = search.effort
            value, line = _searched(search, root, path, depth, floor, another)
            pipe.send((value, line, search.effort.as_dict(), None))
        except UserError as error:  # of a heuristic of the user's own
            pipe.send((0, (), {}, error))
        except (EOFError, OSError, Stop):
            return


def _searched(
    search: Search, root: Position, path: Path, depth: int, floor: int, another: bool
) -> tuple[int, Path]:
    """The value of the position at the end of a path, and the line from there if it is one."""
    position = positions(root, path)[-1]
    ply = len(path)
    value = (
        search._scouted(position, depth, floor, INFINITY, ply)
        if search.scouting and another
        else -search._value(position, depth, -INFINITY, -floor, ply)
    )
    if value <= floor:
        return value, ()
    link = Link(position, search.lines[ply])
    line = variation(link, depth + 1, search.cache, search.exact)
    return value, tuple(parent.children().index(child) for parent, child in pairwise(line))
