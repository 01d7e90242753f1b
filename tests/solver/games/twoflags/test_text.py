"""Two Flags boards and setups: what is accepted, and every fault of what is not."""

from __future__ import annotations

import pytest
from hypothesis import assume, given
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
    bit_of,
)

EMPTY = "........"
ROWS = [EMPTY, ".b....b.", EMPTY, "...wb...", "b......w", EMPTY, ".w......", EMPTY]
SETUP = "Setup Wb2 Wh4 Wd5 Ba4 Be5 Bb7 Bg7"
FULL_SETUP = f"{SETUP} WHITE e6"


def lines(*rows: str) -> str:
    return "\n".join(rows)


def board(last: str = "white e6") -> str:
    return lines(*ROWS, last)


BOARD = board()


def with_row(line: int, row: str) -> str:
    """The board with one of its rows, counted from 1, replaced."""
    return lines(*ROWS[: line - 1], row, *ROWS[line:], "white")


def faults_of(content: str, variant: str = "") -> list[str]:
    with pytest.raises(BoardError) as caught:
        game.read(content, "board.txt", True, variant)
    return [f"{fault.line}:{fault.column} {fault.rule}" for fault in caught.value.faults]


# --- what is accepted ----------------------------------------------------------------------


def test_pawns_stand_where_they_are_drawn() -> None:
    """a2 is the first of 48 bits and h7 the last; the mover's pawns are its own, and those that
    have landed are kept apart."""
    corners = lines(EMPTY, "b......w", *[EMPTY] * 4, "w......b", EMPTY)
    white, black = 1 << 0 | 1 << 47, 1 << 40 | 1 << 7
    assert pawns(corners + "\nwhite") == Pawns(white, black, 0, 0)
    assert pawns(corners + "\nblack") == Pawns(black, white, 0, BLACK)
    landed = 1 << WHITE_LANDED_AT + 2 | (1 | 1 << 7) << BLACK_LANDED_AT
    assert pawns("Setup Wc8 Ba1 Bh1 WHITE") == Pawns(0, 0, 0, landed)
    assert pawns(SETUP, "no-en-passant").state == NO_EN_PASSANT


def test_a_setup_and_a_board_say_the_same_and_white_is_to_move() -> None:
    assert pawns(FULL_SETUP) == pawns(BOARD)
    assert pawns(SETUP + " BLACK") == pawns(board("black"))
    assert pawns(SETUP) == pawns(lines(*ROWS)) == pawns(board("white"))
    assert pawns(SETUP).state == 0
    start = lines(EMPTY, "bbbbbbbb", *[EMPTY] * 4, "wwwwwwww", EMPTY)
    assert str(pawns(game.start())) == start
    assert game.start(3) == "Setup Wa2 Wb2 Wc2 Ba7 Bb7 Bc7"


@pytest.mark.parametrize(
    ("content", "form"),
    [
        (BOARD, "board"),
        (BOARD + "\n\n \t\n", "board"),
        (board("WHITE e6"), "board"),
        (board("  White \t E6  "), "board"),
        (BOARD.replace("\n", "\r\n") + "\r\n\r\n", "board"),
        (BOARD.replace("\n", " \t\n"), "board"),
        (FULL_SETUP + "\r\n", "setup"),
        (FULL_SETUP.lower(), "setup"),
        (FULL_SETUP.upper(), "setup"),
        ("\n  " + FULL_SETUP.replace(" ", "\n \t"), "setup"),
        ("Setup Bg7 Bb7 Be5 Wd5 Ba4 Wh4 Wb2 white E6", "setup"),
    ],
)
def test_blanks_capitals_and_the_order_of_pawns_do_not_matter(content: str, form: str) -> None:
    read = game.read(content, "board.txt", strict=True)
    wanted = {"board": BOARD, "setup": FULL_SETUP}[form]
    assert (game.write(read.position, form), read.form, read.warnings) == (wanted, form, [])


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


# --- what is refused: every fault, in reading order ----------------------------------------

