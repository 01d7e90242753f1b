"""The other moves: how many are as good, and which is the best of the rest."""

from __future__ import annotations

from support.explaining import INPUTS, puzzle_of

from solver import read
from solver.explain.compare import (
    Result,
    Rivals,
    further,
    is_as_good,
    plies_to_end,
    result_of,
    rivals,
)
from solver.explain.describe import Row, side_by_side
from solver.games.puzzle import Puzzle
from solver.games.solve import find_heuristic
from solver.proof.answer import solve
from solver.search.alphabeta import Search
from solver.search.counters import Effort
from solver.search.exact import NOTHING, Exact
from solver.search.heuristic import Term
from solver.search.limits import Limits
from solver.search.result import Finding
from solver.search.score import loss_in, win_in
from solver.search.techniques import Techniques


def compared(puzzle: Puzzle, limits: Limits, exact: Exact | None = None) -> Rivals:
    position = puzzle.position
    tables = puzzle.game.tables() if exact is None else exact
    evaluate = find_heuristic(puzzle, None)[1]
    best = solve(position, evaluate, limits, Techniques(), exact=tables).finding
    search = Search(evaluate, Techniques(), tables)

    def ask(leave_out: frozenset[int]) -> Finding:
        return search.run(position, further(limits, best), leave_out=leave_out)

    return rivals(position, [best], ask, tables)


def named(name: str) -> Puzzle:
    return read(INPUTS / f"{name}.txt")


def test_an_only_move_has_no_rivals() -> None:
    found = compared(named("checkers/compulsory-jump"), Limits(nodes=2000))
    assert (found.equal, found.next_best, found.moves) == ([], None, 1)


def test_all_equally_good_moves_are_found_by_proof() -> None:
    for name, equal in (
        ("checkers/equally-good-four", 3),
        ("checkers/equally-good-draws", 2),
        ("checkers/equally-good-defences", 1),
        ("twoflags/race-two-equal-runners", 1),
    ):
        found = compared(named(name), Limits(nodes=20_000))
        assert len(found.equal) == equal
        assert found.next_best is not None


def test_nothing_is_left_if_all_are_equally_good() -> None:
    found = compared(named("checkers/equally-good-all"), Limits(nodes=20_000))
    assert len(found.equal) == found.moves - 1 == 5
    assert found.next_best is None


def test_equal_opinions_are_found_by_searching_on() -> None:
    found = compared(puzzle_of("B:W21-32:B1-12"), Limits(depth=4), NOTHING)
    assert found.moves == 7
    assert len(found.equal) + (found.next_best is not None) > 1
    if found.next_best is not None:
        assert found.next_best.depth == 4


def test_what_is_known_already_is_not_asked_again() -> None:
    position = puzzle_of("B:W21-32:B1-12").position
    children = position.children()
    best, second = (Finding(4, score, [children[at]], Effort()) for at, score in ((2, 9), (5, 3)))

    def ask(leave_out: frozenset[int]) -> Finding:
        raise AssertionError("not needed")

    found = rivals(position, [best, second], ask, NOTHING)
    assert (found.equal, found.next_best) == ([], second)


def finding(score: int, depth: int = 9, certain: bool = False) -> Finding:
    return Finding(depth, score, [], Effort(), certain)


def test_facts_and_opinions_are_never_equal() -> None:
    assert is_as_good(finding(5), finding(5))
    assert not is_as_good(finding(5), finding(5, 8))
    assert not is_as_good(finding(5), finding(4))
    assert not is_as_good(finding(0), finding(0, certain=True))
    assert is_as_good(finding(0, 3, certain=True), finding(0, certain=True))
    assert is_as_good(finding(win_in(9)), finding(win_in(9), 12))
    assert not is_as_good(finding(win_in(21)), finding(win_in(21)))  # in at most 21, both


def test_results() -> None:
    assert result_of(finding(win_in(21))) is Result.WIN
    assert result_of(finding(loss_in(4))) is Result.LOSS
    assert result_of(finding(0, certain=True)) is Result.DRAW
    assert result_of(finding(0)) is Result.OPEN
    assert result_of(finding(10_000, certain=True)) is Result.WIN  # as --terminal depth-ratio says
    assert plies_to_end(finding(10_000, certain=True)) is None
    assert plies_to_end(finding(loss_in(4))) == 4


def test_an_opinion_is_compared_at_its_own_depth() -> None:
    limits = Limits(nodes=1000, seconds=2.0)
    after_fact, after_opinion = (further(limits, finding(s, 9)) for s in (win_in(9), 5))
    assert (after_fact.depth, after_fact.nodes, after_fact.seconds) == (None, 500, 2.0)
    assert (after_opinion.depth, after_opinion.nodes) == (9, 2000)
    assert further(Limits(depth=4), finding(win_in(3), 4)).depth == 4


def test_terms_side_by_side() -> None:
    one = [Term("men", 3, 2, 100), Term("kings", 1, 1, 150)]
    two = [Term("men", 3, 3, 100), Term("wins the race", 0, 1, 1000)]
    assert side_by_side(one, two, 1) == [
        Row("men", 100, 100, 0),
        Row("wins the race", 1000, 0, -1000),
    ]
    assert side_by_side(one, two, -1)[1] == Row("wins the race", 1000, 0, 1000)
