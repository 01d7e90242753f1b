"""A whole line: every board from the input to the end of the game.  Several may be shortest, so it
is not compared with another one but played through.  Marks depend on the steps of the side that
moves first, the submission's: as far as it can be proven, each must be the best."""

from __future__ import annotations

from collections.abc import Set
from dataclasses import dataclass, replace
from functools import lru_cache

from grader.grading.records import Judgement, Verdict
from grader.judge.answer import AnswerReader, Unreadable, WrittenBoard, write_board
from grader.judge.illegal import find_move
from grader.judge.move import could_have, say_result
from grader.puzzles.evidence import tables_of
from grader.puzzles.truth import Truth, Value
from solver.errors import counted
from solver.games import Game, ReadBoard, game_named
from solver.proof.prover import Prover
from solver.proof.wins import LONGEST
from solver.search.limits import Limits
from solver.search.position import Position
from solver.search.score import UNKNOWN, loss_in

PROOF_NODES = 400_000  # about two seconds in plain Python, for a position that cannot be proven
MOST_POSITIONS = 100_000  # remembered; a grading of a whole class meets fewer


@lru_cache(maxsize=MOST_POSITIONS)
def prove_value(rules: Game, position: Position, nodes: int = PROOF_NODES) -> Value | None:
    """The proven value for the mover, or None if these nodes do not suffice.  Every position is
    proven by itself, so that the same line gets the same judgement in every grading."""
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
    *,
    nodes: int = PROOF_NODES,
) -> Judgement:
    """Positions are proven within that many nodes each."""
    rules, position = game_named(truth.game), board.position
    try:
        boards = AnswerReader(rules, truth.variant).read_all(output)
    except Unreadable as error:
        return Judgement(error.verdict, error.reason)
    first = write_board(rules, position).cells
    if boards[0].with_kings(first, board.crowned).cells != first:
        reason = "the first board is not the input board"
        if boards[0].cells in {str(child).replace("\n", "") for child in position.children()}:
            reason = "the line begins after the first move; the input board itself comes first"
        return Judgement(Verdict.ILLEGAL, reason, given_board=str(boards[0]))
    steps = _follow(rules, position, boards, board.crowned)
    if isinstance(steps, Judgement):
        return steps
    known = truth.value if truth.value and truth.value.proven else None
    if rules.outcome(steps[-1].child if steps else position) is None:
        said = [f"the line breaks off after {count_plies(len(steps))}; nobody has won"]
        own = [each for each in _find_weak_steps(rules, steps, nodes) if each.step.ply % 2]
        judgement = Judgement(Verdict.WORSE, "; ".join(said + _name_worst(own)))
    elif (value := known or prove_value(rules, position, nodes)) is None or value.plies is None:
        reason = f"the shortest line of this puzzle is not proven within {nodes} nodes"
        judgement = Judgement(Verdict.JUDGE_ERROR, reason)
    else:
        weak = _find_weak_steps(rules, steps, nodes)
        judgement = _weigh_line(len(steps), value, weak, truth, rules.other(truth.mover))
    names = " ".join(step.name for step in steps)
    return replace(judgement, move=names, given_board=str(boards[-1]))


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
            return Judgement(Verdict.ILLEGAL, reason, given_board=str(written))
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


@dataclass(frozen=True)
class Weakness:
    """A step that is proven not to be the best."""

    step: LineStep
    verdict: Verdict
    given: str  # what it leads to
    before: Value  # what the best step keeps, for the side that makes it
    lost: int = 0  # plies, of a slower one

    @property
    def help(self) -> str:
        """Of a step of the other side: what it gives away."""
        could = could_have(self.before)
        if self.verdict is Verdict.SLOWER and self.before.result < 0:
            could = f"could hold out {self.lost} more"
        return f"{self.step.parent.mover()} helps at ply {self.step.ply}: {could}"


def _weigh_line(
    length: int, value: Value, weak: list[Weakness], truth: Truth, enemy: str
) -> Judgement:
    """The judgement of a legal line that is played to its end, by the steps of the side that moves
    first.  A win in fewer plies than the optimum was helped by the other side."""
    optimum, own = value.plies or 0, [each for each in weak if each.step.ply % 2]
    helps = [each.help for each in weak if not each.step.ply % 2]
    is_lost = optimum % 2 and length % 2 == 0
    said = [f"the line ends with a win for {enemy}" if is_lost else count_plies(length), *helps]
    if own:
        said += _name_worst(own)
        worst = max(own, key=_weakness)
        verdict = Verdict.WORSE if is_lost else worst.verdict
        return Judgement(verdict, "; ".join(said), comparison=could_have(worst.before))
    if is_lost:
        return Judgement(Verdict.WORSE, "; ".join(said), comparison=could_have(value))
    if length > optimum:
        reason = f"{'; '.join(said)}: more than necessary"
        return Judgement(Verdict.SLOWER, reason, comparison=could_have(value))
    if helps or length < optimum:
        said += [] if helps else [f"{enemy} could hold out longer"]
        return Judgement(Verdict.EQUAL, f"no weak step of {truth.mover}: {'; '.join(said)}")
    return Judgement(Verdict.EXACT, f"a best line: {count_plies(length)}")


def _weakness(weak: Weakness) -> tuple[bool, int]:
    return weak.verdict is Verdict.WORSE, weak.lost


def _name_worst(weak: list[Weakness]) -> list[str]:
    """The worst of these steps, and where the others are; nothing if there are none."""
    if not weak:
        return []
    worst = max(weak, key=_weakness)
    rest = ", ".join(str(each.step.ply) for each in weak if each is not worst)
    which = "the weakest step" if rest else "the weak step"
    said = [f"not the best at ply {rest} either"] if rest else []
    return [*said, f"{which} is {worst.step}: {worst.given}"]


def _find_weak_steps(rules: Game, steps: list[LineStep], nodes: int) -> list[Weakness]:
    """The steps that are proven not to be the best, in order.

    Positions are proven from both ends, until one cannot be: what lies between is harder still,
    and each failed proof takes seconds.
    """
    weak: dict[int, Weakness] = {}
    for ordered in (steps, steps[::-1]):
        for step in ordered:
            before = prove_value(rules, step.parent, nodes)
            if before is None:
                break
            if found := _weigh_step(step, before, prove_value(rules, step.child, nodes)):
                weak[step.ply] = found
    return [weak[ply] for ply in sorted(weak)]


def _weigh_step(step: LineStep, before: Value, after: Value | None) -> Weakness | None:
    """What a step has spoilt, by the values of the positions around it, if anything."""
    if after is None:
        # Where a win is proven, and none after the step, it was not the shortest way.
        given = "no win is proven after it"
        is_fine = before.result <= 0
        return None if is_fine else Weakness(step, Verdict.SLOWER, given, before, LONGEST)
    now = after.after_a_ply()
    if now == before:
        return None
    if now.result < before.result:
        given = f"throws the {'win' if before.result > 0 else 'draw'} away"
        return Weakness(step, Verdict.WORSE, given, before)
    lost = abs((now.plies or 0) - (before.plies or 0))
    return Weakness(step, Verdict.SLOWER, say_result(now), before, lost)


def count_plies(count: int) -> str:
    return counted(count, "ply", "plies")
