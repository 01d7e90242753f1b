"""Boards as people write them: read with one warning where the meaning is plain, else refused."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from solver.errors import BoardError
from solver.games import GAMES, Game, game_named, game_of
from solver.games.puzzle import read_puzzle

SPOTTED = {"checkers": (".b.B....", "..r.R..."), "twoflags": (".b......", "...w....")}


def board_of(game: Game, rows: list[str], side: str) -> str:
    pieces = [*rows, SPOTTED[game.NAME][0], *["........"] * 2, SPOTTED[game.NAME][1]]
    return "\n".join(["........", *pieces, "........", side])


boards = st.sampled_from(GAMES).flatmap(
    lambda name: st.builds(
        board_of,
        st.just(game_named(name)),
        st.lists(
            st.text("." * 4 + "".join(game_named(name).PIECES), min_size=8, max_size=8),
            min_size=2,
            max_size=2,
        ),
        st.sampled_from(game_named(name).SIDES),
    )
)
pad = st.sampled_from(["", " ", "\t", "  "])
STYLES = st.fixed_dictionaries(
    {
        "mark": st.booleans(),
        "between": pad,
        "empty": st.sampled_from(".-_"),
        "files": st.sampled_from(["", "abcdefgh", "ABCDEFGH", "12345678", "01234567"]),
        "files_below": st.booleans(),
        "ranks": st.sampled_from(["", "87654321", "01234567"]),
        "ranks_right": st.booleans(),
        "blank_lines": st.booleans(),
        "side": st.sampled_from(["{}", "{} to move", "{} to play.", "{}'s turn", "{}'s move"]),
        "capital": st.booleans(),
        "newline": st.sampled_from(["\n", "\r\n", " \n", "\t\r\n"]),
    }
)


def write_in(board: str, style: dict[str, object]) -> str:
    *rows, side = board.split("\n")
    between = str(style["between"])
    lines = [between.join(row.replace(".", str(style["empty"]))) for row in rows]
    if ranks := str(style["ranks"]):
        pairs = zip(lines, ranks, strict=True)
        lines = [
            f"{row} {rank}" if style["ranks_right"] else f"{rank} {row}" for row, rank in pairs
        ]
    if files := str(style["files"]):
        lines.insert(8 if style["files_below"] else 0, "  " + between.join(files))
    if style["blank_lines"]:
        lines = ["", *lines, ""]
    words = str(style["side"]).format(side)
    lines.append(words.capitalize() if style["capital"] else words)
    text = str(style["newline"]).join(lines)
    return f"\ufeff{text}" if style["mark"] else text


@given(boards, STYLES)
def test_a_board_in_any_style_is_the_same_board(board: str, style: dict[str, object]) -> None:
    plain, messy = (read_puzzle(text) for text in (board, write_in(board, style)))
    assert messy == plain
    assert messy.mover == board.split("\n")[-1]
    added = messy.warnings[: len(messy.warnings) - len(plain.warnings)]
    assert len(added) <= 1
    assert all("not a plain board, but it can be read: " in warning for warning in added)
    crowned = [
        game_of(text).read(text, "", False).crowned for text in (board, write_in(board, style))
    ]
    assert crowned[0] == crowned[1]


BOARD = "........\n.b......\n........\n..b.....\n.r......\n........\n......r.\n........"


@pytest.mark.parametrize(
    ("text", "rule"),
    [
        (BOARD.replace(".", "_"), "60 × '_': empty squares are '.'"),
        (" ".join(BOARD).replace("\n ", "\n"), "8 rows of 15 characters, a row has 8"),
        (BOARD + "\nred to move", "'to' after the side to move"),
        ("\ufeff" + BOARD, "a byte order mark is not one of . r b R B"),
    ],
)
def test_strict_reading_refuses_with_one_line_for_each_kind(text: str, rule: str) -> None:
    with pytest.raises(BoardError) as refused:
        read_puzzle(text, strict=True)
    assert rule in str(refused.value)
    assert len(refused.value.faults) <= 2
    assert read_puzzle(text) == read_puzzle(BOARD)


@pytest.mark.parametrize(
    "text",
    [
        "\n".join(f"{rank} {row}" for rank, row in enumerate(BOARD.split("\n"), 1)),  # upside down?
        BOARD.replace(".", " "),
        BOARD + "\nred to win",
        BOARD + "\n" + BOARD,
    ],
)
def test_what_may_mean_something_else_is_refused(text: str) -> None:
    with pytest.raises(BoardError):
        read_puzzle(text)


def test_a_fault_in_an_untidy_board_has_its_place() -> None:
    rows = [f"{8 - at} {' '.join(row)}" for at, row in enumerate(BOARD.split("\n"))]
    text = "\n".join(["  a b c d e f g h", *rows]).replace("r", "x", 1)
    with pytest.raises(BoardError) as refused:
        read_puzzle(text)
    assert [str(each) for each in refused.value.faults] == [
        "line 6, column 5: 'x' is not one of . r b R B"
    ]


@pytest.mark.parametrize(
    ("rows", "side", "game"),
    [
        (".r......", "black", "checkers"),
        (".x.r....", "black", "checkers"),
        (".w......", "black to move", "twoflags"),
        (".x.w....", "white", "twoflags"),
        ("b_______", "Black's turn", "twoflags"),
        ("R-------", "Black to move", "checkers"),
    ],
)
def test_an_untidy_board_belongs_to_a_game(rows: str, side: str, game: str) -> None:
    found = game_of("\n".join([*["........"] * 7, rows, side]))
    assert found is game_named(game)
