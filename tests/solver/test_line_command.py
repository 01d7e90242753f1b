"""`solver line`: games played out to their ends."""

from __future__ import annotations

from pathlib import Path

from command import BLOCKED, SHOT, solver


def rows(output: str) -> list[list[str]]:
    """Ply, side, move and value of every move; the last line is how it ended."""
    return [line.split(maxsplit=3) for line in output.splitlines()[:-1]]


def test_the_first_position_is_won_in_sixty_one_plies_without_a_detour() -> None:
    done = solver("line", "-", text="W:WK19,K23:B12,K28")
    assert done.returncode == 0
    moves = rows(done.stdout)
    assert [int(row[0]) for row in moves] == list(range(1, 62))
    assert moves[0] == ["1", "black", "23-27", "win in 61"]
    assert [int(row[3].split()[-1]) for row in moves] == list(range(61, 0, -1))
    assert {row[3].split()[0] for row in moves[1::2]} == {"loss"}
    assert done.stdout.splitlines()[-1] == "black has won: red has no piece left"


def test_a_draw_ends_with_the_repetition_and_says_where() -> None:
    done = solver("line", "-", text="B:WK19,K23:B12,K28")
    moves = rows(done.stdout)
    assert moves[0] == ["1", "red", "28-32", "draw"]
    assert {row[3] for row in moves} == {"draw"}
    end = done.stdout.splitlines()[-1]
    start, _, plies = end.partition(" (after plies ")
    assert start == "a draw: the same position for the third time"
    first, second, third = (int(ply) for ply in plies.rstrip(")").split(", "))
    assert 0 <= first < second < third == len(moves)
    between = [row[2] for row in moves[first:second]]
    assert between == [row[2] for row in moves[second:third]]


def test_a_win_that_needs_more_than_the_tables() -> None:
    """Five pieces: proven by search into the tables, played to the end in one go."""
    done = solver("line", "-", text="B:W10,19:BK11,23,K31")
    assert len(rows(done.stdout)) == 21
    assert rows(done.stdout)[0][3] == "win in 21"


def test_a_win_that_may_be_shorter_says_so_until_it_cannot_be() -> None:
    """Two plies of search see the tables' win and nothing of what might be sooner."""
    done = solver("line", "-", "--depth", "2", text="B:W10,19:BK11,23,K31")
    values = [row[3] for row in rows(done.stdout)]
    assert values[0] == "win in at most 21"
    assert values[-3:] == ["win in at most 3", "loss in 2", "win in 1"]


def test_opinions_are_called_that() -> None:
    done = solver("line", "-", "--nodes", "300", "--without", "tables", text="B:WK19,K23:B12,K28")
    assert " at depth " not in done.stdout
    assert "(not proven)" in done.stdout


def test_boards_and_squares(tmp_path: Path) -> None:
    (tmp_path / "shot.txt").write_text(SHOT)
    done = solver("line", str(tmp_path / "shot.txt"), "--boards", "--notation", "squares")
    assert done.stdout.count("a b c d e f g h") == 10
    assert "  1  red    c5-d6" in done.stdout


def test_two_flags_has_lines_too() -> None:
    done = solver("line", "-", text="Setup We5 Bd7 Bf7 BLACK")
    assert len(rows(done.stdout)) == 6
    assert done.stdout.splitlines()[-1].startswith("white has won")


def test_a_game_that_is_over_has_no_line() -> None:
    done = solver("line", "-", text=BLOCKED)
    assert done.stdout == "black has won: red is to move and has no legal move\n"
    assert done.returncode == 0
