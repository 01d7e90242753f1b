"""A user's own heuristic: what it is given, and how each mistake in it is reported."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from support.command import call
from support.grader_command import grader
from support.positions import board

from solver.cli import own
from solver.errors import BAD_INPUT, FileError, UserError
from solver.search.heuristic import is_own, load
from solver.search.score import DECISIVE

DRAWING = "........\n......b.\n" + "........\n" * 4 + "...r....\n........\n"
POSITION = board(DRAWING)

# A red man that wants to go left or right, whichever side is to move.
SIDEWAYS = """\
def rightwards(position):
    row = next(row for row in str(position).split() if "r" in row)
    return row.index("r") if position.mover() == "red" else -row.index("r")

def leftwards(position):
    return -rightwards(position)
"""
DATA_CLASS = """\
from __future__ import annotations
from dataclasses import dataclass

@dataclass
class Weights:
    man: int = 3

def evaluate(position):
    return Weights().man
"""


# Mistakes that would end or stop the whole program, from the second position on.
HOSTILE = """\
import os
seen = []

def leave(position):
    seen.append(position)
    return len(seen) if len(seen) < 2 else os._exit(0)

def loop(position):
    seen.append(position)
    while len(seen) > 1:
        pass
    return 0

def shout(position):
    print("x" * 60_000)
    return 0
"""


def write(folder: Path, source: str) -> Path:
    folder.mkdir(exist_ok=True)
    path = folder / "mine.py"
    path.write_text(source)
    return path


def returning(folder: Path, expression: str) -> str:
    """The name of a heuristic that always returns the same."""
    return f"{write(folder, f'def evaluate(position): return {expression}')}:evaluate"


def refusal(name: str) -> str:
    """The message when this heuristic is loaded and asked about a position."""
    with pytest.raises(UserError) as caught:
        load(name)(POSITION)
    # A file error is one of reading the file, never one of what is in it.
    assert type(caught.value) is UserError
    assert caught.value.exit_code == BAD_INPUT
    return str(caught.value)


@pytest.mark.parametrize(
    ("source", "function", "value"),
    [
        ("def evaluate(position): return str(position).index('r')", "evaluate", 57),
        (SIDEWAYS, "rightwards", 3),
        (SIDEWAYS, "leftwards", -3),
        (DATA_CLASS, "evaluate", 3),
        *((f"def evaluate(_): return {n}", "evaluate", n) for n in (0, 1 - DECISIVE, DECISIVE - 1)),
    ],
)
def test_a_function_of_a_file_is_called_with_the_position(
    tmp_path: Path, source: str, function: str, value: int
) -> None:
    """In a folder whose name has a colon, too."""
    assert load(f"{write(tmp_path / 'a:b', source)}:{function}")(POSITION) == value


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


def test_a_folder_is_a_file_error(tmp_path: Path) -> None:
    with pytest.raises(FileError, match="Is a directory"):
        load(f"{tmp_path}:evaluate")


@pytest.mark.parametrize(
    ("source", "told"),
    [
        # Of a function that it calls, the inner line; of a library, the line that called it.
        (
            "def men(p):\n    return p.men\ndef evaluate(p):\n    return men(p)",
            "line 2: AttributeE",
        ),
        ("import json\ndef evaluate(p):\n    return json.loads('[')", "line 3: JSONDecodeError: "),
        ("import os\nWEIGHTS = os.stat('/no/weights')", "line 2: FileNotFoundError: "),
        ("def evaluate(p):\n    raise SystemExit(0)", "line 2: SystemExit"),
        ("def evaluate(p): raise GeneratorExit", "line 1: GeneratorExit"),
        ("def evaluate(p):\n    return '\0'\n", "SyntaxError: "),
        # What cannot even be shown.
        (
            "class E(Exception):\n    def __str__(self): 1 / 0\ndef evaluate(p): raise E",
            "E: someth",
        ),
    ],
)
def test_an_exception_is_one_line_with_its_place(tmp_path: Path, source: str, told: str) -> None:
    path = write(tmp_path, source)
    message = refusal(f"{path}:evaluate")
    assert message.startswith(f"{path}: ")
    assert told in message
    assert "\n" not in message
    assert "line None" not in message


@pytest.mark.parametrize(
    ("expression", "shown"),
    [
        ("0.5", "0.5, a float"),
        ("2.0", "2.0, a float"),
        ("True", "True, a bool"),
        ("None", "None, a NoneType"),
        ("'7'", "'7', a str"),
        (
            "type('V', (), {'__repr__': lambda _: 1 / 0})()",
            "something that cannot be shown, a V",
        ),
    ],
)
def test_a_value_that_is_not_an_int_is_refused(tmp_path: Path, expression: str, shown: str) -> None:
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


@pytest.mark.parametrize("change", ["position.own = 0", "position.side ^= 1"])
def test_a_heuristic_may_not_change_the_position(tmp_path: Path, change: str) -> None:
    path = write(tmp_path, f"def evaluate(position):\n    {change}\n    return 0\n")
    # A compiled position refuses by itself.
    assert re.search("has changed the position|is not writable", refusal(f"{path}:evaluate"))


@pytest.mark.parametrize(
    ("function", "row"), [("leftwards", "..r....."), ("rightwards", "....r...")]
)
def test_the_search_goes_where_the_own_heuristic_wants(
    tmp_path: Path, function: str, row: str
) -> None:
    own = ("--heuristic", f"{write(tmp_path, SIDEWAYS)}:{function}")
    done = call("solve", "-", "-", *own, "--depth", "3", "--without", "tables", text=DRAWING)
    rows = DRAWING.splitlines()
    rows[5:7] = [row, "........"]
    assert (done.returncode, done.stdout.splitlines(), done.stderr) == (0, rows, "")


@pytest.mark.parametrize(
    ("function", "told"),
    [
        ("leave", "line 6: SystemExit: os._exit(0) would end the whole program."),
        ("loop", "TooSlow: no value after 1 seconds."),
    ],
)
def test_it_neither_ends_nor_stops_the_program(
    tmp_path: Path, function: str, told: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(own, "SECONDS", 1)
    name = f"{write(tmp_path, HOSTILE)}:{function}"
    quick = ("--depth", "3", "--without", "tables")
    done = call("solve", "-", "-", "--heuristic", name, *quick, text=DRAWING)
    assert (done.returncode, done.stdout) == (BAD_INPUT, "")
    assert told in done.stderr
    words = ("match", "material", name, "--pairs", "1", "--depth", "2", "-j", "1")
    done = grader(*words, cwd=tmp_path)
    assert done.returncode == 0
    assert f"Lost by a crash, an illegal move or on time: 2 of {name}" in done.stdout
    assert told in done.stdout


def test_it_prints_a_little_and_not_into_the_answer(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(own.OwnFunction, "may_print", own.MOST_PRINTED)
    loud = ("--heuristic", f"{write(tmp_path, HOSTILE)}:shout", "--without", "tables")
    done = call("solve", "-", "-", *loud, "--depth", "3", text=DRAWING)
    assert (done.returncode, len(done.stdout)) == (0, len(DRAWING))
    assert done.stderr.count("x") == own.MOST_PRINTED - 1  # and a line feed
    assert done.stderr.endswith("mine.py:shout prints too much; the rest is not shown\n")
