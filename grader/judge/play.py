"""A whole game: the submission moves for the side of the puzzle, the solver defends.

Each move is a run of its own.  The generator yields the board that the submission has to answer
and is sent the outcome of the run; it returns the judgement of the game.
"""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import dataclass, replace

from grader.grading.records import Judgement, Verdict
from grader.judge.illegal import Asked, explain
from grader.judge.line import plies_in_words, value_of
from grader.judge.outcome import judge_outcome
from grader.judge.reading import Form, Unreadable, drawing_of, fits, read_answer
from grader.judge.weighing import Solutions, solutions_of
from grader.puzzles.find import read_board
from grader.puzzles.truth import Truth
from grader.sandbox.job import Limits, Outcome
from solver.games import game_named
from solver.play.game import GameInProgress, GameResult

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
