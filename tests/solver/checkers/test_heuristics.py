"""The heuristics against the words of their documents.

First boards whose value is worked out by hand, then properties of every heuristic, then each
one written a second time, slowly, on the eight rows of text.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from positions import board

from solver.checkers import game
from solver.checkers.catalogue import HEURISTICS, explain
from solver.checkers.mixed import TwoBoards
from solver.score import DECISIVE

if TYPE_CHECKING:
    from collections.abc import Callable

Place = tuple[int, int]

NAMES = ("material", "safe-mobile", "advance-shield", "centre", "six-regions")
DARK = [(row, column) for row in range(8) for column in range(8) if (row + column) % 2]
LIGHT = [(row, column) for row in range(8) for column in range(8) if (row + column) % 2 == 0]

FEW = settings(max_examples=60, deadline=None)
MANY = settings(max_examples=300, deadline=None)

# What the documents, or where they are silent the comments in `heuristics`, let things weigh.
WEIGHTS = {
    "material": {"men": 1, "kings": 2},
    "safe-mobile": {
        "men": 50,
        "kings": 100,
        "men on the edge": 2,
        "kings on the edge": 2,
        "men with a free square two steps ahead": 4,
        "kings with a free square two steps away": 4,
        "rows advanced by men in their own half": 3,
        "rows advanced by men in the far half": 6,
        "free squares on the crowning row": 5,
    },
    "advance-shield": {
        "men": 3,
        "kings": 5,
        "rows advanced by men": 4,
        "pieces beside an ally": 2,
    },
    "centre": {"kings": 4, "men in the middle sixteen squares": 2, "other men": 1},
    # Twenty times the 5, 17.5, 2, 2, 0.5, 2.5, 8.75 and 0.3 of the text.
    "six-regions": {
        "men": 100,
        "kings": 350,
        "pieces in the far half": 40,
        "pieces on the left and right edge": 40,
        "pieces on the home row": 10,
        "men the mover can take": 50,
        "kings the mover can take": 175,
        "pieces beside an ally": 6,
    },
}


def value(name: str, position: Any) -> int:
    return game.evaluator(name, position)(position)


def black_to_move(fen: str, drawing: str) -> Any:
    """The position of a FEN, which must look like the drawing."""
    position = board(fen)
    assert str(position) == str(board(drawing))
    assert position.mover() == "black"
    return position


def passed(position: Any) -> Any:
    """The same pieces with the other side to move."""
    if isinstance(position, TwoBoards):
        return TwoBoards(position.dark.passed(), position.light.passed())
    return position.passed()


# --- material ------------------------------------------------------------------------------


def test_material_counts_a_man_one_and_a_king_two() -> None:
    position = board("""
        ........
        ..b.....
        ........
        ....R...
        ........
        ..r.....
        ........
        ........""")
    assert value("material", position) == 1 + 2 - 1


def test_material_is_for_the_mover() -> None:
    position = black_to_move(
        "W:W27:BK18,11",
        """
        ........
        ..b.....
        ........
        ....R...
        ........
        ..r.....
        ........
        ........""",
    )
    assert value("material", position) == 1 - (1 + 2)


def test_material_is_the_same_in_corners_and_on_edges() -> None:
    position = board("""
        .R.....B
        ........
        ........
        b.......
        .......r
        ........
        ........
        r.r...B.""")
    assert value("material", position) == (3 * 1 + 2) - (1 + 2 * 2)


def test_material_of_both_colours_of_squares_adds_up() -> None:
    position = board("""
        BB......
        ........
        ........
        ........
        ........
        ........
        rrr.....
        ........""")
    assert value("material", position) == 3 * 1 - 2 * 2


# --- safe-mobile: man 50, king 100, edge 2, movable 4, row 3 or 6, free crowning square 5 --


def test_safe_mobile_of_a_single_man() -> None:
    position = board("""
        ........
        ........
        ........
        ........
        ........
        ..r.....
        ........
        ........""")
    # Two rows from row 7; both sides have four free crowning squares.
    assert value("safe-mobile", position) == 50 + 4 + 3 * (7 - 5) + 5 * (4 - 4)


def test_safe_mobile_looks_two_steps_ahead_and_not_one() -> None:
    position = board("""
        ........
        ........
        ........
        ..b.....
        ........
        r.......
        ........
        ........""")
    # The man can step to the free square between, but (3,2) is taken and (3,-2) is no square.
    red = 50 + 2 + 0 + 3 * (7 - 5)
    black = 50 + 0 + 4 + 3 * 3
    assert value("safe-mobile", position) == red - black


def test_safe_mobile_does_not_mind_an_ally_on_the_square_between() -> None:
    position = board("""
        ........
        ........
        ........
        ........
        ........
        ..r.r...
        ...r....
        ........""")
    assert value("safe-mobile", position) == 3 * 50 + 3 * 4 + 3 * (2 + 2 + 1)


def test_safe_mobile_does_not_mind_an_enemy_on_the_square_between() -> None:
    position = board("""
        ........
        ........
        .....b..
        ....b...
        ...r....
        ........
        ........
        ........""")
    # Red: (2,5) is taken, (2,1) free.  Black: (3,4) sees (5,2) and (5,6), (2,5) sees (4,7).
    red = 50 + 4 + 3 * (7 - 4)
    black = 2 * 50 + 2 * 4 + 3 * 3 + 3 * 2
    assert value("safe-mobile", position) == red - black


def test_safe_mobile_lets_rows_count_double_from_the_far_half_on() -> None:
    position = board("""
        ........
        ........
        ........
        ....r...
        .r......
        ........
        ........
        ........""")
    assert value("safe-mobile", position) == 2 * 50 + 2 * 4 + 6 * (7 - 3) + 3 * (7 - 4)


def test_safe_mobile_counts_black_rows_downwards() -> None:
    position = black_to_move(
        "W:W18,13:B",
        """
        ........
        ........
        ........
        ....b...
        .......b
        ........
        ........
        ........""",
    )
    # (3,4) is in black's own half; (4,7) in the far one, on the edge, with (6,5) free.
    assert value("safe-mobile", position) == (50 + 4 + 3 * 3) + (50 + 2 + 4 + 6 * 4)


def test_safe_mobile_holds_a_man_before_the_crowning_row_for_not_movable() -> None:
    position = board("""
        ........
        ....r...
        ........
        ........
        ........
        ........
        ........
        ........""")
    assert value("safe-mobile", position) == 50 + 0 + 6 * (7 - 1)


def test_safe_mobile_lets_kings_look_both_ways() -> None:
    position = black_to_move(
        "W:W23:BK26",
        """
        ........
        ....R...
        ...b....
        ........
        ........
        ........
        ........
        ........""",
    )
    # The king on row 1 has (3,6) behind it; a man there would not be movable.
    black = 50 + 4 + 3 * 2
    red = 100 + 4
    assert value("safe-mobile", position) == black - red


def test_safe_mobile_counts_a_corner_as_one_edge_and_a_blocked_king_as_not_movable() -> None:
    position = board("""
        ........
        ........
        ........
        ........
        ........
        ..r.....
        ........
        R.......""")
    # The king on black's crowning row leaves three free squares there.
    red = (50 + 4 + 3 * (7 - 5)) + (100 + 2 + 0) + 5 * 4
    black = 5 * 3
    assert value("safe-mobile", position) == red - black


def test_safe_mobile_counts_the_free_squares_on_the_crowning_row() -> None:
    position = board("""
        .b.b....
        ........
        ........
        ........
        ........
        ....r...
        ........
        ........""")
    red = 50 + 4 + 3 * (7 - 5) + 5 * 2
    black = 2 * (50 + 2 + 4 + 3 * 0) + 5 * 4
    assert value("safe-mobile", position) == red - black


def test_safe_mobile_looks_no_further_than_the_right_edge() -> None:
    position = board("""
        ........
        ........
        ....b...
        ........
        ......r.
        .......r
        ........
        ........""")
    # (4,6) has (2,8), no square, and (2,4), taken; (5,7) has (3,5), free.
    red = (50 + 0 + 3 * (7 - 4)) + (50 + 2 + 4 + 3 * (7 - 5))
    black = 50 + 4 + 3 * 2  # (4,6) is taken, (4,2) free
    assert value("safe-mobile", position) == red - black


# --- advance-shield: king 5, man 3 + 28 - 4 * row (red) or 3 + 4 * row (black), shield 2 ---


def test_advance_shield_lets_men_grow_by_four_a_row() -> None:
    position = board("""
        ........
        ..b.....
        ........
        ........
        ........
        ..r.....
        ........
        ........""")
    assert value("advance-shield", position) == (3 + 28 - 5 * 4) - (3 + 1 * 4)


def test_advance_shield_of_men_on_their_first_and_last_rows() -> None:
    position = black_to_move(
        "W:W31,5:B28,3",
        """
        ...b....
        r.......
        ........
        ........
        ........
        ........
        .......b
        ..r.....""",
    )
    black = (3 + 0 * 4) + (3 + 6 * 4)
    red = (3 + 28 - 1 * 4) + (3 + 28 - 7 * 4)
    assert value("advance-shield", position) == black - red == 0


def test_advance_shield_lets_a_king_count_five_on_every_row() -> None:
    position = board("""
        .R......
        ........
        .....B..
        ..R.....
        ........
        ........
        ........
        ......R.""")
    assert value("advance-shield", position) == 3 * 5 - 5


def test_advance_shield_adds_two_for_a_piece_with_allies_however_many() -> None:
    position = board("""
        ........
        ........
        ........
        ....r...
        ...r....
        ..r.....
        ........
        ........""")
    men = (3 + 28 - 3 * 4) + (3 + 28 - 4 * 4) + (3 + 28 - 5 * 4)
    assert value("advance-shield", position) == men + 3 * 2


def test_advance_shield_lets_kings_shield_and_be_shielded() -> None:
    position = black_to_move(
        "W:WK32,27:B4",
        """
        .B......
        ..b.....
        ........
        ........
        ........
        ........
        ........
        r.......""",
    )
    black = 5 + (3 + 1 * 4) + 2 * 2
    red = 3 + 28 - 7 * 4
    assert value("advance-shield", position) == black - red


def test_advance_shield_takes_no_shield_from_an_enemy() -> None:
    position = board("""
        ........
        ........
        ........
        ........
        ...b....
        ..r.....
        ........
        ........""")
    assert value("advance-shield", position) == (3 + 28 - 5 * 4) - (3 + 4 * 4)


def test_advance_shield_has_no_neighbours_round_the_edge() -> None:
    position = board("""
        ........
        ........
        .......r
        r.......
        .......r
        r.......
        ........
        ........""")
    rows = (28 - 2 * 4) + (28 - 3 * 4) + (28 - 4 * 4) + (28 - 5 * 4)
    assert value("advance-shield", position) == 4 * 3 + rows


def test_advance_shield_finds_allies_on_all_four_diagonals() -> None:
    position = board("""
        ........
        ........
        ...R.R..
        ....R...
        ...R.R..
        ........
        ........
        ...R...R""")
    # The two on light squares stand alone; the middle one shields four and they shield it.
    assert value("advance-shield", position) == 7 * 5 + 5 * 2


# --- centre: king 4, man within (2,2) to (5,5) 2, other man 1 ------------------------------


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


# --- six-regions, in the points of the text: ours are twenty times as many -----------------


def points(position: Any) -> float:
    return value("six-regions", position) / 20


def test_six_regions_follows_the_words_and_not_the_formula_for_men_and_kings() -> None:
    position = board("""
        ........
        ........
        ...b....
        ........
        ........
        ..R.....
        ........
        ........""")
    assert points(position) == pytest.approx(17.5 - 5)


def test_six_regions_gives_two_for_the_opposite_half_which_begins_beyond_the_middle() -> None:
    position = board("""
        ........
        ........
        ........
        ......r.
        .r......
        ....b...
        ........
        ..B.....""")
    red = 5 + (5 + 2)
    black = (5 + 2) + (17.5 + 2)
    assert points(position) == pytest.approx(red - black)


def test_six_regions_gives_two_for_the_left_and_right_edge() -> None:
    position = black_to_move(
        "W:W21,26:B12,5",
        """
        ........
        ....b...
        .......b
        ........
        ........
        r.......
        .......r
        ........""",
    )
    assert points(position) == pytest.approx((5 + 2) + 5 - 2 * (5 + 2))


def test_six_regions_gives_a_half_for_the_home_row_of_each_colour() -> None:
    position = board("""
        .b.R....
        ........
        ........
        ........
        ........
        ........
        ........
        ..r...B.""")
    # The kings stand on the other side's home row: in the opposite half, and on no edge.
    red = (5 + 0.5) + (17.5 + 2)
    black = (5 + 0.5) + (17.5 + 2)
    assert points(position) == pytest.approx(red - black)
    assert [(term.first, term.second) for term in explain(HEURISTICS["six-regions"], position)][
        2:5
    ] == [(1, 1), (0, 0), (1, 1)]


def test_six_regions_counts_a_corner_for_every_region_it_belongs_to() -> None:
    position = board("""
        .......R
        ........
        ........
        ........
        ........
        ........
        ........
        r.......""")
    opposite_and_edge = 17.5 + 2 + 2
    home_and_edge = 5 + 0.5 + 2
    assert points(position) == pytest.approx(opposite_and_edge + home_and_edge)


EXCHANGE = """
    ........
    ........
    ........
    ........
    ...b....
    ..r.....
    ........
    ........"""


def test_six_regions_gives_red_to_move_what_red_can_take() -> None:
    assert points(board(EXCHANGE)) == pytest.approx((5 + 2.5) - (5 + 2))


def test_six_regions_gives_black_to_move_what_black_can_take() -> None:
    position = black_to_move("W:W15:B11", EXCHANGE)
    assert points(position) == pytest.approx((5 + 2 + 2.5) - 5)


def test_six_regions_counts_a_man_two_pieces_can_take_once() -> None:
    position = board("""
        ........
        ........
        ........
        ........
        ...b....
        ..r.r...
        ........
        ........""")
    assert points(position) == pytest.approx((5 + 5 + 2.5) - (5 + 2))


def test_six_regions_counts_two_men_one_piece_can_take_twice() -> None:
    position = board("""
        ........
        ........
        ........
        ........
        ..b.b...
        ...r....
        ........
        ........""")
    assert points(position) == pytest.approx((5 + 2 * 2.5) - 2 * (5 + 2))


def test_six_regions_counts_the_first_jump_of_a_chain_only() -> None:
    position = board("""
        ........
        ........
        ........
        ....b...
        ........
        ..B.....
        .r......
        ........""")
    assert points(position) == pytest.approx((5 + 8.75) - (5 + 17.5 + 2))


def test_six_regions_knows_that_pieces_on_an_edge_cannot_be_taken() -> None:
    position = board("""
        ........
        ........
        ........
        b.......
        .r.....b
        ......r.
        ........
        ........""")
    assert points(position) == pytest.approx((5 + 5) - (5 + 2 + 5 + 2 + 2))


def test_six_regions_lets_only_kings_take_backwards() -> None:
    man = """
        ........
        ........
        ........
        ..r.....
        ...b....
        ........
        ........
        ........"""
    assert points(board(man)) == pytest.approx((5 + 2) - (5 + 2))
    assert points(board(man.replace("r", "R"))) == pytest.approx((17.5 + 2 + 2.5) - (5 + 2))


def test_six_regions_lets_a_black_king_take_a_king_backwards() -> None:
    position = black_to_move(
        "W:WK11:BK15,28",
        """
        ........
        r.......
        ........
        ........
        ...R....
        ..B.....
        ........
        ........""",
    )
    assert points(position) == pytest.approx((17.5 + 2 + 8.75) - (17.5 + 5 + 2 + 2))


def test_six_regions_needs_a_free_square_behind_to_take() -> None:
    position = board("""
        ........
        ........
        ........
        ....b...
        ...b....
        ..r.....
        ........
        ........""")
    neighbours = 2 * 0.3
    assert points(position) == pytest.approx(5 - (5 + 2 + 5 + neighbours))


def test_six_regions_gives_three_tenths_for_each_piece_with_neighbours() -> None:
    position = board("""
        ........
        ........
        ........
        ........
        ....r...
        ...r....
        ..R.....
        ........""")
    assert points(position) == pytest.approx(5 + 5 + 17.5 + 3 * 0.3)


def test_six_regions_has_no_neighbours_round_the_edge() -> None:
    position = board("""
        ........
        ........
        ........
        r.......
        .......r
        r.......
        ........
        ........""")
    assert points(position) == pytest.approx(3 * (5 + 2) + 2)


# --- every heuristic: weights and terms ----------------------------------------------------


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("fen", [game.START, "W:W:B", "W:WK1,14:BK32,19", "B:W15:BK11"])
def test_explain_shows_the_documented_weights(name: str, fen: str) -> None:
    terms = explain(HEURISTICS[name], board(fen))
    assert [(term.title, term.weight) for term in terms] == list(WEIGHTS[name].items())


def test_every_heuristic_of_the_catalogue_is_tested_here() -> None:
    assert tuple(HEURISTICS) == tuple(game.heuristics()) == NAMES


# --- every heuristic: properties -----------------------------------------------------------


@st.composite
def drawings(draw: Callable[..., Any], squares: list[Place] | None = None) -> str:
    """Eight rows with pieces on one colour of squares or on both, crowded or sparse."""
    if squares is None:
        squares = draw(st.sampled_from([DARK, LIGHT, DARK + LIGHT]))
    choice = draw(st.sampled_from(["......rbRB", "....rbRB", "..rbRB", "......rrbb"]))
    # One draw of bytes is much faster than a draw for every square.
    drawn = draw(st.binary(min_size=len(squares), max_size=len(squares)))
    rows = [["."] * 8 for _ in range(8)]
    for (row, column), byte in zip(squares, drawn, strict=True):
        piece = choice[byte % len(choice)]
        crowned = (row, piece) in ((0, "r"), (7, "b"))
        rows[row][column] = piece.upper() if crowned else piece
    return "\n".join("".join(row) for row in rows)


def only(drawing: str, squares: list[Place]) -> str:
    """The drawing with nothing but these squares."""
    rows = drawing.splitlines()
    return "\n".join(
        "".join(rows[row][column] if (row, column) in squares else "." for column in range(8))
        for row in range(8)
    )


@pytest.mark.parametrize("name", NAMES)
@FEW
@given(drawing=drawings())
def test_the_terms_add_up_to_the_value(name: str, drawing: str) -> None:
    red, black = board(drawing), passed(board(drawing))
    assert sum(term.total for term in game.explain(name, red)) == value(name, red)
    assert sum(term.total for term in game.explain(name, black)) == -value(name, black)


@pytest.mark.parametrize("name", NAMES)
@FEW
@given(drawing=drawings())
def test_turning_the_board_and_swapping_the_colours_changes_nothing(
    name: str, drawing: str
) -> None:
    turned = drawing[::-1].translate(str.maketrans("rbRB", "brBR"))
    assert value(name, board(turned)) == value(name, passed(board(drawing)))


@pytest.mark.parametrize("name", NAMES)
@FEW
@given(drawing=drawings(DARK), black=st.booleans())
def test_a_board_and_its_mirror_image_on_light_squares_are_worth_the_same(
    name: str, drawing: str, black: bool
) -> None:
    mirrored = "\n".join(row[::-1] for row in drawing.splitlines())
    dark, light = board(drawing), board(mirrored)
    if black:
        dark, light = passed(dark), passed(light)
    assert value(name, dark) == value(name, light)


@pytest.mark.parametrize("name", NAMES)
@FEW
@given(drawing=drawings(DARK + LIGHT), black=st.booleans())
def test_a_mixed_board_is_worth_its_dark_and_its_light_half(
    name: str, drawing: str, black: bool
) -> None:
    boards = [board(drawing), board(only(drawing, DARK)), board(only(drawing, LIGHT))]
    if black:
        boards = [passed(position) for position in boards]
    mixed, dark, light = boards
    assert value(name, mixed) == value(name, dark) + value(name, light)


@pytest.mark.parametrize("name", [name for name in NAMES if name != "six-regions"])
@FEW
@given(drawing=drawings())
def test_the_other_turn_negates_the_value(name: str, drawing: str) -> None:
    assert value(name, passed(board(drawing))) == -value(name, board(drawing))


@FEW
@given(drawing=drawings())
def test_the_other_turn_shifts_six_regions_by_what_both_can_take(drawing: str) -> None:
    red, black = board(drawing), passed(board(drawing))
    red_takes, black_takes = takes(drawing, "r"), takes(drawing, "b")
    assert value("six-regions", red) + value("six-regions", black) == red_takes + black_takes


def takes(drawing: str, colour: str) -> int:
    """What six-regions adds for the pieces that a colour could take."""
    _, _, _, _, _, men, kings, _ = six_regions(drawing.splitlines(), colour, colour)
    return 50 * men + 175 * kings


def test_the_other_turn_does_not_negate_six_regions() -> None:
    red, black = board(EXCHANGE), black_to_move("W:W15:B11", EXCHANGE)
    assert value("six-regions", red) == 20 * (5 + 2.5 - (5 + 2)) == 10
    assert value("six-regions", black) == 20 * (5 + 2 + 2.5 - 5) == 90


FULL = "\n".join(["RRRRRRRR"] * 8)
EDGES_AGAINST_INSIDE = "\n".join(["RRRRRRRR"] + ["RB.B.B.R"] * 6 + ["RRRRRRRR"])


@pytest.mark.parametrize("name", NAMES)
@FEW
@given(drawing=drawings())
@example(drawing=FULL)
@example(drawing=FULL.lower().replace("r", "B"))
@example(drawing=EDGES_AGAINST_INSIDE)
def test_no_board_is_worth_as_much_as_a_proven_win(name: str, drawing: str) -> None:
    for position in (board(drawing), passed(board(drawing))):
        assert -DECISIVE < value(name, position) < DECISIVE


def test_sixty_four_kings_are_worth_what_their_weights_say() -> None:
    worth = {name: value(name, board(FULL)) for name in NAMES}
    edge, opposite, side_edges, home = 28, 32, 16, 8
    assert worth == {
        "material": 64 * 2,
        "safe-mobile": 64 * 100 + edge * 2,
        "advance-shield": 64 * (5 + 2),
        "centre": 64 * 4,
        "six-regions": 64 * (350 + 6) + opposite * 40 + side_edges * 40 + home * 10,
    }


# --- every heuristic a second time: how often each term occurs for a colour ----------------


def places(rows: list[str], piece: str) -> list[Place]:
    return [(row, column) for row in range(8) for column in range(8) if rows[row][column] == piece]


def at(rows: list[str], row: int, column: int) -> str:
    """What stands on a square; nothing at all, not even a dot, beyond the edges."""
    return rows[row][column] if 0 <= row < 8 and 0 <= column < 8 else ""


def forward(colour: str) -> int:
    return -1 if colour == "r" else 1


def crowning_row(colour: str) -> int:
    return 0 if colour == "r" else 7


def material(rows: list[str], colour: str, mover: str) -> list[int]:
    return [len(places(rows, colour)), len(places(rows, colour.upper()))]


def safe_mobile(rows: list[str], colour: str, mover: str) -> list[int]:
    def safe(pieces: list[Place]) -> int:
        return sum(row in (0, 7) or column in (0, 7) for row, column in pieces)

    def movable(pieces: list[Place], ways: tuple[int, ...]) -> int:
        return sum(
            any(at(rows, row + 2 * way, column + side) == "." for way in ways for side in (-2, 2))
            for row, column in pieces
        )

    men, kings = places(rows, colour), places(rows, colour.upper())
    goal = crowning_row(colour)
    to_go = [abs(row - goal) for row, _ in men]
    played = {(row + column) % 2 for piece in "rbRB" for row, column in places(rows, piece)}
    return [
        len(men),
        len(kings),
        safe(men),
        safe(kings),
        movable(men, (forward(colour),)),
        movable(kings, (-1, 1)),
        sum(7 - distance for distance in to_go if distance >= 4),
        sum(7 - distance for distance in to_go if distance < 4),
        sum(rows[goal][c] == "." for c in range(8) if (goal + c) % 2 in (played or {1})),
    ]


def shielded(rows: list[str], colour: str) -> int:
    return sum(
        any(at(rows, row + down, column + right).lower() == colour for down, right in DIAGONALS)
        for row, column in places(rows, colour) + places(rows, colour.upper())
    )


DIAGONALS = ((-1, -1), (-1, 1), (1, -1), (1, 1))


def advance_shield(rows: list[str], colour: str, mover: str) -> list[int]:
    men = places(rows, colour)
    # 28 - 4 * row is 4 * (7 - row): the text's formulas divided by the 4 that is our weight.
    advance = sum(7 - row if colour == "r" else row for row, _ in men)
    return [len(men), len(places(rows, colour.upper())), advance, shielded(rows, colour)]


def centre(rows: list[str], colour: str, mover: str) -> list[int]:
    men = places(rows, colour)
    middle = sum(2 <= row <= 5 and 2 <= column <= 5 for row, column in men)
    return [len(places(rows, colour.upper())), middle, len(men) - middle]


def six_regions(rows: list[str], colour: str, mover: str) -> list[int]:
    men, kings = places(rows, colour), places(rows, colour.upper())
    goal = crowning_row(colour)
    enemy = "b" if colour == "r" else "r"
    can_take = set()
    for row, column in men + kings:
        for down, right in DIAGONALS:
            if (row, column) in men and down != forward(colour):
                continue
            over = at(rows, row + down, column + right)
            if over.lower() == enemy and at(rows, row + 2 * down, column + 2 * right) == ".":
                can_take.add((row + down, column + right, over))
    taken = [over for _, _, over in can_take] if colour == mover else []
    return [
        len(men),
        len(kings),
        sum(abs(row - goal) < 4 for row, _ in men + kings),
        sum(column in (0, 7) for _, column in men + kings),
        sum(row == 7 - goal for row, _ in men + kings),
        taken.count(enemy),
        taken.count(enemy.upper()),
        shielded(rows, colour),
    ]


SLOW = {
    "material": material,
    "safe-mobile": safe_mobile,
    "advance-shield": advance_shield,
    "centre": centre,
    "six-regions": six_regions,
}


@pytest.mark.parametrize("name", NAMES)
@MANY
@given(drawing=drawings(), mover=st.sampled_from(["red", "black"]))
def test_a_heuristic_agrees_with_itself_written_on_text(
    name: str, drawing: str, mover: str
) -> None:
    rows = drawing.splitlines()
    red, black = (SLOW[name](rows, colour, mover[0]) for colour in "rb")
    position = board(drawing) if mover == "red" else passed(board(drawing))
    terms = game.explain(name, position)
    assert [term.first for term in terms] == red
    assert [term.second for term in terms] == black
    weighed = zip(WEIGHTS[name].values(), red, black, strict=True)
    for_red = sum(weight * (ours - theirs) for weight, ours, theirs in weighed)
    assert value(name, position) == (for_red if mover == "red" else -for_red)
