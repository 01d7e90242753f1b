"""Files that are damaged or no tables at all: a clear complaint, and never a wrong answer."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.endgame_files import built, content, write_tables

from solver.errors import BAD_FILE, FileError
from solver.games.checkers.endgame.file import FORMAT, SHIPPED, Archive
from solver.games.checkers.endgame.slices import Values, all_slices

TWO = content(2)


def all_values(path: str) -> list[bytes]:
    values = Values(Archive(path))
    return [values.all_of(here) for here in all_slices(2)]


def complaint(path: Path | str) -> str:
    """What is said when all values of a file are asked for."""
    with pytest.raises(FileError) as caught:
        all_values(str(path))
    assert caught.value.exit_code == BAD_FILE
    assert str(path) in str(caught.value)
    return str(caught.value)


def test_a_file_gives_back_what_was_written(tmp_path: Path) -> None:
    archive = Archive(write_tables(tmp_path / "two", 2))
    assert archive.pieces == 2
    for here in all_slices(2):
        assert archive.values(here) == built(2).all_of(here)


def test_tables_may_come_through_a_pipe() -> None:
    """What a shell makes of `--tables <(zcat FILE)`: it can be read only once."""
    reading, writing = os.pipe()
    with os.fdopen(reading, "rb"), os.fdopen(writing, "wb") as pipe:
        pipe.write(TWO)
        pipe.close()
        assert Archive(f"/dev/fd/{reading}").pieces == 2


def test_the_shipped_file_is_about_a_megabyte() -> None:
    assert 1_000_000 < Path(SHIPPED).stat().st_size < 1_200_000


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"", "not endgame tables"),
        (b"\x00\xff" * 100, "not endgame tables"),
        (b"checkmark endgame tables 2\n\n", "begins with 'checkmark endgame tables 2'"),
        (FORMAT.encode(), "its head cannot be read"),
        (FORMAT.encode() + b"\n\n", "its head cannot be read"),
        (FORMAT.encode() + b"\npieces many\n\n", "its head cannot be read"),
        (TWO.replace(b"pieces 2", b"pieces 3"), "its head cannot be read"),
        (TWO.replace(b"pieces 2", b"pieces 2 3"), "its head cannot be read"),
        (TWO[:-1], f"{len(TWO) - 1} bytes instead of {len(TWO)}"),
        (TWO + b"\n", f"{len(TWO) + 1} bytes instead of {len(TWO)}"),
        (TWO.replace(b"mvK ", b"mvX "), "mvK is missing"),
        (TWO[:-20] + b"\x00" + TWO[-19:], "mvm cannot be unpacked"),
    ],
)
def test_what_is_wrong_with_a_file(tmp_path: Path, data: bytes, words: str) -> None:
    path = tmp_path / "file"
    path.write_bytes(data)
    assert words in complaint(path)
    assert "solver endgame build" in complaint(path)


def test_a_slice_in_the_place_of_another(tmp_path: Path) -> None:
    """Blocks are complete and their lengths add up, but they have changed places."""
    lines, blocks = TWO.split(b"\n\n", 1)
    (*head, one, two, three, four) = lines.split(b"\n")
    first = int(one.split()[1])
    second = int(two.split()[1])
    swapped = blocks[first : first + second] + blocks[:first] + blocks[first + second :]
    head = [*head, b"KvK %d" % second, b"Kvm %d" % first, three, four]
    path = tmp_path / "file"
    path.write_bytes(b"\n".join(head) + b"\n\n" + swapped)
    assert "KvK does not have 992 values" in complaint(path)


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    assert "No such file" in complaint(tmp_path / "missing")
    assert "directory" in complaint(tmp_path)
    with pytest.raises(FileError):
        Archive("\0")


@given(st.integers(0, len(TWO) - 1), st.integers(1, 255))
def test_one_changed_byte_never_gives_another_value(
    tmp_path_factory: pytest.TempPathFactory, place: int, change: int
) -> None:
    data = bytearray(TWO)
    data[place] ^= change
    path = tmp_path_factory.getbasetemp() / "changed.tables"
    path.write_bytes(data)
    try:
        found = all_values(str(path))
    except FileError:
        return
    assert found == [built(2).all_of(here) for here in all_slices(2)]
