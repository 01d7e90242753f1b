"""A user's own heuristic: what it is given, and how each mistake in it is told."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest
from support.positions import board

import solver
from solver.errors import BAD_INPUT, FileError, UserError
from solver.search.heuristic import is_own, load
from solver.search.score import DECISIVE

ROOT = Path(solver.__file__).parent.parent

DRAWING = """\
........
......b.
........
........
........
........
...r....
........
"""
POSITION = board(DRAWING)

# A red man that wants to go left or right, whoever is to move.
SIDEWAYS = """\
def rightwards(position):
    row = next(row for row in str(position).split() if "r" in row)
    return row.index("r") if position.mover() == "red" else -row.index("r")

def leftwards(position):
    return -rightwards(position)
"""


def write(folder: Path, source: str, name: str = "mine.py") -> Path:
    path = folder / name
    path.write_text(source)
    return path


def returning(folder: Path, expression: str) -> str:
    """The name of a heuristic that always returns the same."""
    return f"{write(folder, f'def evaluate(position): return {expression}')}:evaluate"


def refusal(name: str) -> str:
    """What the user is told when this heuristic is loaded and asked about a position."""
    with pytest.raises(UserError) as caught:
        load(name)(POSITION)
    # A file error is one of reading the file, never one of what is in it.
    assert type(caught.value) is UserError
    assert caught.value.exit_code == BAD_INPUT
    return str(caught.value)


# --- what works ----------------------------------------------------------------------------


def test_a_function_of_a_file_is_called_with_the_position(tmp_path: Path) -> None:
    path = write(tmp_path, "def evaluate(position): return str(position).index('r')")
    assert load(f"{path}:evaluate")(POSITION) == str(POSITION).index("r")


def test_the_named_function_of_several_is_called(tmp_path: Path) -> None:
    path = write(tmp_path, SIDEWAYS)
    assert load(f"{path}:rightwards")(POSITION) == 3
    assert load(f"{path}:leftwards")(POSITION) == -3


def test_a_folder_may_have_a_colon_in_its_name(tmp_path: Path) -> None:
    folder = tmp_path / "a:b"
    folder.mkdir()
    assert load(returning(folder, "5"))(POSITION) == 5


@pytest.mark.parametrize("value", [0, 1 - DECISIVE, DECISIVE - 1])
def test_every_value_short_of_a_proven_win_is_taken(tmp_path: Path, value: int) -> None:
    assert load(returning(tmp_path, str(value)))(POSITION) == value


@pytest.mark.parametrize(
    ("name", "own"),
    [
        ("mine.py:evaluate", True),
        ("a:b/mine.py:evaluate", True),
        ("mine.py", False),
        ("mine.txt:evaluate", False),
        ("six-regions", False),
    ],
)
def test_a_python_file_and_a_colon_make_a_heuristic_ones_own(name: str, own: bool) -> None:
    assert is_own(name) is own


# --- files that cannot be read -------------------------------------------------------------


def test_a_folder_is_a_file_error(tmp_path: Path) -> None:
    path = tmp_path / "folder.py"
    path.mkdir()
    with pytest.raises(FileError) as caught:
        load(f"{path}:evaluate")
    assert str(caught.value) == f"{path}: Is a directory"


# --- files with mistakes in them -----------------------------------------------------------


def test_an_exception_inside_a_function_it_calls_is_told_with_the_inner_line(
    tmp_path: Path,
) -> None:
    source = """\
def men(position):
    return position.men

def evaluate(position):
    return men(position)
"""
    told = refusal(f"{write(tmp_path, source)}:evaluate")
    assert ": line 2: AttributeError: " in told
    assert "'men'" in told


def test_an_exception_from_a_library_is_told_with_the_line_that_called_it(tmp_path: Path) -> None:
    source = "import json\n\ndef evaluate(position):\n    return json.loads('[')\n"
    path = write(tmp_path, source)
    assert refusal(f"{path}:evaluate").startswith(f"{path}: line 4: JSONDecodeError: ")


def test_a_file_that_the_heuristic_misses_is_not_the_heuristic_itself(tmp_path: Path) -> None:
    path = write(tmp_path, "import os\nWEIGHTS = os.stat('/no/weights')\n")
    assert refusal(f"{path}:evaluate").startswith(f"{path}: line 2: FileNotFoundError: ")


def test_a_file_with_a_nul_byte_has_no_line_none(tmp_path: Path) -> None:
    path = write(tmp_path, "def evaluate(position):\n    return '\0'\n")
    assert "line None" not in refusal(f"{path}:evaluate")


def test_a_data_class_is_as_good_in_a_heuristic_as_anywhere(tmp_path: Path) -> None:
    source = """\
