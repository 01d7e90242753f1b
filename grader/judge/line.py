"""A whole line: every board from the input to the end of the game.

A line is never compared with another one, since several may be shortest.  It is played through:
every step must be legal and, as far as it can be proven, the best, for both sides.
"""

from __future__ import annotations

from collections.abc import Set
from dataclasses import dataclass, replace
from functools import lru_cache

from grader.grading.records import Judgement, Verdict
from grader.judge.answer import AnswerReader, Unreadable, WrittenBoard, write_board
from grader.judge.illegal import find_move
from grader.puzzles.evidence import tables_of
from grader.puzzles.truth import Truth, Value
from solver.errors import counted
from solver.games import Game, ReadBoard, game_named
from solver.proof.prover import Prover
from solver.search.limits import Limits
from solver.search.position import Position
from solver.search.score import UNKNOWN, loss_in

PROOF_NODES = 400_000  # about two seconds in plain Python, for a position that cannot be proven
MOST_POSITIONS = 100_000  # remembered; a grading of a whole class meets fewer


@lru_cache(maxsize=MOST_POSITIONS)
def prove_value(rules: Game, position: Position, nodes: int = PROOF_NODES) -> Value | None:
    """The proven value for the mover, or None if these nodes do not suffice for a proof.

    Every position is proven by itself, so that an answer never depends on what was asked before:
    the same line gets the same judgement in every grading.
    """
    if not position.children():
        return Value(loss_in(0))
    exact = tables_of(rules.NAME)
    known = exact.score(position)
    if known != UNKNOWN:
        return Value(known)
    evaluate = rules.evaluator(rules.DEFAULT_HEURISTIC, position)
    result = Prover(Limits(nodes=nodes), exact, evaluate).prove(position).result
    return None if result is None else Value(result.score)


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
    nodes: int = PROOF_NODES,
) -> Judgement:
    """Positions are proven within that many nodes each."""
    rules, position = game_named(truth.game), board.position
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
    judgement = _judge_unfinished(rules, position, steps)
    if judgement is None:
        known = truth.value
        value = known if known and known.proven else prove_value(rules, position, nodes)
        if value is None or value.plies is None:
            reason = f"the shortest line of this puzzle is not proven within {nodes} nodes"
            judgement = Judgement(Verdict.JUDGE_ERROR, reason)
        else:
            weak = _find_weak_step(rules, steps, nodes)
            judgement = _weigh_line(len(steps), value.plies, weak, rules.other(truth.mover))
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


Weakness = tuple[LineStep, Verdict, str]  # a step, and what is wrong with it


def _weigh_line(length: int, optimum: int, weak: Weakness | None, enemy: str) -> Judgement:
    """The judgement of a legal line that is played to its end.  A win in fewer plies than the
    optimum was helped by the defender, and is no better than a longer one."""
    plies = count_plies(length)
    comparison = "" if length == optimum else f"{length} plies instead of {optimum}"
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


def _find_weak_step(rules: Game, steps: list[LineStep], nodes: int) -> Weakness | None:
    """The first step that is proven not to be the best.

    Positions are proven from both ends, until one cannot be: what lies between is harder still,
    and each failed proof takes seconds.
    """
    weak = None
    for ordered in (steps, steps[::-1]):
        for step in ordered:
            before = prove_value(rules, step.parent, nodes)
            if before is None:
                break
            if fault := _weigh_step(before, prove_value(rules, step.child, nodes)):
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
