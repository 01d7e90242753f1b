"""Signals at moments that no clock could hit: when a certain module is loaded."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from support.console import ROOT

# As the installed command does.
START = """
import os, signal, sys
from importlib import import_module

program, loading, number = sys.argv[1:]

class Finder:
    def find_spec(name, *_):
        if name == loading:
            # In a text, as when a dataclass is made: after that, 'python -m' would end by SIGINT.
            exec("os.kill(os.getpid(), int(number))\\nfor _ in range(9): pass")

signal.signal(signal.SIGHUP, signal.SIG_IGN)  # nohup
sys.meta_path.insert(0, Finder)
sys.argv[1:] = ["--help"]
sys.exit(import_module(program + ".__main__").run())
"""
STOPPED = "{}: interrupted\n"


@pytest.mark.parametrize("program", ["solver", "grader"])
@pytest.mark.parametrize(
    ("loading", "number", "code", "words"),
    [
        ("{}.cli", signal.SIGINT, -signal.SIGINT, ""),
        ("{}.cli", signal.SIGTERM, -signal.SIGTERM, ""),
        ("argparse", signal.SIGINT, 130, STOPPED),
        ("argparse", signal.SIGTERM, 143, STOPPED),
        ("argparse", signal.SIGHUP, 0, ""),  # ignored before, and so it stays
    ],
)
def test_a_signal_while_modules_are_loaded(
    tmp_path: Path, program: str, loading: str, number: signal.Signals, code: int, words: str
) -> None:
    (tmp_path / "begin.py").write_text(START)
    command = [sys.executable, "-m", "begin", program, loading.format(program), str(int(number))]
    env = {**os.environ, "PYTHONPATH": str(tmp_path)}
    done = subprocess.run(command, cwd=ROOT, env=env, capture_output=True, text=True, timeout=100)
    assert (done.returncode, done.stderr) == (code, words.format(program))
