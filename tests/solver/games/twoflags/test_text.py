"""Two Flags boards and setups: what is accepted, and every fault of what is not."""

from __future__ import annotations

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from support.naive_twoflags import Game
from support.pawn_drawings import VARIANT, any_game, pawns, position_of

from solver.errors import BoardError
from solver.games.twoflags import game
from solver.games.twoflags.rules import (
    BLACK,
    BLACK_LANDED_AT,
    NO_EN_PASSANT,
    WHITE_LANDED_AT,
    Pawns,
)

ROWS = [
    "........",
    ".b....b.",
    "........",
    "...wb...",
    "b......w",
    "........",
    ".w......",
    "........",
]
SETUP = "Setup Wb2 Wh4 Wd5 Ba4 Be5 Bb7 Bg7"
EMPTY = "........"


def lines(*rows: str) -> str:
    return "\n".join(rows)


def board(last: str = "white e6") -> str:
    return lines(*ROWS, last)


def with_row(line: int, row: str) -> str:
    """The board with one of its rows, counted from 1, replaced."""
    return lines(*ROWS[: line - 1], row, *ROWS[line:], "white")


def faults_of(content: str, variant: str = "") -> list[tuple[int, int, str]]:
    with pytest.raises(BoardError) as caught:
        game.read(content, "board.txt", False, variant)
    return [(fault.line, fault.column, fault.rule) for fault in caught.value.faults]


# --- what is accepted ----------------------------------------------------------------------


def test_pawns_stand_where_they_are_drawn() -> None:
    """a2 is the first of 48 bits and h7 the last; the mover's pawns are its own."""
    corners = lines(EMPTY, "b......w", *[EMPTY] * 4, "w......b", EMPTY)
    white, black = 1 << 0 | 1 << 47, 1 << 40 | 1 << 7
    assert pawns(corners + "\nwhite") == Pawns(white, black, 0, 0)
    assert pawns(corners + "\nblack") == Pawns(black, white, 0, BLACK)


def test_pawns_that_have_landed_are_kept_apart() -> None:
    position = pawns("Setup Wc8 Ba1 Bh1 WHITE")
    assert position == Pawns(0, 0, 0, 1 << WHITE_LANDED_AT + 2 | (1 | 1 << 7) << BLACK_LANDED_AT)


def test_a_setup_and_a_board_say_the_same() -> None:
    assert pawns(SETUP + " WHITE e6") == pawns(board())
    assert pawns(SETUP + " BLACK") == pawns(board("black"))
    assert pawns(SETUP) == pawns(lines(*ROWS)) == pawns(board("white"))


def test_white_is_to_move_unless_said_otherwise() -> None:
    assert pawns(game.start()).mover() == "white"
    assert pawns(f"{game.start()} BLACK").mover() == "black"


def test_the_start_has_as_many_files_as_asked_for() -> None:
    assert str(pawns(game.start())).split("\n") == [
        EMPTY,
        "bbbbbbbb",
        *[EMPTY] * 4,
        "wwwwwwww",
        EMPTY,
    ]
    assert game.start(3) == "Setup Wa2 Wb2 Wc2 Ba7 Bb7 Bc7"


def test_the_variant_is_in_the_position() -> None:
    assert pawns(SETUP, "no-en-passant").state == NO_EN_PASSANT
    assert pawns(SETUP).state == 0


@pytest.mark.parametrize(
    "content",
    [
        board(),
        board() + "\n",
        board() + "\n\n \t\n",
        board("WHITE e6"),
        board("White E6"),
        board("  white \t e6  "),
        board().replace("\n", "\r\n"),
        board().replace("\n", "\r\n") + "\r\n\r\n",
        board().replace("\n", " \t\n"),
    ],
    ids=[
        "no final newline",
        "final newline",
        "blank lines after it",
        "side in capitals",
        "square in capitals",
        "blanks around the words",
        "CRLF",
        "CRLF, and more of it",
        "trailing blanks",
    ],
)
def test_invisible_differences_of_a_board_are_none(content: str) -> None:
    read = game.read(content, "board.txt", strict=True)
    position, form, warnings = read.position, read.form, read.warnings
    assert (game.write(position, "board"), form, warnings) == (board(), "board", [])


