"""The README is executed: every console block must show what its commands really print.

`python tests/test_readme.py` writes the current output into the blocks.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from contextlib import ExitStack
from pathlib import Path
from tempfile import TemporaryDirectory

from grader.cli import COMMANDS as GRADER_COMMANDS
from grader.grading.records import Verdict
from grader.puzzles.find import find_cases
from grader.puzzles.settings import read_settings
from grader.report import GRADING_FORMATS
from grader.sandbox.job import WARNINGS, Level
from solver.games.twoflags.net.program import reserve_port

ROOT = Path(__file__).parent.parent
README = ROOT / "README.md"
BLOCK = re.compile(r"^```console\n(.*?)^```$", re.MULTILINE | re.DOTALL)
SOURCE = re.compile(r"^```python\n# (\S+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
# Seconds, and the two columns of the grader's table.
TIMES = re.compile(r" *\d+\.\d\d s\b|\btime \d+\.\d\d| +\d+\.\d\d +\d+\.\d\b")


def executed(readme: str) -> str:
    """The README with the output of every console command as it is now."""
    with TemporaryDirectory() as name:
        folder = Path(name)
        for part in ("inputs", "expected"):
            shutil.copytree(ROOT / part, folder / part)
        for package in ("solver", "grader"):
            if (ROOT / package).is_dir():  # else it is installed
                (folder / package).symlink_to(ROOT / package)
        for file, source in SOURCE.findall(readme):
            (folder / file).write_text(source)
        return BLOCK.sub(lambda block: f"```console\n{_run_all(block[1], folder)}```", readme)


def _run_all(block: str, folder: Path) -> str:
    commands = [line for line in block.splitlines() if line.startswith("$ ")]
    return "".join(f"{command}\n{_run(command[2:], folder)}" for command in commands)


def _run(command: str, folder: Path) -> str:
    """What a command prints, standard output first, as a quick reader sees it."""
    command = command.replace("python3 ", f"{sys.executable} ")
    done = subprocess.run(
        ["bash", "-c", command], cwd=folder, capture_output=True, text=True, timeout=120
    )
    assert done.returncode == 0, done.stderr
    told = done.stderr
    for warning in WARNINGS.values():  # which depend on the machine
        told = told.replace(f"grader: {warning}\n", "")
    return done.stdout + told


def test_the_readme_shows_what_its_commands_print() -> None:
    readme = README.read_text()
    now = TIMES.sub("TIME", executed(readme)).splitlines()
    assert TIMES.sub("TIME", readme).splitlines() == now


def test_the_readme_has_the_two_commands_on_its_first_screen() -> None:
    first_screen = README.read_text().splitlines()[:25]
    assert "$ python3 -m solver inputs/checkers/shot-in-nine.txt answer.txt" in first_screen
    assert "<!-- the tests -->" in first_screen


def test_the_readme_lists_every_choice_there_is() -> None:
    from solver.cli import COMMANDS
    from solver.games import GAMES, game_named
    from solver.games.twoflags.net.protocol import DIALECTS
    from solver.proof.answer import DEFAULT_NODES
    from solver.search.techniques import CACHES, ORDERINGS, TERMINALS

    readme = README.read_text()
    games = [game_named(name) for name in GAMES]
    heuristics = [name for game in games for name in game.heuristics()]
    for name in (*heuristics, *CACHES, *ORDERINGS, *TERMINALS, *DIALECTS):
        assert f"`{name}`" in readme
    for game in games:
        assert f"`{game.DEFAULT_HEURISTIC}` (default)" in readme
    for command in COMMANDS:
        assert f"solver {command}" in readme
    assert f"The budget is {DEFAULT_NODES} nodes" in readme


def test_the_readme_lists_every_choice_of_the_grader() -> None:
    readme = README.read_text()
    for name in (*Verdict, *GRADING_FORMATS, *Level):
        assert f"`{name}`" in readme
    for command in GRADER_COMMANDS:
        assert f"grader {command}" in readme


def test_the_readme_counts_the_cases() -> None:
    cases, warnings = find_cases(ROOT / "inputs")
    assert not warnings
    readme = README.read_text()
    checkers = [case for case in cases if case.game == "checkers"]
    assert f"over `inputs/` and `expected/`: {len(cases)} puzzles" in readme
    assert f"`inputs/checkers/` holds {len(checkers)} boards" in readme


def test_the_settings_of_the_readme_are_settings(tmp_path: Path) -> None:
    file = tmp_path / "grader.toml"
    file.write_text(README.read_text().split("```toml\n")[1].split("```")[0])
    settings = read_settings(file)
    cases, warnings = find_cases(ROOT / "inputs", about=settings.about)
    assert not warnings
    assert {case.points for case in cases if case.group == "shot"} == {3.0}
    assert {case.points for case in cases if case.name == "checkers/opening"} == {0.0}


def test_the_readme_knows_the_puzzles() -> None:
    import json

    readme = README.read_text()
    puzzles = list((ROOT / "expected" / "twoflags").glob("*.json"))
    assert f"`inputs/twoflags/` holds {len(puzzles)} positions" in readme
    section = readme.split("\n## Puzzles\n")[1].split("\n## ")[0].split("|---|---|")[1]
    fields = " ".join(re.findall(r"^\| (.*?) \|", section, flags=re.MULTILINE))
    record = json.loads(puzzles[0].read_text())
    assert set(re.findall(r"`(\w+)`", fields)) == {*record}
    checkers = [json.loads(p.read_text()) for p in (ROOT / "expected/checkers").glob("*.json")]
    proven = sum(record["proven"] in ("all", "best") for record in checkers)
    assert f"{proven} of them with proven best moves" in readme


def test_the_readme_knows_the_endings() -> None:
    from solver.games.checkers.endgame.file import SHIPPED, Archive
    from solver.games.checkers.endgame.slices import all_slices

    readme = README.read_text()
    positions = sum(here.size for here in all_slices(Archive(SHIPPED).pieces))
    assert f"up to four pieces is solved, {positions:,} of them" in readme
    assert f"The tables take {Path(SHIPPED).stat().st_size / 1e6:.1f} MB" in readme


def test_the_match_of_the_readme_can_be_played() -> None:
    """In its own folder, and on a port that is free."""
    block = README.read_text().split("<!-- a match -->\n```sh\n")[1].split("```")[0]
    with ExitStack() as reserved:
        port = reserve_port(reserved)
    for command in ("server", "agent"):
        block = block.replace(f"solver {command}", f"solver {command} --port {port}")
    block = block.replace(" --port", " --spectator-port 0 --port", 1)
    with TemporaryDirectory() as name:
        folder = Path(name)
        if (ROOT / "solver").is_dir():
            (folder / "solver").symlink_to(ROOT / "solver")
        output = _run(f"set -e\n{block}", folder)
        assert (folder / "report.md").read_text().startswith("# Games of Ada\n")
    for number in (1, 2):  # told by the server, by both agents (at once) and by the replay
        assert output.count(f"game {number}: ") == 4, output


def test_the_readme_documents_every_field_of_the_statistics() -> None:
    import json

    command = "python3 -m solver inputs/checkers/double-jump.txt /dev/null --depth 2 --stats -"
    with TemporaryDirectory() as name:
        folder = Path(name)
        shutil.copytree(ROOT / "inputs", folder / "inputs")
        if (ROOT / "solver").is_dir():
            (folder / "solver").symlink_to(ROOT / "solver")
        record = json.loads(_run(command, folder))
    section = README.read_text().split("## What `--stats` records")[1].split("\n## ")[0]
    documented = set(re.findall(r"`(\w+)`", section))
    assert documented == set(record) | set(record["search_effort"])


if __name__ == "__main__":
    README.write_text(executed(README.read_text()))
