"""The best line against the others: values, where lines stop, what the next best move loses."""

from __future__ import annotations

import pytest
from support.command import SHOT
from support.explaining import INPUTS, puzzle_of, way

import solver
from solver.explain.compare import (
    GameValue,
    Rivals,
    describe_best,
    describe_certainty,
    describe_change,
    describe_fall,
    describe_gain,
    ends_with_estimate,
    find_rivals,
    further_limits,
    game_value,
    is_as_good,
    plies_to_end,
)
from solver.explain.story import Way, forced_replies
from solver.games import game_named
from solver.games.puzzle import Puzzle
from solver.games.solve import find_heuristic
from solver.proof.answer import solve
from solver.search.alphabeta import Search
from solver.search.heuristic import NOTHING, Exact
from solver.search.limits import Limits
from solver.search.result import Counters, SearchResult
from solver.search.score import loss_in, win_in
from solver.search.techniques import Techniques

LINE = "19-23 30x21 23x14x5 21-17 7-10 17-14 10x17 13-9 5x14"
TABLES = game_named("checkers").tables()


def shot(score: int, depth: int = 9, moves: str = LINE, **result: bool) -> Way:
    return way(SHOT, moves, score, depth, **result)


def other(score: int, depth: int = 9, **result: bool) -> Way:
    return way(SHOT, "7-10 30x21 10-14 9-6", score, depth, **result)


WON, DRAWN, LOST, AHEAD = shot(win_in(9)), shot(0, certain=True), shot(loss_in(8)), shot(50)
DRAW, BEATEN = other(0, certain=True), other(loss_in(4))


@pytest.mark.parametrize(
    ("best", "rival", "words"),
    [
        (WON, other(win_in(13), 13), "It wins as well, but takes 4 plies longer: 13 instead of 9."),
        (WON, other(win_in(13)), "It wins as well, in at most 13 plies; the shortest way is not"),
        (WON, DRAW, "The win in 9 plies is thrown away: with best play it is a draw."),
        (WON, BEATEN, "The win in 9 plies is thrown away: black wins in 4 plies."),
        (WON, other(0), "Instead of the proven win in 9 plies, it leads to a position that looks "),
        (
            shot(win_in(21)),
            other(-5),
            "Instead of the proven win in at most 21 plies, it leads to ",
        ),
        (DRAWN, other(loss_in(8)), "The draw is thrown away: black wins in 8 plies."),
        (DRAWN, other(-40), "Whether it holds the draw is not proven; it looks better for black "),
        (DRAWN, other(40), "It looks better for red (estimate), but cannot be better than a draw"),
        (DRAWN, DRAW, "It is a draw as well."),
        (LOST, BEATEN, "It loses as well, and 4 plies sooner: after 4 instead of 8."),
        (LOST, other(-99), "It loses as well, after 8 plies at the latest; how soon is not proven"),
        (AHEAD, other(20), "It looks better for red (estimate), 30 points less than the best move"),
        (AHEAD, other(20, 7), "It was searched to depth 7 and not 9, so the two are hard to compa"),
        (AHEAD, BEATEN, "This is proven: black wins in 4 plies."),
    ],
)
def test_change_of_the_result(best: Way, rival: Way, words: str) -> None:
    assert describe_change(best, rival).startswith(words)


TRADES = "B:W6,15,29,30:B1,5,11,26"
LET_THROUGH = "B:W8,K15:B1,7"


