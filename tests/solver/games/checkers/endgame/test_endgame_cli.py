"""`solver endgame`: what it prints, writes and refuses."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from support.command import call
from support.endgame_files import built, content, named, with_byte, write_tables
from support.positions import board


def test_the_check_tells_what_is_wrong(tmp_path: Path) -> None:
    """A file that is sound except for one value; the game is lost in 6 and not drawn."""
    values = built(2)
    wrong = with_byte(values, 2, "mvK", 0, 0)
    path = tmp_path / "wrong"
    head = content(2).split(b"\n")[2]
    path.write_bytes(content(2, wrong).replace(content(2, wrong).split(b"\n")[2], head))
    check = call("endgame", "check", str(path))
    assert check.returncode == 1
    lines = check.stdout.splitlines()
    assert lines[0].endswith("sha256 does not match.")
    assert any(line.startswith("mvK: 1 wrong value, the first at B:") for line in lines)
    assert lines[-1].startswith("4 slices, 3,488 positions, ")
    assert not lines[-1].endswith(" 0 errors")


@pytest.mark.parametrize(
    ("fen", "byte"),
    [
        ("B:WK14:BK32", 200),  # a draw: say that it is won
        ("B:WK14:BK32", 201),  # say that it is lost
        ("B:WK22:BK29", 0),  # lost: say that it is a draw
    ],
)
@pytest.mark.parametrize("words", [("-", "-"), ("-", "-", "--line"), ("analyse", "-")])
def test_tables_that_contradict_themselves_are_not_a_broken_solver(
    tmp_path: Path, fen: str, byte: int, words: tuple[str, ...]
) -> None:
    """A whole file, each block with its check sum, and yet one value does not follow."""
    position = board(fen)
    place = named("KvK").index(position.own, position.enemy, position.kings)
    assert built(2).all_of(named("KvK"))[place] != byte
    path = write_tables(tmp_path / "wrong", 2, with_byte(built(2), 2, "KvK", place, byte))
    done = call(*words, "--tables", path, text=fen)
    assert done.returncode == 3
    assert done.stderr.startswith("solver: The endgame tables contradict themselves.\n")
    assert "solver endgame check FILE" in done.stderr


def test_a_pipe_is_no_place_for_tables(tmp_path: Path) -> None:
    """It is not even opened, which would wait for a writer."""
    os.mkfifo(tmp_path / "pipe")
    process = call("endgame", "build", "--pieces", "2", str(tmp_path / "pipe"))
    assert process.returncode == 2
    assert "pipe exists and is not a file of tables" in process.stderr


def test_tables_replace_tables(tmp_path: Path) -> None:
    path = tmp_path / "tables"
    path.write_bytes(content(2)[:500])
    assert call("endgame", "build", "--pieces", "2", str(path)).returncode == 0
    assert path.read_bytes() == content(2)


WITHOUT_LZMA = "import sys; sys.modules['lzma'] = None; from solver.cli import main; "


@pytest.mark.parametrize(("options", "code"), [([], 3), (["--without", "tables"], 0)])
def test_a_python_without_lzma_says_so(options: list[str], code: int) -> None:
    script = f"{WITHOUT_LZMA}sys.exit(main(['-', '-', *sys.argv[1:]]))"
    command = [sys.executable, "-c", script, *options]
    fen = "B:WK17:BK1,K6"
    done = subprocess.run(command, input=fen, capture_output=True, text=True, timeout=60)
    assert done.returncode == code
    assert ("Use --without tables." in done.stderr) == (code == 3)
    assert "Traceback" not in done.stderr
