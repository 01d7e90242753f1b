"""The `grader` command, and small classes to try it on."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from contextlib import chdir, redirect_stderr, redirect_stdout, suppress
from io import StringIO
from pathlib import Path
from typing import Any
from unittest.mock import patch

from grader.cli import main
from grader.grading.journal import read_journal
from solver.errors import UserError

ROOT = Path(__file__).resolve().parents[2]

# Each takes the only jump there is, or whatever else was asked for.
PUZZLES = {
    "take-one": (
        "........\n........\n........\n..b.....\n.r......\n........\n........\n........\n",
        "........\n........\n...r....\n........\n........\n........\n........\n........\n",
    ),
    "take-right": (
        "........\n........\n........\n....b...\n...r....\n........\n........\n........\n",
        "........\n........\n.....r..\n........\n........\n........\n........\n........\n",
    ),
    "take-left": (
        "........\n........\n........\n..b.....\n...r....\n........\n........\n........\n",
        "........\n........\n.r......\n........\n........\n........\n........\n........\n",
    ),
    "take-two": (
        "........\n...b....\n........\n...b....\n..r.....\n........\n........\n........\n",
        "..R.....\n........\n........\n........\n........\n........\n........\n........\n",
    ),
}
# Knows the answers by heart; a shell starts faster than Python.
BY_HEART = (
    "#!/bin/sh\ncase $(sed -n 4,5p $1 | tr -d '\\n') in\n"
    + "".join(
        f"{''.join(board.split()[3:5])}) printf '{answer}' > $2 ;;\n"
        for board, answer in PUZZLES.values()
    )
    + "*) exit 9 ;;\nesac\n"
)


OWN = ["run", "--solver", "submissions/me/solve.sh {input} {output}"]


def grader(
    *words: str, cwd: Path, text: str | None = None, environment: dict[str, str] | None = None
) -> subprocess.CompletedProcess[str]:
    """The command in this process, which is quicker than one of its own; `started` is a real one.
    With input or an environment it is real, too."""
    if text is not None or environment:
        process = started(*words, cwd=cwd, environment=environment)
        out, err = process.communicate(text, timeout=120)
        return subprocess.CompletedProcess(words, process.returncode, out, err)
    with (
        patch.object(sys, "argv", ["grader/__main__.py"]),
        redirect_stdout(StringIO()) as stdout,
        redirect_stderr(StringIO()) as stderr,
        chdir(cwd),
    ):
        code = main(list(words))
    return subprocess.CompletedProcess(words, code, stdout.getvalue(), stderr.getvalue())


def started(
    *words: str, cwd: Path, environment: dict[str, str] | None = None
) -> subprocess.Popen[str]:
    """A real process in a folder of its own."""
    return subprocess.Popen(
        [sys.executable, "-m", "grader", *words],
        cwd=cwd,
        env={**os.environ, "PYTHONPATH": str(ROOT), **(environment or {})},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def wait_until_journal_says(words: str, cwd: Path) -> None:
    """Read here: on a busy machine a process of its own would look too late."""
    said = ""
    until = time.monotonic() + 60
    while words not in said:
        assert time.monotonic() < until, said
        time.sleep(0.02)
        with suppress(UserError), read_journal(cwd / "grades.db") as journal:
            said = " ".join(f"{each.finished} of {each.tasks}" for each in journal.entries())


def lay_out(folder: Path, students: int = 0, names: list[str] | None = None) -> Path:
    """Puzzles, and a class of programs that know them."""
    for name in names or PUZZLES:
        for kind, text in zip(("inputs", "expected"), PUZZLES[name], strict=True):
            path = folder / kind / f"{name}.txt"
            path.parent.mkdir(exist_ok=True)
            path.write_text(text)
    for number in range(students):
        hand_in(folder, f"student{number}", BY_HEART)
    return folder


def lay_out_mine(folder: Path, names: list[str] | None = None) -> Path:
    """Puzzles and one program that knows them, which `OWN` grades."""
    lay_out(folder, names=names)
    hand_in(folder, "me", BY_HEART)
    return folder


def hand_in(folder: Path, name: str, program: str) -> Path:
    path = folder / "submissions" / name / "solve.sh"
    path.parent.mkdir(parents=True)
    path.write_text(program)
    path.chmod(0o755)
    return path


def records(text: str) -> list[dict[str, Any]]:
    """The records of a JSON Lines export."""
    return [json.loads(line) for line in text.splitlines()]


def wait_for_two_workers(process: subprocess.Popen[str]) -> None:
    children = Path(f"/proc/{process.pid}/task/{process.pid}/children")
    until = time.monotonic() + 60
    while len(children.read_text().split()) < 3:  # with who watches over them
        assert time.monotonic() < until
        time.sleep(0.05)
