"""A whole game: the submission moves for the side of the puzzle, the solver defends.

Each move is a run of its own.  The generator yields the board that the submission has to answer
and is sent the outcome of the run; it returns the judgement of the game.
"""

from __future__ import annotations

import re
from collections.abc import Generator
from dataclasses import dataclass, replace

from grader.grading.records import NOT_YOUR_FAULT, Judgement, Verdict
from grader.judge.answer import Form, Unreadable, drawing_of, fits, read_answer
from grader.judge.illegal import Asked, explain
from grader.judge.line import plies_in_words, value_of
from grader.judge.move import Solutions, solutions_of
from grader.puzzles.find import read_board
from grader.puzzles.truth import Truth
from grader.sandbox.job import Ending, Limits, Outcome
from solver.games import game_named
from solver.play.game import GameInProgress, GameResult

# Runs that came to a bad end: no answer is looked at, however good it may be.


MOST_WORDS = 200  # characters of what a program said last
PLACE = re.compile(r'File "[^"\n]{0,200}?([^"/\n]{1,60})", line (\d{1,9})')
BOARD = re.compile(rb"(?:^[.rbRBwW]{8}[ \t\r]*\n){7}[.rbRBwW]{8}", re.MULTILINE)
NO_INPUT = ". The board is in the file that is named first, not on standard input"
PRINTED = "it printed a board; the answer belongs in the file that is named second"


def judge_outcome(outcome: Outcome, limits: Limits) -> Judgement | None:
    """The judgement of a run that failed, None if it has an output to judge.

    An exit code other than 0 is a crash even with the right board in the file: a program that
    reports its own failure cannot be believed.
    """
    match outcome.ending:
        case Ending.CPU:
            return Judgement(
                Verdict.TIMEOUT, f"CPU {outcome.cpu_s:.2f} s > limit {limits.cpu_s:g} s"
            )
        case Ending.WALL:
            return _waited(outcome, limits)
        case Ending.MEMORY:
            return Judgement(Verdict.MEMORY, _memory(outcome, limits), last_words(outcome))
        case Ending.OUTPUT:
            reason = f"wrote more than the limit of {limits.output_bytes} bytes"
            return Judgement(Verdict.OUTPUT_LIMIT, reason)
        case Ending.SIGNAL:
            reason = f"the program was killed by {outcome.signal or 'a signal'}"
            return Judgement(Verdict.CRASH, reason, last_words(outcome))
        case Ending.FAULT:
            return Judgement(Verdict.JUDGE_ERROR, NOT_YOUR_FAULT)
    if outcome.exit_code != 0:
        reason = f"the program ended with exit code {outcome.exit_code}"
        return Judgement(Verdict.CRASH, reason, last_words(outcome))
    if outcome.output is None:
        reason = outcome.output_fault or "there is no output file"
        return Judgement(Verdict.MISSING, reason, printed_instead(outcome) or last_words(outcome))
    return None


def _waited(outcome: Outcome, limits: Limits) -> Judgement:
    reason = f"{outcome.wall_s:.2f} s by the clock > limit {limits.wall_s:g} s"
    idle = outcome.cpu_s < outcome.wall_s / 10
    cause = f"used only {outcome.cpu_s:.2f} s of CPU: it sleeps or waits for input" if idle else ""
    return Judgement(Verdict.TIMEOUT, reason, cause)


def _memory(outcome: Outcome, limits: Limits) -> str:
    used = outcome.max_rss_kb / 1024
    if used > limits.memory_mb:
        return f"memory {used:.0f} MB > limit {limits.memory_mb} MB"
    return f"asked for more memory than the limit of {limits.memory_mb} MB"


def last_words(outcome: Outcome) -> str:
    """The last line that the program wrote on standard error, such as an exception, and the line
    of the program that it came from."""
    said = outcome.stderr.decode("utf-8", "replace").strip()
    last = "".join(c if c.isprintable() else "?" for c in said.split("\n")[-1].strip())
    if not last:
        return ""
    places = PLACE.findall(said)
    place = f" ({places[-1][0]}, line {places[-1][1]})" if places else ""
    hint = NO_INPUT if last.startswith("EOFError") else ""
    return f"it said: {last[:MOST_WORDS]}{place}{hint}"


def printed_instead(outcome: Outcome) -> str:
    """What to tell somebody who has printed the board and left the file alone."""
    return PRINTED if BOARD.search(outcome.stdout) else ""


UNKNOWN_CAP = 120  # plies, where nobody knows how many are needed
SLACK = 40  # plies beyond twice what is needed at the most


