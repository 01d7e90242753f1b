"""What holds the packages together: who imports whom, what is compiled, what a start loads."""

from __future__ import annotations

import ast
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
from support.import_walk import (
    ROOT,
    Imports,
    all_imports,
    imports,
    is_ours,
    is_within,
    reached_from,
    writes_to_the_screen,
)

SOLVER = ROOT / "solver"

pytestmark = pytest.mark.skipif(not SOLVER.is_dir(), reason="needs the source tree")

FILES = sorted(file.relative_to(ROOT).as_posix() for file in SOLVER.rglob("*.py"))
COMPILED = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"]["checkmark"][
    "compile"
]
GAMES = sorted(file.parent.name for file in SOLVER.glob("*/rules.py"))

GAME_FREE = [
    *("comparison", "listening"),
    *(
        "search",
        "shortest",
        "solve",
        "perft",
        "ordering",
        "cache",
        "switches",
        "textbook",
    ),
    *(
        "score",
        "limits",
        "minimal",
        "effort",
        "exact",
        "finding",
        "first_sight",
        "forcing",
        "heuristic",
        "holding",
        "puzzles",
        "standing",
        "table",
        "bits",
        "change",
        "deepening",
        "errors",
        "own_heuristic",
        "play.game",
        "play.ponderer",
        "play.clock",
        "tracing",
        "variation",
        "visit",
        "window",
    ),
    *(
        f"{folder}.{file.stem}"
        for folder in ("explain", "trace")
        for file in sorted((SOLVER / folder).glob("[!_]*.py"))
    ),
]
RULES_MAY_IMPORT = {
    f"solver.{name}" for name in ("bits", "change", "compiled", "standing", "score", "position")
}
# Slow to load, and nothing a plain call needs.
NOT_AT_START = {"argparse", "dataclasses", "typing", "json", "re", "inspect", "enum"}

# Several moves to choose from, and soon solved.
BOARD = ".b......\nb.b.....\n.b.r.r..\nr...r...\n.r.r...r\n......r.\n........\n........\n"
ENDING = "........\n........\n.....R..\n........\n.R......\n........\n........\n..B.....\n"
LOADED_FOR_A_BOARD = [
    "solver",
    "solver.search.position",
    "solver.search.cache",
    "solver.search.position",
    "solver.games.checkers",
    "solver.games.checkers.endgame",
    "solver.games.checkers.endgame.probe",
    "solver.games.checkers.heuristics",
    "solver.games.checkers.rules",
    "solver.games.checkers.text",
    "solver.cli",
    "solver.cli.files",
    "solver.cli.plain",
    "solver.cli.puzzle",
    "solver.cli.request",
    "solver.search.compiled",
    "solver.search.alphabeta",
    "solver.search.counters",
    "solver.errors",
    "solver.search.exact",
    "solver.search.result",
    "solver.search.alphabeta",
    "solver.proof.prover",
    "solver.games",
    "solver.search.heuristic",
    "solver.search.limits",
    "solver.search.ordering",
    "solver.search.position",
    "solver.search.score",
    "solver.search.alphabeta",
    "solver.proof.prover",
    "solver.proof.answer",
    "solver.search.position",
    "solver.search.techniques",
    "solver.search.cache",
    "solver.search.alphabeta",
    "solver.search.score",
]
# What it takes to look up an ending.
LOADED_FOR_AN_ENDING = {
    f"solver.games.checkers.endgame.{name}" for name in ("file", "slices", "values")
}


@pytest.mark.parametrize("file", FILES)
def test_only_the_standard_library_is_imported(file: str) -> None:
    foreign = {
        name
        for name in imports(file).runtime
        if not is_within(name, "solver") and name.partition(".")[0] not in sys.stdlib_module_names
    }
    assert not foreign


