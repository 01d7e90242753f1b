"""When a search is stopped from outside, and how often it asks."""

from __future__ import annotations

from typing import Any

import pytest
from support.positions import board

from solver.games import game_named
from solver.proof.answer import solve
from solver.proof.wins import WinProof
from solver.search.alphabeta import Search
from solver.search.limits import ASK_EVERY, Budget, Limits, Stop
from solver.search.techniques import Techniques

game = game_named("checkers")
START = "B:W21-32:B1-12"


class Poll:
    """Says yes once that many nodes are visited, and remembers when it was asked."""

    def __init__(self, enough: int) -> None:
        self.enough = enough
        self.asked: list[int] = []

    def __call__(self, visited: int) -> bool:
        self.asked.append(visited)
        return visited >= self.enough


def search(limits: Limits) -> Any:
    position = board(START)
    return Search(game.evaluator("material", position), Techniques()).run(position, limits)


def test_a_poll_that_says_yes_stops_the_search() -> None:
    """The answer is that of the last finished depth, as for any other limit."""
    poll = Poll(2_000)
    stopped = search(Limits(poll=poll))
    whole = search(Limits(depth=stopped.depth))
    assert poll.asked[-1] >= 2_000
    assert all(visited < 2_000 for visited in poll.asked[:-1])
    assert stopped.depth >= 1 > search(Limits(poll=Poll(0))).depth
    assert (stopped.score, stopped.best) == (whole.score, whole.best)


def test_a_poll_that_says_no_changes_nothing() -> None:
    silent, polled = search(Limits(nodes=5_000)), search(Limits(nodes=5_000, poll=Poll(10**9)))
    assert (silent.score, silent.line) == (polled.score, polled.line)
    assert silent.counters.as_dict() == polled.counters.as_dict()


def test_a_poll_is_asked_ever_again_and_never_long_apart() -> None:
    poll = Poll(20_000)
    search(Limits(poll=poll))
    gaps = [later - one for one, later in zip(poll.asked, poll.asked[1:], strict=False)]
    assert len(poll.asked) > 5
    assert min(gaps) >= 1
    assert max(gaps) <= ASK_EVERY


def test_a_proof_is_stopped_by_its_poll() -> None:
    poll = Poll(3_000)
    attempt = WinProof(Limits(poll=poll))
    assert attempt.run(board(START)) is None
    assert 3_000 <= attempt.counters.visited == poll.asked[-1] <= 3_000 + ASK_EVERY


def test_both_halves_of_an_answer_ask_the_poll() -> None:
    """The proof and the search after it are each stopped; the answer is legal all the same."""
    poll, position = Poll(1_000), board(START)
    answer = solve(position, game.evaluator("material", position), Limits(poll=poll), Techniques())
    assert sum(visited >= 1_000 for visited in poll.asked) == 2
    assert answer.result.best in position.children()


def test_a_part_of_the_limits_has_the_same_depth_and_poll() -> None:
    poll = Poll(1)
    part = Limits(depth=7, nodes=101, seconds=3.0, poll=poll).part(0.5)
    assert (part.depth, part.nodes, part.seconds, part.poll) == (7, 50, 1.5, poll)
    assert Limits(nodes=1).part(0.5).nodes == 1
    assert Limits().part(0.5).nodes is None


@pytest.mark.parametrize(
    "limits", [Limits(), Limits(nodes=10**6), Limits(seconds=60), Limits(poll=Poll(10**9))]
)
@pytest.mark.parametrize("visited", [0, 1, 17, 4_096, 999_999])
def test_the_next_question_comes_later_but_not_much(limits: Limits, visited: int) -> None:
    following = Budget(limits).check(visited)
    assert visited < following <= visited + ASK_EVERY
    if limits.nodes is not None:
        assert following <= limits.nodes + 1


@pytest.mark.parametrize("limits", [Limits(nodes=99), Limits(seconds=0.0), Limits(poll=Poll(100))])
def test_each_limit_stops(limits: Limits) -> None:
    with pytest.raises(Stop):
        Budget(limits).check(100)
