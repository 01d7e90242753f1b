"""Setups that are refused, the square of en passant, and damaged files of both formats."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.builds import times
from support.pawn_drawings import pawns

from solver.errors import BoardError, Fault
from solver.games.twoflags import game
from solver.games.twoflags.rules import Pawns, bit_of


def faults_of(content: str, variant: str = "") -> list[tuple[int, int, str]]:
    with pytest.raises(BoardError) as caught:
        game.read(content, "setup.txt", False, variant)
    return [(fault.line, fault.column, fault.rule) for fault in caught.value.faults]


PAWN = "is not a pawn like Wa2 or Bh7"
SQUARE = "after the side comes only the square of en passant, on rank 3 or 6"

SETUPS = {
    "nothing": ("Setup", [(1, 1, "a setup without a pawn")]),
    "a side alone": ("\n setup BLACK", [(2, 2, "a setup without a pawn")]),
    "no colour": ("Setup a2 Bh7", [(1, 7, "'a2' has no colour, W or B before it")]),
    "another colour": ("Setup Ra2", [(1, 7, f"'Ra2' {PAWN}")]),
    "file i": ("Setup Wi2 Wa2", [(1, 7, f"'Wi2' {PAWN}")]),
    "rank 9": ("Setup Wa2 Wa9", [(1, 11, f"'Wa9' {PAWN}")]),
    "rank 0": ("Setup Wa0", [(1, 7, f"'Wa0' {PAWN}")]),
    "foreign digits": ("Setup Wa\u0662", [(1, 7, rf"'Wa\u0662' {PAWN}")]),
    "commas": ("Setup Wa2,Wb2", [(1, 7, f"'Wa2,Wb2' {PAWN}")]),
    "a long word": ("Setup " + "Wa2" * 50, [(1, 7, f"'Wa2Wa2Wa2Wa2Wa2Wa2Wa...' {PAWN}")]),
    "a byte that is no text": ("Setup Wa2 \udcff", [(1, 11, f"byte 0xff {PAWN}")]),
    "a byte order mark": ("\ufeffSetup Wa2", [(1, 1, "a byte order mark before the setup")]),
    "a pawn twice": ("Setup Wa2 wA2", [(1, 11, "a second pawn on a2")]),
    "a square for both": ("Setup Wa2\nBa2", [(2, 1, "a second pawn on a2")]),
    "a white pawn on rank 1": (
        "Setup Wa1",
        [(1, 7, "a white pawn on rank 1, its own first rank")],
    ),
    "a black pawn on rank 8": (
        "Setup Wb2 Bh8",
        [(1, 11, "a black pawn on rank 8, its own first rank")],
    ),
    "two sides": ("Setup Wa2 WHITE BLACK", [(1, 17, f"'BLACK': {SQUARE}")]),
    "a pawn after the side": ("Setup Wa2 WHITE Bh7", [(1, 17, f"'Bh7': {SQUARE}")]),
    "two squares of en passant": (
        "Setup Wd5 Be5 Bc5 WHITE e6 c6",
        [(1, 28, "c6 is a second square of en passant")],
    ),
    "everything at once": (
        "Setup a2 Wa1 Wx2\nWb2 Bb2 BLACK e4 e3",
        [
            (1, 7, "'a2' has no colour, W or B before it"),
            (1, 10, "a white pawn on rank 1, its own first rank"),
            (1, 14, f"'Wx2' {PAWN}"),
            (2, 5, "a second pawn on b2"),
            (2, 15, f"'e4': {SQUARE}"),
            (2, 18, "no pawn can be taken en passant on e3"),
        ],
    ),
}


@pytest.mark.parametrize(("content", "faults"), SETUPS.values(), ids=SETUPS)
def test_malformed_setup(content: str, faults: list[tuple[int, int, str]]) -> None:
    assert faults_of(content) == faults


def test_the_message_names_the_file_and_says_what_a_setup_is() -> None:
    with pytest.raises(BoardError) as caught:
        game.read("Setup Wa2 Bh9", "games/4.txt", strict=False)
    assert str(caught.value).split("\n") == [
        "games/4.txt: line 1, column 11: 'Bh9' is not a pawn like Wa2 or Bh7",
        "A setup is 'Setup', pawns like Wa2 or Bh7, and, if you like, WHITE or BLACK to move, "
        "then the square of en passant.",
    ]


# --- the square of en passant --------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "square"),
    [
        ("Wd5 Be5 WHITE e6", "e6"),
        ("Wf5 Be5 WHITE E6", "e6"),
        ("Wb5 Ba5 WHITE a6", "a6"),
        ("Wg5 Bh5 WHITE h6", "h6"),
        ("Wd4 Be4 BLACK d3", "d3"),
        ("Wa4 Bb4 BLACK a3", "a3"),
        ("Wh4 Bg4 BLACK h3", "h3"),
    ],
)
def test_a_square_on_which_a_pawn_can_be_taken(text: str, square: str) -> None:
    assert pawns(f"Setup {text}").passed == bit_of(square)


@pytest.mark.parametrize(
    "text",
    [
        "Wd5 We5 WHITE e6",  # an own pawn
        "Wd5 WHITE e6",  # none at all
        "Wc5 Be5 WHITE e6",  # nobody beside it
        "Wd6 Be5 WHITE e6",
        "Wd4 Be5 WHITE e6",
        "Wa6 Bh5 WHITE h6",  # neighbours in memory only
        "Wh4 Ba5 WHITE a6",
        "Wd5 Be5 Be6 WHITE e6",  # it cannot have gone over a pawn
        "Wd5 Be5 We6 WHITE e6",
        "Wd5 Be5 Be7 WHITE e6",  # it cannot have come from there
        "Wd5 Be5 BLACK e6",  # the other side's turn
        "We7 Bd7 BLACK e6",
        "Wd4 Be4 WHITE d3",
        "Wd2 Be2 WHITE e3",
        "Wd5 Be5 WHITE e3",
        "Wd2 Be3 BLACK d3",
        "Wa4 Bh3 BLACK a3",
    ],
)
def test_a_square_on_which_no_pawn_can_be_taken(text: str) -> None:
    square = text[-2:]
    column = len("Setup ") + len(text) - 1
    rule = f"no pawn can be taken en passant on {square}"
    assert faults_of(f"Setup {text}") == [(1, column, rule)]


def test_the_variant_has_no_square_of_en_passant() -> None:
    rule = "e6 is for en passant, which is not played here"
    assert faults_of("Setup Wd5 Be5 WHITE e6", "no-en-passant") == [(1, 21, rule)]
    rows = ["........"] * 3 + ["...wb..."] + ["........"] * 4
    assert faults_of("\n".join([*rows, "white e6"]), "no-en-passant") == [(9, 7, rule)]


# --- damaged files -------------------------------------------------------------------------

EXAMPLES = [
    "........\n.b....b.\n........\n...wb...\nb......w\n........\n.w......\n........\nwhite e6\n",
    "Setup Wb2 Wh4 Wd5 Ba4 Be5 Bb7 Bg7 WHITE e6\n",
    game.start() + " BLACK\r\n",
]
damages = st.lists(
    st.tuples(
        st.floats(0, 1),
        st.integers(0, 12),
        st.one_of(
            st.sampled_from(["\r\n", "\n", "\r", " ", "\t", "\0", "\udcff", "\ufeff", "\x0c", "w"]),
            st.sampled_from([" WHITE", "black", " e6", " a3", "Wa1", "Bh8", "Setup ", "\x85", ""]),
            st.text(max_size=4),
        ),
    ),
    min_size=1,
    max_size=4,
)


@settings(max_examples=times(1200, 100))
@given(st.sampled_from(EXAMPLES), damages, st.sampled_from(["", "no-en-passant"]))
def test_a_damaged_text_is_a_position_or_a_list_of_faults(
    content: str, changes: list[tuple[float, int, str]], variant: str
) -> None:
    for place, length, extra in changes:
        at = int(place * len(content))
        content = content[:at] + extra + content[at + length :]
    game.recognises(content)
    faults, position = read(content, variant)
    assert all(1 <= fault.line <= content.count("\n") + 2 for fault in faults)
    assert all(fault.column >= 1 and fault.rule for fault in faults)
    assert (position is None) == bool(faults)
    if position is not None:
        for form in game.FORMATS:
            again = game.read(game.write(position, form), "x.txt", True, variant)
            assert (again.position, again.form, again.warnings) == (position, form, [])


def read(content: str, variant: str) -> tuple[list[Fault], Pawns | None]:
    """The faults of a text, or its position; no other exception may pass."""
    try:
        return [], game.read(content, "x.txt", False, variant).position
    except BoardError as error:
        return error.faults, None
