"""A numbered list of checks, and how it is worked through.

A check is a function that tries something on a trial and raises `Failed` if the program under
test did not do what was expected.  What builds on a failed check is not tried: its failure
would say nothing new.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from contextlib import AbstractContextManager
from dataclasses import dataclass
from enum import StrEnum
from typing import Generic, Protocol, TypeVar

from solver.twoflags.net.comply.transcript import Transcript


class Outcome(StrEnum):
    PASSED = "ok"
    FAILED = "FAILED"
    SKIPPED = "skipped"


class Failed(Exception):
    """The program under test did something else than it should."""

    def __init__(self, expected: str, got: str) -> None:
        super().__init__(f"expected {expected}, got {got}")


class Skipped(Exception):
    """This cannot be checked here; the message says why."""


class Trial(Protocol):
    """What a check is tried on."""

    @property
    def transcript(self) -> Transcript: ...


T = TypeVar("T", bound=Trial)
Try = Callable[[T], None]


@dataclass(frozen=True)
class Check(Generic[T]):
    number: int
    title: str
    why: str
    needs: tuple[int, ...]
    run: Try[T]


@dataclass(frozen=True)
class Verdict:
    """What has become of one check; the transcript only if it has failed."""

    number: int
    title: str
    why: str
    outcome: Outcome
    reason: str = ""
    transcript: tuple[str, ...] = ()

    def __str__(self) -> str:
        end = f": {self.reason}" if self.reason else ""
        return f"{self.outcome} {self.number}  {self.title}{end}"


class Checklist(Generic[T]):
    """Checks in the order in which they are defined, numbered from 1."""

    def __init__(self) -> None:
        self.checks: list[Check[T]] = []

    def check(self, title: str, why: str, *needs: Try[T]) -> Callable[[Try[T]], Try[T]]:
        """Add the decorated function; it is tried only if the checks it needs have not failed."""

        def add(run: Try[T]) -> Try[T]:
            numbers = tuple(check.number for check in self.checks if check.run in needs)
            self.checks.append(Check(len(self.checks) + 1, title, why, numbers, run))
            return run

        return add

    def run(
        self,
        opened: Callable[[Check[T]], AbstractContextManager[T]],
        only: Collection[int] = (),
    ) -> Iterator[Verdict]:
        """Try one check after the other, each on the trial that is opened for it."""
        broken: dict[int, int] = {}  # a check that failed or was not tried: the one to blame
        for check in self.checks:
            if only and check.number not in only:
                continue
            blamed = next((broken[number] for number in check.needs if number in broken), None)
            if blamed is not None:
                reason = f"could not be checked because check {blamed} failed"
                verdict = _verdict(check, Outcome.SKIPPED, reason)
                broken[check.number] = blamed
            else:
                verdict = _tried(check, opened)
            if verdict.outcome is Outcome.FAILED:
                broken[check.number] = check.number
            yield verdict


def _tried(check: Check[T], opened: Callable[[Check[T]], AbstractContextManager[T]]) -> Verdict:
    try:
        with opened(check) as trial:
            try:
                check.run(trial)
            except Failed as failure:
                # Whatever the trial notes while it is closed belongs to the evidence too.
                failed, transcript = failure, trial.transcript
            else:
                return _verdict(check, Outcome.PASSED)
    except Skipped as reason:
        return _verdict(check, Outcome.SKIPPED, str(reason))
    return _verdict(check, Outcome.FAILED, str(failed), tuple(transcript.lines()))


def _verdict(
    check: Check[T], outcome: Outcome, reason: str = "", transcript: tuple[str, ...] = ()
) -> Verdict:
    return Verdict(check.number, check.title, check.why, outcome, reason, transcript)
