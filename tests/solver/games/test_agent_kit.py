"""`solver new-agent`: what it writes runs as it is, and its README is followed step by step."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from support.command import call
from support.console import ENVIRONMENT

from solver.games import GAMES


def new_agent(folder: Path, game: str) -> Path:
    done = call("new-agent", str(folder / "mine"), "--game", game)
    assert (done.returncode, done.stderr) == (0, "")
    return folder / "mine"


def run(folder: Path, *words: str, given: str = "") -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        words,
        cwd=folder,
        env=os.environ | ENVIRONMENT,
        input=given,
        capture_output=True,
        text=True,
        timeout=900,  # of a busy machine
    )


@pytest.mark.parametrize("game", GAMES)
def test_a_new_agent_plays_as_it_is(tmp_path: Path, game: str) -> None:
    folder = new_agent(tmp_path, game)
    done = run(folder, sys.executable, "-m", "unittest")
    assert done.returncode == 0, done.stderr
    for name in ("my_agent.py", "minimax_agent.py", "random_agent.py"):
        move = {"checkers": "c3-d4", "twoflags": "e2e4"}[game]
        done = run(folder, sys.executable, name, given=f"{move}\nmoves\n")
        assert done.returncode == 0, done.stderr
        assert f"plays {move}" in done.stdout
        assert "legal: " in done.stdout  # after the agent's own move
        assert done.stdout.endswith("the game is not finished\n")


def test_the_minimax_agent_complies_as_it_is(tmp_path: Path) -> None:
    folder = new_agent(tmp_path, "twoflags")
    agent = f"{sys.executable} minimax_agent.py {{host}} {{port}}"
    comply = ("-m", "solver", "comply", "--agent", agent, "--only", "1,2,3,4,5,7,11", "--patience")
    done = run(folder, sys.executable, *comply, "60")
    assert "7 passed, 0 failed, 0 skipped" in done.stdout, done.stdout


def test_its_readme_leads_to_twenty_wins_of_twenty(tmp_path: Path) -> None:
    """Three lines are changed; all other steps are commands, too."""
    folder = new_agent(tmp_path, "twoflags")
    before = (folder / "my_agent.py").read_text().splitlines()
    steps = "".join(re.findall(r"```sh\n(.*?)```", (folder / "README.md").read_text(), re.DOTALL))
    steps = steps.replace("'python3 ", f"'{sys.executable} ")
    steps = steps.replace("{port}'", "{port}' --patience 60")
    for program in ("solver", "grader"):
        steps = steps.replace(f"   {program} ", f"   python3 -m {program} ")
    done = run(folder, "bash", "-ec", steps.replace("   python3 ", f"   {sys.executable} "))
    assert done.returncode == 0, done.stdout + done.stderr
    after = (folder / "my_agent.py").read_text().splitlines()
    assert sum(a != b for a, b in zip(before, after, strict=True)) == 3
    assert "15 passed, 0 failed, 0 skipped" in done.stdout
    assert "+20 =0 -0" in done.stdout


def test_a_folder_is_never_overwritten(tmp_path: Path) -> None:
    done = call("new-agent", str(tmp_path))
    assert done.returncode == 3
    assert "File exists. Name a new folder." in done.stderr
