"""`solver replay` as a command."""

from __future__ import annotations

from pathlib import Path

import pytest
from command import solver

LOG = """\
# GAME 1 WHITE=ann BLACK=bob
# SETUP Wa6 Bh7 WHITE
# TIME 0.5
1 W a6a7 # 0.12s
2 B h7h5
3 W a7a8
RESULT WHITE reason=landed plies=3
"""


@pytest.fixture
def log(tmp_path: Path) -> Path:
    path = tmp_path / "games.txt"
    path.write_text(LOG)
    return path


def test_every_move_is_shown_and_the_result(log: Path) -> None:
    done = solver("replay", str(log))
    assert done.returncode == 0
    assert done.stderr == ""
    assert done.stdout == (
        "game 1: white ann, black bob, 0.5 minutes each\n"
        "  1  white  a6a7  0.12 s\n"
        "  2  black  h7h5\n"
        "  3  white  a7a8\n"
        "white has won: a pawn has landed; plies: 3\n"
    )


def test_boards_are_shown_when_asked_for(log: Path) -> None:
    done = solver("replay", str(log), "--boards")
    assert "  3  white  a7a8\nw.......\n........\n........\n.......b\n" in done.stdout
    assert done.stdout.count("\n\n") == 4


def test_a_log_may_hold_several_games_and_come_from_standard_input() -> None:
    done = solver("replay", "-", "--check", text=LOG * 3)
    assert done.returncode == 0
    assert done.stdout == "standard input: 3 games, 9 moves: all legal\n"


def test_an_unfinished_game_is_called_so() -> None:
    done = solver("replay", "-", text=LOG.partition("RESULT")[0].replace("3 W a7a8\n", ""))
    assert done.returncode == 0
    assert done.stdout.endswith("not finished; plies: 2\n")


def test_a_result_against_the_board_is_shown_as_such() -> None:
    """A server that checks nothing lets a player resign after having won."""
    done = solver(
        "replay", "-", text=LOG.replace("WHITE reason=landed", "BLACK reason=resignation")
    )
    assert done.returncode == 0
    assert done.stdout.endswith(
        "black has won: the opponent has resigned; plies: 3\n"
        "but on the board white has won: a pawn has landed\n"
    )


def test_an_illegal_game_is_refused(log: Path) -> None:
    log.write_text(LOG.replace("h7h5", "h7h4"))
    for options in ([], ["--check"], ["--boards"]):
        done = solver("replay", str(log), *options)
        assert done.returncode == 2
        assert done.stdout == ""
        assert f"solver: {log}: line 5, column 5: 'h7h4' is not legal" in done.stderr
        assert "Traceback" not in done.stderr


def test_a_log_may_be_longer_than_any_board(log: Path) -> None:
    log.write_text(LOG * 1000)
    done = solver("replay", str(log), "--check")
    assert done.stdout == f"{log}: 1000 games, 3000 moves: all legal\n"


def test_a_missing_file_is_a_file_error(tmp_path: Path) -> None:
    done = solver("replay", str(tmp_path / "none.txt"))
    assert done.returncode == 3
    assert "No such file or directory" in done.stderr


def test_names_cannot_move_the_cursor() -> None:
    done = solver("replay", "-", text=LOG.replace("ann", "\x1b[2J"))
    assert "\x1b" not in done.stdout
