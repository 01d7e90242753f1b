"""Board files: what is accepted, and every fault of what is not."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from solver.errors import BoardError, Fault
from solver.games.checkers import game
from solver.games.checkers.mixed import TwoBoards
from solver.games.checkers.rules import BLACK, LIGHT, Board

Rows = list[str]

DARK = [
    ".b...b..",
    "b.B.....",
    ".......b",
    "........",
    "...r....",
    "..r...R.",
    ".r......",
    "....r.B.",
]
LIGHT_ONLY = [row[::-1] for row in DARK]
BOTH = [*DARK[:4], *LIGHT_ONLY[4:]]
BOARDS = {"dark": DARK, "light": LIGHT_ONLY, "both": BOTH}

EMPTY = "........"


def lines(*rows: str) -> str:
    return "\n".join(rows)


def with_row(line: int, row: str) -> str:
    """The dark board with one of its rows, counted from 1, replaced."""
    return lines(*DARK[: line - 1], row, *DARK[line:])


def places(faults: list[Fault]) -> list[tuple[int, int, str]]:
    return [(fault.line, fault.column, fault.rule) for fault in faults]


def faults_of(content: str, strict: bool = False) -> list[tuple[int, int, str]]:
    with pytest.raises(BoardError) as caught:
        game.read(content, "board.txt", strict)
    return places(caught.value.faults)


def read(content: str) -> Any:
    """The position of a board without faults, not even small ones."""
    found = game.read(content, "board.txt", strict=True)
    assert (found.form, found.warnings) == ("board", [])
    return found.position


@given(st.lists(st.text(".rbRB", min_size=8, max_size=8), min_size=8, max_size=8))
def test_any_board_is_written_as_it_was_read(rows: Rows) -> None:
    rows[0] = rows[0].replace("r", "R")
    rows[7] = rows[7].replace("b", "B")
    assert (str(read(lines(*rows))), read(lines(*rows)).mover()) == (lines(*rows), "red")


def test_the_colour_of_the_squares_decides_what_a_board_is() -> None:
    dark, light, both = (read(lines(*rows)) for rows in BOARDS.values())
    assert [type(position) for position in (dark, light, both)] == [Board, Board, TwoBoards]
    assert [half.side for half in dark.boards()] == [0]
    assert [half.side for half in light.boards()] == [LIGHT]
    assert [half.side for half in both.boards()] == [0, LIGHT]


def test_an_empty_board_is_a_board() -> None:
    assert read(lines(*[EMPTY] * 8)) == Board(0, 0, 0, 0)


def test_pieces_stand_where_they_are_drawn() -> None:
    """The top left dark square is the first of 35 bits, the bottom right one the last."""
    corners = [".B.....b", *[EMPTY] * 6, "r.....R."]
    assert read(lines(*corners)) == Board(1 << 31 | 1 << 34, 1 << 0 | 1 << 3, 1 << 34 | 1 << 0, 0)


@pytest.mark.parametrize(
    ("between", "after"),
    [
        *(("\n", after) for after in ("", "\n", "\n\n\n", "\n  \n\t\n")),
        *(("\r\n", after) for after in ("", "\r\n\r\n")),
        *(("  \n", "  \n"), ("\t \t\r\n", "\t \t\r\n")),
    ],
)
def test_invisible_differences_are_none(between: str, after: str) -> None:
    assert str(read(between.join(DARK) + after)) == lines(*DARK)


@pytest.mark.parametrize("rows", BOARDS.values(), ids=BOARDS)
@pytest.mark.parametrize("side", ["red", "black", "Black", "RED", "black  \t"])
def test_a_last_line_names_the_side_to_move(rows: Rows, side: str) -> None:
    content = lines(*rows, side, "")
    position = read(content)
    assert position.mover() == side.strip().lower()
    assert game.write(position, "board") == lines(*rows)
    assert game.with_side(position) == lines(*rows, side.strip().lower())
    assert game.recognises(content)
    if side == "black":
        assert position == read(lines(*rows)).passed()


def test_black_may_be_to_move_on_both_colours_of_squares() -> None:
    assert [half.side for half in read(lines(*BOTH, "black")).boards()] == [BLACK, BLACK | LIGHT]


def test_a_side_makes_no_board_whole() -> None:
    rule = "the board ends after 7 rows, it has 8"
    assert faults_of(lines(*DARK[:7], "black")) == [(8, 1, rule)]


def test_boards_of_another_game_are_left_to_it() -> None:
    assert not game.recognises(lines("b.......", *[EMPTY] * 6, "w.......", "black"))
    assert not game.recognises(lines("b.......", *[EMPTY] * 7, "black"))
    assert game.recognises(lines("b.......", *[EMPTY] * 7, "red"))
    assert game.recognises(lines("b.......", *[EMPTY] * 6, "r.......", "black"))


UNCROWNED = [".r.b.R.r", *[EMPTY] * 6, "b.r.B.b."]
CROWNED = [".R.b.R.R", *[EMPTY] * 6, "B.r.B.B."]
UNCROWNED_MEN = [
    (1, 2, "a red man on its crowning row would be a king"),
    (1, 8, "a red man on its crowning row would be a king"),
    (8, 1, "a black man on its crowning row would be a king"),
    (8, 7, "a black man on its crowning row would be a king"),
]


def test_a_man_on_its_crowning_row_is_read_as_a_king_with_a_warning() -> None:
    found = game.read(lines(*UNCROWNED), "board.txt", strict=False)
    assert str(found.position) == lines(*CROWNED)
    assert places(found.warnings) == UNCROWNED_MEN
    assert found.crowned == {1, 7, 56, 62}
    assert faults_of(lines(*UNCROWNED), strict=True) == UNCROWNED_MEN


def test_men_on_light_squares_are_crowned_too() -> None:
    light = [row[::-1] for row in UNCROWNED]
    found = game.read(lines(*light), "board.txt", strict=False)
    assert str(found.position) == lines(*[row[::-1] for row in CROWNED])
    assert [place[:2] for place in places(found.warnings)] == [(1, 1), (1, 7), (8, 2), (8, 8)]


def unknown(piece: str) -> str:
    return f"{piece} is not one of . r b R B"


MALFORMED = {
    "nothing": ("", [(1, 1, "the board ends after 0 rows, it has 8")]),
    "7 rows": (lines(*DARK[:7]), [(8, 1, "the board ends after 7 rows, it has 8")]),
    "9 rows": (lines(*DARK, EMPTY), [(9, 1, "9 rows, a board has 8")]),
    "a row further down": (lines(*DARK, "", "", EMPTY), [(9, 1, "11 rows, a board has 8")]),
    "words after the board": (lines(*DARK, "white"), [(9, 1, "9 rows, a board has 8")]),
    "an empty line before it": (
        lines("", *DARK),
        [(1, 1, "0 characters, a row has 8"), (9, 1, "9 rows, a board has 8")],
    ),
    "7 characters": (with_row(3, EMPTY[:7]), [(3, 8, "7 characters, a row has 8")]),
    "an empty line within": (with_row(3, ""), [(3, 1, "0 characters, a row has 8")]),
    "9 characters": (with_row(8, EMPTY + "."), [(8, 9, "9 characters, a row has 8")]),
    "indented": (
        with_row(2, " " + EMPTY),
        [(2, 1, unknown("' '")), (2, 9, "9 characters, a row has 8")],
    ),
    "two of a row": (with_row(4, "..._...-"), [(4, 4, unknown("'_'")), (4, 8, unknown("'-'"))]),
    "a blank": (with_row(4, "... ...."), [(4, 4, unknown("' '"))]),
    "a tab": (with_row(4, "...\t...."), [(4, 4, unknown(r"'\t'"))]),
    "a carriage return": (with_row(4, "...\r...."), [(4, 4, unknown(r"'\r'"))]),
    "a byte that is not text": (with_row(4, "...\udcff...."), [(4, 4, unknown("byte 0xff"))]),
    "a byte order mark": (
        with_row(1, "\ufeff" + EMPTY),
        [(1, 1, unknown("a byte order mark")), (1, 9, "9 characters, a row has 8")],
    ),
    "everything at once": (
        lines("x.......", ".......", EMPTY, "", ".?..........", "b!"),
        [
            (1, 1, unknown("'x'")),
            (2, 8, "7 characters, a row has 8"),
            (4, 1, "0 characters, a row has 8"),
            (5, 2, unknown("'?'")),
            (5, 9, "12 characters, a row has 8"),
            (6, 2, unknown("'!'")),
            (6, 3, "2 characters, a row has 8"),
            (7, 1, "the board ends after 6 rows, it has 8"),
        ],
    ),
    "many of a kind": (
        lines(*["_R_R_R_R"] * 8) + "xx",
        [(1, 1, "32 × '_': empty squares are '.'"), (8, 9, "10 characters, a row has 8")],
    ),
    "words after the side": (lines(*DARK, "red wins"), [(9, 5, "'wins' after the side to move")]),
}
READABLE = ("an empty line before it", "indented", "two of a row", "a byte order mark")


@pytest.mark.parametrize("name", MALFORMED)
def test_malformed(name: str) -> None:
    content, faults = MALFORMED[name]
    assert faults_of(content, strict=True)[: len(faults)] == faults
    if name in READABLE:
        assert len(game.read(content, "board.txt", False).warnings) == 1
    else:
        assert faults_of(content) == faults


@given(
    st.integers(1, 8),
    st.integers(1, 8),
    st.characters(exclude_categories=["Cs"], exclude_characters=".rbRB-_ \t\r\n\ufeff"),
)
def test_any_wrong_character_is_found_where_it_is(line: int, column: int, wrong: str) -> None:
    row = DARK[line - 1]
    content = with_row(line, row[: column - 1] + wrong + row[column:])
    assert faults_of(content) == [(line, column, unknown(ascii(wrong)))]
