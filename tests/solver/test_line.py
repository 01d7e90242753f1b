"""Playing a position out to its end."""

from __future__ import annotations

from collections import Counter
from typing import Any

from positions import board

from solver.checkers import game
from solver.effort import Effort
from solver.limits import Limits
from solver.line import play_out
from solver.search import Finding
from solver.solve import solve
from solver.standing import LOST, QUIET
from solver.switches import Switches


def chosen(position: Any) -> Finding:
    evaluate = game.evaluator("material", position)
    return solve(position, evaluate, Limits(nodes=20_000), Switches()).finding


def peaceful(position: Any) -> list[Any]:
    """The children that offer nothing to take."""
    return [child for child in position.children() if child.standing() == QUIET]


def first_peaceful(position: Any) -> Finding:
    return Finding(1, 0, peaceful(position)[:1], Effort())


def test_a_won_position_is_won_without_a_repetition() -> None:
    line = play_out(board("B:WK17:BK1,K6"), chosen, game.is_progress)
    assert line.unfinished == ""
    assert len(line.positions) == 10
    assert line.positions[-1].standing() == LOST
    assert len(set(line.positions)) == 10


def test_a_proof_is_followed_without_asking_again() -> None:
    asked = []

    def counted(position: Any) -> Finding:
        asked.append(position)
        return chosen(position)

    play_out(board("B:WK17:BK1,K6"), counted, game.is_progress)
    assert len(asked) == 1


def test_the_third_repetition_is_a_draw() -> None:
    line = play_out(board("B:WK29:BK4"), first_peaceful, game.is_progress)
    assert line.unfinished == "a draw: the same position for the third time"
    assert Counter(line.positions)[line.positions[-1]] == 3


def test_forty_moves_each_without_progress_are_a_draw() -> None:
    """A player that never repeats itself: kings wander, nothing is taken."""
    position = board("B:WK29,K30,K31:BK2,K3,K4")
    visits: Counter[Any] = Counter()

    def wanderer(position: Any) -> Finding:
        child = min(peaceful(position), key=visits.__getitem__)
        visits[child] += 1
        return Finding(1, 0, [child], Effort())

    line = play_out(position, wanderer, game.is_progress)
    assert line.unfinished == "a draw: forty moves each without a capture or a man's step"
    assert len(line.positions) == 81


def test_progress_is_a_capture_or_a_mans_step() -> None:
    def progress(fen: str) -> list[bool]:
        position = board(fen)
        return [game.is_progress(position, child) for child in position.children()]

    assert progress("B:WK18:BK32") == [False, False]
    assert progress("B:WK18:B1,K32") == [True, True, False, False]
    assert progress("B:WK10:BK6") == [True]
