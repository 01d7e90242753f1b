"""What the judge says about an answer, in words for the student and for the staff."""

from __future__ import annotations

from dataclasses import dataclass

from grader.verdicts import Verdict


@dataclass(frozen=True)
class Judgement:
    """`reason` and `cause` speak of the given answer only; what gives the right answer away is
    in `best` and `comparison`, which students see with full feedback alone."""

    verdict: Verdict
    reason: str
    cause: str = ""  # what the answer betrays about the program, if anything
    comparison: str = ""  # against the best: "win in 9 instead of 7"
    move: str = ""  # what was played, if that can be said
    best: tuple[str, ...] = ()
    given: str = ""  # the answer as a board, if it is one
    expected: str = ""
    share: float | None = None  # part of the marks, where the verdict alone does not say
