"""The READMEs are executed: every example must print what it shows.

`python tests/test_readme.py [README...]` writes the current output into the blocks.

Console blocks run as transcripts do (see support/console.py), each in a folder of its own with
links to inputs/, expected/ and programs of students.  Blocks of Python run too: as a session where
they have prompts; as a program otherwise; and those whose first line is `# NAME.py` are files for
the other blocks of the same README.
"""

from __future__ import annotations

import contextlib
import io
import json
import re
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

import pytest
from support.console import ROOT, find_difference, folder_with, normalise, run_command

README = ROOT / "README.md"
READMES = [
    *(ROOT / name for name in ("README.md", "tests/README.md")),
    *sorted(
        file
        for package in ("inputs", "solver", "grader")
        for file in ROOT.glob(f"{package}/**/README.md")
    ),
]
CONTRIBUTING = ROOT / "CONTRIBUTING.md"
LONGEST = {README: 150, CONTRIBUTING: 120}  # lines; of the others 250
STUDENTS = ROOT / "tests/golden/samples/students"
LINKS = [ROOT / "inputs", ROOT / "expected", STUDENTS]
BLOCK = re.compile(r"^```(console|python|pycon)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
FILE = re.compile(r"# (\S+\.py)\n")
PATH = r"\b(?:solver|grader|tests)/[\w/]+\.py\b"
FAILS = ' || echo "exit code $?"'
needs_sources = pytest.mark.skipif(not (ROOT / "solver").is_dir(), reason="needs the source tree")


def name_of(file: Path) -> str:
    return file.relative_to(ROOT).as_posix()


class Block(NamedTuple):
    readme: Path
    number: int
    language: str
    text: str

    def __str__(self) -> str:
        return f"{name_of(self.readme)}-{self.number}"

    def execute(self) -> str:
        """The block with the output of today."""
        with folder_with(*LINKS) as folder:
            for name, text in files_of(self.readme):
                (folder / name).write_text(text)
            return EXECUTE[self.language](self.text)


def blocks_of(readme: Path) -> Iterator[Block]:
    for number, (language, text) in enumerate(BLOCK.findall(readme.read_text()), 1):
        if language != "python" or not FILE.match(text):
            yield Block(readme, number, language, text)


def files_of(readme: Path) -> Iterator[tuple[str, str]]:
    for language, text in BLOCK.findall(readme.read_text()):
        if language == "python" and (name := FILE.match(text)):
            yield name[1], text


def execute_console(text: str) -> str:
    """Standard output first, then standard error, without warnings about this machine."""
    from grader.sandbox.job import WARNINGS

    result = ""
    for command in re.findall(r"^\$ (.*\n)", text, re.MULTILINE):
        outcome = run_command(command.strip().removesuffix(FAILS))
        expected = FAILS in command or " | " in command  # whose exit code is that of the last part
        assert outcome.code == 0 or expected, f"{command}{outcome.stderr}"
        stderr = outcome.stderr
        for warning in WARNINGS.values():
            stderr = stderr.replace(f"grader: {warning}\n", "")
        result += f"$ {command}{outcome.stdout}{stderr}"
        result += f"exit code {outcome.code}\n" if FAILS in command else ""
    return result


def normalise_outputs(block: str) -> str:
    """Output by output, as tables are recognised by their first line."""
    return "".join(map(normalise, re.split(r"^(\$ .*\n)", block, flags=re.MULTILINE)))


def execute_session(text: str) -> str:
    """A session with prompts: expressions print their values."""
    result, names = "", {"__name__": "__main__"}
    for shown in re.findall(r"^>>> .*\n(?:\.\.\.(?: .*)?\n)*", text, re.MULTILINE):
        source = "".join(line[4:] or "\n" for line in shown.splitlines(keepends=True))
        with contextlib.redirect_stdout(io.StringIO()) as printed:
            exec(compile(source, "README", "single"), names)
        result += shown + printed.getvalue()
    return result


def execute_program(text: str) -> str:
    exec(compile(text, "README", "exec"), {"__name__": "__main__"})
    return text


EXECUTE: dict[str, Callable[[str], str]] = {
    "console": execute_console,
    "pycon": execute_session,
    "python": execute_program,
}
BLOCKS = [block for readme in READMES for block in blocks_of(readme)]


@pytest.mark.parametrize("block", BLOCKS, ids=str)
def test_an_example_prints_what_it_shows(block: Block) -> None:
    shown, now = map(normalise_outputs, (block.text, block.execute()))
    if difference := find_difference(shown, now):
        pytest.fail(f"{difference}\n\nIf this is right: python tests/test_readme.py", False)


@needs_sources
@pytest.mark.parametrize("readme", [*READMES, CONTRIBUTING], ids=name_of)
def test_a_readme_is_short_and_its_links_lead_somewhere(readme: Path) -> None:
    text = readme.read_text()
    assert len(text.splitlines()) <= LONGEST.get(readme, 250)
    for path in re.findall(PATH, text):
        assert (ROOT / path).exists(), path
    for link in re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", text):
        assert (readme.parent / link).exists(), link


def test_the_two_commands_are_on_the_first_screen() -> None:
    first_screen = README.read_text().splitlines()[:30]
    assert "$ python3 -m solver inputs/checkers/shot-in-nine.txt answer.txt" in first_screen
    assert "<!-- the tests -->" in first_screen


@needs_sources
def test_numbers_are_those_of_today() -> None:
    from grader.puzzles.find import find_cases
    from solver.games.checkers.endgame.file import SHIPPED, Archive
    from solver.games.checkers.endgame.slices import all_slices
    from solver.proof.answer import DEFAULT_NODES

    files = list((ROOT / "expected").rglob("*.json"))
    probes = [file for file in files if file.name.startswith("probe-")]
    expected = [json.loads(file.read_text()) for file in files if file not in probes]
    checkers = [record for record in expected if record["game"] == "checkers"]
    proven = sum(record["proven"] in ("all", "best") for record in checkers)
    marked = [case for case in find_cases(ROOT / "inputs")[0] if case.points]
    endings = sum(each.size for each in all_slices(Archive(SHIPPED).pieces))
    for readme, sentence in (
        ("README.md", f"{len(marked)} puzzles"),
        ("inputs/README.md", f"{len(probes)} small boards"),
        ("inputs/README.md", f"{len(checkers)} puzzles, {proven} of them with proven best moves"),
        ("inputs/README.md", f"{len(expected) - len(checkers)} positions"),
        ("solver/README.md", f"{DEFAULT_NODES:,} nodes"),
        ("solver/games/checkers/README.md", f"{endings:,} positions"),
        ("solver/games/checkers/README.md", f"{Path(SHIPPED).stat().st_size / 1e6:.1f} MB"),
    ):
        assert sentence in " ".join((ROOT / readme).read_text().split())


@needs_sources
def test_fields_are_those_of_today() -> None:
    """The names in the first column of the table below a heading."""
    with folder_with(*LINKS):
        command = "solver analyse inputs/checkers/double-jump.txt --json --depth 1"
        statistics = run_command(command).stdout
    answer = (ROOT / "expected/checkers/double-jump.json").read_text()
    for readme, heading, record in (
        ("solver/README.md", "Statistics", statistics),
        ("inputs/README.md", "Expected answers", answer),
    ):
        table = (ROOT / readme).read_text().split(f"\n## {heading}\n")[1].split("\n## ")[0]
        cells = " ".join(re.findall(r"^\| (.*?) \|", table, re.MULTILINE))
        assert {*re.findall(r"`(\w+)`", cells)} == {*json.loads(record)}


@needs_sources
def test_the_example_of_settings(tmp_path: Path) -> None:
    from grader.puzzles.find import find_cases
    from grader.puzzles.settings import read_settings

    file = tmp_path / "grader.toml"
    file.write_text((ROOT / "grader/README.md").read_text().split("```toml\n")[1].split("```")[0])
    cases, _ = find_cases(ROOT / "inputs", about=read_settings(file).about)
    assert {case.points for case in cases if case.group == "shot"} == {3.0}
    assert {case.points for case in cases if case.name == "checkers/opening"} == {0.0}


@needs_sources
def test_the_match_over_the_network_can_be_played() -> None:
    """On a port that is free."""
    readme = ROOT / "solver/games/twoflags/README.md"
    block = readme.read_text().split("<!-- a match -->\n```sh\n")[1].split("```")[0]
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    block = block.replace("solver server", f"solver server --spectator-port 0 --port {port}")
    block = block.replace("solver agent", f"solver agent --port {port}")
    block = block.replace("solver ", f"{sys.executable} -m solver ")
    with folder_with():
        done = subprocess.run(["bash", "-ec", block], capture_output=True, text=True, timeout=120)
        assert done.returncode == 0, done.stderr
    for number in (1, 2):  # by the server, and in the log
        assert done.stdout.lower().count(f"game {number}") == 2, done
    assert done.stdout.count("2 games, ") == 2  # by both agents


def rewrite(readme: Path) -> None:
    """Outputs that differ only in times stay as they are."""
    for block in blocks_of(readme):
        try:
            now = block.execute()
        except Exception as error:
            sys.stderr.write(f"{block}: {error!r}\n")
            continue
        if normalise_outputs(now) != normalise_outputs(block.text):
            readme.write_text(readme.read_text().replace(block.text, now))


if __name__ == "__main__":
    sys.path.insert(0, str(ROOT))
    for each in [Path(word).resolve() for word in sys.argv[1:]] or READMES:
        rewrite(each)
