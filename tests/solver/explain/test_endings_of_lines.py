"""Where lines stop, and what is said about it."""

from __future__ import annotations

from support.command import SHOT
from support.explaining import puzzle_of, way

from solver.explain.compare import (
    LineEnd,
    Rivals,
    describe_best,
    describe_certainty,
    evaluate_end,
    find_line_end,
)
from solver.explain.story import forced_replies
from solver.games import game_named
from solver.search.exact import NOTHING
from solver.search.result import Finding
from solver.search.score import loss_in, win_in

game = game_named("checkers")
LINE = "19-23 30x21 23x14x5 21-17 7-10 17-14 10x17 13-9 5x14"
TABLES = game.tables()


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


def test_opinions_are_those_of_the_roots_mover() -> None:
    assert evaluate_end(way(SHOT, "19-23", 0), evaluate) == -7
    assert evaluate_end(way(SHOT, "19-23 30x21", 0), evaluate) == 7


def test_a_draw_goes_on_while_there_is_no_choice() -> None:
    """The line of a proven draw is its first move; what must be taken after it is told too."""
    fen = "B:W13,17,18,19:BK5,9,10"
    told = way(fen, "9-14", 0, certain=True)
    assert told.names == ["9-14", "18x9", "5x14x21"]
    assert way(fen, "9-14", 0).names == ["9-14"]  # an opinion was formed where its line ends


def test_a_choice_ends_what_is_forced_unless_the_tables_decide() -> None:
    """Of two jumps one holds the draw and the other one loses."""
    position = puzzle_of("B:W11,27:BK7,K24").position
    assert TABLES.score(position) == 0
    assert sorted(TABLES.score(child) for child in position.children()) == [0, win_in(1)]
    assert forced_replies(position, NOTHING) == []
    first = forced_replies(position, TABLES)[0]
    assert game.move_name(position, first) == "24x31"


def test_verdicts() -> None:
    some = Rivals([], Finding(1, 0, [], way(SHOT, "7-10", 0).finding.effort), 6)
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
