"""PDN FEN: what is accepted, what is written, and every fault of what is neither."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.drawings import drawn
from support.positions import board

from solver.errors import BoardError, Fault, UserError
from solver.games.checkers import game

EXAMPLE = "B:W18,24,K30:B1,K5"
EXAMPLE_BOARD = ".....B//.b/....b///.......R/......r"
START_BOARD = ".b.b.b.b/b.b.b.b/.b.b.b.b///r.r.r.r/.r.r.r.r/r.r.r.r"


def read(content: str) -> Any:
    """The position of a FEN without faults, not even small ones."""
    found = game.read(content, "game.fen", strict=True)
    assert (found.form, found.warnings) == ("fen", [])
    return found.position


def places(faults: list[Fault]) -> list[tuple[int, int, str]]:
    return [(fault.line, fault.column, fault.rule) for fault in faults]


def faults_of(content: str, strict: bool = False) -> list[tuple[int, int, str]]:
    with pytest.raises(BoardError) as caught:
        game.read(content, "game.fen", strict)
    return places(caught.value.faults)


def test_white_is_black_and_black_is_red_who_moves_first() -> None:
    """Square 32 is the top left dark square, square 1 the bottom right one."""
    assert read(EXAMPLE) == drawn(EXAMPLE_BOARD)
    assert read(game.start()) == drawn(START_BOARD)


def test_white_to_move_is_our_black() -> None:
    position = read("W:W18,24,K30:B1,K5")
    assert position.mover() == "black"
    assert position == drawn(EXAMPLE_BOARD).passed()


@pytest.mark.parametrize(
    "content",
    [
        "B:B1,K5:W18,24,K30",
        "B:WK30,24,18:BK5,1",
        "b:w18,24,k30:b1,k5",
        "B:W18,24,K30:B1,K5.",
        '[FEN "B:W18,24,K30:B1,K5"]',
        '[FEN "B:W18,24,K30:B1,K5."]',
        '  [Fen "B:W18,24,K30:B1,K5"]  ',
        "[FEN B:W18,24,K30:B1,K5]",
        " B: W 18, 24 ,K30 : B 1, K5 ",
        "\n\nB:W18,24,K30:B1,K5\n\n",
        "B:W18,24,K30:B1,K5\r\n",
        "\t\r\nB:W18,24,K30:B1,K5\t\r\n \r\n",
        "B:W018,24-24,K30-30:B1,K05",
    ],
)
def test_other_ways_of_writing_the_same_position(content: str) -> None:
    assert read(content) == drawn(EXAMPLE_BOARD)


def test_ranges_stand_for_all_their_squares() -> None:
    assert read("B:W21-23,30,K25-26:B1-3,K10-12") == read(
        "B:W21,22,23,30,K25,K26:B1,2,3,K10,K11,K12"
    )


@pytest.mark.parametrize(
    ("content", "short"), [("B:W:B", ""), ("B:W:BK32", ".R"), ("B:WK1:B", "///////......B")]
)
def test_a_side_may_have_no_pieces(content: str, short: str) -> None:
    assert read(content) == drawn(short)


any_pieces = st.dictionaries(st.integers(1, 32), st.sampled_from(["r", "b", "R", "B"]))


@given(any_pieces, st.sampled_from(["B", "W"]))
def test_any_position_is_written_as_it_was_read(pieces: dict[int, str], turn: str) -> None:
    pieces = {number: crowned(number, piece) for number, piece in pieces.items()}
    white = [squared(number, pieces[number]) for number in sorted(pieces) if pieces[number] in "bB"]
    black = [squared(number, pieces[number]) for number in sorted(pieces) if pieces[number] in "rR"]
    content = f"{turn}:W{','.join(white)}:B{','.join(black)}"
    position = read(content)
    assert str(position) == numbered(pieces)
    assert position.mover() == ("red" if turn == "B" else "black")
    assert game.write(position, "fen") == content


def crowned(number: int, piece: str) -> str:
    """A king where a man cannot be."""
    beyond = number >= 29 if piece == "r" else number <= 4
    return piece.upper() if beyond else piece


def squared(number: int, piece: str) -> str:
    return f"K{number}" if piece.isupper() else str(number)


def numbered(pieces: dict[int, str]) -> str:
    """A board by the definition of the numbers: 32 - (row * 4 + column // 2)."""
    return "\n".join(
        "".join(
            pieces.get(32 - (row * 4 + column // 2), ".") if (row + column) % 2 else "."
            for column in range(8)
        )
        for row in range(8)
    )


def test_a_board_on_light_squares_is_numbered_as_its_mirror_image() -> None:
    light = board("\n".join(row[::-1] for row in str(drawn(EXAMPLE_BOARD)).split("\n")))
    assert light != drawn(EXAMPLE_BOARD)
    assert game.write(light, "fen") == EXAMPLE
    assert game.write(light.passed(), "fen") == "W" + EXAMPLE[1:]


def test_a_board_on_both_colours_has_no_fen() -> None:
    with pytest.raises(UserError, match=r"both colours has no FEN\. Use --format board"):
        game.write(drawn("///////rr"), "fen")


UNCROWNED = "B:W3,18,K4:B10,30-31"
UNCROWNED_MEN = [
    (1, 4, "the man on 3, its crowning row, would be a king"),
    (1, 16, "the man on 30, its crowning row, would be a king"),
    (1, 16, "the man on 31, its crowning row, would be a king"),
]


def test_a_man_on_its_crowning_row_is_read_as_a_king_with_a_warning() -> None:
    found = game.read(UNCROWNED, "game.fen", strict=False)
    assert game.write(found.position, "fen") == "B:WK3,K4,18:B10,K30,K31"
    assert places(found.warnings) == UNCROWNED_MEN
    assert found.crowned == {7 * 8 + 2, 3, 5}  # squares 3, 31 and 30
    assert faults_of(UNCROWNED, strict=True) == UNCROWNED_MEN


SQUARE = "is not a square, as 18, K18 or 1-4"
WITHIN = "is not within the squares 1 to 32"

MALFORMED = {
    # the parts
    "one colour": ("B:W18", [(1, 1, "2 parts between colons, a FEN has 3")]),
    "four parts": ("B:W18:B1:X0", [(1, 1, "4 parts between colons, a FEN has 3")]),
    "no side to move": ('[FEN ":W18:B1"]', [(1, 7, "'' is not a side to move, W or B")]),
    "red to move": ('[FEN "R:W18:B1"]', [(1, 7, "'R' is not a side to move, W or B")]),
    "no colour": ("B:18:B1", [(1, 3, "'1' is not a colour, W or B")]),
    "a colour twice": ("B:W18:W1", [(1, 7, "W a second time")]),
    "no parts": (
        "B:",
        [(1, 1, "2 parts between colons, a FEN has 3"), (1, 3, "'' is not a colour, W or B")],
    ),
    # the squares
    "not a number": ("B:W18,x:B1", [(1, 7, f"'x' {SQUARE}")]),
    "a comma too many": ("B:W18,:B1", [(1, 7, f"'' {SQUARE}")]),
    "an open range": ("B:W18-:B1,-5", [(1, 4, f"'18-' {SQUARE}"), (1, 11, f"'-5' {SQUARE}")]),
    "foreign digits": ("B:W\u0661:B1", [(1, 4, f"'\u0661' {SQUARE}")]),
    "square 0": ("B:W18,0:B1", [(1, 7, f"0 {WITHIN}")]),
    "a large number": ("B:W" + "9" * 5000 + ":B1", [(1, 4, f"{'9' * 5000} {WITHIN}")]),
    "a range too far": ("B:W30-33:B1", [(1, 4, f"30-33 {WITHIN}")]),
    "a range backwards": ("B:W20-18:B1", [(1, 4, f"20-18 {WITHIN}")]),
    "a square twice": ("B:W18,18:B1", [(1, 7, "square 18 a second time")]),
    "a square for both": ("B:W18,19:B1,K18", [(1, 13, "square 18 a second time")]),
    "overlapping ranges": (
        "B:W18-21:B1,20-22",
        [(1, 13, "square 20 a second time"), (1, 13, "square 21 a second time")],
    ),
    # around it
    "another line": (
        "\nB:W18:B1\n\nB:W18:B1\nx",
        [(4, 1, "text beside the FEN"), (5, 1, "text beside the FEN")],
    ),
    "on the second line, in a tag": (
        '\r\n [FEN "B:W18,x:B1"]\r\n',
        [(2, 14, f"'x' {SQUARE}")],
    ),
    "everything at once": (
        '[FEN "X:W99,x,18,18:W1:"]',
        [
            (1, 7, "'X' is not a side to move, W or B"),
            (1, 7, "4 parts between colons, a FEN has 3"),
            (1, 10, f"99 {WITHIN}"),
            (1, 13, f"'x' {SQUARE}"),
            (1, 18, "square 18 a second time"),
            (1, 21, "W a second time"),
        ],
    ),
}


@pytest.mark.parametrize("strict", [False, True], ids=["lenient", "strict"])
@pytest.mark.parametrize(("content", "faults"), MALFORMED.values(), ids=MALFORMED)
def test_malformed(content: str, faults: list[tuple[int, int, str]], strict: bool) -> None:
    assert faults_of(content, strict) == faults


def test_faults_are_in_reading_order() -> None:
    assert faults_of("B:W18:Bx\nmore") == [(1, 8, f"'x' {SQUARE}"), (2, 1, "text beside the FEN")]
    assert faults_of("B:W3,99:B10", strict=True) == [
        (1, 4, "the man on 3, its crowning row, would be a king"),
        (1, 6, f"99 {WITHIN}"),
    ]


def test_a_column_is_that_of_the_word_not_of_the_blank_before_it() -> None:
    assert faults_of("B:W18, x: B1,  33") == [(1, 8, f"'x' {SQUARE}"), (1, 16, f"33 {WITHIN}")]
    assert faults_of("B: X18:B1") == [(1, 4, "'X' is not a colour, W or B")]


@pytest.mark.parametrize(
    ("content", "fen"),
    [
        ('[Event "Club"]\n[SetUp "1"]\n[FEN "W:W18,K30:B1,K5"]\n[Result "*"]\n', "W:W18,K30:B1,K5"),
        ("B:W18:B1:H0:F1", "B:W18:B1"),  # counters of moves
        ('"B:W18:B1"\n', "B:W18:B1"),
        ("B:W0000000018:B2", "B:W18:B2"),  # leading zeros push no digit out
    ],
)
def test_what_is_around_a_fen_is_ignored(content: str, fen: str) -> None:
    assert game.write(read(content), "fen") == fen


def test_a_second_fen_is_a_fault() -> None:
    text = '[FEN "B:W18:B1"]\n[FEN "B:W19:B1"]\n'
    assert faults_of(text) == [(2, 1, "a second FEN")]