from __future__ import annotations
from dataclasses import dataclass

@dataclass
class Weights:
    man: int = 3

def evaluate(position):
    return Weights().man
"""
    assert load(f"{write(tmp_path, source)}:evaluate")(POSITION) == 3


def test_leaving_the_program_is_no_answer(tmp_path: Path) -> None:
    path = write(tmp_path, "def evaluate(position):\n    raise SystemExit(0)\n")
    assert refusal(f"{path}:evaluate").startswith(f"{path}: line 2: SystemExit")


# --- values that are none ------------------------------------------------------------------


@pytest.mark.parametrize(
    ("expression", "shown"),
    [
        ("0.5", "0.5, a float"),
        ("2.0", "2.0, a float"),
        ("True", "True, a bool"),
        ("None", "None, a NoneType"),
        ("'7'", "'7', a str"),
    ],
)
def test_a_value_that_is_no_int_is_refused(tmp_path: Path, expression: str, shown: str) -> None:
    name = returning(tmp_path, expression)
    assert refusal(name) == (
        f"{name} returned {shown}; it must return an int: "
        "how good the position is for the side to move"
    )


@pytest.mark.parametrize("value", [str(DECISIVE), str(-DECISIVE), "10**30", "10**5000"])
def test_a_value_like_a_proven_win_is_refused(tmp_path: Path, value: str) -> None:
    name = returning(tmp_path, value)
    assert refusal(name) == (
        f"{name} returned a value outside -999000 to 999000; those mean proven wins and losses"
    )


def run(folder: Path, heuristic: str) -> subprocess.CompletedProcess[str]:
    drawing = write(folder, DRAWING, "board.txt")
    command = [sys.executable, "-m", "solver", "solve", str(drawing), "-"]
    return subprocess.run(
        [*command, "--heuristic", heuristic, "--depth", "3", "--without", "tables"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=120,
    )


@pytest.mark.parametrize(
    ("function", "row"), [("leftwards", "..r....."), ("rightwards", "....r...")]
)
def test_the_search_goes_where_the_own_heuristic_wants(
    tmp_path: Path, function: str, row: str
) -> None:
    done = run(tmp_path, f"{write(tmp_path, SIDEWAYS)}:{function}")
    rows = DRAWING.splitlines()
    rows[5:7] = [row, "........"]
    assert (done.returncode, done.stdout.splitlines(), done.stderr) == (0, rows, "")


@pytest.mark.parametrize("change", ["position.own = 0", "position.side ^= 1"])
def test_a_heuristic_may_not_change_the_position(tmp_path: Path, change: str) -> None:
    path = write(tmp_path, f"def evaluate(position):\n    {change}\n    return 0\n")
    # A compiled position refuses by itself.
    assert re.search("has changed the position|is not writable", refusal(f"{path}:evaluate"))


@pytest.mark.parametrize(
    ("source", "told"),
    [
        (
            "class E(Exception):\n    def __str__(self): 1 / 0\ndef evaluate(p): raise E",
            ": E: some",
        ),
        ("class V:\n    def __repr__(self): 1 / 0\ndef evaluate(p): return V()", " a V; it must"),
        ("def evaluate(p): raise GeneratorExit", "GeneratorExit"),
    ],
)
def test_what_cannot_even_be_shown_is_no_traceback(tmp_path: Path, source: str, told: str) -> None:
    done = run(tmp_path, f"{write(tmp_path, source)}:evaluate")
    assert done.returncode == 2
    assert told in done.stderr
    assert "Traceback" not in done.stderr
