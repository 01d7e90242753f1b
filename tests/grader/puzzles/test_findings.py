"""What is found about every move, held against tables that were not used to find it; and how hard
puzzles are."""

from __future__ import annotations

from collections import Counter
from itertools import islice
from typing import Any

import pytest
from support.positions import random_positions

from grader.puzzles import prove
from grader.puzzles.evidence import Findings, find, tables_of
from grader.puzzles.prove import Difficulty, measure, search_deeper
from grader.puzzles.truth import Proven, Source, Truth, Value
from solver.games import game_named
from solver.games.checkers import game
from solver.games.checkers.endgame.probe import EndgameTables
from solver.search.position import LOST
from solver.search.score import UNKNOWN, win_in

TABLES = tables_of("checkers")


def three_pieces() -> EndgameTables:
    """Tables that know less than there is to know."""
    tables = EndgameTables()
    tables.open()
    tables.pieces = 3
    return tables


def true_value(child: Any) -> Value:
    known = TABLES.score(child)
    if child.status() == LOST:
        return Value(win_in(1))
    assert known != UNKNOWN
    return Value(known).after_a_ply()


def agrees(found: Value, true: Value) -> bool:
    """Whether what was found is so, and what was not proven is left open."""
    if found.bounded:
        return found.result == true.result and (true.plies or 0) <= (found.most_plies or 0)
    return found == true if found.proven else found.depth is not None


def test_what_is_certain_is_so() -> None:
    """Four pieces, by a search into tables of three; all four are in the tables beside it."""
    few = three_pieces()
    sources: Counter[Source] = Counter()
    kinds: Counter[Proven] = Counter()
    for position in random_positions(40, range(4, 5), seed=1):
        if game.outcome(position) or TABLES.score(position) == UNKNOWN:
            continue
        findings = Findings(game_named("checkers"), position, 8, 1_000, few)
        truth = findings.truth(findings.children[findings.best[0]], "board")
        true = [true_value(child) for child in findings.children]
        for found, value in zip(findings.values, true, strict=True):
            assert agrees(found, value), (position, found, value)
        check_root(truth, findings, true)
        sources.update(move.source for move in truth.moves)
        kinds[truth.proven] += 1
    assert min(sources[source] for source in Source) >= 5
    assert min(kinds[kind] for kind in Proven if kind is not Proven.OVER) >= 1


def check_root(truth: Truth, findings: Findings, true: list[Value]) -> None:
    """The value of the puzzle, and its best moves: of a proven win all there are."""
    best = max(true, key=lambda value: value.score)
    assert agrees(findings.value, best)
    if truth.proven in (Proven.ALL, Proven.BEST):
        names = [move.name for move in truth.moves]
        all_best = {name for name, value in zip(names, true, strict=True) if value == best}
        assert set(truth.best) <= all_best
        assert len(truth.best) == len(all_best) or (
            truth.proven is Proven.BEST and findings.value.result <= 0
        )


def found(fen: str, nodes: int = 20_000) -> Truth:
    read = game.read(fen, "test", True)
    position, form = read.position, read.form
    findings = find(game_named("checkers"), position, 8, nodes)
    return findings.truth(findings.children[findings.best[0]], form)


@pytest.mark.parametrize(
    ("fen", "nodes", "value", "proven", "best", "others"),
    [
        # Two kings against one: the lone king to move holds the draw by one move only.
        ("W:WK18:BK29,K30", 1, "draw", Proven.ALL, {"e5-f6"}, "loss in "),
        # A draw by a search into the tables.
        ("W:WK1,7,18:BK9,K14,28", 20_000, "draw", Proven.BEST, {"g1-h2"}, "loss in at most"),
        ("B:W9,19:B8,28,K29", 20_000, "win in at most 33", Proven.RESULT, {"b2-c3"}, ""),
        # The shortest win is proven though longer ones are not.
        ("B:W29,30:BK2,20,22", 20_000, "win in 17", Proven.BEST, {"a5-b6", "e1-f2"}, "win in at"),
    ],
)
def test_how_much_is_proven(
    fen: str, nodes: int, value: str, proven: Proven, best: set[str], others: str
) -> None:
    truth = found(fen, nodes)
    assert (str(truth.value), truth.proven, set(truth.best)) == (value, proven, best)
    left = [move for move in truth.moves if move.name not in best]
    assert any(str(move.value).startswith(others) for move in left)
    sources = {move.source for move in truth.moves}
    assert (sources == {Source.TABLES}) == (proven is Proven.ALL)
    if proven is Proven.ALL:
        assert truth.proof == "every move looked up in the endgame tables"


def test_an_opinion_is_no_better_than_a_proven_draw() -> None:
    """Among moves that cannot win, the one that a search likes is not called best."""
    position = game.read("W:WK1,7,18:BK9,K14,28", "test", True).position
    findings = find(game_named("checkers"), position, 8, 20_000)
    drawing = findings.values.index(Value(0))
    open_ = next(index for index, value in enumerate(findings.values) if not value.certain)
    findings.values[open_] = Value(30, 8)
    assert findings.best == [drawing]
    assert findings.truth(findings.children[drawing], "board").best == ("g1-h2",)


def test_a_board_is_looked_up_on_light_squares_but_not_on_both_colours() -> None:
    top = "B......." + "\n........" * 6
    assert found(f"{top}\n.R.R....", nodes=1).proven is Proven.ALL
    assert found(f"{top}\nR.......", nodes=500).proven is Proven.NONE


MIDDLE = "B:W13,19,22,23,25,26,29,30:B2,3,4,5,6,8,9,12,21"
TWO_KINGS = "B:WK17:BK1,K6"


def measured(text: str, game: str = "checkers") -> Difficulty:
    rules = game_named(game)
    position = rules.read(text, "test", True).position
    best = find(rules, position, 6, 5_000).best
    return measure(rules, position, best)


def test_a_move_found_by_chance_is_not_found() -> None:
    """The first move in the order of the rules is a best one, and a search that sees no
    difference would answer with it."""
    rules = game_named("checkers")
    position = rules.read(TWO_KINGS, "test", True).position
    steps = islice(search_deeper(rules, position, [0]), 3)
    assert [right for _, _, right in steps] == [False] * 3


def test_a_shot_is_seen_at_the_depth_of_the_last_capture() -> None:
    """Red gives a man and takes two for it: material shows that after three plies, or at once
    where captures are followed to their end."""
    text = ".....b.R/......r./......../..R.b.../.......b/......b./...r..../........"
    found = measured(text.replace("/", "\n"))
    assert (found.depth, found.stars) == (1, 1)


@pytest.mark.parametrize(("text", "most"), [(MIDDLE, 300), ("W:WK6,K9:BK15", 2_000)])
def test_what_takes_too_long_has_no_number(
    text: str, most: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(prove, "MOST", most)
    assert measured(text) == Difficulty(5, None, None)


def test_where_every_move_is_best_there_is_nothing_to_see() -> None:
    assert measured("Setup Wa4 Bh6", "twoflags") == Difficulty(1, 0, 0)


def test_what_is_right_early_but_not_later_is_not_seen_through(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A wrong answer at a greater depth undoes all before it."""
    rules = game_named("checkers")
    for position in random_positions(60, range(6, 8), seed=3):
        steps = list(islice(search_deeper(rules, position, [0]), 5))
        right = [each for _, _, each in steps]
        if True in right and not right[-1]:
            monkeypatch.setattr(prove, "DEEPEST", steps[-1][0])
            assert measure(rules, position, [0]) == Difficulty(5, None, None)
            return
    raise AssertionError("no such position")
