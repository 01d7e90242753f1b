"""A whole line: every board from the input to the end of the game.

A puzzle may have several shortest lines, so a line is never compared with another one.  It is
played through: every step must be legal and, as far as it can be proven, the best, for both
sides.  A win that is shorter than the optimum was helped by the defender, and is no better
than one that is longer.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Any

from grader.grading.records import Judgement, Verdict
from grader.judge.answer import (
    Drawing,
    Form,
    Unreadable,
    as_read,
    check_row,
    drawing_of,
    drawn,
    fits,
    lines_of,
    means_position,
    opponent,
    quoted,
    read_answer,
    side_line,
    still_uncrowned,
    text_of,
    uncrowned,
)
from grader.judge.illegal import Asked, explain
from grader.judge.move import Solutions, solutions_of
from grader.puzzles.find import read_board
from grader.puzzles.truth import Truth, Value, parse_value
from solver.games import game_named
from solver.search.score import loss_in

# The boards of a line: from the first board to the end of the game, an empty line after each.
#
# People add headers and footers such as `9 moves`, and more or fewer empty lines; none of that is
# held against a line.  A board that is cut or bent is.


SIDE = re.compile(r"(white|black)(\s+[a-h][1-8])?", re.IGNORECASE)
LEAST_ROW = 4  # characters that are pieces: a shorter line is a word or a number


@dataclass
class _Boards:
    form: Form
    found: list[Drawing] = field(default_factory=list)
    rows: list[str] = field(default_factory=list)

    def add(self, line: str, number: int) -> None:
        """Take the next line of the text."""
        if self.rows or self._is_row(line):
            self._add_row(line, number)
        elif self.form.names_the_side and self._is_side(line):
            self._name_side(*side_line(line, number))
        elif means_position(line):
            self.found.append(read_answer(line.encode(), self.form))

    def _is_row(self, line: str) -> bool:
        return len(line) >= LEAST_ROW and set(line) <= set(self.form.letters)

    def _add_row(self, line: str, number: int) -> None:
        board, row = len(self.found) + 1, len(self.rows) + 1
        if not line or not set(line) & set(self.form.letters):
            what = quoted(line) if line else "an empty line"
            raise Unreadable(f"line {number}: board {board} ends after {row - 1} rows, with {what}")
        check_row(line, number, f"line {number}: row {row} of board {board}", self.form)
        self.rows.append(line)
        if len(self.rows) == 8:
            self.found.append(Drawing("".join(self.rows)))
            self.rows = []

    def _is_side(self, line: str) -> bool:
        return SIDE.fullmatch(line) is not None and bool(self.found)

    def _name_side(self, side: str, passed: str) -> None:
        last = self.found[-1]
        if not last.side:
            self.found[-1] = Drawing(last.cells, side, passed)

    def end(self) -> list[Drawing]:
        if self.rows:
            board = len(self.found) + 1
            raise Unreadable(f"the output ends after {len(self.rows)} rows of board {board}")
        if not self.found:
            raise Unreadable("there is no board in the output")
        return self.found


def read_line(output: bytes | None, form: Form) -> list[Drawing]:
    """Every board of the answer; raises `Unreadable`."""
    boards = _Boards(form)
    for number, line in enumerate(lines_of(text_of(output), form.strict), 1):
        boards.add(line.strip() if not form.strict else line, number)
    return boards.end()


@dataclass(frozen=True)
class Step:
    """One move of a line."""

    ply: int
    parent: Any
    child: Any
    name: str

    @property
    def mover(self) -> str:
        mover: str = self.parent.mover()
        return mover

    def __str__(self) -> str:
        return f"ply {self.ply} ({self.mover} {self.name})"


def judge_line(
    input_text: str,
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
    position = read_board(truth.game, input_text, truth.variant).position
    if optimum is None:
        value = value_of(position, truth, solutions)
        optimum = None if value is None else value.plies
    try:
        boards = read_line(output, Form(truth.game, truth.variant, strict))
    except Unreadable as unreadable:
        return Judgement(unreadable.verdict, unreadable.reason)
    given = str(boards[-1])
    first = drawn(input_text, truth.game, truth.variant)
    men = uncrowned(input_text, truth.game, truth.variant)
    if as_read(boards[0], first.cells, men).cells != first.cells:
        return Judgement(Verdict.ILLEGAL, _wrong_start(position, boards[0]), given=str(boards[0]))
    steps = _steps(position, boards, men, truth)
    if isinstance(steps, Judgement):
        return steps
    judgement = _unfinished(position, steps, truth) or _weigh(steps, truth, solutions, optimum)
    names = " ".join(step.name for step in steps)
    return Judgement(
        judgement.verdict, judgement.reason, "", judgement.comparison, move=names, given=given
    )


def value_of(position: Any, truth: Truth, solutions: Solutions) -> Value | None:
    """What the puzzle is worth, if that is known for certain or can be proven."""
    told = parse_value(truth.value) if truth.value else None
    if told is not None and told.proven:
        return told
    if game_named(truth.game).outcome(position) is not None:
        return Value(loss_in(0))
    found = solutions.value(position)
    return told if found is None and told is not None and told.certain else found


def _wrong_start(position: Any, given: Drawing) -> str:
    after_one = {str(child).replace("\n", "") for child in position.children()}
    if given.cells in after_one:
        return "the line begins after the first move; the input board itself comes first"
    return "the first board is not the input board"


def _steps(
    position: Any, boards: list[Drawing], men: frozenset[int], truth: Truth
) -> list[Step] | Judgement:
    """The moves between the boards, or the judgement of the first that is none.  `men` are those
    that the input has left uncrowned."""
    game = game_named(truth.game)
    steps: list[Step] = []
    for ply, written in enumerate(boards[1:], 1):
        over = game.outcome(position)
        if over is not None:
            reason = f"board {ply + 1} comes after the end of the game: {over}"
            return Judgement(Verdict.ILLEGAL, reason, given=str(written))
        before = drawing_of(position, truth.game)
        board = as_read(written, before.cells, men)
        for child in position.children():
            after = drawing_of(child, truth.game)
            if fits(board, after):
                break
        else:
            breach = explain(Asked(truth.game, truth.variant, position), board)
            reason = f"board {ply + 1}, {position.mover()} to move: {breach.reason}"
            return Judgement(
                Verdict.ILLEGAL, reason, breach.cause, breach.hint, breach.move, given=str(board)
            )
        steps.append(Step(ply, position, child, game.move_name(position, child, True)))
        men = still_uncrowned(before.cells, after.cells, men)
        position = child
    return steps


def _unfinished(position: Any, steps: list[Step], truth: Truth) -> Judgement | None:
    """The judgement of a line that nobody has won."""
    last = steps[-1].child if steps else position
    if game_named(truth.game).outcome(last) is not None:
        return None
    seen = {position: 0}
    for step in steps:
        if step.child in seen:
            earlier = seen[step.child] + 1
            reason = f"the line goes round in a circle: board {step.ply + 1} is board {earlier}"
            return Judgement(Verdict.WORSE, f"{reason} again, and nobody wins")
        seen[step.child] = step.ply
    reason = f"the line breaks off after {plies_in_words(len(steps))}; nobody has won"
    return Judgement(Verdict.WORSE, reason)


def _weigh(steps: list[Step], truth: Truth, solutions: Solutions, optimum: int | None) -> Judgement:
    """The judgement of a legal line that is played to its end."""
    length = len(steps)
    if optimum is None:
        reason = f"the shortest line of this puzzle is not proven within {solutions.nodes} nodes"
        return Judgement(Verdict.JUDGE_ERROR, reason)
    comparison = "" if length == optimum else f"{length} plies instead of {optimum}"
    weak = _first_weak(steps, solutions)
    if optimum % 2 and length % 2 == 0:
        winner = opponent(truth.game, truth.mover)
        where = "" if weak is None else f"; {weak} is where it goes wrong"
        reason = f"the line ends with a win for {winner}{where}"
        return Judgement(Verdict.WORSE, reason, comparison=comparison)
    if weak is not None:
        verdict, reason = _weak_words(weak, solutions)
        reason = f"{plies_in_words(length)}: {reason}"
        return Judgement(verdict, reason, comparison=comparison)
    if length == optimum:
        return Judgement(Verdict.EXACT, f"a best line: {plies_in_words(length)}")
    what = "too few: the defence was not the best" if length < optimum else "more than necessary"
    return Judgement(Verdict.SLOWER, f"{plies_in_words(length)} are {what}", comparison=comparison)


def _first_weak(steps: list[Step], solutions: Solutions) -> Step | None:
    """The first step that is proven not to be the best.

    Positions are asked about from both ends, until one cannot be proven: what lies between is
    harder still, and each failed proof takes seconds.
    """
    for step in steps:
        if solutions.value(step.parent) is None:
            break
        if _is_weak(step, solutions):
            return step
    weak = None
    for step in reversed(steps):
        if solutions.value(step.parent) is None:
            break
        if _is_weak(step, solutions):
            weak = step
    return weak


def _is_weak(step: Step, solutions: Solutions) -> bool:
    before, after = solutions.value(step.parent), solutions.value(step.child)
    assert before is not None
    if after is None:
        return before.result > 0  # whatever the defender does is proven to lose
    return after.after_a_ply() != before


def _weak_words(step: Step, solutions: Solutions) -> tuple[Verdict, str]:
    before, after = solutions.value(step.parent), solutions.value(step.child)
    assert before is not None
    if before.result < 0:
        return Verdict.SLOWER, f"{step} is not the longest defence"
    if after is None:
        return Verdict.SLOWER, f"{step} takes longer than it must, no win is proven after it"
    if after.result >= 0:
        return Verdict.WORSE, f"{step} throws the {'win' if before.result else 'draw'} away"
    return Verdict.SLOWER, f"{step} takes longer than it must"


def plies_in_words(count: int) -> str:
    return "1 ply" if count == 1 else f"{count} plies"
