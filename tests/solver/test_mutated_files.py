"""Ten thousand board files, each damaged somehow: a clear error or a legal answer.  (In plain
Python the first hundred and fifty.)

Never a traceback (any exception fails the test), never a partial or stray file.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from support.builds import times
from support.naive_checkers import moves

from solver.cli import main
from solver.games.checkers import game

FAULT = re.compile(r"solver: .*board\.txt: line \d+, column \d+: .+")
ADVICE = re.compile(r"solver: (A board is 8 rows|A FEN looks like|Save it as plain text).+")

rows = st.text(alphabet=".....rbRB", min_size=8, max_size=8)
boards = st.lists(rows, min_size=8, max_size=8).map("\n".join)
fens = st.builds(
    lambda turn, white, black: f"{turn}:W{white}:B{black}",
    st.sampled_from("BW"),
    st.sampled_from(["", "18", "K18,24,9", "29-32"]),
    st.sampled_from(["", "1", "K2,K3,7", "5-8"]),
)
originals = st.one_of(boards, boards, fens).map(str.encode)
junk = st.one_of(
    st.sampled_from([b"\r\n", b"\n", b" ", b"\t", b"\0", b"\xff", b"x", b"r", b":", b",", b"K"]),
    st.binary(max_size=4),
)
mutations = st.lists(
    st.tuples(
        st.sampled_from(["insert", "delete", "replace", "cut", "repeat"]),
        st.floats(0, 1),
        st.integers(0, 12),
        junk,
    ),
    max_size=3,
)


def mutated(data: bytes, changes: list[tuple[str, float, int, bytes]]) -> bytes:
    for kind, place, length, extra in changes:
        at = int(place * len(data))
        before, touched, after = data[:at], data[at : at + length], data[at + length :]
        data = {
            "insert": before + extra + touched + after,
            "delete": before + after,
            "replace": before + extra + after,
            "cut": before,
            "repeat": before + touched + touched + after,
        }[kind]
    return data


@settings(
    max_examples=times(10_000, 150),
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(original=originals, changes=mutations)
def test_a_clear_error_or_a_right_answer(
    original: bytes,
    changes: list[tuple[str, float, int, bytes]],
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    source, target = tmp_path / "board.txt", tmp_path / "answer.txt"
    source.write_bytes(mutated(original, changes))
    target.write_text("precious")
    code = main([str(source), str(target), "--nodes", "100", "--format", "board"])
    words = capsys.readouterr().err.splitlines()
    if code == 2:
        assert target.read_text() == "precious"
        assert words
        assert all(FAULT.fullmatch(line) for line in words[:-1])
        assert ADVICE.fullmatch(words[-1])
    else:
        assert code == 0
        check_answer(source.read_bytes().decode(), target.read_text(), words)
    assert {path.name for path in tmp_path.iterdir()} <= {"board.txt", "answer.txt"}


def check_answer(text: str, answer: str, words: list[str]) -> None:
    """The answer is the board after a legal move, or the board itself if the game is over."""
    after = tuple(answer.splitlines())
    assert answer == "\n".join(after) + "\n"
    before, mover = as_rows(text)
    others = "bB" if mover == "red" else "rR"
    over = [line for line in words if " has won: " in line]
    assert after in ([before] if over else moves(before, mover))
    assert bool(over) == (not moves(before, mover) or not set(others) & set("".join(before)))


def as_rows(text: str) -> tuple[tuple[str, ...], str]:
    """The board of an accepted file with its kings crowned, and who is to move."""
    if ":" in text:
        position = game.read(text, "test", False).position
        return tuple(str(position).split("\n")), position.mover()
    squares = text.removeprefix("\ufeff").translate(str.maketrans("-_", "..", " \t\r"))
    rows = squares.split()
    return (rows[0].replace("r", "R"), *rows[1:7], rows[7].replace("b", "B")), "red"
