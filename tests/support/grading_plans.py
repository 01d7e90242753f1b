"""Small plans and the records that gradings of them leave behind."""

from __future__ import annotations

from pathlib import Path

from grader.grading.plan import Plan, Task
from grader.grading.records import Record, Verdict
from grader.puzzles.find import Case
from grader.sandbox.job import File, RunLimits
from grader.submissions.find import Submission

# Red can only take; two moves, the first wins at once.
BOARD = "........\n........\n........\n..b.....\n.r......\n........\n........\n........\n"
ANSWER = "........\n........\n...r....\n........\n........\n........\n........\n........\n"


def submission(name: str, source: str = "pass\n") -> Submission:
    command = ("python3", "{submission}/checkers.py", "{input}", "{output}")
    return Submission(name, (File("checkers.py", source.encode()),), command)


def case(name: str, points: float = 1.0) -> Case:
    return Case(
        name=f"checkers/{name}",
        game="checkers",
        group="jumps",
        input_path=Path(f"inputs/checkers/{name}.txt"),
        input=BOARD.encode(),
        expected=ANSWER.encode(),
        proof="",
        points=points,
    )


def plan(submissions: int = 2, cases: int = 3) -> Plan:
    return Plan(
        submissions=tuple(submission(f"student{number}") for number in range(submissions)),
        cases=tuple(case(f"jump{number}") for number in range(cases)),
        limits=RunLimits(),
        title="a class",
    )


def record(task: Task, verdict: Verdict = Verdict.EXACT) -> Record:
    return Record(
        submission=task.submission.name,
        puzzle=task.case.name,
        game="checkers",
        group="jumps",
        mode="move",
        verdict=verdict,
        score=float(verdict.accepted),
        max_score=1.0,
        reason="because",
        best=("12x19",),
        submission_sha256=task.submission.sha256,
    )
