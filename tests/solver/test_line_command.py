"""`solver solve --line -v`: games played out to their ends, the moves on standard error."""

from __future__ import annotations

import pytest
from support.command import BLOCKED, solver


def play_out(text: str, *words: str) -> tuple[list[list[str]], str]:
    """Ply, side, move and value of every move; and how it ended."""
    done = solver("-", "/dev/null", "--line", "-v", *words, text=text)
    assert (done.returncode, done.stdout) == (0, "")
    *moves, end = done.stderr.splitlines()
    return [line.split(maxsplit=3) for line in moves], end.removeprefix("solver: standard input: ")


def test_the_first_position_is_won_in_sixty_one_plies_without_a_detour() -> None:
    moves, end = play_out("W:WK19,K23:B12,K28")
    assert [int(row[0]) for row in moves] == list(range(1, 62))
    assert moves[0] == ["1", "black", "23-27", "win in 61"]
    assert [int(row[3].split()[-1]) for row in moves] == list(range(61, 0, -1))
    assert {row[3].split()[0] for row in moves[1::2]} == {"loss"}
    assert end == "black has won: red has no piece left; plies: 61"


def test_a_draw_ends_with_the_repetition() -> None:
    moves, end = play_out("B:WK19,K23:B12,K28")
    assert moves[0] == ["1", "red", "28-32", "draw"]
    assert {row[3] for row in moves} == {"draw"}
    assert end == f"a draw: the same position for the third time; plies: {len(moves)}"


@pytest.mark.parametrize(
    ("words", "first", "last"),
    [
        # Five pieces: proven by search into the tables, played to the end in one go.
        ((), "win in 21", ["win in 3", "loss in 2", "win in 1"]),
        # Two plies of search see the tables' win and nothing of what might be sooner.
        (("--depth", "2"), "win in at most 21", ["win in at most 3", "loss in 2", "win in 1"]),
    ],
)
def test_a_win_that_needs_more_than_the_tables(
    words: tuple[str, ...], first: str, last: list[str]
) -> None:
    values = [row[3] for row in play_out("B:W10,19:BK11,23,K31", *words)[0]]
    assert (values[0], values[-3:]) == (first, last)


def test_estimates_say_that_they_are_not_proven() -> None:
    moves, _ = play_out("B:WK19,K23:B12,K28", "--nodes", "300", "--no-tables")
    assert any(row[3].endswith("(not proven)") for row in moves)


def test_two_flags_has_lines_too() -> None:
    moves, end = play_out("Setup We5 Bd7 Bf7 BLACK", "--notation", "squares")
    assert len(moves) == 6
    assert end.startswith("white has won")


def test_a_game_that_is_over_has_no_line() -> None:
    moves, end = play_out(BLOCKED)
    assert (moves, end) == ([], "black has won: red is to move and has no legal move")
