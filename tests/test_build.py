"""What holds the packages together: who imports whom, what is compiled, what a start loads."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
import tomllib
from fnmatch import fnmatch
from pathlib import Path
from typing import NamedTuple

import pytest
from support.import_walk import (
    ROOT,
    Imports,
    all_imports,
    imports,
    is_ours,
    is_within,
    writes_to_the_screen,
)

from solver.games import GAMES

pytestmark = pytest.mark.skipif(not (ROOT / "solver").is_dir(), reason="needs the source tree")

FILES = sorted(
    file.relative_to(ROOT).as_posix()
    for package in ("solver", "grader")
    for file in (ROOT / package).rglob("*.py")
)
ENGINE = ("solver.errors", "solver.search", "solver.proof")
GRADING = ("grader.cli", "grader.judge", "grader.sandbox", "grader.submissions")


class Rule(NamedTuple):
    """What the files of a folder may import of ours, and what they may not."""

    files: str
    only: tuple[str, ...] = ("solver", "grader")
    never: tuple[str, ...] = ()

    def breaches(self) -> list[str]:
        found = []
        for file in FILES:
            if not fnmatch(file, self.files):
                continue
            for name in filter(is_ours, all_imports(file)):
                allowed = any(is_within(name, each) for each in self.only)
                if not allowed or any(is_within(name, each) for each in self.never):
                    found.append(f"{file} imports {name}")
        return found


EVERY_GAME = tuple(f"solver.games.{name}" for name in GAMES)

RULES = [
    Rule("solver/*", only=("solver",)),
    Rule("solver/search/*", only=ENGINE),
    Rule("solver/proof/*", only=ENGINE),
    Rule("solver/play/*", only=("solver.play", *ENGINE)),
    Rule(
        "solver/trace/*",
        only=("solver.trace", "solver.explain.layout", "solver.games", *ENGINE),
        never=EVERY_GAME,
    ),
    Rule("solver/explain/*", only=("solver.explain", "solver.games", *ENGINE), never=EVERY_GAME),
    Rule("solver/games/*/rules.py", only=("solver.search.position", "solver.search.compiled")),
    Rule("solver/games/*/text.py", never=("solver.search.alphabeta", "solver.proof")),
    Rule("solver/games/*/describe.py", never=("solver.search.alphabeta", "solver.proof")),
    Rule("solver/[!_c]*/*", never=("solver.cli",)),  # everything beside cli/
    Rule("grader/sandbox/*", only=("grader.sandbox",)),
    Rule("grader/report/*", never=GRADING),
    Rule("grader/[!_c]*/*", never=("grader.cli",)),
]
# What a file may import of others: the standard library and, in the grader, these.  What only an
# extra brings is looked for when it is needed, and not before.
INSTALLED = {"solver": set[str](), "grader": {"tabulate", "tqdm"}}
NEVER_IMPORTED = {"pickle", "marshal", "runpy", "shelve", "imp"}  # no submission is ever loaded

# Slow to load, and nothing a plain call needs.
NOT_AT_START = {"argparse", "dataclasses", "typing", "json", "re", "inspect", "enum"}

# Several moves to choose from, and soon solved.
BOARD = ".b......\nb.b.....\n.b.r.r..\nr...r...\n.r.r...r\n......r.\n........\n........\n"
ENDING = "........\n........\n.....R..\n........\n.R......\n........\n........\n..B.....\n"
LOADED_FOR_A_BOARD = {
    "solver",
    *("solver.cli", "solver.cli.files", "solver.errors", "solver.interrupt"),
    *("solver.games", "solver.games.puzzle", "solver.games.rows", "solver.games.solve"),
    *(f"solver.games.checkers{name}" for name in ("", ".heuristics", ".patterns", ".rules")),
    *(f"solver.games.checkers{name}" for name in (".frontier", ".terms", ".text")),
    *(f"solver.games.checkers.endgame{name}" for name in ("", ".probe")),
    *("solver.proof", "solver.proof.answer", "solver.proof.prover", "solver.proof.wins"),
    "solver.search",
    *(f"solver.search.{name}" for name in ("alphabeta", "cache", "compiled", "heuristic")),
    *(f"solver.search.{name}" for name in ("limits", "ordering", "position", "result")),
    *(f"solver.search.{name}" for name in ("score", "techniques")),
}
# What it takes to look up an ending.
LOADED_FOR_AN_ENDING = {f"solver.games.checkers.endgame.{name}" for name in ("file", "slices")}


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.files)
def test_who_imports_whom(rule: Rule) -> None:
    assert any(fnmatch(file, rule.files) for file in FILES)
    assert rule.breaches() == []


def test_only_what_is_installed_is_imported() -> None:
    for file in FILES:
        allowed = sys.stdlib_module_names | INSTALLED[file.partition("/")[0]]
        foreign = {name.partition(".")[0] for name in imports(file).runtime if not is_ours(name)}
        assert foreign <= allowed - (NEVER_IMPORTED if file.startswith("grader/") else set()), file


def test_only_the_command_line_writes_to_the_screen() -> None:
    for file in FILES:
        if "/cli/" not in file and not file.startswith("grader/sandbox/"):
            assert not writes_to_the_screen(file), file


def test_positions_have_types() -> None:
    for file in FILES:
        text = (ROOT / file).read_text("utf-8")
        assert not re.search(r"\b(position|parent|child)s?: [^,)]*\bAny\b", text), file


def test_imports_are_seen_wherever_they_stand() -> None:
    """The other tests are worth something only if this reader misses nothing."""
    found = Imports()
    late = "def late():\n    from solver.games.checkers import rules, missing\n"
    typing = "if TYPE_CHECKING:\n    from mypy_extensions import i64\nelse:\n    import numpy\n"
    found.visit(ast.parse(f"import os.path\n{late}{typing}"))
    checkers = "solver.games.checkers"
    assert found.runtime == {"os.path", f"{checkers}.rules", checkers, "numpy"}
    assert found.typing == {"mypy_extensions"}


def test_the_compile_list_means_what_it_says() -> None:
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"]["checkmark"]
    matching = {
        pattern: {file.relative_to(ROOT).as_posix() for file in ROOT.glob(pattern)}
        for pattern in settings["compile"]
    }
    assert all(matching.values())
    every = set().union(*matching.values())
    interpreted = set(settings["interpreted"])
    assert interpreted <= every
    assert "solver/search/limits.py" in interpreted  # the poll of a compiled search
    hot = {f"solver/search/{name}.py" for name in ("alphabeta", "cache", "ordering", "position")}
    hot |= {"solver/proof/wins.py", *(file for file in FILES if file.endswith("/rules.py"))}
    assert hot <= every - interpreted


@pytest.mark.parametrize(
    ("board", "wanted"),
    [(BOARD, LOADED_FOR_A_BOARD), (ENDING, LOADED_FOR_A_BOARD | LOADED_FOR_AN_ENDING)],
)
def test_a_plain_call_loads_only_what_it_needs(
    board: str, wanted: set[str], tmp_path: Path
) -> None:
    """Cold, with nothing installed."""
    (tmp_path / "board.txt").write_text(board)
    files = [str(tmp_path / name) for name in ("board.txt", "answer.txt")]
    command = [sys.executable, "-B", "-E", "-S", "-v", "-m", "solver", *files]
    done = subprocess.run(command, cwd=ROOT, stderr=subprocess.PIPE, text=True, check=True)
    loaded = set(re.findall(r"^import '([\w.]+)'", done.stderr, re.MULTILINE))
    assert {name for name in loaded if is_ours(name)} == wanted
    assert not loaded & NOT_AT_START


def test_reports_are_filtered_in_one_place() -> None:
    files = [file for file in FILES if file.startswith("grader/report/")]
    filtering = [file for file in files if "filter_report(" in (ROOT / file).read_text("utf-8")]
    assert filtering == ["grader/report/__init__.py"]


def test_what_is_not_installed_is_named_before_any_work() -> None:
    """`-S` hides everything that was ever installed."""
    command = [sys.executable, "-S", "-m", "grader", "run", "--inputs", "nowhere"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=60)
    advice = f"Try '{sys.executable} -m pip install tabulate tqdm'."
    message = f"grader: The grader needs tabulate and tqdm. {advice}\n"
    assert (done.returncode, done.stdout, done.stderr) == (2, "", message)
