"""Processes beside the grader end with what they were started for."""

from __future__ import annotations

import signal
import subprocess
import sys
import time
from contextlib import suppress

from support.grader_command import ROOT

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
    assert errors.endswith("KeyboardInterrupt\n")
