"""Runs that came to a bad end, in words."""

from __future__ import annotations

import pytest
from support.judging import made_up

from grader.grading.records import Verdict
from grader.judge.outcome import judge_outcome
from grader.sandbox.job import Ending, Outcome, RunLimits

LIMITS = RunLimits(cpu_s=5, wall_s=60, memory_mb=256, output_bytes=1000)
RIGHT = made_up("........\n" * 5 + "..r.....\n.......b\n........").board.encode()


@pytest.mark.parametrize(
    ("outcome", "verdict", "reason"),
    [
        (Outcome(Ending.CPU, cpu_s=5.02), Verdict.TIMEOUT, "CPU 5.02 s > limit 5 s"),
        (Outcome(Ending.WALL, wall_s=60.5), Verdict.TIMEOUT, "60.50 s by the clock > limit 60 s"),
        (Outcome(Ending.MEMORY, max_rss_kb=300 << 10), Verdict.MEMORY, "300 MB > limit 256 MB"),
        (Outcome(Ending.MEMORY, max_rss_kb=9), Verdict.MEMORY, "more memory than the limit of 256"),
        (Outcome(Ending.OUTPUT), Verdict.OUTPUT_LIMIT, "more than the limit of 1000 bytes"),
        (Outcome(Ending.SIGNAL, signal="SIGSEGV"), Verdict.CRASH, "killed by SIGSEGV"),
        (Outcome(Ending.EXIT, exit_code=3, output=RIGHT), Verdict.CRASH, "exit code 3"),
        (Outcome(Ending.EXIT, exit_code=None, output=RIGHT), Verdict.CRASH, "exit code"),
        (Outcome(Ending.EXIT, exit_code=0), Verdict.MISSING, "there is no output file"),
        (
            Outcome(Ending.EXIT, exit_code=0, output_fault="the output is a symbolic link"),
            Verdict.MISSING,
            "the output is a symbolic link",
        ),
        (Outcome(Ending.FAULT, fault="no bubblewrap"), Verdict.JUDGE_ERROR, "not the fault of"),
    ],
)
def test_each_end_has_its_verdict(outcome: Outcome, verdict: Verdict, reason: str) -> None:
    judgement = judge_outcome(outcome, LIMITS)
    assert judgement is not None
    assert judgement.verdict is verdict
    assert reason in judgement.reason
    assert not judgement.verdict.accepted


def test_a_run_with_an_output_is_left_to_the_judge() -> None:
    assert judge_outcome(Outcome(Ending.EXIT, exit_code=0, output=b""), LIMITS) is None


TRACEBACK = b"""Traceback (most recent call last):
  File "/submission/checkers.py", line 12, in <module>
    board = input()
EOFError: EOF when reading a line
"""
LONG = b"Traceback\n  File ...\nValueError: \xff\x1b[31m" + b"x" * 500 + b"\n\n"


@pytest.mark.parametrize(
    ("outcome", "cause"),
    [
        (Outcome(Ending.WALL, wall_s=61, cpu_s=0.02), "sleeps or waits"),
        (Outcome(Ending.WALL, wall_s=61, cpu_s=59), ""),
        (
            Outcome(Ending.EXIT, exit_code=1, stderr=LONG),
            "last stderr line: ValueError: \ufffd?[31mxxx",
        ),
        (
            Outcome(Ending.EXIT, exit_code=1, stderr=TRACEBACK),
            "last stderr line: EOFError: EOF when reading a line (checkers.py, line 12). "
            "The board is in the file that is named first, not on standard input",
        ),
    ],
)
def test_the_likely_cause_is_short_and_readable(outcome: Outcome, cause: str) -> None:
    judgement = judge_outcome(outcome, LIMITS)
    assert judgement is not None
    assert cause in judgement.cause
    assert bool(cause) == bool(judgement.cause)
    assert len(judgement.cause) < 230
