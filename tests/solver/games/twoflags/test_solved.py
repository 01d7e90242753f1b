"""What is known without a search: the first moves, and whole games by a proof."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from support.builds import times

import solver
from solver.errors import FileError, UserError
from solver.games import game_named
from solver.games.twoflags.solved import SHIPPED, Solved
from solver.play.clock import MoveTime
from solver.play.ponderer import Ponderer
from solver.proof.strategy import Strategy, Writer, open_strategy
from solver.proof.wins import WinProof
from solver.search.heuristic import Exact
from solver.search.limits import Limits
from solver.search.position import LOST, Position
from solver.search.score import distance, loss_in, win_in
from solver.search.techniques import Techniques

game = game_named("twoflags")
FIRST_MOVES = {
    **dict.fromkeys(("b2b4", "g2g4"), 33),
    **dict.fromkeys(("c2c4", "f2f4"), 35),
    **dict.fromkeys(("a2a4", "b2b3", "d2d3", "e2e3", "g2g3", "h2h4"), -34),
    **dict.fromkeys(("a2a3", "c2c3", "d2d4", "e2e4", "f2f3", "h2h3"), -32),
}


def write_proof(path: Path, files: int, plies: int) -> str:
    root = game.read(game.start(files), "start", True).position
    proof = WinProof(Limits(), game.insight(), 16)
    codes, book = Writer(proof, lambda done: None).write(root, plies)
    head = {"game": "twoflags", "start": game.start(files), "variant": "", "plies": plies}
    path.write_bytes(Strategy({**head, "nodes": 2000}, codes, book).pack())
    return str(path)


def play(root: Position, exact: Exact, plies: int, rng: random.Random) -> int:
    """The plies of a game in which the winner knows the proof, and the loser moves at random."""
    heuristic = game.evaluator("race", root)
    winner = Ponderer(heuristic, Techniques(), exact)
    position, played = root, 0
    while position.status() != LOST:
        if (plies - played) % 2:
            result = winner.think(position, MoveTime(1e9, 1e9, patient=True), lambda: False)
            assert result.is_fact
            assert distance(result.score) <= plies - played
            position = result.best
        else:
            position = rng.choice(position.children())
        played += 1
    assert (plies - played) % 2 == 0
    return played


def test_first_moves_are_known_with_their_values() -> None:
    start = solver.start("twoflags")
    (depth,) = solver.analyse(start, lines=16)
    assert [line.move for line in depth.lines][:3] == ["b2b4", "g2g4", "c2c4"]
    values = {line.move: line.score for line in depth.lines}
    assert values == {
        move: win_in(plies) if plies > 0 else loss_in(-plies) for move, plies in FIRST_MOVES.items()
    }
    assert all(line.proven for line in depth.lines)
    solution = solver.solve(start)
    assert (solution.move, solution.value, solution.nodes) == ("b2b4", "win in 33", 0)
    assert solver.hint(start).startswith("White wins in 33: b2b4.\n")


def test_best_play_is_known_after_every_first_move() -> None:
    start = game.read(game.start(), "start", True).position
    exact = Solved()
    exact.open()  # as players do
    for child in start.children():
        plies = FIRST_MOVES[game.move_name(start, child)]
        left, position = abs(plies) - 1, child
        while left:
            result = exact.solution(position)
            assert result is not None
            assert result.score == (win_in(left) if left % 2 else loss_in(left))
            assert len(result.line) == left
            assert result.best in position.children()
            position, left = result.best, left - 1
        assert position.status() == LOST


def test_with_a_depth_or_without_tables_the_start_is_searched() -> None:
    start = solver.start("twoflags")
    assert not solver.solve(start, depth=2).proven
    assert solver.solve(start, nodes=300, without="tables").nodes > 0


@pytest.mark.parametrize(("files", "plies"), [(3, 14), (4, 21)])
def test_a_proof_of_ones_own_wins_for_either_side(tmp_path: Path, files: int, plies: int) -> None:
    exact = game.tables(write_proof(tmp_path / "own.proof", files, plies))
    root = game.read(game.start(files), "start", True).position
    rng = random.Random(files)
    assert all(play(root, exact, plies, rng) <= plies for _ in range(times(100, 4)))


def test_the_proof_of_the_package_wins_against_anything() -> None:
    root = game.read(game.start(), "start", True).position
    rng = random.Random(33)
    assert all(play(root, game.tables(), 33, rng) <= 33 for _ in range(times(50, 2)))


def test_the_book_of_the_package_is_that_of_its_proof() -> None:
    for path in filter(lambda path: Path(path).exists(), SHIPPED):
        strategy = open_strategy(path)
        assert len(strategy.book) == 10 * sum(code < 128 for code in strategy.codes)


def test_a_proof_is_for_its_rules_only() -> None:
    exact = game.tables(SHIPPED[0])
    for variant, known in (("", True), ("no-en-passant", False)):
        root = game.read(game.start(), "start", True, variant).position
        assert (exact.solution(root) is not None) == known


def test_files_that_are_no_proof_are_refused(tmp_path: Path) -> None:
    with pytest.raises(FileError, match="No such file"):
        game.tables(str(tmp_path / "missing"))
    other = tmp_path / "other"
    other.write_bytes(Strategy({"game": "chess"}, b"").pack())
    with pytest.raises(UserError, match="not a strategy"):
        game.tables(str(other))
