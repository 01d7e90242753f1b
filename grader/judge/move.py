"""One move: the answer to a puzzle is the board after the best move."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Any

from grader.grading.records import Judgement, Verdict
from grader.judge.answer import (
    Drawing,
    Form,
    Unreadable,
    as_read,
    drawing_of,
    drawn,
    fits,
    read_answer,
    uncrowned,
)
from grader.judge.illegal import Asked, betrayed, explain
from grader.puzzles.evidence import tables_of
from grader.puzzles.find import read_board
from grader.puzzles.truth import Move, Truth, Value, children_of, parse_value
from solver.errors import counted
from solver.games import game_named
from solver.proof.answer import prove
from solver.search.alphabeta import Search
from solver.search.limits import Limits
from solver.search.score import UNKNOWN, loss_in
from solver.search.techniques import Techniques

if TYPE_CHECKING:
    from solver.search.evaluate import Evaluate


# What a legal move is worth beside the best.
#
# Of two certain wins one is slower only if that is proven.  Where a win is proven and nothing about
# the given move is, a search has the last word: who is still ahead gets the benefit of the doubt.


def weighed(move: Move, truth: Truth, canonical: bool) -> tuple[Verdict, str, str]:
    """The verdict, the reason, and the comparison with the best move."""
    given, best = parse_value(move.value), _best(truth)
    if canonical:
        return Verdict.EXACT, f"the expected move{_measure(given)}", ""
    comparison = f"{given} instead of {best}"
    if given.result != best.result:
        if given.result > best.result:
            # The expected board of another course need not be the best.
            return Verdict.EQUAL, "better than the expected move", comparison
        if best.result > 0 and not given.certain and given.score > 0:
            reason = f"still ahead at depth {given.depth}; whether it wins is not proven"
            return Verdict.SLOWER, reason, comparison
        return Verdict.WORSE, _thrown_away(given, best), comparison
    if given.result:
        return _by_length(given, best, str(best) == truth.value)
    if given.score < best.score:
        return Verdict.WORSE, f"a weaker move{_measure(given, best)}", comparison
    if given.score == best.score or best.certain:
        return Verdict.EQUAL, f"as good as the expected move{_measure(given, best)}", ""
    return Verdict.EQUAL, "better than the expected move", comparison


def _by_length(given: Value, best: Value, is_shortest: bool) -> tuple[Verdict, str, str]:
    """Of two certain wins, or losses.  `is_shortest` if no other move is better than the best:
    then what is not proven to be as short is longer."""
    comparison = f"{given} instead of {best}"
    if _is_slower(given, best, is_shortest):
        plies = counted(given.most_plies or 0, "ply", "plies")
        bound = "at most " if given.bounded else ""
        if given.result > 0:
            return Verdict.SLOWER, f"it wins in {bound}{plies}, later than it could", comparison
        return Verdict.SLOWER, f"it loses in {bound}{plies}, sooner than it must", comparison
    if given == best and given.proven:
        return Verdict.EQUAL, "as good as the expected move", ""
    if given.proven and best.proven:
        return Verdict.EQUAL, "better than the expected move", comparison
    if given.result > 0:
        reason = "as certain a win as the expected move; which is shorter is not proven"
    else:
        reason = "lost like the expected move; which lasts longer is not proven"
    return Verdict.EQUAL, reason, "" if given == best else comparison


def _is_slower(given: Value, best: Value, is_shortest: bool) -> bool:
    """Whether a win is longer for certain, or a loss shorter."""
    if given.score >= best.score:
        return False
    if given.result > 0:
        return given.proven or (best.proven and is_shortest)
    return best.proven


def _best(truth: Truth) -> Value:
    """The canonical move's value, which is that of the first of the best moves."""
    return parse_value(next(move.value for move in truth.moves if move.name == truth.best[0]))


def _measure(*values: Value) -> str:
    """How an unproven value was measured."""
    depths = [value.depth for value in values if value.depth is not None]
    return f", as far as depth {depths[0]} shows" if depths else ""


def _thrown_away(given: Value, best: Value) -> str:
    lost = f": now it is a {given}" if given.certain else ""
    if best.result > 0:
        if given.certain:
            return f"the win was thrown away{lost}"
        return f"no win is proven after this move, searched to depth {given.depth}"
    if best.certain:
        return f"the draw was thrown away{lost}"
    return f"the game was thrown away{lost}"


# What the solver says about positions, asked once for each.


PROOF_NODES = 400_000  # about two seconds in plain Python, for a position that cannot be proven
SEARCH_NODES = 40_000
MOST_POSITIONS = 100_000  # remembered; a grading of a whole class meets fewer


