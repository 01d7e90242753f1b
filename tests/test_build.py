"""What holds the packages together: who imports whom, what is compiled, what a start loads."""

from __future__ import annotations

import ast
import subprocess
import sys
import tomllib
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
SOLVER = ROOT / "solver"

pytestmark = pytest.mark.skipif(not SOLVER.is_dir(), reason="needs the source tree")

FILES = sorted(file.relative_to(ROOT).as_posix() for file in SOLVER.rglob("*.py"))
COMPILED = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"]["checkmark"][
    "compile"
]
GAMES = sorted(file.parent.name for file in SOLVER.glob("*/rules.py"))

GAME_FREE = [
    *("search", "shortest", "solve", "line", "perft", "ordering", "cache", "switches", "textbook"),
    *(
        "score",
        "limits",
        "effort",
        "finding",
        "standing",
        "table",
        "term",
        "bits",
        "change",
        "errors",
        "own_heuristic",
        "thinker",
        "timing",
    ),
]
RULES_MAY_IMPORT = {
    f"solver.{name}" for name in ("bits", "change", "standing", "score", "position")
}
# Slow to load, and nothing a plain call needs.
NOT_AT_START = {"argparse", "dataclasses", "typing", "json", "re", "inspect", "enum"}

# Two kings against one: several moves to choose from, and soon solved.
BOARD = "........\n........\n.....R..\n........\n.R......\n........\n........\n..B.....\n"
LOADED_FOR_A_BOARD = [
    "solver",
    "solver.bits",
    "solver.cache",
    "solver.change",
    "solver.checkers",
    "solver.checkers.catalogue",
    "solver.checkers.game",
    "solver.checkers.heuristics",
    "solver.checkers.mixed",
    "solver.checkers.rules",
    "solver.checkers.squares",
    "solver.checkers.text",
    "solver.cli",
    "solver.cli.files",
    "solver.cli.plain",
    "solver.cli.puzzle",
    "solver.cli.request",
    "solver.cli.words",
    "solver.effort",
    "solver.errors",
    "solver.finding",
    "solver.games",
    "solver.limits",
    "solver.ordering",
    "solver.score",
    "solver.search",
    "solver.shortest",
    "solver.solve",
    "solver.standing",
    "solver.switches",
    "solver.table",
    "solver.term",
]


class Imports(ast.NodeVisitor):
    """The modules a file imports: when it runs, and only for its type annotations."""

    def __init__(self) -> None:
        self.runtime: set[str] = set()
        self.typing: set[str] = set()
        self._current = self.runtime

    def visit_If(self, node: ast.If) -> None:
        if isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING":
            self._current = self.typing
            for statement in node.body:
                self.visit(statement)
            self._current = self.runtime
            for statement in node.orelse:
                self.visit(statement)
        else:
            self.generic_visit(node)

    def visit_Import(self, node: ast.Import) -> None:
        self._current.update(alias.name for alias in node.names)

    def visit_ImportFrom(self, node: ast.ImportFrom) -> None:
        assert node.module, "relative imports hide where a name comes from"
        assert not node.level, "relative imports hide where a name comes from"
        for alias in node.names:
            inner = f"{node.module}.{alias.name}"
            self._current.add(inner if is_module(inner) else node.module)


def is_module(name: str) -> bool:
    path = ROOT / name.replace(".", "/")
    return path.with_suffix(".py").is_file() or (path / "__init__.py").is_file()


@cache
def syntax(file: str) -> ast.Module:
    return ast.parse((ROOT / file).read_text("utf-8"), file)


@cache
def imports(file: str) -> Imports:
    found = Imports()
    found.visit(syntax(file))
    return found


def all_imports(file: str) -> set[str]:
    return imports(file).runtime | imports(file).typing


def file_of(module: str) -> str:
    file = module.replace(".", "/")
    return f"{file}/__init__.py" if (ROOT / file).is_dir() else f"{file}.py"


def reached_from(module: str) -> set[str]:
    """Every module of ours that a module imports, directly or through others."""
    reached: set[str] = set()
    ahead = [module]
    while ahead:
        for name in all_imports(file_of(ahead.pop())):
            if is_ours(name) and name not in reached:
                reached.add(name)
                ahead.append(name)
    return reached


def is_ours(module: str) -> bool:
    return module.partition(".")[0] == "solver"


def is_within(module: str, package: str) -> bool:
    return f"{module}.".startswith(f"{package}.")


@pytest.mark.parametrize("file", FILES)
def test_only_the_standard_library_is_imported(file: str) -> None:
    foreign = {
        name
        for name in imports(file).runtime
        if not is_ours(name) and name.partition(".")[0] not in sys.stdlib_module_names
    }
    assert not foreign


def test_imports_are_seen_wherever_they_stand() -> None:
    """The other tests are worth something only if this reader misses nothing."""
    found = Imports()
    found.visit(
        ast.parse(
            "import os.path\n"
            "def late():\n"
            "    from solver.checkers import rules, missing\n"
            "if TYPE_CHECKING:\n"
            "    from mypy_extensions import i64\n"
            "else:\n"
            "    import numpy\n"
        )
    )
    assert found.runtime == {"os.path", "solver.checkers.rules", "solver.checkers", "numpy"}
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
def test_rules_import_little(game: str) -> None:
    ours = {name for name in all_imports(f"solver/{game}/rules.py") if is_ours(name)}
    assert ours <= RULES_MAY_IMPORT | {f"solver.{game}.squares"}


@pytest.mark.parametrize("file", [file for file in FILES if not file.startswith("solver/cli/")])
def test_only_the_command_line_writes_to_the_screen(file: str) -> None:
    screen = {"print", "sys.stdout", "sys.stderr", "sys.__stdout__", "sys.__stderr__"}
    written = [
        f"line {node.lineno}: {name}"
        for node in ast.walk(syntax(file))
        if isinstance(node, ast.Name | ast.Attribute) and (name := ast.unparse(node)) in screen
    ]
    assert not written
    streams = [
        alias.name
        for node in ast.walk(syntax(file))
        if isinstance(node, ast.ImportFrom) and node.module == "sys"
        for alias in node.names
    ]
    assert not {f"sys.{name}" for name in streams} & screen


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


def test_a_plain_call_loads_only_what_it_needs(tmp_path: Path) -> None:
    (tmp_path / "nothing.py").touch()
    (tmp_path / "board.txt").write_text(BOARD)
    bare = loaded_by(tmp_path, "nothing")
    board = loaded_by(ROOT, "solver", str(tmp_path / "board.txt"), str(tmp_path / "answer.txt"))
    added = board - bare
    assert sorted(name for name in added if is_ours(name)) == LOADED_FOR_A_BOARD
    assert not added & NOT_AT_START
    assert (tmp_path / "answer.txt").read_text() != BOARD
