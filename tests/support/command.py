"""The `solver` command, as a real process or in this one, and boards to try it on."""

from __future__ import annotations

import contextlib
import io
import subprocess
import sys
from typing import Any
from unittest import mock

from solver.cli import main

SHOT = """\
.....b.R
......r.
........
..R.b...
.......b
......b.
...r....
........
"""
SHOT_ANSWER = """\
.....b.R
......r.
...R....
....b...
.......b
......b.
...r....
........
"""
BLOCKED = "........\n........\n........\n..b.....\n.b......\nr.......\n........\n........\n"


def solver(*words: str, text: str = "", **options: Any) -> subprocess.CompletedProcess[str]:
    """A real process."""
    return subprocess.run(
        [sys.executable, "-m", "solver", *words],
        input=text,
        capture_output=True,
        text=True,
        timeout=300,  # of a busy machine
        **options,
    )


def call(*words: str, text: str = "") -> subprocess.CompletedProcess[str]:
    """The same in this process, which is much faster."""
    stdin = io.TextIOWrapper(io.BytesIO(text.encode()))
    out, err = io.StringIO(), io.StringIO()
    with (
        mock.patch.object(sys, "stdin", stdin),
        contextlib.redirect_stdout(out),
        contextlib.redirect_stderr(err),
    ):
        code = main(list(words))
    return subprocess.CompletedProcess(words, code, out.getvalue(), err.getvalue())
