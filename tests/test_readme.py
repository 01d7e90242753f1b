"""The README is executed: every console block must show what its commands really print.

`python tests/test_readme.py` writes the current output into the blocks.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

ROOT = Path(__file__).parent.parent
README = ROOT / "README.md"
BLOCK = re.compile(r"^```console\n(.*?)^```$", re.MULTILINE | re.DOTALL)
SOURCE = re.compile(r"^```python\n# (\S+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
TIMES = re.compile(r"\d+\.\d\d s\b|\btime \d+\.\d\d")


def executed(readme: str) -> str:
    """The README with the output of every console command as it is now."""
    with TemporaryDirectory() as name:
        folder = Path(name)
        shutil.copytree(ROOT / "inputs", folder / "inputs")
        if (ROOT / "solver").is_dir():  # else the solver is installed
            (folder / "solver").symlink_to(ROOT / "solver")
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
    return done.stdout + done.stderr


def test_the_readme_shows_what_its_commands_print() -> None:
    readme = README.read_text()
    now = TIMES.sub("TIME", executed(readme)).splitlines()
    assert TIMES.sub("TIME", readme).splitlines() == now


def test_the_readme_has_the_two_commands_on_its_first_screen() -> None:
    first_screen = README.read_text().splitlines()[:25]
    assert "$ python3 -m solver inputs/checkers/shot-in-nine.txt answer.txt" in first_screen
    assert "<!-- the tests -->" in first_screen


def test_the_readme_lists_every_choice_there_is() -> None:
    from solver.checkers.game import DEFAULT_HEURISTIC, heuristics
    from solver.solve import DEFAULT_NODES
    from solver.switches import CACHES, ORDERINGS, TERMINALS

    readme = README.read_text()
    for name in (*heuristics(), *CACHES, *ORDERINGS, *TERMINALS):
        assert f"`{name}`" in readme
    assert f"`{DEFAULT_HEURISTIC}` (default)" in readme
    assert f"The budget is {DEFAULT_NODES} nodes" in readme


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
