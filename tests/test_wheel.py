"""The wheel, used from an empty folder: it solves boards and brings the puzzles."""

from __future__ import annotations

import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest
from support.command import SHOT, SHOT_ANSWER
from support.console import ROOT

pytestmark = pytest.mark.skipif(not (ROOT / "solver").is_dir(), reason="needs the source tree")


@pytest.fixture(scope="module")
def packages(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder with everything that the wheel installs."""
    pytest.importorskip("hatchling", reason="builds the wheel")
    folder = tmp_path_factory.mktemp("wheel")
    script = "import sys, hatchling.build as build; build.build_wheel(sys.argv[1])"
    subprocess.run([sys.executable, "-c", script, str(folder)], cwd=ROOT, check=True)
    (wheel,) = folder.glob("checkmark_solver-*-none-any.whl")
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(folder / "packages")
    return folder / "packages"


def run_installed(packages: Path, folder: Path, *words: str) -> str:
    done = subprocess.run(
        [sys.executable, "-m", *words],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(packages), "PYTHONSAFEPATH": "1"},
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_a_wheel_solves_boards(packages: Path, tmp_path: Path) -> None:
    (tmp_path / "board.txt").write_text(SHOT)
    assert run_installed(packages, tmp_path, "solver", "board.txt", "-") == SHOT_ANSWER
    assert (packages / "solver/games/checkers/openings.txt").is_file()  # for matches


@pytest.mark.slow
def test_a_wheel_makes_kits_that_need_nothing_else(packages: Path, tmp_path: Path) -> None:
    run_installed(packages, tmp_path, "grader", "kit", "github", ".", "-q", "double-jump")
    words = ("run", "-q", "double-jump", "--sandbox", "off", "-o", "md")
    inside = tmp_path / ".github/checkmark/packages"
    assert "1 of 1 marks" in run_installed(inside, tmp_path, "grader", *words)


def test_a_wheel_brings_the_puzzles(packages: Path, tmp_path: Path) -> None:
    words = ("run", "-q", "double-jump", "--sandbox", "off", "-j", "1")
    assert "1 of 1 marks" in run_installed(packages, tmp_path, "grader", *words)
    for folder in ("inputs", "expected"):
        shipped = packages / "grader/puzzles/collection" / folder
        files = {file.relative_to(shipped) for file in shipped.rglob("*.txt")}
        assert files == {file.relative_to(ROOT / folder) for file in (ROOT / folder).rglob("*.txt")}
