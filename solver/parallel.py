"""Several workers for one search, each a process: threads of compiled code wait for each other.

A tree splits where nothing is known about the value yet: along the best line of the depth
before.  One worker takes its end, and on the way back to the root all of them share the other
moves of each position; and all remember in one cache.  The value of a position and a depth depends
on nothing else, and of equal moves the first is best whoever is done first: so the answer is that
of one worker.
"""

from __future__ import annotations

import multiprocessing
import os
import time
from multiprocessing.connection import Connection, wait

from solver.cache import NO_HINT, SoundCache
from solver.deepening import depths, ignore
from solver.effort import Effort
from solver.errors import UserError
from solver.exact import NOTHING, Exact
from solver.finding import Finding
from solver.heuristic import heuristic_of
from solver.limits import Limits, Stop
from solver.score import INFINITY, UNKNOWN, distance
from solver.search import Search
from solver.shared import SharedTable
from solver.table import entries_in
from solver.worker import positions, work

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, Self

    from solver.evaluate import Evaluate
    from solver.position import Position
    from solver.techniques import Techniques
    from solver.worker import Path


LEAST_DEPTH = 5  # left to search, for a position to be worth sharing


class Task:
    """A position to be searched by one worker, for the mover of its parent."""

    def __init__(self, path: Path, depth: int, floor: int, another: bool) -> None:
        self.path = path
        self.depth = depth
        self.floor = floor  # what is not better than this need not be known exactly
        self.another = another  # whether the parent has a value already


class Value:
    """What a worker has found; `line` goes on from the position that was searched."""

    def __init__(self, value: int, line: Path) -> None:
        self.value = value
        self.line = line


class Worker:
    """The end of a worker that the others see."""

    def __init__(self, process: Any, pipe: Connection) -> None:
        self.process = process
        self.pipe = pipe
        self.task: Task | None = None

    def begin(self, task: Task) -> None:
        self.task = task
        self.pipe.send((task.path, task.depth, task.floor, task.another))

    def end(self) -> None:
        self.process.kill()
        self.process.join()
        self.pipe.close()


