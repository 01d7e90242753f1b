"""Runs of a program: how one failed; and games, in which each move is a run and the solver
defends."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING

from grader.grading.records import NOT_YOUR_FAULT, Judgement, Verdict
from grader.judge.answer import AnswerReader, Unreadable
from grader.judge.illegal import find_move
from grader.judge.line import Solutions, count_plies, solutions_of
from grader.puzzles.truth import Truth, Value
from grader.sandbox.job import Ending, Outcome, RunLimits
from solver.games import GAMES, game_named
from solver.play.game import GameInProgress, GameResult

if TYPE_CHECKING:
    from solver.games import ReadBoard
    from solver.search.position import Position

UNKNOWN_CAP = 120  # plies, where it is not known how many are needed
SLACK = 40  # more plies than twice what is needed at most
MOST_WORDS = 200  # characters of the last line on standard error
PLACE = re.compile(r'File "[^"\n]{0,200}?([^"/\n]{1,60})", line (\d{1,9})')
NO_INPUT = ". The board is in the file that is named first, not on standard input"
PRINTED = "it printed a board; the answer belongs in the file that is named second"


def judge_outcome(outcome: Outcome, limits: RunLimits) -> Judgement | None:
    """The judgement of a run that failed, None if it has an output to judge.

    An exit code other than 0 is a crash even with the right board in the file: a program that
    reports its own failure cannot be believed.
    """
    match outcome.ending:
        case Ending.CPU:
            reason = f"CPU {outcome.cpu_s:.2f} s > limit {limits.cpu_s:g} s"
            return Judgement(Verdict.TIMEOUT, reason)
        case Ending.WALL:
            reason = f"{outcome.wall_s:.2f} s by the clock > limit {limits.wall_s:g} s"
            waits = f"used only {outcome.cpu_s:.2f} s of CPU: it sleeps or waits for input"
            idle = outcome.cpu_s < outcome.wall_s / 10
            return Judgement(Verdict.TIMEOUT, reason, waits if idle else "")
        case Ending.MEMORY:
            used = outcome.max_rss_kb / 1024
            reason = f"asked for more memory than the limit of {limits.memory_mb} MB"
            if used > limits.memory_mb:
                reason = f"memory {used:.0f} MB > limit {limits.memory_mb} MB"
            return Judgement(Verdict.MEMORY, reason, _last_line(outcome))
        case Ending.OUTPUT:
            reason = f"wrote more than the limit of {limits.output_bytes} bytes"
            return Judgement(Verdict.OUTPUT_LIMIT, reason)
        case Ending.SIGNAL:
            reason = f"the program was killed by {outcome.signal or 'a signal'}"
            return Judgement(Verdict.CRASH, reason, _last_line(outcome))
        case Ending.FAULT:
            return Judgement(Verdict.JUDGE_ERROR, NOT_YOUR_FAULT)
    if outcome.exit_code != 0:
        reason = f"the program ended with exit code {outcome.exit_code}"
        return Judgement(Verdict.CRASH, reason, _last_line(outcome))
    if outcome.output is None:
        reason = outcome.output_fault or "there is no output file"
        return Judgement(Verdict.MISSING, reason, printed_instead(outcome) or _last_line(outcome))
    return None


def _last_line(outcome: Outcome) -> str:
    """The last line on standard error, such as an exception, and the line of the program that it
    came from."""
    said = outcome.stderr.decode("utf-8", "replace").strip()
    last = "".join(c if c.isprintable() else "?" for c in said.split("\n")[-1].strip())
    if not last:
        return ""
    places = PLACE.findall(said)
    place = f" ({places[-1][0]}, line {places[-1][1]})" if places else ""
    hint = NO_INPUT if last.startswith("EOFError") else ""
    return f"last stderr line: {last[:MOST_WORDS]}{place}{hint}"


def printed_instead(outcome: Outcome) -> str:
    """What to tell students who print the board instead of writing it to the file."""
    letters = "".join(letter for name in GAMES for letter in game_named(name).PIECES)
    board = rf"(?:^[.{letters}]{{8}}[ \t\r]*\n){{7}}[.{letters}]{{8}}"
    return PRINTED if re.search(board.encode(), outcome.stdout, re.MULTILINE) else ""


def play_out(
    board: ReadBoard[Position],
    truth: Truth,
    limits: RunLimits,
    answer: Callable[[str], Outcome],
    strict: bool = False,
    *,
    solutions: Solutions | None = None,
    cap: int | None = None,
) -> Judgement:
    """Play until a side has won, the game is a draw, or `cap` plies are over.

    `answer` runs the submission on a board.  The mark compares the plies of both sides with the
    optimum.
    """
    solutions = solutions_of(truth.game) if solutions is None else solutions
    rules = solutions.game
    game = GameInProgress(rules, board.position)
    reader = AnswerReader(rules, truth.variant, strict)
    value = solutions.value_of_puzzle(board.position, truth)
    if cap is None:
        most = None if value is None else value.most_plies
        cap = UNKNOWN_CAP if most is None else 2 * most + SLACK
    while (result := game.result) is None and game.plies < cap:
        outcome = answer(rules.write(game.position, board.form) + "\n")
        failed = judge_outcome(outcome, limits) or _make_move(game, reader, outcome)
        if failed is not None:
            reason = f"at ply {game.plies + 1}: {failed.reason}"
            return replace(failed, reason=reason, move=_moves(game))
        if game.result is None:
            game.play(solutions.best(game.position))
    if result is None:
        judgement = _judge_unwon(value, f"nobody has won after {count_plies(cap)}")
    elif not result.winner:
        judgement = _judge_unwon(value, str(result))
    elif result.winner == truth.mover:
        judgement = _judge_won(value, game.plies)
    else:
        judgement = _judge_lost(value, game.plies, result)
    return replace(judgement, move=_moves(game), given=rules.write(game.position, "board"))


def _moves(game: GameInProgress) -> str:
    return " ".join(game.move_names(squares=True))


def _make_move(game: GameInProgress, reader: AnswerReader, outcome: Outcome) -> Judgement | None:
    """Make the submission's move; the judgement of its answer if it is not a legal one."""
    try:
        child = find_move(reader.rules, game.position, reader.read(outcome.output))
    except Unreadable as error:
        return Judgement(error.verdict, error.reason)
    if isinstance(child, Judgement):
        return child
    game.play(child)
    return None


