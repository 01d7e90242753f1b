"""What holds the grader together: who imports whom."""

from __future__ import annotations

import subprocess
import sys

import pytest
from support.import_walk import (
    ROOT,
    all_imports,
    imports,
    is_ours,
    is_within,
    reached_from,
    writes_to_the_screen,
)

GRADER = ROOT / "grader"

pytestmark = pytest.mark.skipif(not GRADER.is_dir(), reason="needs the source tree")

FILES = sorted(file.relative_to(ROOT).as_posix() for file in GRADER.rglob("*.py"))
BOX = [
    "grader.sandbox",
    *(f"grader.sandbox.{file.stem}" for file in (GRADER / "sandbox").glob("*.py")),
]
REPORTS = [file for file in FILES if file.startswith("grader/report/")]
DEPENDENCIES = {"tabulate", "tqdm"}
RECORDS = (
    *(
        "grader.report",
        "grader.grading.records",
        "grader.grading.records",
        "grader.sandbox.job",
        "grader.grading.records",
    ),
    *(
        "grader.grading.feedback",
        "grader.lab.elo",
        "grader.lab.ratios",
        "grader.lab.compare_results",
        "grader.lab.match_results",
    ),
    *("grader.lab.variants", "grader.puzzles.truth", "solver.errors", "solver.games"),
)


@pytest.mark.parametrize("module", [name for name in BOX if not name.endswith("__init__")])
def test_whoever_runs_programs_knows_no_game(module: str) -> None:
    reached = reached_from(module)
    assert not {name for name in reached if is_within(name, "solver")}
    assert not {name for name in reached if name in ("grader.judge", "grader.puzzles.find")}


@pytest.mark.parametrize("file", REPORTS)
def test_reports_see_records_only_and_filter_them_once(file: str) -> None:
    ours = {name for name in all_imports(file) if is_ours(name)} - {"solver", "solver.search.score"}
    assert not {name for name in ours if not any(is_within(name, each) for each in RECORDS)}
    assert ("seen(" in (ROOT / file).read_text()) == (file == "grader/report/__init__.py")


@pytest.mark.parametrize("file", FILES)
def test_nothing_is_imported_that_is_not_installed(file: str) -> None:
    """What only an extra brings is looked for when it is needed, and not before."""
    foreign = {name.partition(".")[0] for name in imports(file).runtime if not is_ours(name)}
    assert foreign <= sys.stdlib_module_names | DEPENDENCIES


@pytest.mark.parametrize("file", [file for file in FILES if not file.startswith("grader/cli/")])
def test_only_the_command_line_of_the_grader_writes_to_the_screen(file: str) -> None:
    assert not writes_to_the_screen(file)


@pytest.mark.parametrize("file", FILES)
def test_no_submission_is_ever_imported_or_unpickled(file: str) -> None:
    assert not imports(file).runtime & {"pickle", "marshal", "runpy", "shelve", "imp"}


def test_what_is_not_installed_is_named_before_any_work() -> None:
    """`-S` hides everything that was ever installed."""
    command = [sys.executable, "-S", "-m", "grader", "run", "--inputs", "nowhere"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=60)
    advice = f"Try '{sys.executable} -m pip install tabulate tqdm'."
    message = f"grader: The grader needs tabulate and tqdm. {advice}\n"
    assert (done.returncode, done.stdout, done.stderr) == (2, "", message)
