"""`grade` with a `run` that answers from a list: retries, repeats, and faults on our side; and
processes, which end with what they were started for."""

from __future__ import annotations

import signal
import subprocess
import sys
import time
from collections import Counter
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from statistics import median
from typing import Any

import pytest
from support.grader_command import ROOT
from support.grading_plans import ANSWER, BOARD, plan

from grader.cli import main
from grader.grading.grade import grade, grade_all
from grader.grading.plan import Plan
from grader.grading.records import Verdict
from grader.grading.workers import local
from grader.puzzles import find
from grader.sandbox.job import Ending, Job, Outcome
from solver.games import GAMES, game_named

RIGHT = Outcome(Ending.EXIT, exit_code=0, output=ANSWER.encode(), cpu_s=1.0)
EMPTY = Outcome(Ending.EXIT, exit_code=0)
WRONG = replace(RIGHT, output=BOARD.encode(), cpu_s=3.0)
FAULT = Outcome(Ending.FAULT, fault="no sandbox")
LATE = Outcome(Ending.CPU, exit_code=0)
STOPPED = Outcome(Ending.CPU)
ONE = plan(1, 1)
GUESSED = replace(ONE, submissions=(replace(ONE.submissions[0], guessed=True),))


@pytest.mark.parametrize(
    ("whole", "answers", "verdict"),
    [
        (ONE, [RIGHT], Verdict.EXACT),
        (ONE, [WRONG], Verdict.ILLEGAL),
        (ONE, [EMPTY], Verdict.MISSING),
        (ONE, [FAULT, RIGHT], Verdict.EXACT),
        (ONE, [FAULT, FAULT], Verdict.JUDGE_ERROR),
        (ONE, [LATE, RIGHT], Verdict.EXACT),
        (ONE, [LATE, LATE], Verdict.TIMEOUT),
        (ONE, [STOPPED], Verdict.TIMEOUT),
        (GUESSED, [EMPTY, RIGHT], Verdict.EXACT),
        (GUESSED, [EMPTY, EMPTY], Verdict.MISSING),
    ],
)
def test_how_often_a_program_is_run(whole: Plan, answers: list[Outcome], verdict: Verdict) -> None:
    """The times are the middle ones of all runs."""
    left = iter(answers)
    record = grade(whole, next(whole.tasks()), lambda job: next(left))
    assert next(left, None) is None
    assert (record.verdict, record.runs) == (verdict, len(answers))
    assert record.cpu_s == median(answer.cpu_s for answer in answers)


def test_the_other_calling_style_is_tried() -> None:
    commands = []

    def run(job: Job) -> Outcome:
        commands.append(job.command[-4:])
        return EMPTY

    grade(GUESSED, next(GUESSED.tasks()), run)
    assert commands[0] == ("python3", "{submission}/checkers.py", "{input}", "{output}")
    assert commands[1] == ("--inputfile", "{input}", "--outputfile", "{output}")


def test_our_own_faults_are_judge_errors_and_affect_no_other_task() -> None:
    whole = plan(2, 3)

    def run(job: Job) -> Outcome:
        raise ValueError("out of order")

    with local(2) as workers:
        done = list(grade_all(whole, whole.tasks(), replace(workers, run=run)))
    assert {task.names for task, _ in done} == {task.names for task in whole.tasks()}
    assert {record.verdict for _, record in done} == {Verdict.JUDGE_ERROR}
    assert all("out of order" in record.staff for _, record in done)


@pytest.mark.parametrize("name", ["checkers/shot-in-nine", "twoflags/race-lone-pawns"])
def test_a_board_is_parsed_once(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """To grade one puzzle nothing is read but its input, its expected board and the answer."""
    find.board_of.cache_clear()
    parsed: Counter[str] = Counter()

    def count(read: Any) -> Any:
        def read_and_count(content: str, *rest: Any, **options: Any) -> Any:
            parsed[content] += 1
            return read(content, *rest, **options)

        return read_and_count

    for game in map(game_named, GAMES):
        monkeypatch.setattr(game, "read", count(game.read))
    monkeypatch.chdir(ROOT)
    program, answer = tmp_path / "a.sh", (ROOT / f"expected/{name}.txt").read_text()
    program.write_text(f"cat > $2 <<END\n{answer}END\n")
    words = ["--sandbox", "off", "--solver", f"sh {program} {{input}} {{output}}"]
    assert main(["run", "-q", name, *words, "--journal", str(tmp_path / "grades.db")]) == 0
    text = (ROOT / f"inputs/{name}.txt").read_text()
    assert parsed[text] == 1
    assert sum(parsed.values()) <= 3


# Ends its block while work is still going on, as a match does that a test has decided.
WAITS = """
import time
from grader.grading.workers import processes

with processes(1) as executor:
    executor.submit(time.sleep, 600)
    print("waits", flush=True)
"""


def test_an_interrupt_ends_the_wait_for_the_last_work() -> None:
    process = subprocess.Popen(
        [sys.executable, "-c", WAITS],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None
    assert process.stdout.readline() == "waits\n"
    time.sleep(0.3)  # or it is interrupted before it waits, which must end as well
    try:
        # once more if it was lost: CPython misses one that comes just before a wait begins
        for patience in (60, 90):
            process.send_signal(signal.SIGINT)
            with suppress(subprocess.TimeoutExpired):
                process.wait(patience)  # and not ten minutes
                break
        assert process.poll(), "the interrupt did not end it"
        errors = process.communicate()[1]
    finally:
        process.kill()
    assert "KeyboardInterrupt" in errors  # at its end, unless the interpreter was ending as well
