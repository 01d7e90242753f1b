"""Many gradings at once: keeps the workers busy, and gives records out as they are finished."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, wait
from contextlib import ExitStack
from typing import NamedTuple

from grader.executors import Workers
from grader.grading import Steps, TruthOf, steps
from grader.plan import Plan, Task
from grader.records import Record
from grader.runner import run
from grader.runs import Ending, Job, Outcome

AHEAD = 2  # runs handed out for each worker, so that none waits while an answer is judged


class Under(NamedTuple):
    """A grading that waits for one of its runs."""

    task: Task
    steps: Steps


def carry_out(
    plan: Plan, tasks: Iterable[Task], workers: Workers, truth_of: TruthOf
) -> Iterator[tuple[Task, Record]]:
    """Grade every task; one that fails disturbs no other."""
    batch = Batch(workers)
    ahead = iter(tasks)
    with ExitStack() as stack:
        stack.callback(batch.give_up)
        while True:
            for task in ahead:
                record = batch.begin(Under(task, steps(plan, task, truth_of)))
                if record is not None:
                    yield task, record
                if batch.is_full:
                    break
            if batch.is_empty:
                return
            yield from batch.finished()


class Batch:
    def __init__(self, workers: Workers) -> None:
        self._executor = workers.executor
        self._most = workers.number * AHEAD
        self._waiting: dict[Future[Outcome], Under] = {}

    @property
    def is_full(self) -> bool:
        return len(self._waiting) >= self._most

    @property
    def is_empty(self) -> bool:
        return not self._waiting

    def begin(self, under: Under) -> Record | None:
        return self._go_on(under, None)

    def finished(self) -> Iterator[tuple[Task, Record]]:
        """Wait for a run; the records that are complete with it."""
        done, _ = wait(self._waiting, return_when=FIRST_COMPLETED)
        for future in done:
            under = self._waiting.pop(future)
            record = self._go_on(under, _outcome(future))
            if record is not None:
                yield under.task, record

    def give_up(self) -> None:
        for future in self._waiting:
            future.cancel()

    def _go_on(self, under: Under, outcome: Outcome | None) -> Record | None:
        """Take the next step of a grading: its record, or none if it needs another run."""
        try:
            job: Job = under.steps.send(outcome) if outcome else next(under.steps)
        except StopIteration as end:
            record: Record = end.value
            return record
        self._waiting[self._executor.submit(run, job)] = under
        return None


def _outcome(future: Future[Outcome]) -> Outcome:
    """A worker that is gone for good is our fault, not the submission's."""
    try:
        return future.result()
    except Exception as error:
        return Outcome(Ending.FAULT, fault=f"the worker failed: {error!r}")
