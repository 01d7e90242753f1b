"""What the tables answer when the search asks: colours, light squares, mixed boards, limits."""

from __future__ import annotations

import random
import subprocess
import sys
from pathlib import Path

import pytest
from support.builds import times
from support.drawings import drawn
from support.endgame_files import write_tables
from support.positions import board, random_board

from solver.cli.endgame import default_file
from solver.errors import FileError
from solver.games.checkers import game
from solver.games.checkers.endgame.file import SHIPPED, best_tables
from solver.games.checkers.endgame.probe import EndgameTables
from solver.games.checkers.endgame.slices import turned
from solver.games.checkers.mixed import TwoBoards
from solver.games.checkers.rules import BLACK, LIGHT, Board
from solver.proof.wins import WinProof
from solver.search.limits import Limits
from solver.search.position import LOST
from solver.search.score import UNKNOWN, distance, is_decisive, loss_in


def small_boards(count: int, seed: int) -> list[Board]:
    rng = random.Random(seed)
    found: list[Board] = []
    while len(found) < count:
        position = random_board(rng, rng.choice((2, 3, 4)), rng.choice((0, BLACK)), bool(seed % 2))
        if position.status() != LOST:
            found.append(position)
    return found


def test_colours_and_light_squares_make_no_difference() -> None:
    tables = game.tables()
    for position in small_boards(40, 1) + small_boards(40, 2):
        pieces = (position.own, position.enemy, position.kings)
        own, enemy, kings = map(turned, pieces)
        for same in (
            Board(own, enemy, kings, position.side ^ BLACK),
            Board(own, enemy, kings, position.side ^ BLACK | LIGHT),
            Board(*pieces, position.side | LIGHT),
        ):
            assert tables.score(same) == tables.score(position), position


def test_the_tables_agree_with_a_search_that_does_not_know_them() -> None:
    """Wherever the proof search finds the shortest win or the longest defence by itself."""
    tables = game.tables()
    proven = 0
    for position in small_boards(times(80, 30), 3) + small_boards(times(80, 30), 4):
        attempt = WinProof(Limits(depth=9, nodes=3_000))
        result = attempt.run(position)
        score = tables.score(position)
        if result is not None:
            proven += 1
            assert result.score == score, position
        elif is_decisive(score):
            assert distance(score) > attempt.asked, position
    assert proven > times(40, 12)


def test_a_mover_without_a_move_has_lost_at_once() -> None:
    assert game.tables().score(drawn(".B/r")) == loss_in(0)


def test_a_mixed_board_stays_one_and_is_in_no_table() -> None:
    """Also when a colour has lost all but its last piece."""
    one = board("B:W7:BK2")
    light = Board(one.own, one.enemy, one.kings, one.side | LIGHT)
    mixed = TwoBoards(one, light)
    assert game.tables().score(mixed) == UNKNOWN
    for child in mixed.children():
        assert all(half.own | half.enemy for half in child.boards())
        assert game.tables().score(child) == UNKNOWN


@pytest.mark.parametrize("fen", ["B:W:BK1", "B:WK1:B", "B:W21-32:B1-12", "B:WK1,K2,K3:BK30,K31"])
def test_positions_that_are_in_no_table(fen: str) -> None:
    assert game.tables().score(board(fen)) == UNKNOWN


def test_a_file_of_fewer_pieces_answers_for_those(tmp_path: Path) -> None:
    tables = game.tables(write_tables(tmp_path / "two", 2))
    assert tables.score(board("B:WK18:BK30")) == game.tables().score(board("B:WK18:BK30"))
    assert tables.score(board("B:WK18:BK29,K30")) == UNKNOWN


def test_the_same_file_is_loaded_once(tmp_path: Path) -> None:
    path = write_tables(tmp_path / "two", 2)
    assert game.tables() is game.tables()
    assert game.tables(path) is game.tables(path)
    assert game.tables(path) is not game.tables()


def test_a_file_that_a_user_has_named_is_looked_at_at_once(tmp_path: Path) -> None:
    with pytest.raises(FileError):
        game.tables(str(tmp_path / "missing"))


COLD = """
import sys
from solver.games.checkers import game
print(game.tables().score(game.read(sys.argv[1], "", True).position))
print(*sys.modules)
"""


@pytest.mark.parametrize(("fen", "loads"), [("B:W21-32:B1-12", False), ("B:WK18:BK30", True)])
def test_a_large_board_loads_nothing(fen: str, loads: bool) -> None:
    process = subprocess.run(
        [sys.executable, "-c", COLD, fen], capture_output=True, text=True, check=True
    )
    score, modules = process.stdout.splitlines()
    assert (int(score) == UNKNOWN) is not loads
    for module in (
        "lzma",
        "solver.games.checkers.endgame.file",
        "solver.games.checkers.endgame.slices",
    ):
        assert (module in modules.split()) is loads


def test_tables_in_the_cache_folder_of_the_user_are_used(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert best_tables() == SHIPPED
    built = Path(default_file(5))
    assert built.parent == tmp_path / "checkmark"
    build = [sys.executable, "-m", "solver", "endgame", "build", "--pieces", "2", str(built)]
    subprocess.run(build, check=True, capture_output=True)
    tables = EndgameTables()
    tables.open()
    assert best_tables() == str(built)
    assert tables.pieces == 2


def test_a_cache_folder_that_cannot_be_made_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", "/dev/null")
    assert best_tables() == SHIPPED
    with pytest.raises(FileError, match="Name another FILE"):
        default_file(5)
