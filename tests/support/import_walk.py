"""Who imports whom, read from the sources."""

from __future__ import annotations

import ast
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
SCREEN = {"print", "sys.stdout", "sys.stderr", "sys.__stdout__", "sys.__stderr__"}


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


def is_ours(module: str) -> bool:
    return module.partition(".")[0] in ("solver", "grader")


def is_within(module: str, package: str) -> bool:
    return f"{module}.".startswith(f"{package}.")


def writes_to_the_screen(file: str) -> list[str]:
    """What a file says of the screen."""
    found: list[str] = []
    for node in ast.walk(syntax(file)):
        if isinstance(node, ast.Name | ast.Attribute):
            found.append(ast.unparse(node))
        elif isinstance(node, ast.ImportFrom):
            found += (f"{node.module}.{alias.name}" for alias in node.names)
    return [name for name in found if name in SCREEN]
