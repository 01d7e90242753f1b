"""The trace against the search it is a trace of, and against the textbook."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest
from support.minimax import AlphaBeta
from support.positions import random_pawns, random_positions

from solver.games import game_named
from solver.games.tree import leaf_value, parse
from solver.search.alphabeta import Search
from solver.search.heuristic import NOTHING
from solver.search.limits import Limits
from solver.search.techniques import CACHES, ORDERINGS, Techniques, plain
from solver.trace.nodes import Node, Tag, TraceView
from solver.trace.recorder import record_trace
from solver.trace.trace import Cause, Subject, Trace

CHECKERS, TWO_FLAGS = game_named("checkers"), game_named("twoflags")
SMALL = [
    *((CHECKERS, board) for board in random_positions(16, range(3, 14), seed=81)),
    *((TWO_FLAGS, pawns) for pawns in random_pawns(10, range(4, 12), seed=82)),
]
WAYS = {
    "textbook": plain(),
    "minimax": Techniques("all"),
    **{f"ordering {name}": plain("captures", ordering=name) for name in ORDERINGS},
    **{f"cache {name}": plain("deepening", cache=name) for name in CACHES},
    "pvs": plain("pvs", cache="sound"),
    "usual": Techniques(),
}


def trace_of(game: Any, position: Any, switches: Techniques, depth: int = 3) -> Trace:
    evaluate = game.evaluator(game.DEFAULT_HEURISTIC, position)
    return record_trace(position, evaluate, switches, game.tables(), depth)


def nodes_of(trace: Trace, subject: Subject) -> list[Node]:
    return TraceView(trace, subject, trace.visits, len(trace.visits)).nodes


@pytest.mark.parametrize("way", WAYS)
def test_what_it_counts_is_what_the_search_counts(way: str) -> None:
    """Counted from the visits, against the counters of an ordinary search."""
    cuts = hits = 0
    for game, position in SMALL:
        switches = WAYS[way]
        depth = 4 if way.startswith("cache") else 3
        evaluate = game.evaluator(game.DEFAULT_HEURISTIC, position)
        result = Search(evaluate, switches, game.tables()).run(position, Limits(depth=depth))
        trace = trace_of(game, position, switches, depth)
        causes = Counter(visit.cause for visit in trace.visits)
        counters = result.counters
        cut = Counter(visit.ply % 2 for visit in trace.visits if trace.is_cut(visit))
        assert len(trace.visits) == counters.visited
        assert causes[Cause.HEURISTIC] == counters.evaluated
        assert causes[Cause.TABLES] == counters.known
        assert (cut[1], cut[0]) == (counters.alpha_cuts, counters.beta_cuts)
        if switches.caches_searches:
            assert causes[Cause.CACHE] + causes[Cause.CHILD_IN_CACHE] == counters.hits
        assert (trace.result.score, trace.result.line) == (result.score, result.line)
        cuts += counters.alpha_cuts + counters.beta_cuts
        hits += counters.hits
    assert bool(cuts) == (way != "minimax")
    assert bool(hits) == (WAYS[way].cache != "none")


class Watched(AlphaBeta):
    """The textbook's alpha-beta, and what it looked at: position, window, value for the mover."""

    def __init__(self, *parts: Any) -> None:
        super().__init__(*parts)
        self.seen: list[list[Any]] = []

    def within(self, position: Any, depth: int, ply: int, alpha: int, beta: int) -> int:
        note = [position, alpha, beta]
        self.seen.append(note)
        note.append(super().within(position, depth, ply, alpha, beta))
        return int(note[-1])


def test_it_is_the_alpha_beta_of_the_textbook_visit_by_visit() -> None:
    for game, position in SMALL:
        evaluate = game.evaluator(game.DEFAULT_HEURISTIC, position)
        book = Watched(evaluate)
        book.value(position, 3)
        trace = record_trace(position, evaluate, plain(), NOTHING, 3)
        assert [
            [visit.position, visit.alpha, visit.beta, visit.value] for visit in trace.visits
        ] == book.seen


def test_steps_go_in_and_out_like_parentheses() -> None:
    for game, position in SMALL[::7]:
        trace = trace_of(game, position, Techniques())
        steps = [step for visit in trace.visits for step in (visit.enter, visit.leave)]
        assert sorted(steps) == list(range(2 * len(trace.visits)))
        for visit in trace.visits:
            assert visit.enter < visit.leave
            if visit.parent >= 0:
                above = trace.visits[visit.parent]
                assert above.enter < visit.enter < visit.leave < above.leave
                assert visit.position in above.position.children()


def test_the_marked_line_is_the_one_that_was_found() -> None:
    for game, position in SMALL:
        trace = trace_of(game, position, plain())
        marked = [visit for visit in trace.visits if visit.number in trace.line]
        assert [visit.position for visit in marked] == [position, *trace.result.line]
        assert all(trace.worth(visit) == trace.result.score for visit in marked)


def test_every_cut_has_a_reason_that_holds() -> None:
    """The better value that it speaks of stands in the sentence, and is better."""
    seen = 0
    for game, position in SMALL:
        trace = trace_of(game, position, plain())
        for node in nodes_of(trace, Subject(game)):
            if node.tag is Tag.CUT:
                here, _, elsewhere = node.reason.partition("; ")
                assert "already" in here, node
                assert " has " in elsewhere or " can hold " in elsewhere, node
                limit = node.beta if node.mover == position.mover() else node.alpha
                assert limit is not None
                seen += 1
    assert seen > 150


def test_a_cut_names_what_it_has_spared() -> None:
    for game, position in SMALL[::5]:
        trace = trace_of(game, position, plain())
        names = Subject(game)
        by_id = {node.id: node for node in nodes_of(trace, names)}
        for visit in trace.visits:
            if visit.cause is Cause.CHILDREN:
                below = [by_id[child.number].move for child in trace.below[visit.number]]
                legal = [names.move(visit.position, c) for c in visit.position.children()]
                assert sorted([*below, *by_id[visit.number].unseen]) == sorted(legal)


def tree_nodes(text: str, switches: Techniques | None = None) -> list[Node]:
    tree = parse(text, "test")
    trace = record_trace(tree, leaf_value, switches or plain(), NOTHING, tree.height, hero="Max")
    return nodes_of(trace, Subject())


def test_a_deep_cut_names_the_choice_far_above() -> None:
    """Max has 5 at the root; four plies below, one answer of Min's is enough."""
    nodes = tree_nodes("(5 (((((1 2) 9) 7) 8)))")
    reasons = [node.reason for node in nodes if node.tag is Tag.CUT]
    assert "Min can already hold Max to 1 here; Max has 5 at 1" in reasons


@pytest.mark.parametrize(
    ("text", "value", "line"),
    [("(4 (3 (9 1)) ((6 7) 2))", 4, ["", "1"]), ("min ((3 12) (2 4))", 4, ["", "2", "2.2"])],
)
def test_leaves_may_stand_at_any_depth_and_min_may_begin(
    text: str, value: int, line: list[str]
) -> None:
    nodes = tree_nodes(text)
    assert (nodes[0].value, nodes[0].bound.value) == (value, "exact")
    assert [node.path for node in nodes if node.line] == line
