"""The full benchmark: what it counts is the same everywhere; how fast is nobody's promise."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from builds import INTERPRETED
from command import solver
from import_walk import ROOT
from positions import random_positions

from solver.benchmark import contest, peers, rows
from solver.checkers import game
from solver.limits import Limits
from solver.perft import perft
from solver.search import Search
from solver.switches import plain

# A commit that changes one of them changes what README quotes.
COUNTS = {
    "plain alpha-beta": 30313,
    "all techniques": 25137,
    "own heuristic": 1853,
    "perft": 68440,
    "perft in bulk": 68440,
}
needs_a_compiler = pytest.mark.skipif(shutil.which("cc") is None, reason="needs a C compiler")


@pytest.mark.parametrize("row", rows.ROWS)
def test_the_counts_are_known(row: str) -> None:
    assert rows.ROWS[row][1]() == COUNTS[row]


def test_readme_quotes_the_counts() -> None:
    readme = ROOT / "README.md"
    if not readme.is_file():
        pytest.skip("needs the source tree")
    quoted = [line for line in readme.read_text("utf-8").split("\n") if line.startswith("counts: ")]
    current = "counts: " + ", ".join(f"{row} {COUNTS[row]}" for row in rows.ROWS)
    assert quoted == [current]


@needs_a_compiler
def test_the_yardstick_searches_the_same_tree(tmp_path: Path) -> None:
    source = Path(contest.HERE) / "reference.c"
    program = tmp_path / "reference"
    strict = ["-O1", "-Wall", "-Wextra", "-Werror"]
    subprocess.run(["cc", *strict, "-o", str(program), str(source)], check=True)
    boards = [half for one in random_positions(3, range(4, 16), seed=11) for half in one.boards()]
    for position in [board for board in boards if board.children()]:
        search = Search(game.evaluator("material", position), plain())
        nodes = search.run(position, Limits(depth=5)).effort.visited
        numbers = (position.own, position.enemy, position.kings, position.side & 1)
        for task, expected in (("search", nodes), ("perft", perft(position, 5))):
            words = [str(program), task, *map(str, numbers), "5"]
            done = subprocess.run(words, capture_output=True, text=True, check=True)
            assert int(done.stdout.split()[0]) == expected


def test_one_command_measures_everything() -> None:
    done = solver("bench", "--full", "--rounds", "1", "--json")
    assert done.returncode == 0, done.stderr
    record = json.loads(done.stdout)
    assert record["counts"] == {row: COUNTS[row] for row in rows.ROWS}
    names = list(record["speeds"])
    assert names[0] == ("interpreted" if INTERPRETED else "compiled")
    assert INTERPRETED or names[1] == "interpreted"
    assert ("C" in names) == (shutil.which("cc") is not None)
    assert list(record["ratios"]) == names[1:]
    for speeds in record["speeds"].values():
        assert all(0 < row["least"] <= row["median"] <= row["most"] for row in speeds.values())
    assert record["start"]["ratio"]["least"] > 0


def test_the_sources_of_a_compiled_build_can_be_run() -> None:
    """In any build: what is loaded then is never a compiled module."""
    code = contest.INTERPRETED.replace(
        "json.dump(measure(), sys.stdout)",
        "print(*(sys.modules[name].__file__ for name in sys.modules if name[:7] == 'solver.'))",
    )
    folder = os.path.dirname(contest.PACKAGE)
    done = subprocess.run(
        [sys.executable, "-c", code, folder], capture_output=True, text=True, check=True
    )
    loaded = done.stdout.split()
    assert len(loaded) > 20
    assert all(file.endswith(".py") and file.startswith(folder) for file in loaded)


def test_a_peer_with_other_rules_is_not_compared(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(peers.PEERS, "odd", lambda: 1470)
    with pytest.raises(ValueError, match="odd counts 1470 leaves and not 1469"):
        peers.measure("odd")


def test_what_others_call_checkers_is_no_peer(tmp_path: Path) -> None:
    """Nor run: a student's program may lie where the benchmark is started."""
    (tmp_path / "checkers.py").write_text("raise SystemExit('run')\n")
    done = solver("bench", "--full", "--rounds", "1", "--json", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""


def test_a_guest_that_cannot_be_measured_is_left_out(tmp_path: Path) -> None:
    """A PyPy too old for us, say."""
    pypy = tmp_path / "pypy3"
    pypy.write_text("#!/bin/sh\necho 'SyntaxError: too old' >&2\nexit 1\n")
    pypy.chmod(0o755)
    path = f"{tmp_path}{os.pathsep}{os.environ['PATH']}"
    done = solver(*("bench", "--full", "--rounds", "1", "--json"), env={**os.environ, "PATH": path})
    assert done.returncode == 0
    assert done.stderr == "solver: PyPy cannot be measured: SyntaxError: too old; it is left out\n"
    assert "PyPy" not in json.loads(done.stdout)["speeds"]


def test_the_leaves_of_the_peers_are_those_of_the_rules() -> None:
    start = game.read(rows.START, "test", True).position
    assert perft(start, peers.DEPTH) == peers.LEAVES


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--json",), "--full"),
        (("--against", "."), "--full"),
        (("--full", "--rounds", "0"), "--rounds"),
        (("--full", "--against", "/nowhere"), "/nowhere: there is no solver"),
    ],
)
def test_nonsense_is_refused(words: tuple[str, ...], said: str) -> None:
    done = solver("bench", *words)
    assert (done.returncode, done.stdout) == (2, "")
    assert said in done.stderr
