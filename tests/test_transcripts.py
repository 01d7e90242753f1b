"""Golden transcripts: what every command prints, in tests/golden/commands/*.txt.

`python tests/test_transcripts.py [NAME...]` rewrites them; look at the difference with git.

A transcript is a sequence of commands, each followed by its output.  `$ solver ...` and
`$ grader ...` run in this process, in a folder with links to inputs/, expected/ and samples/; any
other command runs in a shell.  `<<END` takes standard input from the lines up to END, and the
output can be piped through shell commands.  Lines of standard error start with `! `.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import NamedTuple

import pytest
from support.console import ROOT, Outcome, find_difference, folder_with, normalise, run_command

FOLDER = ROOT / "tests" / "golden" / "commands"
LINKS = [ROOT / "inputs", ROOT / "expected", ROOT / "tests" / "golden" / "samples"]


class Step(NamedTuple):
    command: str
    given: str  # on standard input


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
    with folder_with(*LINKS) as folder:
        text = ""
        for step in steps:
            heredoc = f"{step.given}END\n" if step.command.endswith("<<END") else ""
            outcome = run_command(step.command.removesuffix("<<END").strip(), step.given)
            text += f"$ {step.command}\n{heredoc}{_render(outcome, folder)}"
    return text


def _render(outcome: Outcome, folder: Path) -> str:
    stdout, stderr = (
        normalise(text.replace(os.path.realpath(folder), "TMP").replace(str(folder), "TMP"))
        for text in (outcome.stdout, outcome.stderr)
    )
    lines = stdout.splitlines() + [f"! {line}".rstrip() for line in stderr.splitlines()]
    if outcome.code:
        lines.append(f"[exit {outcome.code}]")
    return "".join(f"{line.rstrip()}\n" for line in lines)


@pytest.mark.parametrize("name", sorted(path.stem for path in FOLDER.glob("*.txt")))
def test_transcript(name: str) -> None:
    if "help" in name and sys.version_info >= (3, 13):
        pytest.skip("argparse lays out help pages in another way since Python 3.13")
    golden = (FOLDER / f"{name}.txt").read_text()
    if difference := find_difference(normalise(golden), perform(read_steps(golden))):
        pytest.fail(f"{difference}\n\nIf this is right: python tests/test_transcripts.py", False)


if __name__ == "__main__":
    sys.path.insert(0, str(ROOT))
    for each in [FOLDER / f"{word}.txt" for word in sys.argv[1:]] or sorted(FOLDER.glob("*.txt")):
        each.write_text(perform(read_steps(each.read_text())))