def test_imports_are_seen_wherever_they_stand() -> None:
    """The other tests are worth something only if this reader misses nothing."""
    found = Imports()
    found.visit(
        ast.parse(
            "import os.path\n"
            "def late():\n"
            "    from solver.games.checkers import rules, missing\n"
            "if TYPE_CHECKING:\n"
            "    from mypy_extensions import i64\n"
            "else:\n"
            "    import numpy\n"
        )
    )
    assert found.runtime == {
        "os.path",
        "solver.games.checkers.rules",
        "solver.games.checkers",
        "numpy",
    }
    assert found.typing == {"mypy_extensions"}


@pytest.mark.parametrize("file", COMPILED)
def test_what_is_compiled_exists(file: str) -> None:
    assert file in FILES


def test_the_modules_that_run_most_are_compiled() -> None:
    hot = {f"solver/{name}.py" for name in ("search", "cache", "ordering", "shortest")}
    hot |= {f"solver/{game}/rules.py" for game in GAMES}
    assert hot <= set(COMPILED)


@pytest.mark.parametrize("module", GAME_FREE)
def test_the_search_knows_no_game(module: str) -> None:
    outside = ["solver.games", "solver.cli", *(f"solver.{game}" for game in GAMES)]
    reached = reached_from(f"solver.{module}")
    assert not {name for name in reached if any(is_within(name, package) for package in outside)}


@pytest.mark.parametrize("game", GAMES)
def test_the_words_of_a_game_ask_no_search(game: str) -> None:
    """They tell what they are shown; searching is for who shows it."""
    for module in ("describe",):
        reached = reached_from(f"solver.{game}.{module}")
        assert not reached & {
            "solver.search.alphabeta",
            "solver.proof.answer",
            "solver.proof.prover",
            "solver.cli",
        }


@pytest.mark.parametrize("game", GAMES)
def test_rules_import_little(game: str) -> None:
    ours = {name for name in all_imports(f"solver/{game}/rules.py") if is_ours(name)}
    assert ours <= RULES_MAY_IMPORT


@pytest.mark.parametrize("file", [file for file in FILES if not file.startswith("solver/cli/")])
def test_only_the_command_line_writes_to_the_screen(file: str) -> None:
    assert not writes_to_the_screen(file)


def test_the_page_needs_no_command_line() -> None:
    for file in FILES:
        if file.startswith("solver/web/"):
            assert not {name for name in all_imports(file) if is_within(name, "solver.cli")}, file


# As `python -m` does it, with a look at what has been loaded by the end.
RUN_AND_TELL = """
import runpy, sys
sys.argv = sys.argv[1:]
try:
    runpy.run_module(sys.argv[0], run_name="__main__", alter_sys=True)
except SystemExit as end:
    assert not end.code, end.code
print(*sys.modules, sep="\\n")
"""


def loaded_by(folder: Path, *command: str) -> set[str]:
    """The modules in memory after a cold run, with nothing installed."""
    process = subprocess.run(
        [sys.executable, "-B", "-E", "-S", "-c", RUN_AND_TELL, *command],
        cwd=folder,
        capture_output=True,
        text=True,
        check=True,
    )
    return set(process.stdout.split())


def added_by(board: str, folder: Path) -> set[str]:
    """What a plain call loads to solve a board, besides what Python loads anyway."""
    (folder / "nothing.py").touch()
    (folder / "board.txt").write_text(board)
    bare = loaded_by(folder, "nothing")
    loaded = loaded_by(ROOT, "solver", str(folder / "board.txt"), str(folder / "answer.txt"))
    assert (folder / "answer.txt").read_text() != board
    return loaded - bare


def test_a_plain_call_loads_only_what_it_needs(tmp_path: Path) -> None:
    added = added_by(BOARD, tmp_path)
    assert sorted(name for name in added if is_ours(name)) == LOADED_FOR_A_BOARD
    assert not added & NOT_AT_START


def test_the_tables_are_loaded_for_an_ending_only(tmp_path: Path) -> None:
    added = {name for name in added_by(ENDING, tmp_path) if is_ours(name)}
    assert added == {*LOADED_FOR_A_BOARD, *LOADED_FOR_AN_ENDING}