def _judge_won(value: Value | None, plies: int) -> Judgement:
    won = f"won in {count_plies(plies)}"
    if value is not None and value.result <= 0:
        return Judgement(Verdict.EXACT, f"{won}, more than could be forced")
    if value is None or value.plies is None:
        return Judgement(Verdict.EQUAL, f"{won}; the fewest are not known")
    if plies <= value.plies:
        comparison = "" if plies == value.plies else f"{plies} plies instead of {value.plies}"
        return Judgement(Verdict.EXACT, won, comparison=comparison)
    comparison = f"could win in {value.plies}"
    return Judgement(Verdict.SLOWER, won, comparison=comparison, share=value.plies / plies)


def _judge_lost(value: Value | None, plies: int, result: GameResult) -> Judgement:
    lost = f"lost in {count_plies(plies)}: {result.reason}"
    if value is None or value.result >= 0:
        return Judgement(Verdict.WORSE, lost, comparison=_could_have(value))
    if value.plies is None:
        return Judgement(Verdict.EQUAL, f"{lost}; how long it can last is not known")
    if plies >= value.plies:
        return Judgement(Verdict.EXACT, f"{lost}; no defence is longer")
    comparison = f"could hold out {value.plies}"
    return Judgement(Verdict.SLOWER, lost, comparison=comparison, share=plies / value.plies)


def _judge_unwon(value: Value | None, why: str) -> Judgement:
    """The judgement of a game that nobody has won."""
    if value is None:
        return Judgement(Verdict.JUDGE_ERROR, f"{why}; that more was possible is not proven")
    if value.result <= 0:
        return Judgement(Verdict.EXACT, f"not lost: {why}")
    return Judgement(Verdict.WORSE, f"not won: {why}", comparison=_could_have(value))


def _could_have(value: Value | None) -> str:
    if value is None or value.result < 0:
        return ""
    return f"a {value} plies was possible" if value.result else "a draw was possible"