class Solutions:
    """Proofs and best moves of one game's positions, within a number of nodes for each.

    Every position is looked at by itself, so that an answer never depends on what was asked
    before: the same line gets the same judgement in every grading.
    """

    def __init__(self, game: str, nodes: int = PROOF_NODES) -> None:
        self.game = game_named(game)
        self.exact = tables_of(game)
        self.nodes = nodes
        self._values: dict[Any, Value | None] = {}
        self._best: dict[Any, Any] = {}

    def __len__(self) -> int:
        return len(self._values)

    def value(self, position: Any) -> Value | None:
        """The value of the mover, None if there is no proof within the nodes."""
        if position not in self._values:
            if len(self._values) >= MOST_POSITIONS:
                self._values.clear()
                self._best.clear()
            self._values[position] = self._prove(position)
        return self._values[position]

    def _prove(self, position: Any) -> Value | None:
        if not position.children():
            return Value(loss_in(0))
        known = self.exact.score(position)
        if known != UNKNOWN:
            return Value(known)
        limits = Limits(nodes=self.nodes)
        finding = prove(position, self._evaluate(position), limits, self.exact).finding
        if finding is None:
            return None
        self._best[position] = finding.best
        return Value(finding.score)

    def best(self, position: Any) -> Any:
        """The best move: the shortest win, the longest defence, one that keeps a draw, or what
        a search prefers."""
        self.value(position)
        if position not in self._best:
            limits = Limits(nodes=min(SEARCH_NODES, self.nodes))
            search = Search(self._evaluate(position), Techniques(), self.exact)
            self._best[position] = search.run(position, limits).best
        return self._best[position]

    def _evaluate(self, position: Any) -> Evaluate:
        return self.game.evaluator(self.game.DEFAULT_HEURISTIC, position)


@lru_cache(maxsize=8)
def solutions_of(game: str) -> Solutions:
    """The solutions that all judgements of this process share."""
    return Solutions(game)


def judge_move(
    input_text: str, output: bytes | None, truth: Truth, strict: bool = False
) -> Judgement:
    """Judges by value, never by text: any move as good as the canonical one is as good."""
    try:
        given = read_answer(output, Form(truth.game, truth.variant, strict))
    except Unreadable as unreadable:
        return Judgement(
            unreadable.verdict, unreadable.reason, best=truth.best, expected=truth.board
        )
    return judge_board(input_text, given, truth)


def judge_board(input_text: str, given: Drawing, truth: Truth) -> Judgement:
    """The judgement of an answer that is a board."""
    before = drawn(input_text, truth.game, truth.variant)
    given = as_read(given, before.cells, uncrowned(input_text, truth.game, truth.variant))
    if not truth.moves:
        return _judge_finished(before, given)
    for move, board in _boards(input_text, truth):
        if fits(given, board):
            return _judge_legal(input_text, move, given, truth)
    return _judge_illegal(input_text, given, truth)


@lru_cache(maxsize=256)
def _boards(input_text: str, truth: Truth) -> tuple[tuple[Move, Drawing], ...]:
    """Every move with the board after it.  The rules draw it: what is listed may be a text that
    does not say who is to move."""
    children = children_of(truth, read_board(truth.game, input_text, truth.variant).position)
    boards = [drawing_of(child, truth.game) for child in children]
    return tuple(zip(truth.moves, boards, strict=True))


def _judge_finished(before: Drawing, given: Drawing) -> Judgement:
    """A puzzle in which the game is over: the answer is the input, unchanged."""
    if given.cells == before.cells:
        reason = "the game was over already; the board is unchanged, as it should be"
        return Judgement(Verdict.EXACT, reason, given=str(given), expected=str(before))
    reason = "the game was over already, so nothing may be moved"
    return Judgement(Verdict.ILLEGAL, reason, given=str(given), expected=str(before))


def _judge_legal(input_text: str, move: Move, given: Drawing, truth: Truth) -> Judgement:
    canonical = given.cells == drawn(truth.board, truth.game, truth.variant).cells
    verdict, reason, comparison = weighed(move, truth, canonical)
    cause = ""
    if verdict in (Verdict.SLOWER, Verdict.WORSE):
        cause = betrayed(input_text, move, truth)
    return Judgement(
        verdict,
        reason,
        cause,
        comparison,
        move=move.name,
        best=truth.best,
        given=str(given),
        expected=truth.board,
    )


def _judge_illegal(input_text: str, given: Drawing, truth: Truth) -> Judgement:
    position = read_board(truth.game, input_text, truth.variant).position
    breach = explain(Asked(truth.game, truth.variant, position), given)
    return Judgement(
        Verdict.ILLEGAL,
        breach.reason,
        breach.cause,
        breach.hint,
        move=breach.move,
        best=truth.best,
        given=str(given),
        expected=truth.board,
    )