@pytest.mark.parametrize(
    ("best", "rival", "fall", "gain"),
    [
        (
            shot(80, moves="19-23 30x21 23x14x5 21-17"),
            other(-80),
            "After 7-10 30x21 (ply 2) red has lost a man, and gets nothing for it.",
            "On the best line, after 19-23 30x21 23x14x5 (ply 3) red has won two men for one.",
        ),
        (  # what the best line wins, the other one has for a moment, until the end of the exchange
            way(TRADES, "11x18 30x23x14 1x10x17", 80),
            way(TRADES, "1x10x19 30x23x16x7", -80),
            "After 1x10x19 30x23x16x7 (ply 2) red has given three men for two, and does not "
            "recover.",
            "",
        ),
        (
            way(LET_THROUGH, "7-10 15x6 1x10", 0),
            way(LET_THROUGH, "7-11 15-19 1-6 8-3", -80),
            "After 7-11 15-19 1-6 8-3 (ply 4) red has let black get a king.",
            "On the best line, after 7-10 15x6 1x10 (ply 3) red has won a king for a man.",
        ),
        # That everything is taken at the end of the game explains nothing.
        (DRAWN, way("B:W18,27:B23", "23x32", loss_in(4)), "", None),
        # No piece need make the difference.
        (way("B:W32:BK10", "10-15", 9), way("B:W32:BK10", "10-14", 5), "", ""),
    ],
)
def test_material_lost_and_won(best: Way, rival: Way, fall: str, gain: str | None) -> None:
    assert describe_fall(best, rival) == fall
    if gain is not None:
        assert describe_gain(best, rival) == gain


def evaluate(position: object) -> int:
    return 7


def test_where_lines_end_with_an_estimate() -> None:
    known = way("B:W29:BK1", "1-6", 3)  # by the tables; else the rest was cached
    for line, exact, estimate in (
        (way(SHOT, LINE, win_in(9), 9), TABLES, False),
        (known, TABLES, False),
        (known, NOTHING, False),
        (way(SHOT, "19-23", -7), NOTHING, True),  # for the mover at the root
        (way(SHOT, "19-23 30x21", 7), NOTHING, True),
        (way(SHOT, "7-10", 0, certain=True), NOTHING, False),
    ):
        assert ends_with_estimate(line, exact, evaluate) == estimate


def test_a_draw_goes_on_while_there_is_no_choice() -> None:
    """The line of a proven draw is its first move; what must be taken after it is described too."""
    fen = "B:W13,17,18,19:BK5,9,10"
    assert way(fen, "9-14", 0, certain=True).names == ["9-14", "18x9", "5x14x21"]
    assert way(fen, "9-14", 0).names == ["9-14"]  # an estimate is about the end of its line
    # Of two jumps one holds the draw and the other one loses: only the tables decide.
    position = puzzle_of("B:W11,27:BK7,K24").position
    assert sorted(TABLES.score(child) for child in position.children()) == [0, win_in(1)]
    assert forced_replies(position, NOTHING) == []
    first = forced_replies(position, TABLES)[0]
    assert game_named("checkers").move_name(position, first) == "24x31"


def test_verdicts() -> None:
    some, only = Rivals([], SearchResult(1, 0, [], Counters()), 6), Rivals([], None, 1)
    lost, held = way(SHOT, "7-10", loss_in(8), 8), way(SHOT, "7-10", 0, certain=True)
    guess = way(SHOT, "7-10", -3)
    for best, rivals, words in (
        (WON, some, "It wins by force in 9 plies, whatever black does."),
        (way(SHOT, LINE, win_in(9)), some, "It wins by force in at most 9"),
        (way("B:W24:B20", "20x27", win_in(1)), some, "It wins at once."),
        (lost, some, "Every move loses; this one holds out longest, 8 plies."),
        (lost, only, "It is the only legal move, and loses in 8 plies."),
        (lost, Rivals(lost.positions, None, 3), "Every move loses in 8 plies."),
        (held, some, "It holds the draw; no move is better."),
        (held, only, "It is the only legal move, and holds the draw."),
        (guess, some, "Best by search (estimate): -3 at depth 4."),
        (guess, only, "It is the only legal move; its value is an estimate, -3 at depth 4."),
        (way(SHOT, "7-10", -3, 0), some, "Best by the heuristic alone"),
    ):
        assert describe_best(best, rivals).startswith(words)


def test_how_certain_it_is() -> None:
    for line, words in (
        (WON, "Proven: red cannot win sooner, and black cannot hold out longer."),
        (way(SHOT, LINE, win_in(9)), "Proven; whether red can win sooner is not."),
        (way(SHOT, "7-10", loss_in(2), 2), "Proven: black cannot win sooner, and red cannot hold "),
        (DRAWN, "Proven: both sides"),
        (AHEAD, "Both sides had other moves, so the value is an estimate: +50"),
    ):
        assert describe_certainty(line).startswith(words)