UNKNOWN = "is not one of . w b"
PAWN = "is not a pawn like Wa2 or Bh7"
SQUARE = "after the side comes only the square of en passant, on rank 3 or 6"
OWN_RANK = "its own first rank"
SHORT = "it has 8"
FAULTY = {
    "nothing": ("", [f"1:1 the board ends after 0 rows, {SHORT}"]),
    "1 row": (EMPTY, [f"2:1 the board ends after 1 row, {SHORT}"]),
    "7 rows": (lines(*ROWS[:7], " black"), [f"8:1 the board ends after 7 rows, {SHORT}"]),
    "9 rows": (lines(*ROWS, EMPTY), ["9:1 '........' is neither white nor black"]),
    "10 rows": (lines(*ROWS, EMPTY, EMPTY), ["9:1 10 rows, a board has 8"]),
    "an empty line before it": (
        lines("", *ROWS),
        [
            "1:1 0 characters, a row has 8",
            f"8:2 a white pawn on rank 1, {OWN_RANK}",
            "9:1 '........' is neither white nor black",
        ],
    ),
    "indented": (
        with_row(3, " " + EMPTY),
        [f"3:1 ' ' {UNKNOWN}", "3:9 9 characters, a row has 8"],
    ),
    "two of a row": (with_row(4, "..W_...."), [f"4:3 'W' {UNKNOWN}", f"4:4 '_' {UNKNOWN}"]),
    "a byte that is no text": (with_row(4, "...\udcff...."), [f"4:4 byte 0xff {UNKNOWN}"]),
    "a byte order mark": (
        with_row(1, "\ufeff" + EMPTY),
        [f"1:1 a byte order mark {UNKNOWN}", "1:9 9 characters, a row has 8"],
    ),
    "carriage returns": (
        lines(*ROWS[:7], "........\rwhite"),
        ["8:9 14 characters, a row has 8", "8:9 a carriage return without a line feed after it"],
    ),
    "nearly a side": (board(" whites"), ["9:2 'whites' is neither white nor black"]),
    "a long word": (board("x" * 99), [f"9:1 '{'x' * 20}...' is neither white nor black"]),
    "three words": (board("white e6 e6"), ["9:10 e6 is a second square of en passant"]),
    "not a square": (board(" x  x"), ["9:2 'x' is neither white nor black", f"9:5 'x': {SQUARE}"]),
    "rank 5": (board("white e5"), [f"9:7 'e5': {SQUARE}"]),
    "nobody went past": (board("white b6"), ["9:7 no pawn can be taken en passant on b6"]),
    "a board of faults": (
        lines("x......b", ".......", *ROWS[2:7], "w.", "green e9"),
        [
            f"1:1 'x' {UNKNOWN}",
            f"1:8 a black pawn on rank 8, {OWN_RANK}",
            "2:8 7 characters, a row has 8",
            f"8:1 a white pawn on rank 1, {OWN_RANK}",
            "8:3 2 characters, a row has 8",
            "9:1 'green' is neither white nor black",
            f"9:7 'e9': {SQUARE}",
        ],
    ),
    "an empty setup": ("Setup", ["1:1 a setup without a pawn"]),
    "a setup of a side": ("\n setup BLACK", ["2:2 a setup without a pawn"]),
    "another colour": ("Setup Ra2", [f"1:7 'Ra2' {PAWN}"]),
    "rank 9": ("Setup Wa2 Wa9", [f"1:11 'Wa9' {PAWN}"]),
    "foreign digits": ("Setup Wa\u0662", [rf"1:7 'Wa\u0662' {PAWN}"]),
    "commas": ("Setup Wa2,Wb2", [f"1:7 'Wa2,Wb2' {PAWN}"]),
    "a long pawn": ("Setup " + "Wa2" * 50, [f"1:7 'Wa2Wa2Wa2Wa2Wa2Wa2Wa...' {PAWN}"]),
    "a mark in a setup": ("\ufeffSetup Wa2", ["1:1 a byte order mark before the setup"]),
    "a pawn twice": ("Setup Wa2 wA2", ["1:11 a second pawn on a2"]),
    "two sides": ("Setup Wa2 WHITE BLACK", [f"1:17 'BLACK': {SQUARE}"]),
    "two squares of en passant": (
        "Setup Wd5 Be5 Bc5 WHITE e6 c6",
        ["1:28 c6 is a second square of en passant"],
    ),
    "a setup of faults": (
        "Setup a2 Wa1 Wx2\nWb2 Bb2 BLACK e4 e3",
        [
            "1:7 'a2' has no colour, W or B before it",
            f"1:10 a white pawn on rank 1, {OWN_RANK}",
            f"1:14 'Wx2' {PAWN}",
            "2:5 a second pawn on b2",
            f"2:15 'e4': {SQUARE}",
            "2:18 no pawn can be taken en passant on e3",
        ],
    ),
}


@pytest.mark.parametrize(("content", "faults"), FAULTY.values(), ids=FAULTY)
def test_every_fault_is_reported(content: str, faults: list[str]) -> None:
    assert faults_of(content) == faults


# --- the square of en passant --------------------------------------------------------------


@pytest.mark.parametrize(
    "text",
    [
        *("Wd5 Be5 WHITE e6", "Wf5 Be5 WHITE E6", "Wb5 Ba5 WHITE a6", "Wg5 Bh5 WHITE h6"),
        *("Wd4 Be4 BLACK d3", "Wa4 Bb4 BLACK a3", "Wh4 Bg4 BLACK h3"),
    ],
)
def test_a_square_on_which_a_pawn_can_be_taken(text: str) -> None:
    assert pawns(f"Setup {text}").passed == bit_of(text[-2:].lower())


@pytest.mark.parametrize(
    "text",
    [
        "Wd5 We5 WHITE e6",  # an own pawn
        "Wd5 WHITE e6",  # none at all
        *("Wc5 Be5 WHITE e6", "Wd6 Be5 WHITE e6", "Wd4 Be5 WHITE e6"),  # nobody beside it
        *("Wa6 Bh5 WHITE h6", "Wh4 Ba5 WHITE a6"),  # neighbours in memory only
        *("Wd5 Be5 Be6 WHITE e6", "Wd5 Be5 We6 WHITE e6"),  # it cannot have gone over a pawn
        "Wd5 Be5 Be7 WHITE e6",  # it cannot have come from there
        *("Wd5 Be5 BLACK e6", "We7 Bd7 BLACK e6", "Wd4 Be4 WHITE d3"),  # the other side's turn
        *("Wd2 Be2 WHITE e3", "Wd5 Be5 WHITE e3", "Wd2 Be3 BLACK d3", "Wa4 Bh3 BLACK a3"),
    ],
)
def test_a_square_on_which_no_pawn_can_be_taken(text: str) -> None:
    place = f"1:{len('Setup ') + len(text) - 1}"
    assert faults_of(f"Setup {text}") == [f"{place} no pawn can be taken en passant on {text[-2:]}"]


def test_the_variant_has_no_square_of_en_passant() -> None:
    rule = "e6 is for en passant, which is not played here"
    assert faults_of("Setup Wd5 Be5 WHITE e6", "no-en-passant") == [f"1:21 {rule}"]
    assert faults_of(BOARD, "no-en-passant") == [f"9:7 {rule}"]
