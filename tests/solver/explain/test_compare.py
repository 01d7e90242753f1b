"""The best line against the others: values, where lines stop, what the next best move loses."""

from __future__ import annotations

import pytest
from support.command import SHOT
from support.explaining import INPUTS, puzzle_of, way

import solver
from solver.explain.compare import (
    GameValue,
    LineEnd,
    Rivals,
    compare_ways,
    describe_best,
    describe_certainty,
    describe_change,
    describe_fall,
    describe_gain,
    evaluate_end,
    find_line_end,
    find_rivals,
    further_limits,
    game_value,
    is_as_good,
    plies_to_end,
)
from solver.explain.describe import TermPair, pair_terms
from solver.explain.story import Way, forced_replies
from solver.games import game_named
from solver.games.puzzle import Puzzle
from solver.proof.answer import solve
from solver.search.alphabeta import Search
from solver.search.heuristic import NOTHING, Exact, Term
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


@pytest.mark.parametrize(
    ("best", "rival", "sentence"),
    [
        (
            shot(win_in(9)),
            other(win_in(13), 13),
            "It wins as well, but takes 4 plies longer: 13 instead of 9.",
        ),
        (
            shot(win_in(9)),
            other(win_in(13)),
            "It wins as well, in at most 13 plies; the shortest way is not proven.",
        ),
        (
            shot(win_in(9)),
            other(0, certain=True),
            "The win in 9 plies is thrown away: with best play it is a draw.",
        ),
        (
            shot(win_in(9)),
            other(loss_in(4)),
            "The win in 9 plies is thrown away: black wins in 4 plies.",
        ),
        (
            shot(win_in(9)),
            other(0),
            "Instead of the proven win in 9 plies, it leads to a position that looks even "
            "(estimate).",
        ),
        (
            shot(win_in(21)),
            other(-5),
            "Instead of the proven win in at most 21 plies, it leads to a position that looks "
            "better for black (estimate).",
        ),
        (
            shot(0, certain=True),
            other(loss_in(8)),
            "The draw is thrown away: black wins in 8 plies.",
        ),
        (
            shot(0, certain=True),
            other(-40),
            "Whether it holds the draw is not proven; it looks better for black (estimate).",
        ),
        (
            shot(0, certain=True),
            other(40),
            "It looks better for red (estimate), but it cannot be better than a draw, and whether "
            "it holds the draw is not proven.",
        ),
        (shot(0, certain=True), other(0, certain=True), "It is a draw as well."),
        (
            shot(loss_in(8)),
            other(loss_in(4)),
            "It loses as well, and 4 plies sooner: after 4 instead of 8.",
        ),
        (
            shot(loss_in(8)),
            other(-99),
            "It loses as well, after 8 plies at the latest; how soon is not proven.",
        ),
        (
            shot(50),
            other(20),
            "It looks better for red (estimate), 30 points less than the best move.",
        ),
        (
            shot(50),
            other(20, 7),
            "It was searched to depth 7 and not 9, so the two are hard to compare.",
        ),
        (
            shot(50),
            other(loss_in(4)),
            "This is proven: black wins in 4 plies.",
        ),
    ],
)
def test_change_of_the_result(best: Way, rival: Way, sentence: str) -> None:
    assert describe_change(best, rival, compare_ways(best, rival)) == sentence


def test_a_piece_lost_for_nothing() -> None:
    """Red gives the man on g7 without getting anything, and gets two for it on the best line."""
    best, rival = shot(80, moves="19-23 30x21 23x14x5 21-17"), other(-80)
    found = compare_ways(best, rival)
    assert found.before is found.after is GameValue.UNPROVEN
    assert found.points == 160
    assert found.falls is not None
    assert found.gains is not None
    assert describe_fall(rival, found.falls) == (
        "After 7-10 30x21 (ply 2) red has lost a man, and gets nothing for it."
    )
    assert describe_gain(best, found.gains) == (
        "On the best line, after 19-23 30x21 23x14x5 (ply 3) red has won two men for one."
    )


def test_a_bad_trade_is_described_at_the_end_of_the_exchange() -> None:
    """Two men are taken first, and then three lost; the best line takes fewer at once."""
    fen = "B:W6,15,29,30:B1,5,11,26"
    best = way(fen, "11x18 30x23x14 1x10x17", 80)
    rival = way(fen, "1x10x19 30x23x16x7", -80)
    found = compare_ways(best, rival)
    assert found.falls is not None
    assert describe_fall(rival, found.falls) == (
        "After 1x10x19 30x23x16x7 (ply 2) red has given three men for two, and does not recover."
    )
    assert found.gains is None  # nothing that the other line does not have for a moment


