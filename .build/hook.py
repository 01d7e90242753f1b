"""What happens when a wheel is built: the puzzles are added, and with CHECKMARK_COMPILE=1 hot
modules are compiled.

The modules named in pyproject.toml under [tool.checkmark] are compiled, in a copy, so that
the sources stay clean.  The wheel ships them both ways: Python prefers the compiled one.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

SWITCH = "CHECKMARK_COMPILE"
COLLECTION = "grader/puzzles/collection"


class CompileHook(BuildHookInterface):
    """Adds the puzzles and the compiled modules to a wheel, or says why it stays pure Python."""

    def dependencies(self) -> list[str]:
        """What the build needs besides hatchling: for a pure wheel, nothing."""
        return self.settings()["compile-with"] if is_wanted() else []

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        # An editable install runs the sources as they are edited.
        if version == "editable":
            return
        for folder in ("inputs", "expected"):  # so that `grader run` works anywhere
            build_data["force_include"][str(Path(self.root, folder))] = f"{COLLECTION}/{folder}"
        if not is_wanted():
            return
        self.workshop = TemporaryDirectory(prefix="checkmark-")
        try:
            libraries = self.compile(Path(self.workshop.name))
        except CompilationFailed as failure:
            self.app.display_debug(failure.output)
            self.app.display_warning(
                f"checkmark: not compiled ({failure}). The wheel is pure Python, and slower."
            )
            return
        build_data["force_include"].update(libraries)
        build_data["pure_python"] = False
        build_data["infer_tag"] = True

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        # Only now is the wheel written.
        if hasattr(self, "workshop"):
            self.workshop.cleanup()

    def settings(self) -> dict[str, list[str]]:
        text = Path(self.root, "pyproject.toml").read_text("utf-8")
        return tomllib.loads(text)["tool"]["checkmark"]

    def modules(self) -> list[str]:
        """The files to compile: all that match, without those that stay interpreted."""
        root, settings = Path(self.root), self.settings()
        files = {file for pattern in settings["compile"] for file in root.glob(pattern)}
        names = {file.relative_to(root).as_posix() for file in files}
        return sorted(names - set(settings["interpreted"]))

    def compile(self, workshop: Path) -> dict[str, str]:
        """The compiled libraries, and where each belongs in the wheel."""
        shutil.copytree(Path(self.root, "solver"), workshop / "solver")
        run_compiler(workshop, self.modules())
        built = workshop / "built"
        return {
            str(file): file.relative_to(built).as_posix()
            for file in sorted(built.rglob("*"))
            if file.is_file()
        }


def is_wanted() -> bool:
    return os.environ.get(SWITCH, "") not in ("", "0")


def run_compiler(workshop: Path, modules: list[str]) -> None:
    """In a process of its own: mypyc may exit, and compilers print as they please."""
    script = Path(__file__).with_name("compile.py").resolve()
    process = subprocess.run(
        [sys.executable, script, *modules],
        cwd=workshop,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
        errors="replace",
        check=False,
    )
    if process.returncode:
        raise CompilationFailed(process.returncode, process.stdout)


class CompilationFailed(Exception):
    """The compiler's last line tells the reason; `output` is all it has said."""

    def __init__(self, exit_code: int, output: str) -> None:
        lines = output.strip().splitlines() or [f"exit code {exit_code}"]
        super().__init__(lines[-1].strip())
        self.output = output
