"""Work shared out to processes; what comes of it has the order of the work."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Executor, as_completed
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from typing import TypeVar

from grader.grading.workers import processes
from solver.errors import UserError

T = TypeVar("T")
R = TypeVar("R")


class Crew:
    """Does the same to many things, in this process or in those of an executor; `tick` is called
    whenever one is done."""

    def __init__(
        self, executor: Executor | None = None, tick: Callable[[], object] = lambda: None
    ) -> None:
        self.executor = executor
        self.tick = tick

    def each(self, work: Callable[[T], R], items: Sequence[T]) -> list[R]:
        results = dict(self._finished(work, items))
        return [results[index] for index in range(len(items))]

    def _finished(self, work: Callable[[T], R], items: Sequence[T]) -> Iterator[tuple[int, R]]:
        if self.executor is None:
            for index, item in enumerate(items):
                yield index, work(item)
                self.tick()
            return
        begun = {self.executor.submit(work, item): index for index, item in enumerate(items)}
        for future in as_completed(begun):
            try:
                yield begun[future], future.result()
            except BrokenProcessPool:
                raise UserError(
                    "A process was killed, perhaps for want of memory. Try fewer at once: -j 1"
                ) from None
            self.tick()


ALONE = Crew()


@contextmanager
def crew(jobs: int, tick: Callable[[], object]) -> Iterator[Crew]:
    if jobs == 1:
        yield Crew(None, tick)
        return
    with processes(jobs) as executor:
        yield Crew(executor, tick)