def test_a_king_let_through() -> None:
    fen = "B:W8,K15:B1,7"
    best, rival = way(fen, "7-10 15x6 1x10", 0), way(fen, "7-11 15-19 1-6 8-3", -80)
    found = compare_ways(best, rival)
    assert found.falls is not None
    assert describe_fall(rival, found.falls) == (
        "After 7-11 15-19 1-6 8-3 (ply 4) red has let black get a king."
    )
    assert found.gains is not None
    assert describe_gain(best, found.gains).endswith("red has won a king for a man.")


def test_the_end_of_a_game_is_no_reason() -> None:
    """That everything is taken at the end of the game explains nothing."""
    best, rival = shot(0, certain=True, moves="19-23 30x21 23x14x5 21-17"), other(50)
    assert compare_ways(rival, best).falls is None
    assert compare_ways(shot(win_in(9)), rival).gains is not None
    lost = way("B:W18,27:B23", "23x32", loss_in(4))
    assert compare_ways(best, lost).falls is None


def test_no_piece_need_make_the_difference() -> None:
    fen = "B:W32:BK10"
    found = compare_ways(way(fen, "10-15", 9), way(fen, "10-14", 5))
    assert found.falls is None
    assert found.gains is None
    assert found.points == 4


def evaluate(position: object) -> int:
    return 7


def test_the_five_ways_to_stop() -> None:
    over = way(SHOT, LINE, win_in(9), 9)
    assert find_line_end(over, TABLES, evaluate) is LineEnd.OVER
    known = way("B:W29:BK1", "1-6", 3)
    assert find_line_end(known, TABLES, evaluate) is LineEnd.TABLES
    assert find_line_end(known, NOTHING, evaluate) is LineEnd.BROKEN
    assert find_line_end(way(SHOT, "19-23", -7), NOTHING, evaluate) is LineEnd.HORIZON
    assert find_line_end(way(SHOT, "19-23 30x21", 7), NOTHING, evaluate) is LineEnd.HORIZON
    assert find_line_end(way(SHOT, "7-10", 0, certain=True), NOTHING, evaluate) is LineEnd.PROVEN


def test_estimates_are_those_of_the_roots_mover() -> None:
    assert evaluate_end(way(SHOT, "19-23", 0), evaluate) == -7
    assert evaluate_end(way(SHOT, "19-23 30x21", 0), evaluate) == 7


def test_a_draw_goes_on_while_there_is_no_choice() -> None:
    """The line of a proven draw is its first move; what must be taken after it is described too."""
    fen = "B:W13,17,18,19:BK5,9,10"
    drawn = way(fen, "9-14", 0, certain=True)
    assert drawn.names == ["9-14", "18x9", "5x14x21"]
    assert way(fen, "9-14", 0).names == ["9-14"]  # an estimate is about the end of its line


def test_a_choice_ends_what_is_forced_unless_the_tables_decide() -> None:
    """Of two jumps one holds the draw and the other one loses."""
    position = puzzle_of("B:W11,27:BK7,K24").position
    assert TABLES.score(position) == 0
    assert sorted(TABLES.score(child) for child in position.children()) == [0, win_in(1)]
    assert forced_replies(position, NOTHING) == []
    first = forced_replies(position, TABLES)[0]
    assert game_named("checkers").move_name(position, first) == "24x31"


def test_verdicts() -> None:
    some = Rivals([], SearchResult(1, 0, [], way(SHOT, "7-10", 0).result.counters), 6)
    best = way(SHOT, LINE, win_in(9), 9)
    assert describe_best(best, some) == "It wins by force in 9 plies, whatever black does."
    assert describe_best(way(SHOT, LINE, win_in(9)), some).startswith(
        "It wins by force in at most 9"
    )
    assert describe_best(way("B:W24:B20", "20x27", win_in(1)), some) == "It wins at once."
    lost = way(SHOT, "7-10", loss_in(8), 8)
    assert describe_best(lost, some) == "Every move loses; this one holds out longest, 8 plies."
    assert (
        describe_best(lost, Rivals([], None, 1))
        == "It is the only legal move, and loses in 8 plies."
    )
    assert describe_best(lost, Rivals(lost.positions, None, 3)) == "Every move loses in 8 plies."
    held = way(SHOT, "7-10", 0, certain=True)
    assert describe_best(held, some) == "It holds the draw, and no move does better."
    assert (
        describe_best(held, Rivals([], None, 1)) == "It is the only legal move, and holds the draw."
    )
    thought = way(SHOT, "7-10", -3)
    assert describe_best(thought, some) == "Best by search (estimate): -3 at depth 4."
    assert describe_best(thought, Rivals([], None, 1)) == (
        "It is the only legal move; its value is an estimate, -3 at depth 4."
    )
    unsearched = way(SHOT, "7-10", -3, 0)
    assert describe_best(unsearched, some).startswith("Best by the heuristic alone")