@pytest.mark.parametrize(
    "content",
    [
        SETUP + " WHITE e6",
        SETUP + " WHITE e6\r\n",
        (SETUP + " WHITE e6").lower(),
        (SETUP + " WHITE e6").upper(),
        "\n  " + (SETUP + " WHITE e6").replace(" ", "\n \t"),
        "Setup Bg7 Bb7 Be5 Wd5 Ba4 Wh4 Wb2 white E6",
    ],
    ids=["plain", "CRLF", "small letters", "capitals", "many lines", "any order"],
)
def test_invisible_differences_of_a_setup_are_none(content: str) -> None:
    read = game.read(content, "setup.txt", strict=True)
    position, form, warnings = read.position, read.form, read.warnings
    assert (game.write(position, "setup"), form, warnings) == (SETUP + " WHITE e6", "setup", [])


@given(any_game())
def test_any_position_is_read_as_it_was_written(start: Game) -> None:
    position, variant = position_of(start), VARIANT[start.en_passant]
    assume(position.own | position.enemy or position.state >> WHITE_LANDED_AT)  # a pawn at all
    for form in game.FORMATS:
        text = game.write(position, form)
        read = game.read(text, "test", True, variant)
        assert (read.position, read.form, read.warnings) == (position, form, [])
        assert not text.endswith("\n")


@pytest.mark.parametrize(
    ("content", "recognised"),
    [
        (lines(*ROWS), True),
        (board("BLACK"), True),
        (board("WHITE e6"), True),
        (board("BLACK e3"), True),
        (lines(*[EMPTY] * 6, "b.......", EMPTY, "white"), True),
        ("setup", True),
        ("\ufeffSetup Wa2", True),
        ("B:W18,24,K30:B1,K5", False),
        (lines(*[EMPTY] * 6, "b.......", EMPTY), False),
        (lines(*[EMPTY] * 6, "r.....w.", EMPTY), False),
        ("", False),
    ],
)
def test_the_game_is_recognised_by_its_text(content: str, recognised: bool) -> None:
    """A board of black pawns alone could be checkers, where it would mean something too."""
    assert game.recognises(content) == recognised


# --- boards that are refused: every fault, in reading order ---------------------------------


def unknown(piece: str) -> str:
    return f"{piece} is not one of . w b"


