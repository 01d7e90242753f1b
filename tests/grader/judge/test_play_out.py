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
BLOCKED = (ROOT / "inputs" / "checkers" / "blocked.txt").read_text()
# A win in 9; the moves of the men on g7 and b6 and of the king on b8 win in 13.
NINE = ".R......\n......r.\n.r.b....\n" + "........\n" * 4 + "......R.\n"
CORNER = "B......." + "\n........" * 5 + "\n.......R\n........\n"
HELD = "B:WK3,K4:BK15"  # one king against two, which it holds at bay
LOST = (ROOT / "inputs" / "twoflags" / "race-late-by-one-move.txt").read_text()
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


def first(text: str, player: Player, otherwise: Player) -> Player:
    """The answer to the puzzle from one player, all others from another."""
    start = position_of(text, "checkers")
    return lambda position: (player if position == start else otherwise)(position)


def shuffle(position: Any) -> Any:
    """Back and forth with the king in its corner."""
    rows = str(position).split("\n")
    return move_named("h2-g1" if rows[6][7] == "R" else "g1-h2")(position)


def careless(position: Any) -> Any:
    """Whatever loses soonest."""

    def length(child: Any) -> int:
        value = SOLUTIONS["checkers"].value(child)
        return 999 if value is None or value.result <= 0 else value.plies or 0

    return min(position.children(), key=length)


SLOW = first(NINE, move_named("g7-h8"), perfect)
DRAWN = "a draw: the same position for the third time"
UNKNOWN = "win in at most 33"


@pytest.mark.parametrize(
    ("text", "player", "value", "cap", "verdict", "reason", "comparison"),
    [
        (SHOT, perfect, "", None, Verdict.EXACT, "won in 9 plies", ""),
        (SHOT, perfect, UNKNOWN, None, Verdict.EQUAL, "won in 9 plies; the fewest are not", ""),
        (SHOT, perfect, "draw", None, Verdict.EXACT, "won in 9 plies, more than could be", ""),
        (NINE, SLOW, "", None, Verdict.SLOWER, "won in 13 plies", "could win in 9"),
        (
            *(SHOT, move_named("c5-d4"), "", None, Verdict.WORSE),
            *("lost in 2 plies: red ", "a win in 9 plies was possible"),
        ),
        (
            *(CORNER, shuffle, "win in 11", None, Verdict.WORSE),
            *(f"not won: {DRAWN}", "a win in 11 plies was possible"),
        ),
        (
            *(CORNER, shuffle, "win in 11", 4, Verdict.WORSE),
            *("not won: nobody has won after 4 plies", "a win in 11 plies was possible"),
        ),
        (
            *(CORNER, shuffle, UNKNOWN, None, Verdict.WORSE),
            *(f"not won: {DRAWN}", "a win in at most 33 plies was possible"),
        ),
        (CORNER, shuffle, "draw", None, Verdict.EXACT, f"not lost: {DRAWN}", ""),
        (CORNER, shuffle, "0 at depth 1", 1, Verdict.JUDGE_ERROR, "nobody has won after 1", ""),
        (HELD, perfect, "", None, Verdict.EXACT, "not lost: a draw: ", ""),
        (HELD, careless, "", None, Verdict.WORSE, "lost in ", "a draw was possible"),
        (BLOCKED, perfect, "draw", None, Verdict.EXACT, "lost in 0 plies", ""),
    ],
)
def test_how_a_game_ends(
    text: str,
    player: Player,
    value: str,
    cap: int | None,
    verdict: Verdict,
    reason: str,
    comparison: str,
) -> None:
    judgement = play(text, player, cap=cap, value=value)
    assert judgement.verdict is verdict
    assert judgement.reason.startswith(reason)
    assert judgement.comparison == comparison
    assert judgement.share == (9 / 13 if player is SLOW else None)
    assert player is not perfect or text != SHOT or len(judgement.move.split()) == 9


def test_the_held_draw_is_one() -> None:
    assert SOLUTIONS["checkers"].value(position_of(HELD, "checkers")) == Value(0)


@pytest.mark.parametrize("value", ["win in 1", "win in at most 1"])
def test_a_game_may_last_forty_plies_longer_than_twice_the_optimum(value: str) -> None:
    been: Counter[Any] = Counter()

    def wander(position: Any) -> Any:
        been[child := min(position.children(), key=lambda child: been[child])] += 1
        return child

    judgement = play(CORNER.replace("........", "......R.", 1), wander, value=value)
    assert judgement.verdict is Verdict.WORSE
    assert judgement.reason == "not won: nobody has won after 42 plies"


LATE = Outcome(Ending.CPU, cpu_s=10.5)


@pytest.mark.parametrize(
    ("answer", "verdict", "reason"),
    [
        (lambda position: str(position).encode(), Verdict.ILLEGAL, "nothing was moved"),
        (lambda position: b"help", Verdict.MALFORMED, "row 1, column 1"),
        (lambda position: b"", Verdict.MISSING, "the output file is empty"),
        (lambda position: LATE, Verdict.TIMEOUT, "CPU 10.50 s > limit 10 s"),
        (lambda position: Outcome(Ending.EXIT, exit_code=1), Verdict.CRASH, "the program ended"),
        (lambda position: Outcome(Ending.FAULT), Verdict.JUDGE_ERROR, ""),
    ],
)
def test_a_failing_move_ends_the_game(answer: Player, verdict: Verdict, reason: str) -> None:
    judgement = play(SHOT, first(SHOT, perfect, answer))
    assert judgement.verdict is verdict
    assert judgement.reason.startswith(f"at ply 3: {reason}")
    assert len(judgement.move.split()) == 2


def shortest(position: Any) -> Any:
    def length(child: Any) -> int:
        value = SOLUTIONS["twoflags"].value(child)
        return 0 if value is None or value.plies is None else value.plies

    return min(position.children(), key=length)


def test_in_a_lost_puzzle_the_longest_defence_is_best() -> None:
    judgement = play(LOST, SOLUTIONS["twoflags"].best, "twoflags")
    assert judgement.verdict is Verdict.EXACT
    assert "no defence is longer" in judgement.reason
    assert len(judgement.move.split()) == 12
    hasty = play(LOST, shortest, "twoflags")
    assert (hasty.verdict, hasty.share) == (Verdict.SLOWER, 4 / 12)
