"""Whole games against the solver's best defence, with scripted players."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from support.judging import made_up, play_out, position_of

from grader.grading.records import Judgement, Verdict
from grader.judge.line import Solutions
from grader.puzzles.truth import Value
from grader.sandbox.job import Ending, Outcome
from solver.games import game_named

ROOT = Path(__file__).parent.parent.parent.parent
SHOT = (ROOT / "inputs" / "checkers" / "shot-in-nine.txt").read_text()
# A win in 9; the moves of the men on g7 and b6 and of the king on b8 win in 13.
NINE = """\
.R......
......r.
.r.b....
........
........
........
........
......R.
"""
Player = Callable[[Any], Any]
SOLUTIONS = {game: Solutions(game, nodes=30_000) for game in ("checkers", "twoflags")}


def play(
    text: str, player: Player, game: str = "checkers", cap: int | None = None, value: str = ""
) -> Judgement:
    """The judgement of a game; the player answers a position by a position, the bytes of an
    output, or an outcome.  A value that is given need not be proven."""
    rules = game_named(game)
    solutions = Solutions(game, nodes=50) if value else SOLUTIONS[game]
    truth = made_up(text, game, (value or str(solutions.value(position_of(text, game))),))

    def answer(board: str) -> Outcome:
        found = player(position_of(board, game))
        if isinstance(found, Outcome):
            return found
        form = "fen" if board.startswith(("B:", "W:")) else "board"
        output = found if isinstance(found, bytes) else rules.write(found, form).encode()
        return Outcome(Ending.EXIT, exit_code=0, output=output)

    return play_out(text, truth, answer, solutions=solutions, cap=cap)


def perfect(position: Any) -> Any:
    return SOLUTIONS["checkers"].best(position)


def move_named(name: str) -> Player:
    def player(position: Any) -> Any:
        game = game_named("checkers")
        names = {game.move_name(position, child, True): child for child in position.children()}
        return names[name]

    return player


def only_once(player: Player, otherwise: Player) -> Player:
    """The first answer from one player, all others from another."""
    answers: list[Any] = []

    def answer(position: Any) -> Any:
        answers.append((player if not answers else otherwise)(position))
        return answers[-1]

    return answer


def test_a_perfect_player_needs_no_more_than_the_optimum() -> None:
    judgement = play(SHOT, perfect)
    assert judgement.verdict is Verdict.EXACT
    assert judgement.reason == "won in 9 plies"
    assert len(judgement.move.split()) == 9
    assert judgement.share is None


def test_a_slow_player_gets_a_share() -> None:
    judgement = play(NINE, only_once(move_named("g7-h8"), perfect))
    assert judgement.verdict is Verdict.SLOWER
    assert judgement.reason == "won in 13 plies"
    assert judgement.comparison == "could win in 9"
    assert judgement.share == 9 / 13


CORNER = "B......." + "\n........" * 5 + "\n.......R\n........\n"


def shuffle(position: Any) -> Any:
    """Back and forth with the king in its corner."""
    rows = str(position).split("\n")
    return move_named("h2-g1" if rows[6][7] == "R" else "g1-h2")(position)


def test_a_shuffling_player_ends_in_repetition() -> None:
    judgement = play(CORNER, shuffle, value="win in 11")
    assert judgement.verdict is Verdict.WORSE
    assert judgement.reason == "not won: a draw: the same position for the third time"
    assert judgement.comparison == "a win in 11 plies was possible"


def test_a_game_that_goes_nowhere_is_stopped() -> None:
    judgement = play(CORNER, shuffle, cap=4, value="win in 11")
    assert judgement.verdict is Verdict.WORSE
    assert judgement.reason == "not won: nobody has won after 4 plies"


@pytest.mark.parametrize("value", ["win in 1", "win in at most 1"])
def test_a_game_may_last_forty_plies_longer_than_twice_the_optimum(value: str) -> None:
    been: Counter[Any] = Counter()

    def wander(position: Any) -> Any:
        been[child := min(position.children(), key=lambda child: been[child])] += 1
        return child

    judgement = play(CORNER.replace("........", "......R.", 1), wander, value=value)
    assert judgement.verdict is Verdict.WORSE
    assert judgement.reason == "not won: nobody has won after 42 plies"


def test_a_draw_is_what_a_drawn_puzzle_asks_for() -> None:
    judgement = play(CORNER, shuffle, value="draw")
    assert judgement.verdict is Verdict.EXACT
    assert judgement.reason == "not lost: a draw: the same position for the third time"


# One king against two, which it holds at bay; both sides play by the tables.
HELD = "B:WK3,K4:BK15"


def test_a_draw_is_held_by_who_knows_the_tables() -> None:
    assert SOLUTIONS["checkers"].value(position_of(HELD, "checkers")) == Value(0)
    judgement = play(HELD, perfect)
    assert judgement.verdict is Verdict.EXACT
    assert judgement.reason.startswith("not lost: a draw: ")


def careless(position: Any) -> Any:
    """Whatever loses soonest."""

    def length(child: Any) -> int:
        value = SOLUTIONS["checkers"].value(child)
        return 999 if value is None or value.result <= 0 else value.plies or 0

    return min(position.children(), key=length)


def test_a_draw_that_is_thrown_away_is_told() -> None:
    judgement = play(HELD, careless)
    assert judgement.verdict is Verdict.WORSE
    assert judgement.reason.startswith("lost in ")
    assert judgement.comparison == "a draw was possible"


def test_a_certain_win_of_unproven_length_must_be_won() -> None:
    judgement = play(CORNER, shuffle, value="win in at most 33")
    assert judgement.verdict is Verdict.WORSE
    assert judgement.comparison == "a win in at most 33 plies was possible"
    won = play(SHOT, perfect, value="win in at most 33")
    assert won.verdict is Verdict.EQUAL
    assert won.reason == "won in 9 plies; the fewest are not known"


def test_whoever_wins_what_cannot_be_forced_has_done_enough() -> None:
    won = play(SHOT, perfect, value="draw")
    assert won.verdict is Verdict.EXACT
    assert won.reason == "won in 9 plies, more than could be forced"


def illegal(position: Any) -> bytes:
    return str(position.passed()).encode()


@pytest.mark.parametrize(
    ("answer", "verdict", "reason"),
    [
        (illegal, Verdict.ILLEGAL, "at ply 3: nothing was moved"),
        (lambda position: b"help", Verdict.MALFORMED, "at ply 3: row 1, column 1"),
        (lambda position: b"", Verdict.MISSING, "at ply 3: the output file is empty"),
        (
            lambda position: Outcome(Ending.CPU, cpu_s=10.5),
            Verdict.TIMEOUT,
            "at ply 3: CPU 10.50 s > limit 10 s",
        ),
        (
            lambda position: Outcome(Ending.EXIT, exit_code=1),
            Verdict.CRASH,
            "at ply 3: the program ended with exit code 1",
        ),
        (lambda position: Outcome(Ending.FAULT), Verdict.JUDGE_ERROR, "at ply 3: "),
    ],
)
def test_a_failing_move_ends_the_game(answer: Player, verdict: Verdict, reason: str) -> None:
    judgement = play(SHOT, only_once(perfect, answer))
    assert judgement.verdict is verdict
    assert judgement.reason.startswith(reason)
    assert len(judgement.move.split()) == 2


def test_a_lost_game_says_how() -> None:
    judgement = play(SHOT, move_named("c5-d4"))
    assert judgement.verdict is Verdict.WORSE
    assert judgement.reason.startswith("lost in 2 plies: red ")
    assert judgement.comparison == "a win in 9 plies was possible"


LOST = (ROOT / "inputs" / "twoflags" / "race-late-by-one-move.txt").read_text()


def longest(position: Any) -> Any:
    return SOLUTIONS["twoflags"].best(position)


def shortest(position: Any) -> Any:
    def length(child: Any) -> int:
        value = SOLUTIONS["twoflags"].value(child)
        return 0 if value is None or value.plies is None else value.plies

    return min(position.children(), key=length)


def test_in_a_lost_puzzle_the_longest_defence_is_best() -> None:
    judgement = play(LOST, longest, "twoflags")
    assert judgement.verdict is Verdict.EXACT
    assert "no defence is longer" in judgement.reason
    assert len(judgement.move.split()) == 12
    hasty = play(LOST, shortest, "twoflags")
    assert hasty.verdict is Verdict.SLOWER
    assert hasty.share == 4 / 12


def test_where_nothing_is_proven_a_win_counts_and_a_draw_is_nobodys_fault() -> None:
    judgement = play(CORNER, shuffle, cap=1, value="0 at depth 1")
    assert judgement.verdict is Verdict.JUDGE_ERROR


def test_a_finished_game_asks_nothing() -> None:
    blocked = (ROOT / "inputs" / "checkers" / "blocked.txt").read_text()
    assert play(blocked, perfect, value="draw").verdict is Verdict.EXACT