AFTER_THE_SIDE = "after the side comes only the square of en passant, on rank 3 or 6"
CANNOT_TAKE = "no pawn can be taken en passant on"
BOARDS = {
    "nothing": ("", [(1, 1, "the board ends after 0 rows, it has 8")]),
    "only blanks": ("\n \r\n\t\n", [(1, 1, "the board ends after 0 rows, it has 8")]),
    "1 row": (EMPTY, [(2, 1, "the board ends after 1 row, it has 8")]),
    "7 rows": (lines(*ROWS[:7]), [(8, 1, "the board ends after 7 rows, it has 8")]),
    "7 rows and a side": (
        lines(*ROWS[:7], " black"),
        [(8, 1, "the board ends after 7 rows, it has 8")],
    ),
    "a side alone": ("white", [(1, 1, "the board ends after 0 rows, it has 8")]),
    "9 rows": (lines(*ROWS, EMPTY), [(9, 1, "'........' is neither white nor black")]),
    "10 rows": (lines(*ROWS, EMPTY, EMPTY), [(9, 1, "10 rows, a board has 8")]),
    "9 rows and a side": (lines(*ROWS, EMPTY, "white"), [(9, 1, "9 rows, a board has 8")]),
    "an empty line before it": (
        lines("", *ROWS),
        [
            (1, 1, "0 characters, a row has 8"),
            (8, 2, "a white pawn on rank 1, its own first rank"),
            (9, 1, "'........' is neither white nor black"),
        ],
    ),
    "7 characters": (with_row(3, EMPTY[:7]), [(3, 8, "7 characters, a row has 8")]),
    "1 character": (with_row(3, "."), [(3, 2, "1 character, a row has 8")]),
    "9 characters": (with_row(8, EMPTY + "."), [(8, 9, "9 characters, a row has 8")]),
    "indented": (
        with_row(3, " " + EMPTY),
        [(3, 1, unknown("' '")), (3, 9, "9 characters, a row has 8")],
    ),
    "a capital": (with_row(4, "...W...."), [(4, 4, unknown("'W'"))]),
    "two of a row": (with_row(4, "..r_...."), [(4, 3, unknown("'r'")), (4, 4, unknown("'_'"))]),
    "a form feed": (with_row(4, ".......\x0c"), [(4, 8, unknown(r"'\x0c'"))]),
    "a foreign letter": (with_row(4, "...\u0155...."), [(4, 4, unknown(r"'\u0155'"))]),
    "a byte that is no text": (with_row(4, "...\udcff...."), [(4, 4, unknown("byte 0xff"))]),
    "a byte order mark": (
        with_row(1, "\ufeff" + EMPTY),
        [(1, 1, unknown("a byte order mark")), (1, 9, "9 characters, a row has 8")],
    ),
    "carriage returns": (
        lines(*ROWS[:7], "........\rwhite"),
        [
            (8, 9, "14 characters, a row has 8"),
            (8, 9, "a carriage return without a line feed after it"),
        ],
    ),
    "pawns on their own first ranks": (
        lines("b......b", *ROWS[1:7], "w......."),
        [
            (1, 1, "a black pawn on rank 8, its own first rank"),
            (1, 8, "a black pawn on rank 8, its own first rank"),
            (8, 1, "a white pawn on rank 1, its own first rank"),
        ],
    ),
    "another side": (board("red"), [(9, 1, "'red' is neither white nor black")]),
    "nearly a side": (board(" whites"), [(9, 2, "'whites' is neither white nor black")]),
    "a long word": (board("x" * 99), [(9, 1, f"'{'x' * 20}...' is neither white nor black")]),
    "an odd blank": (board("\x0c"), [(9, 1, r"'\x0c' is neither white nor black")]),
    "three words": (board("white e6 d6"), [(9, 1, "3 words after the board, at most two")]),
    "not a square": (board("white x"), [(9, 7, "'x': " + AFTER_THE_SIDE)]),
    "the same word twice": (
        board(" x  x"),
        [(9, 2, "'x' is neither white nor black"), (9, 5, "'x': " + AFTER_THE_SIDE)],
    ),
    "rank 5": (board("white e5"), [(9, 7, "'e5': " + AFTER_THE_SIDE)]),
    "nobody went past": (board("white b6"), [(9, 7, f"{CANNOT_TAKE} b6")]),
    "the wrong side": (board("black e6"), [(9, 7, f"{CANNOT_TAKE} e6")]),
    "its own pawn": (board("black a3"), [(9, 7, f"{CANNOT_TAKE} a3")]),
    "everything at once": (
        lines("x......b", ".......", *ROWS[2:7], "w.", "green e9"),
        [
            (1, 1, unknown("'x'")),
            (1, 8, "a black pawn on rank 8, its own first rank"),
            (2, 8, "7 characters, a row has 8"),
            (8, 1, "a white pawn on rank 1, its own first rank"),
            (8, 3, "2 characters, a row has 8"),
            (9, 1, "'green' is neither white nor black"),
            (9, 7, "'e9': " + AFTER_THE_SIDE),
        ],
    ),
}


@pytest.mark.parametrize(("content", "faults"), BOARDS.values(), ids=BOARDS)
def test_malformed_board(content: str, faults: list[tuple[int, int, str]]) -> None:
    assert faults_of(content) == faults


@given(
    st.integers(1, 8),
    st.integers(1, 8),
    st.characters(exclude_categories=["Cs"], exclude_characters=".wb \t\r\n\ufeff"),
)
def test_any_wrong_character_is_found_where_it_is(line: int, column: int, wrong: str) -> None:
    row = ROWS[line - 1]
    content = with_row(line, row[: column - 1] + wrong + row[column:])
    assert faults_of(content) == [(line, column, unknown(ascii(wrong)))]


def test_the_message_names_the_file_and_every_fault_and_says_what_a_board_is() -> None:
    with pytest.raises(BoardError) as caught:
        game.read(with_row(7, "..x...."), "boards/4.txt", strict=False)
    assert str(caught.value).split("\n") == [
        "boards/4.txt: line 7, column 3: 'x' is not one of . w b",
        "boards/4.txt: line 7, column 8: 7 characters, a row has 8",
        "A board is 8 rows of 8 characters, each one of . w b, rank 8 first; a line 'white' or "
        "'black' after it names the side to move.",
    ]