def play_out(
    input_text: str,
    truth: Truth,
    limits: Limits,
    strict: bool = False,
    *,
    solutions: Solutions | None = None,
    cap: int | None = None,
) -> Generator[str, Outcome, Judgement]:
    """Play until somebody has won, the game is a draw, or `cap` plies are over.

    The mark compares the plies of both sides with the optimum.  The given board of the
    judgement is the last one of the game.
    """
    known = solutions_of(truth.game) if solutions is None else solutions
    game = _Game(input_text, truth, known, limits, strict)
    if cap is None:
        most = None if game.value is None else game.value.most_plies
        cap = UNKNOWN_CAP if most is None else 2 * most + SLACK
    while (result := game.played.result) is None:
        if game.played.plies >= cap:
            return game.judged(*_unwon(game, f"nobody has won after {plies_in_words(cap)}"))
        outcome = yield game.text()
        fault = game.answer(outcome)
        if fault is not None:
            return fault
        if game.played.result is None:
            game.played.play(game.solutions.best(game.played.position))
    if not result.winner:
        return game.judged(*_unwon(game, str(result)))
    return game.judged(*_finished(game, result))


@dataclass
class _Game:
    input_text: str
    truth: Truth
    solutions: Solutions
    limits: Limits
    strict: bool

    def __post_init__(self) -> None:
        self.rules = game_named(self.truth.game)
        board = read_board(self.truth.game, self.input_text, self.truth.variant)
        position, self.form = board.position, board.form
        self.played = GameInProgress(self.rules, position)
        self.player: str = position.mover()
        self.value = value_of(position, self.truth, self.solutions)

    @property
    def possible(self) -> str:
        """What could have been had, in words."""
        value = self.value
        if value is None or value.result < 0:
            return ""
        return f"a {value} plies was possible" if value.result else "a draw was possible"

    @property
    def moves(self) -> str:
        return " ".join(self.played.move_names(squares=True))

    def text(self) -> str:
        return self.rules.write(self.played.position, self.form) + "\n"

    def answer(self, outcome: Outcome) -> Judgement | None:
        """Make the submission's move; the judgement of the game if it has made none."""
        failed = judge_outcome(outcome, self.limits)
        if failed is not None:
            return self._at_ply(failed)
        try:
            form = Form(self.truth.game, self.truth.variant, self.strict)
            given = read_answer(outcome.output, form)
        except Unreadable as unreadable:
            return self._at_ply(Judgement(unreadable.verdict, unreadable.reason))
        position = self.played.position
        for child in position.children():
            if fits(given, drawing_of(child, self.truth.game)):
                self.played.play(child)
                return None
        breach = explain(Asked(self.truth.game, self.truth.variant, position), given)
        judgement = Judgement(
            Verdict.ILLEGAL, breach.reason, breach.cause, breach.hint, given=str(given)
        )
        return self._at_ply(judgement)

    def _at_ply(self, judgement: Judgement) -> Judgement:
        """A game that ended because of its next move."""
        reason = f"at ply {self.played.plies + 1}: {judgement.reason}"
        return replace(judgement, reason=reason, move=self.moves)

    def judged(
        self, verdict: Verdict, reason: str, comparison: str = "", share: float | None = None
    ) -> Judgement:
        return Judgement(
            verdict,
            reason,
            comparison=comparison,
            move=self.moves,
            given=self.rules.write(self.played.position, "board"),
            share=share,
        )


def _finished(game: _Game, over: GameResult) -> tuple[Verdict, str, str, float | None]:
    """The judgement of a game that somebody has won."""
    value = game.value
    if over.winner == game.player:
        return _won(game)
    plies = game.played.plies
    lost = f"lost in {plies_in_words(plies)}: {over.reason}"
    if value is None or value.result >= 0:
        return Verdict.WORSE, lost, game.possible, None
    if value.plies is None:
        return Verdict.EQUAL, f"{lost}; how long it can last is not known", "", None
    if plies >= value.plies:
        return Verdict.EXACT, f"{lost}; no defence is longer", "", None
    comparison = f"{plies} plies instead of {value.plies}"
    return Verdict.SLOWER, f"{lost}; it could have lasted longer", comparison, plies / value.plies


def _won(game: _Game) -> tuple[Verdict, str, str, float | None]:
    plies = game.played.plies
    won = f"won in {plies_in_words(plies)}"
    value = game.value
    if value is not None and value.result <= 0:
        return Verdict.EXACT, f"{won}, more than could be forced", "", None
    if value is None or value.plies is None:
        return Verdict.EQUAL, f"{won}; the fewest are not known", "", None
    comparison = "" if plies == value.plies else f"{plies} plies instead of {value.plies}"
    if plies <= value.plies:
        return Verdict.EXACT, won, comparison, None
    return Verdict.SLOWER, f"{won}, more than necessary", comparison, value.plies / plies


def _unwon(game: _Game, why: str) -> tuple[Verdict, str, str, float | None]:
    """The judgement of a game that nobody has won."""
    if game.value is None:
        return Verdict.JUDGE_ERROR, f"{why}; nobody has proven that more was possible", "", None
    if game.value.result <= 0:
        return Verdict.EXACT, f"not lost: {why}", "", None
    return Verdict.WORSE, f"not won: {why}", game.possible, None