class ParallelSearch:
    """Like `solver.search.Search`, for one root: what the workers have learned stays."""

    def __init__(
        self, evaluate: Evaluate, techniques: Techniques, exact: Exact = NOTHING, *, threads: int
    ) -> None:
        if "fork" not in multiprocessing.get_all_start_methods():
            raise UserError("--threads needs a system that can fork, such as Linux or macOS.")
        self.heuristic = heuristic_of(evaluate)
        self.techniques = techniques
        self.exact = exact
        self.threads = threads
        self.effort = Effort()
        self.deadline: float | None = None
        self.root: Position | None = None
        self.workers: list[Worker] = []
        self.owners: dict[Path, Worker] = {}  # who has searched it before
        self.best: dict[Path, int] = {}  # the best child of positions on a best line

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """End the workers, whatever they are doing."""
        for worker in self.workers:
            worker.end()
        self.workers = []
        self.owners = {}

    def run(
        self,
        root: Position,
        limits: Limits,
        listener: Callable[[Finding], None] = ignore,
        leave_out: frozenset[int] = frozenset(),
    ) -> Finding:
        """Like `Search.run`; of the limits, nodes are not heeded."""
        self.effort = Effort()
        self.best = {}
        self.deadline = None if limits.seconds is None else time.monotonic() + limits.seconds
        finding = None
        try:
            self._open(root)
            for depth in depths(self.techniques, limits, listener):
                opinions = self._opinions()
                found = self._split((), root, depth, leave_out)
                certain = self._opinions() == opinions
                line = positions(root, found.line)
                finding = self._finding(depth, found.value, line, certain)
                listener(finding)
                if finding.proven or (finding.decided and distance(finding.score) <= depth):
                    break
        except Stop:
            self.close()
        except BaseException:
            self.close()
            raise
        if finding is not None:
            return finding
        alone = Search(self.heuristic, self.techniques, self.exact)
        return alone.run(root, Limits(nodes=0), leave_out=leave_out)

    def _finding(self, depth: int, score: int, line: list[Position], certain: bool) -> Finding:
        sound = self.techniques.remembers_soundly
        return Finding(depth, score, line, self.effort.so_far(), certain, sound)

    def _opinions(self) -> int:
        """As `Search` counts them: where there are none, every leaf was a fact."""
        return self.effort.evaluated + (self.effort.hits if self.techniques.caches_searches else 0)

    def _open(self, root: Position) -> None:
        """Start the workers, unless they are at this root already."""
        if self.workers and root == self.root:
            return
        self.close()
        self.root = root
        context = multiprocessing.get_context("fork")
        search = Search(self.heuristic, self.techniques, self.exact)
        if isinstance(search.cache, SoundCache):
            search.cache.entries = SharedTable(entries_in(self.techniques.megabytes))
        for _ in range(self.threads):
            ours, theirs = context.Pipe()
            others = [ours, *(worker.pipe for worker in self.workers)]
            process = context.Process(
                target=work,
                args=(theirs, others, os.getpid(), root, search),
                daemon=True,
            )
            process.start()
            theirs.close()
            self.workers.append(Worker(process, ours))

    def _split(
        self, path: Path, position: Position, depth: int, leave_out: frozenset[int] = frozenset()
    ) -> Value:
        """The value of a position for its mover and the line behind it: the first move before
        all others, as it gives them a value to be measured by."""
        children = position.children()
        self.effort.visited += 1
        self.effort.expanded += 1
        self.effort.generated += len(children)
        order = [index for index in self._order(path, position, depth) if index not in leave_out]
        best = self._first((*path, order[0]), children[order[0]], depth - 1)
        best_rank = 0
        waiting = list(range(1, len(order)))
        searching: dict[Worker, int] = {}
        while waiting or searching:
            for worker in self.workers:
                if waiting and worker not in searching:
                    rank = self._choose(worker, path, order, waiting)
                    waiting.remove(rank)
                    # An equal move is better if it comes earlier.
                    floor = best.value - (rank < best_rank)
                    floor = floor if self.techniques.has("alpha-beta") else -INFINITY
                    self._begin(worker, Task((*path, order[rank]), depth - 1, floor, True))
                    searching[worker] = rank
            worker, found = self._next(searching)
            rank = searching.pop(worker)
            if found.value > best.value or (found.value == best.value and rank < best_rank):
                best, best_rank = found, rank
        index = order[best_rank]
        line = (index, *best.line)
        self._remember(path, line)
        return Value(best.value, line)

    def _order(self, path: Path, position: Position, depth: int) -> list[int]:
        """As at the root, wherever it is: nothing counts that depends on what was learned."""
        ordering = self.techniques.make_ordering(self.heuristic)
        choices = ordering.order(position.choices(), self.best.get(path, NO_HINT), depth, 0)
        order = []
        while choices.next() is not None:
            order.append(int(choices.index))
        return order

    def _first(self, path: Path, child: Position, depth: int) -> Value:
        """The value for the parent's mover of the child that is searched first."""
        known = self.techniques.has("tables") and self.exact.score(child) != UNKNOWN
        if depth >= LEAST_DEPTH and not known and child.children():
            found = self._split(path, child, depth)
            return Value(-found.value, found.line)
        worker = self.owners.get(path, self.workers[0])
        self._begin(worker, Task(path, depth, -INFINITY, False))
        return self._next({worker: 0})[1]

    def _choose(self, worker: Worker, path: Path, order: list[int], waiting: list[int]) -> int:
        """The next move for a worker: one that it knows, or nobody, or somebody else does."""
        for owner in (worker, None):
            for rank in waiting:
                if self.owners.get((*path, order[rank])) is owner:
                    return rank
        return waiting[0]

    def _begin(self, worker: Worker, task: Task) -> None:
        self.owners[task.path] = worker
        worker.begin(task)

    def _next(self, searching: dict[Worker, int]) -> tuple[Worker, Value]:
        """Who is done next, and what was found."""
        left = None if self.deadline is None else max(0.0, self.deadline - time.monotonic())
        ready = wait([worker.pipe for worker in searching], left)
        if not ready:
            raise Stop
        worker = next(worker for worker in searching if worker.pipe in ready)
        try:
            value, line, effort, fault = worker.pipe.recv()
        except EOFError:
            raise UserError("A worker of the search was killed from outside.") from None
        if fault is not None:
            raise fault
        for name, count in effort.items():
            setattr(self.effort, name, getattr(self.effort, name) + count)
        return worker, Value(value, line)

    def _remember(self, path: Path, line: Path) -> None:
        for length, index in enumerate(line):
            self.best[path + line[:length]] = index
