"""Runs commands as somebody would type them, for the transcripts and for the READMEs.

`solver ...` and `grader ...` run in this process, also behind `python3 -m` and in a pipe; any
other command runs in a shell.
"""

from __future__ import annotations

import contextlib
import difflib
import io
import os
import re
import shlex
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple
from unittest import mock

ROOT = Path(__file__).resolve().parents[2]
ENVIRONMENT = {
    "COLUMNS": "80",
    "LC_ALL": "C.UTF-8",
    "PATH": f"{Path(sys.executable).parent}:{os.environ.get('PATH', '')}",
    "PYTHONPATH": str(ROOT),
}
OURS = re.compile(r"(?:python3 -m )?(solver|grader)\b")
# What differs from run to run, and what is shown instead.
NORMALISED = [
    (re.escape(sys.executable), "python3"),
    (r"\S+/grader/puzzles/collection/inputs", "ROOT/inputs"),
    (re.escape(str(ROOT)), "ROOT"),
    (r"checkmark \d+\.\d+\.\d+( \((pure Python|compiled)\))?", "checkmark VERSION"),
    (r"\d{4}-\d\d-\d\d([ T]\d\d:\d\d(:\d\d(\.\d+)?)?)?(Z|[+-]\d\d:\d\d)?", "DATE"),
    (r" +\d+\.\d+ s\b", " # s"),
    (r" +[\d,]+ nodes/s", " # nodes/s"),
    (r"in [\d,]+ bytes", "in # bytes"),
    (r"bytes instead of \d+", "bytes instead of #"),
    (r"time \d+\.\d\d\b", "time #"),
    (r'("(?:seconds|cpu_s|wall_s|time|execution_time|max_rss_kb|nps)": )[\d.e-]+', r"\1#"),
    (r'"cpu_s": \[[^]]*\]', '"cpu_s": [#]'),
    (r'("(?:worker|version|accounting)": )"[^"]*"', r'\1"#"'),
    (r'\btime="[\d.]+"', 'time="#"'),
    (r"visible,[\d.]+,[\d.]+,\d+,", "visible,#,#,#,"),  # in a row of CSV
    (r",limits,[^,]*,[^,]+,", ",limits,#,#,"),
    (r"(?<=[0-9a-f]{64},)\d+\.\d+\.\d+,", "VERSION,"),
    (r"[\d.]+ a second\b(?! time)", "# a second"),
    (r"\| \d+\.\d\d \|\n", "| # |\n"),
    (r"\| \d+\.\d\d \| \d+\.\d \|", "| # | # |"),
    (r"\bmatch-[0-9a-f]{8}\b", "match-KEY"),
]


class Outcome(NamedTuple):
    stdout: str
    stderr: str
    code: int


@contextlib.contextmanager
def folder_with(*links: Path) -> Iterator[Path]:
    """A temporary folder with links to these files, as the current one."""
    before = os.getcwd()
    with tempfile.TemporaryDirectory(prefix="console-") as name:
        for path in links:
            (Path(name) / path.name).symlink_to(path)
        os.chdir(name)
        try:
            with mock.patch.dict(os.environ, ENVIRONMENT):
                yield Path(name)
        finally:
            os.chdir(before)


def run_command(command: str, given: str = "") -> Outcome:
    """A command line; its exit code is that of the first part that failed."""
    parts = command.split(" | ")
    if not any(map(OURS.match, parts)):
        return _run_in_shell(command, given)
    stderr, code = "", 0
    for part in parts:
        if OURS.match(part):
            program, *words = shlex.split(part.removeprefix("python3 -m "))
            outcome = _run_in_process(program, words, given)
        else:
            outcome = _run_in_shell(part, given)
        given, stderr, code = outcome.stdout, stderr + outcome.stderr, code or outcome.code
    return Outcome(given, stderr, code)


def _run_in_shell(command: str, given: str) -> Outcome:
    done = subprocess.run(
        ["sh", "-c", command], input=given, capture_output=True, text=True, timeout=60, check=False
    )
    return Outcome(done.stdout, done.stderr, done.returncode)


def _run_in_process(program: str, words: list[str], given: str) -> Outcome:
    from grader.cli import main as grader
    from solver.cli import main as solver

    main = {"solver": solver, "grader": grader}[program]
    with tempfile.TemporaryFile() as raw, _capture() as stdout, _capture() as stderr:
        raw.write(given.encode())
        raw.seek(0)
        with (
            io.TextIOWrapper(raw, encoding="utf-8") as stdin,
            mock.patch.multiple(
                sys, argv=[program, *words], stdin=stdin, stdout=stdout, stderr=stderr
            ),
        ):
            try:
                code = main(words)
            except SystemExit as end:  # argparse after --help
                code = end.code if isinstance(end.code, int) else int(end.code is not None)
        for stream in (stdout, stderr):
            stream.flush()
            stream.seek(0)
        return Outcome(stdout.read(), stderr.read(), code)


def _capture() -> io.TextIOWrapper:
    """A stream with a real file behind it, as the commands may ask for its descriptor."""
    return io.TextIOWrapper(
        tempfile.TemporaryFile(), encoding="utf-8", errors="backslashreplace", newline=""
    )


def normalise(text: str) -> str:
    """The text without what differs from run to run."""
    for pattern, shown in NORMALISED:
        text = re.sub(pattern, shown, text)
    return "\n\n".join(map(_normalise_table, text.split("\n\n")))


def _normalise_table(block: str) -> str:
    """A table with times, which also decide how wide its columns are."""
    if not re.match(r".*  (CPU s|CPU|time)\b", block):
        return block
    block = re.sub(r"-{3,}", "---", re.sub(r" {2,}", "  ", block))
    return re.sub(r"  \d+\.\d{2,3}(  \d+\.\d)?(?=  |$)", "  #", block, flags=re.MULTILINE)


def find_difference(expected: str, found: str) -> str:
    """As lines of a diff; empty if there is none."""
    both = expected.splitlines(), found.splitlines()
    return "\n".join(difflib.unified_diff(*both, "expected", "now", lineterm=""))
