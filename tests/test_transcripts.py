"""Golden transcripts: what every command prints, in tests/golden/commands/*.txt.

`python tests/test_transcripts.py [NAME...]` rewrites them; look at the difference with git.

A transcript is a sequence of commands, each followed by its output.  `$ solver ...` and
`$ grader ...` run in this process, in a folder with links to inputs/, expected/ and samples/; any
other command runs in a shell.  `<<END` takes standard input from the lines up to END, and the
output can be piped through shell commands.  Lines of standard error start with `! `.
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

import pytest

ROOT = Path(__file__).resolve().parent.parent
FOLDER = ROOT / "tests" / "golden" / "commands"
LINKS = [ROOT / "inputs", ROOT / "expected", ROOT / "tests" / "golden" / "samples"]
ENVIRONMENT = {
    "COLUMNS": "80",
    "LC_ALL": "C.UTF-8",
    "PATH": f"{Path(sys.executable).parent}:{os.environ.get('PATH', '')}",
    "PYTHONPATH": str(ROOT),
}
# What differs from run to run, and what is shown instead.
NORMALISED = [
    (re.escape(sys.executable), "python3"),
    (re.escape(str(ROOT)), "ROOT"),
    (r"checkmark \d+\.\d+\.\d+( \((pure Python|compiled)\))?", "checkmark VERSION"),
    (r'"compiled": (true|false)', '"compiled": BUILD'),
    (r"\d{4}-\d\d-\d\d([ T]\d\d:\d\d(:\d\d(\.\d+)?)?)?(Z|[+-]\d\d:\d\d)?", "DATE"),
    (r" +\d+\.\d+ s\b", " # s"),
    (r" +[\d,]+ nodes/s", " # nodes/s"),
    (r"\d+ MB of memory and .* \((pure Python|compiled)\)", "# MB of memory and # s"),
    (r"in [\d,]+ bytes|instead of \d+", "in # bytes"),
    (r"time \d+\.\d\d\b", "time #"),
    (r'("(?:seconds|cpu_s|wall_s|time|execution_time|max_rss_kb|nps)": )[\d.e-]+', r"\1#"),
    (r'"cpu_s": \[[^]]*\]', '"cpu_s": [#]'),
    (r'("(?:worker|version)": )"[^"]*"', r'\1"#"'),
    (r'\btime="[\d.]+"', 'time="#"'),
    (r"visible,[\d.]+,[\d.]+,\d+,", "visible,#,#,#,"),  # in a row of CSV
    (r",limits,[^,]+,", ",limits,#,"),
    (r"(?<=[0-9a-f]{64},)\d+\.\d+\.\d+,", "VERSION,"),
    (r"[\d.]+ a second", "# a second"),
    (r"\| \d+\.\d\d \| \d+\.\d \|", "| # | # |"),
    (r"\bmatch-[0-9a-f]{8}\b", "match-KEY"),
]


class Step(NamedTuple):
    command: str
    given: str  # on standard input


class Outcome(NamedTuple):
    stdout: str
    stderr: str
    code: int


def read_steps(text: str) -> list[Step]:
    """The commands of a transcript, without their outputs."""
    steps = []
    lines = iter(text.splitlines())
    for line in lines:
        if not line.startswith("$ "):
            continue
        given = []
        if line.endswith("<<END"):
            for row in lines:
                if row == "END":
                    break
                given.append(row + "\n")
        steps.append(Step(line[2:], "".join(given)))
    return steps


def perform(steps: list[Step]) -> str:
    """The whole transcript, with the outputs of today."""
    with tempfile.TemporaryDirectory(prefix="transcript-") as name, _inside(Path(name)) as folder:
        text = ""
        for step in steps:
            heredoc = f"{step.given}END\n" if step.command.endswith("<<END") else ""
            text += f"$ {step.command}\n{heredoc}{_render(_run(step), folder)}"
    return text


@contextlib.contextmanager
def _inside(folder: Path) -> Iterator[Path]:
    for path in LINKS:
        (folder / path.name).symlink_to(path)
    before = os.getcwd()
    os.chdir(folder)
    try:
        with mock.patch.dict(os.environ, ENVIRONMENT):
            yield folder
    finally:
        os.chdir(before)


def _run(step: Step) -> Outcome:
    command = step.command.removesuffix("<<END").strip()
    program = command.partition(" ")[0]
    if program not in ("solver", "grader"):
        return _run_in_shell(command, step.given)
    command, pipe, rest = command.partition(" | ")
    outcome = _run_in_process(program, shlex.split(command)[1:], step.given)
    return outcome._replace(stdout=_run_in_shell(rest, outcome.stdout).stdout) if pipe else outcome


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
            mock.patch.multiple(sys, argv=[program], stdin=stdin, stdout=stdout, stderr=stderr),
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


def _render(outcome: Outcome, folder: Path) -> str:
    stdout, stderr = (
        _normalise(text.replace(os.path.realpath(folder), "TMP").replace(str(folder), "TMP"))
        for text in (outcome.stdout, outcome.stderr)
    )
    lines = stdout.splitlines() + [f"! {line}".rstrip() for line in stderr.splitlines()]
    if outcome.code:
        lines.append(f"[exit {outcome.code}]")
    return "".join(f"{line.rstrip()}\n" for line in lines)


def _normalise(text: str) -> str:
    for pattern, shown in NORMALISED:
        text = re.sub(pattern, shown, text)
    return "\n\n".join(map(_normalise_table, text.split("\n\n")))


def _normalise_table(block: str) -> str:
    """A table with times, which also decide how wide its columns are."""
    if not re.match(r".*  (CPU s|CPU|time)\b", block):
        return block
    block = re.sub(r"-{3,}", "---", re.sub(r" {2,}", "  ", block))
    return re.sub(r"  \d+\.\d{2,3}(  \d+\.\d)?(?=  |$)", "  #", block, flags=re.MULTILINE)


@pytest.mark.parametrize("name", sorted(path.stem for path in FOLDER.glob("*.txt")))
def test_transcript(name: str) -> None:
    if "help" in name and sys.version_info >= (3, 13):
        pytest.skip("argparse lays out help pages in another way since Python 3.13")
    expected = (FOLDER / f"{name}.txt").read_text()
    found = perform(read_steps(expected))
    both = expected.splitlines(), found.splitlines()
    difference = "\n".join(difflib.unified_diff(*both, "golden", "now", lineterm=""))
    if difference:
        pytest.fail(f"{difference}\n\nIf this is right: python tests/test_transcripts.py", False)


if __name__ == "__main__":
    sys.path.insert(0, str(ROOT))
    for each in [FOLDER / f"{word}.txt" for word in sys.argv[1:]] or sorted(FOLDER.glob("*.txt")):
        each.write_text(perform(read_steps(each.read_text())))
