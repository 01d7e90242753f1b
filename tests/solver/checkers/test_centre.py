"""`centre`: king 4, man within (2,2) to (5,5) 2, other man 1."""

from __future__ import annotations

from positions import black_to_move, board, value


def test_centre_includes_the_four_corners_of_the_middle() -> None:
    position = board("""
        ........
        ........
        ..r..r..
        ........
        ........
        ..r..r..
        ........
        ........""")
    assert value("centre", position) == 4 * 2


def test_centre_ends_right_outside_the_middle() -> None:
    position = board("""
        ........
        ..r..r..
        .r....r.
        ........
        ........
        .r....r.
        ..r..r..
        ........""")
    assert value("centre", position) == 8 * 1


def test_centre_lets_a_king_count_four_in_the_middle_and_outside() -> None:
    position = board("""
        .......B
        ........
        ........
        ....R...
        ........
        ..R.....
        ........
        ........""")
    assert value("centre", position) == 4 + 4 - 4


def test_centre_is_current_score_minus_opponent_score() -> None:
    position = black_to_move(
        "W:W28,18,15,K1:B11,9",
        """
        ........
        b.......
        ........
        ....b...
        ...b....
        ..r...r.
        ........
        ......B.""",
    )
    assert value("centre", position) == (1 + 2 + 2 + 4) - (2 + 1)


def test_centre_of_the_start_without_one_red_man() -> None:
    position = board("""
        .b.b.b.b
        b.b.b.b.
        .b.b.b.b
        ........
        ........
        r...r.r.
        .r.r.r.r
        r.r.r.r.""")
    # Red keeps (5,4) in the middle, black has (2,3) and (2,5).
    assert value("centre", position) == (10 * 1 + 1 * 2) - (10 * 1 + 2 * 2)