def test_how_certain_it_is() -> None:
    assert describe_certainty(way(SHOT, LINE, win_in(9), 9)) == (
        "Proven: red cannot win sooner, and black cannot hold out longer."
    )
    assert describe_certainty(way(SHOT, LINE, win_in(9))) == (
        "Proven; whether red can win sooner is not."
    )
    assert describe_certainty(way(SHOT, "7-10", loss_in(2), 2)) == (
        "Proven: black cannot win sooner, and red cannot hold out longer."
    )
    assert describe_certainty(way(SHOT, "7-10", 0, certain=True)).startswith("Proven: both sides")
    assert describe_certainty(way(SHOT, LINE, 10_000)) == (
        "Both sides had other moves, so the value is an estimate: +10000 at depth 4."
    )


def compare_moves(puzzle: Puzzle, limits: Limits, exact: Exact | None = None) -> Rivals:
    position = puzzle.position
    tables = puzzle.game.tables() if exact is None else exact
    evaluate = puzzle.game.evaluator(puzzle.game.DEFAULT_HEURISTIC, position)
    best = solve(position, evaluate, limits, Techniques(), exact=tables).result
    search = Search(evaluate, Techniques(), tables)

    def ask(leave_out: frozenset[int]) -> SearchResult:
        return search.run(position, further_limits(limits, best), leave_out=leave_out)

    return find_rivals(position, [best], ask, tables)


def read(name: str) -> Puzzle:
    return solver.read(INPUTS / f"{name}.txt")


def test_an_only_move_has_no_rivals() -> None:
    found = compare_moves(read("checkers/compulsory-jump"), Limits(nodes=2000))
    assert (found.equal, found.next_best, found.moves) == ([], None, 1)


def test_all_equally_good_moves_are_found_by_proof() -> None:
    for name, equal in (
        ("checkers/equally-good-four", 3),
        ("checkers/equally-good-draws", 2),
        ("checkers/equally-good-defences", 1),
        ("twoflags/race-two-equal-runners", 1),
    ):
        found = compare_moves(read(name), Limits(nodes=20_000))
        assert len(found.equal) == equal
        assert found.next_best is not None


def test_nothing_is_left_if_all_are_equally_good() -> None:
    found = compare_moves(read("checkers/equally-good-all"), Limits(nodes=20_000))
    assert len(found.equal) == found.moves - 1 == 5
    assert found.next_best is None


def test_equal_estimates_are_found_by_searching_on() -> None:
    found = compare_moves(puzzle_of("B:W21-32:B1-12"), Limits(depth=4), NOTHING)
    assert found.moves == 7
    assert len(found.equal) + (found.next_best is not None) > 1
    if found.next_best is not None:
        assert found.next_best.depth == 4


def test_known_results_are_not_asked_again() -> None:
    position = puzzle_of("B:W21-32:B1-12").position
    children = position.children()
    best, second = (
        SearchResult(4, score, [children[at]], Counters()) for at, score in ((2, 9), (5, 3))
    )

    def ask(leave_out: frozenset[int]) -> SearchResult:
        raise AssertionError("not needed")

    found = find_rivals(position, [best, second], ask, NOTHING)
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


def test_terms_side_by_side() -> None:
    one = [Term("men", 3, 2, 100), Term("kings", 1, 1, 150)]
    two = [Term("men", 3, 3, 100), Term("wins the race", 0, 1, 1000)]
    assert pair_terms(one, two, 1) == [
        TermPair("men", 100, 100, 0),
        TermPair("wins the race", 1000, 0, -1000),
    ]
    assert pair_terms(one, two, -1)[1] == TermPair("wins the race", 1000, 0, 1000)
