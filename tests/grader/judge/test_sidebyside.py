"""Boards side by side."""

from __future__ import annotations

from grader.judge.illegal import sidebyside

BEFORE = "........\n........\n........\n........\n...b....\n..r.....\n........\n........\n"
RIGHT = "........\n........\n........\n....r...\n........\n........\n........\n........"
GIVEN = "........\n........\n........\n........\n.r.b....\n........\n........\n........"


def test_boards_can_be_left_out() -> None:
    text = sidebyside(BEFORE, None, GIVEN)
    assert text == sidebyside(BEFORE, "", GIVEN)
    assert "expected" not in text
    assert "e5" not in text
    assert text.split("\n")[5] == "5 . . . . . . . .    5 . . . . . . . .    row 4"
    assert "given" not in sidebyside(BEFORE, RIGHT, "")


def test_marks_and_the_last_line() -> None:
    """Neighbouring changes share a mark."""
    given = GIVEN.replace(".r.b....", ".rrb....")
    assert "4 .[r|r]b . . . ." in sidebyside(BEFORE, None, given)
    assert sidebyside(BEFORE, RIGHT, RIGHT).endswith("given and expected are the same board")


def test_setups_sides_and_boards_that_no_game_allows() -> None:
    lines = sidebyside("Setup We2 Bd7", "Setup We4 Bd7 BLACK", "........\n" * 8 + "white").split(
        "\n"
    )
    assert lines[10].split() == ["white", "black", "white"]
    assert lines[8].startswith("2 . . . . w . . .    2 . . . .[.]")
    given = "w.......\n" + "........\n" * 6 + "...w....\nblack"
    assert "8[w]. ." in sidebyside("Setup We2 Bd7", None, given)
