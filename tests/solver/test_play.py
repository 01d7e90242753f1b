"""`solver play` as a real process; the transcripts have the rest."""

from __future__ import annotations

import signal
import subprocess
import sys


def test_an_interrupt_is_130() -> None:
    with subprocess.Popen(
        [sys.executable, "-m", "solver", "play", "--game", "twoflags"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "8  . . . . . . . .\n"
        process.send_signal(signal.SIGINT)
        _, words = process.communicate(timeout=120)
    assert (process.returncode, words) == (130, "solver: interrupted\n")
