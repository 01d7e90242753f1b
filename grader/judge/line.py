"""A whole line: every board from the input to the end of the game.

A line is never compared with another one, since several may be shortest.  It is played through:
every step must be legal and, as far as it can be proven, the best, for both sides.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache
from typing import TYPE_CHECKING

from grader.grading.records import Judgement, Verdict
from grader.judge.answer import AnswerReader, Unreadable, WrittenBoard, write_board
from grader.judge.illegal import find_move
from grader.puzzles.evidence import tables_of
from grader.puzzles.truth import Truth, Value
from solver.errors import counted
from solver.games import game_named
from solver.proof.prover import Prover
from solver.search.alphabeta import Search
from solver.search.limits import Limits
from solver.search.score import UNKNOWN, loss_in
from solver.search.techniques import Techniques

if TYPE_CHECKING:
    from collections.abc import Set

    from solver.games import Game, ReadBoard
    from solver.search.heuristic import Evaluate
    from solver.search.position import Position

PROOF_NODES = 400_000  # about two seconds in plain Python, for a position that cannot be proven
SEARCH_NODES = 40_000
MOST_POSITIONS = 100_000  # remembered; a grading of a whole class meets fewer


class Solutions:
    """Proofs and best moves of one game's positions, within a number of nodes for each.

    Every position is proven by itself, so that an answer never depends on what was asked before:
    the same line gets the same judgement in every grading.
    """

    def __init__(self, game: str, nodes: int = PROOF_NODES) -> None:
        self.game = game_named(game)
        self.exact = tables_of(game)
        self.nodes = nodes
        self._values: dict[Position, Value | None] = {}
        self._best: dict[Position, Position] = {}

    def __len__(self) -> int:
        return len(self._values)

    def value(self, position: Position) -> Value | None:
        """The value for the mover, None if there is no proof within the nodes."""
        if position not in self._values:
            if len(self._values) >= MOST_POSITIONS:
                self._values.clear()
                self._best.clear()
            self._values[position] = self._prove(position)
        return self._values[position]

    def _prove(self, position: Position) -> Value | None:
        if not position.children():
            return Value(loss_in(0))
        known = self.exact.score(position)
        if known != UNKNOWN:
            return Value(known)
        limits = Limits(nodes=self.nodes)
        result = Prover(limits, self.exact, self._evaluate(position)).prove(position).result
        if result is None:
            return None
        self._best[position] = result.best
        return Value(result.score)

    def best(self, position: Position) -> Position:
        """The best move: the shortest win, the longest defence, one that keeps a draw, or what
        a search prefers."""
        self.value(position)
        if position not in self._best:
            limits = Limits(nodes=min(SEARCH_NODES, self.nodes))
            search = Search(self._evaluate(position), Techniques(), self.exact)
            self._best[position] = search.run(position, limits).best
        return self._best[position]

    def value_of_puzzle(self, position: Position, truth: Truth) -> Value | None:
        """What a puzzle is worth, if that is known for certain or can be proven."""
        known = truth.value
        if known is not None and known.proven:
            return known
        if self.game.outcome(position) is not None:
            return Value(loss_in(0))
        found = self.value(position)
        return known if found is None and known is not None and known.certain else found

    def _evaluate(self, position: Position) -> Evaluate:
        return self.game.evaluator(self.game.DEFAULT_HEURISTIC, position)


@lru_cache(maxsize=8)
def solutions_of(game: str) -> Solutions:
    """The solutions that all judgements of this process share."""
    return Solutions(game)


@dataclass(frozen=True)
class LineStep:
    """One move of a line."""

    ply: int
    parent: Position
    child: Position
    name: str

    def __str__(self) -> str:
        return f"ply {self.ply} ({self.parent.mover()} {self.name})"


def judge_line(
    board: ReadBoard[Position],
    output: bytes | None,
    truth: Truth,
    strict: bool = False,
    *,
    solutions: Solutions | None = None,
    optimum: int | None = None,
) -> Judgement:
    """The optimum is counted in plies of both sides; left out, it is the truth's, or what
    the solver can prove within the nodes of `solutions`."""
    solutions = solutions_of(truth.game) if solutions is None else solutions
    rules, position = solutions.game, board.position
    if optimum is None:
        value = solutions.value_of_puzzle(position, truth)
        optimum = None if value is None else value.plies
    try:
        boards = AnswerReader(rules, truth.variant, strict).read_all(output)
    except Unreadable as error:
        return Judgement(error.verdict, error.reason)
    first = write_board(rules, position).cells
    if boards[0].with_kings(first, board.crowned).cells != first:
        reason = "the first board is not the input board"
        if boards[0].cells in {str(child).replace("\n", "") for child in position.children()}:
            reason = "the line begins after the first move; the input board itself comes first"
        return Judgement(Verdict.ILLEGAL, reason, given=str(boards[0]))
    steps = _follow(rules, position, boards, board.crowned)
    if isinstance(steps, Judgement):
        return steps
    judgement = _judge_unfinished(rules, position, steps) or _weigh_line(
        steps, rules.other(truth.mover), solutions, optimum
    )
    names = " ".join(step.name for step in steps)
    return replace(judgement, move=names, given=str(boards[-1]))


def _follow(
    rules: Game, position: Position, boards: list[WrittenBoard], men: Set[int]
) -> list[LineStep] | Judgement:
    """The moves between the boards, or the judgement of the first that is not legal.  `men` are
    those that the input has left uncrowned."""
    steps: list[LineStep] = []
    for ply, written in enumerate(boards[1:], 1):
        over = rules.outcome(position)
        if over is not None:
            reason = f"board {ply + 1} comes after the end of the game: {over}"
            return Judgement(Verdict.ILLEGAL, reason, given=str(written))
        before = write_board(rules, position).cells
        given = written.with_kings(before, men)
        child = find_move(rules, position, given)
        if isinstance(child, Judgement):
            reason = f"board {ply + 1}, {position.mover()} to move: {child.reason}"
            return replace(child, reason=reason)
        steps.append(LineStep(ply, position, child, rules.move_name(position, child, True)))
        after = write_board(rules, child).cells
        men = {index for index in men if before[index] == after[index]}
        position = child
    return steps


def _judge_unfinished(rules: Game, position: Position, steps: list[LineStep]) -> Judgement | None:
    """The judgement of a line that nobody has won."""
    last = steps[-1].child if steps else position
    if rules.outcome(last) is not None:
        return None
    seen = {position: 0}
    for step in steps:
        if step.child in seen:
            earlier = seen[step.child] + 1
            reason = f"the line goes round in a circle: board {step.ply + 1} is board {earlier}"
            return Judgement(Verdict.WORSE, f"{reason} again, and nobody wins")
        seen[step.child] = step.ply
    reason = f"the line breaks off after {count_plies(len(steps))}; nobody has won"
    return Judgement(Verdict.WORSE, reason)


def _weigh_line(
    steps: list[LineStep], enemy: str, solutions: Solutions, optimum: int | None
) -> Judgement:
    """The judgement of a legal line that is played to its end.  A win in fewer plies than the
    optimum was helped by the defender, and is no better than a longer one."""
    length = len(steps)
    plies = count_plies(length)
    if optimum is None:
        reason = f"the shortest line of this puzzle is not proven within {solutions.nodes} nodes"
        return Judgement(Verdict.JUDGE_ERROR, reason)
    comparison = "" if length == optimum else f"{length} plies instead of {optimum}"
    weak = _find_weak_step(steps, solutions)
    if optimum % 2 and length % 2 == 0:
        where = "" if weak is None else f"; {weak[0]} is where it goes wrong"
        reason = f"the line ends with a win for {enemy}{where}"
        return Judgement(Verdict.WORSE, reason, comparison=comparison)
    if weak is not None:
        step, verdict, words = weak
        return Judgement(verdict, f"{plies}: {step} {words}", comparison=comparison)
    if length == optimum:
        return Judgement(Verdict.EXACT, f"a best line: {plies}")
    what = "too few: the defence was not the best" if length < optimum else "more than necessary"
    return Judgement(Verdict.SLOWER, f"{plies} are {what}", comparison=comparison)


def _find_weak_step(
    steps: list[LineStep], solutions: Solutions
) -> tuple[LineStep, Verdict, str] | None:
    """The first step that is proven not to be the best, and what is wrong with it.

    Positions are proven from both ends, until one cannot be: what lies between is harder still,
    and each failed proof takes seconds.
    """
    weak = None
    for ordered in (steps, steps[::-1]):
        for step in ordered:
            before = solutions.value(step.parent)
            if before is None:
                break
            if fault := _weigh_step(before, solutions.value(step.child)):
                weak = step, *fault
                if ordered is steps:
                    return weak
    return weak


def _weigh_step(before: Value, after: Value | None) -> tuple[Verdict, str] | None:
    """What a step has spoilt, by the values of the positions around it, if anything."""
    # Where a win is proven, and none after the step, it was not the shortest way.
    is_fine = before.result <= 0 if after is None else after.after_a_ply() == before
    if is_fine:
        return None
    if before.result < 0:
        return Verdict.SLOWER, "is not the longest defence"
    if after is None:
        return Verdict.SLOWER, "takes longer than it must, no win is proven after it"
    if after.result >= 0:
        return Verdict.WORSE, f"throws the {'win' if before.result else 'draw'} away"
    return Verdict.SLOWER, "takes longer than it must"


def count_plies(count: int) -> str:
    return counted(count, "ply", "plies")