def compare_moves(puzzle: Puzzle, limits: Limits, exact: Exact, heuristic: str = "") -> Rivals:
    position = puzzle.position
    evaluate = find_heuristic(puzzle, heuristic)[1]
    best = solve(position, evaluate, limits, Techniques(), exact=exact).result
    search = Search(evaluate, Techniques(), exact)

    def ask(leave_out: frozenset[int]) -> SearchResult:
        return search.run(position, further_limits(limits, best), leave_out=leave_out)

    return find_rivals(position, [best], ask, exact)


@pytest.mark.parametrize(
    ("name", "equal", "others"),
    [
        ("checkers/compulsory-jump", 0, 0),
        ("checkers/equally-good-four", 3, 1),
        ("checkers/equally-good-defences", 1, 1),
        ("twoflags/race-two-equal-runners", 1, 1),
        ("checkers/equally-good-all", 5, 0),
    ],
)
def test_equally_good_moves_are_found_by_proof(name: str, equal: int, others: int) -> None:
    puzzle = solver.read(INPUTS / f"{name}.txt")
    found = compare_moves(puzzle, Limits(nodes=20_000), puzzle.game.tables())
    assert len(found.equal) == equal
    assert (found.next_best is not None) == bool(others)
    assert others or found.moves == equal + 1


def test_equal_estimates_are_found_by_searching_on() -> None:
    puzzle = puzzle_of("B:W21-32:B1-12")
    found = compare_moves(puzzle, Limits(depth=4), NOTHING, "material")
    assert found.moves == 7
    assert len(found.equal) + (found.next_best is not None) > 1
    assert found.next_best is None or found.next_best.depth == 4
    # Known results are not searched again.
    children = puzzle.position.children()
    best, second = (
        SearchResult(4, score, [children[at]], Counters()) for at, score in ((2, 9), (5, 3))
    )

    def ask(leave_out: frozenset[int]) -> SearchResult:
        raise AssertionError("not needed")

    found = find_rivals(puzzle.position, [best, second], ask, NOTHING)
    assert (found.equal, found.next_best) == ([], second)


def result(score: int, depth: int = 9, certain: bool = False) -> SearchResult:
    return SearchResult(depth, score, [], Counters(), certain)


def test_proofs_and_estimates_are_never_equal() -> None:
    assert is_as_good(result(5), result(5))
    assert not is_as_good(result(5), result(5, 8))
    assert not is_as_good(result(5), result(4))
    assert not is_as_good(result(0), result(0, certain=True))
    assert is_as_good(result(0, 3, certain=True), result(0, certain=True))
    assert is_as_good(result(win_in(9)), result(win_in(9), 12))
    assert not is_as_good(result(win_in(21)), result(win_in(21)))  # in at most 21, both


def test_game_values() -> None:
    assert game_value(result(win_in(21))) is GameValue.WIN
    assert game_value(result(loss_in(4))) is GameValue.LOSS
    assert game_value(result(0, certain=True)) is GameValue.DRAW
    assert game_value(result(0)) is GameValue.UNPROVEN
    ratio = result(10_000, certain=True)  # with another value of a win
    assert (game_value(ratio), plies_to_end(ratio)) == (GameValue.WIN, None)
    assert plies_to_end(result(loss_in(4))) == 4


def test_an_estimate_is_compared_at_its_own_depth() -> None:
    limits = Limits(nodes=1000, seconds=2.0)
    after_proof, after_estimate = (further_limits(limits, result(s, 9)) for s in (win_in(9), 5))
    assert (after_proof.depth, after_proof.nodes, after_proof.seconds) == (None, 500, 2.0)
    assert (after_estimate.depth, after_estimate.nodes) == (9, 2000)
    assert further_limits(Limits(depth=4), result(win_in(3), 4)).depth == 4
