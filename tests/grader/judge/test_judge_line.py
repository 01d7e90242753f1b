"""Whole lines: several may be best, and marks depend on the steps of the side that moves first."""

from __future__ import annotations

import random
import re
from collections.abc import Callable
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from support.judging import find_truth, judge_line, judge_move, made_up, position_of

from grader.grading.records import Judgement, Verdict
from grader.judge.line import prove_value
from grader.puzzles.truth import Truth, Value
from solver.games import game_named

ROOT = Path(__file__).parent.parent.parent.parent
NODES = 30_000
# A win in 9 with several shortest lines; all other moves win later.
NINE = ".R......\n......r.\n.r.b....\n" + "........\n" * 4 + "......R.\n"
# A win in 5 that is hard to miss: there are 117 shortest lines.
FIVE = """\
......b.
........
........
.....r..
........
........
..r...R.
.....r..
"""
SHOT = (ROOT / "inputs" / "checkers" / "shot-in-nine.txt").read_text()
KINGS = "B:WK1:BK2,K8"  # a win in 23, unless a king is given away
PUZZLES = [
    ("checkers", NINE, 9),
    ("checkers", FIVE, 5),
    *(
        ("twoflags", (ROOT / "inputs" / "twoflags" / f"{name}.txt").read_text(), None)
        for name in ("race-lone-pawns", "race-two-equal-runners", "blockade-step-up-to-last")
    ),
]


def value_of(game: str, position: Any) -> Value | None:
    return prove_value(game_named(game), position, NODES)


def truth_of(game: str, text: str) -> Truth:
    return made_up(text, game, (str(value_of(game, position_of(text, game))),))


def written(game: str, line: list[Any]) -> str:
    return "".join(game_named(game).write(position, "board") + "\n\n" for position in line)


def judge(game: str, text: str, line: list[Any]) -> Judgement:
    truth = truth_of(game, text)
    return judge_line(text, written(game, line).encode(), truth, nodes=NODES)


def plies(game: str, position: Any) -> int:
    value = value_of(game, position)
    assert value is not None
    assert value.plies is not None
    return value.plies


def best_lines(game: str, position: Any, most: int = 40) -> list[list[Any]]:
    """The lines in which both sides play their best, not all if there are very many."""
    if not position.children():
        return [[position]]
    lines: list[list[Any]] = []
    for child in position.children():
        if len(lines) < most and plies(game, child) == plies(game, position) - 1:
            lines += [[position, *rest] for rest in best_lines(game, child, most)]
    return lines


@pytest.mark.parametrize(("game", "text", "optimum"), PUZZLES)
def test_every_shortest_line_is_exact(game: str, text: str, optimum: int | None) -> None:
    position = position_of(text, game)
    lines = best_lines(game, position)
    assert lines
    assert optimum in (None, len(lines[0]) - 1)
    assert optimum is None or len(lines) >= 5
    for line in lines:
        judgement = judge(game, text, line)
        assert judgement.verdict is Verdict.EXACT
        assert len(judgement.move.split()) == len(line) - 1


@cache
def count_plies(position: Any) -> int:
    """Plain minimax to the end of a Two Flags game, which shares nothing with the proofs."""
    ends = [count_plies(child) for child in position.children()]
    wins = [end for end in ends if end % 2 == 0]
    return 1 + (min(wins) if wins else max(ends, default=-1))


@pytest.mark.parametrize(("game", "text", "optimum"), PUZZLES[3:])
def test_a_random_line_is_accepted_only_if_every_own_step_is_best(
    game: str, text: str, optimum: int | None
) -> None:
    rng, verdicts = random.Random(7), set()
    for _ in range(60):
        line = [position_of(text, game)]
        while line[-1].children():
            best = [c for c in line[-1].children() if count_plies(c) == count_plies(line[-1]) - 1]
            line.append(rng.choice(best if rng.random() < 0.7 else line[-1].children()))
        best = [count_plies(b) == count_plies(a) - 1 for a, b in pairwise(line)]
        judgement = judge(game, text, line)
        assert (judgement.verdict is Verdict.EXACT) == all(best)
        assert judgement.verdict.accepted == all(best[::2])
        helps = [ply for ply, is_best in enumerate(best, 1) if not (is_best or ply % 2)]
        assert re.findall(r"helps at ply (\d+)", judgement.reason) == list(map(str, helps))
        verdicts.add(judgement.verdict)
    assert len(verdicts) > 2


def on(game: str, position: Any) -> list[Any]:
    """The best line from here."""
    line = [position]
    while children := line[-1].children():
        value = value_of(game, line[-1])
        values = ((child, value_of(game, child)) for child in children)
        line.append(
            next(child for child, found in values if found and found.after_a_ply() == value)
        )
    return line


def bent(ply: int, longer: bool) -> list[Any]:
    """A line of the win in nine with one weak step, and best play before and after it."""
    line = best_line()[:ply]
    usual = plies("checkers", line[-1]) - 1
    for child in line[-1].children():
        found = plies("checkers", child)
        if found % 2 == usual % 2 and (found > usual if longer else found < usual):
            return [*line, *on("checkers", child)]
    raise AssertionError("no such step")


@pytest.mark.parametrize(
    ("ply", "longer", "verdict", "reason", "comparison"),
    [
        (
            *(2, False, Verdict.EQUAL),
            "no weak step of red: 5 plies; black helps at ply 2: could hold out 4 more",
            "",
        ),
        (
            *(1, True, Verdict.SLOWER),
            r"13 plies; the weak step is ply 1 \(red .*\): wins in 13 plies",
            "could win in 9",
        ),
    ],
)
def test_a_line_says_where_it_is_weak(
    ply: int, longer: bool, verdict: Verdict, reason: str, comparison: str
) -> None:
    judgement = judge("checkers", NINE, bent(ply, longer))
    assert judgement.verdict is verdict
    assert re.fullmatch(reason, judgement.reason)
    assert judgement.comparison == comparison


def test_the_worst_of_several_weak_steps_is_named() -> None:
    """Red makes three moves at random that keep the win, black always the best."""
    rng, line, lost = random.Random(4), [position_of(KINGS, "checkers")], {}
    for ply in (1, 3, 5):
        won = [child for child in line[-1].children() if value_of("checkers", child) != Value(0)]
        chosen = rng.choice([child for child in won if plies("checkers", child) % 2 == 0])
        if more := plies("checkers", chosen) - plies("checkers", line[-1]) + 1:
            lost[ply] = more
        line += on("checkers", chosen)[:2]
    judgement = judge("checkers", KINGS, [*line, *on("checkers", line[-1])[1:]])
    assert judgement.verdict is Verdict.SLOWER
    worst = max(lost, key=lambda ply: lost[ply])
    rest = [str(ply) for ply in lost if ply != worst]
    assert rest
    assert f"the weakest step is ply {worst} (red" in judgement.reason
    assert f"not the best at ply {', '.join(rest)} either" in judgement.reason


MAN = ".r......\n......r.\n.r.b....\n" + "........\n" * 4 + "......R.\n"  # b8 should be a king


@pytest.mark.parametrize(("expected", "given"), ["rr", "rR", "Rr"])
def test_a_man_left_on_its_crowning_row_may_stay_one(expected: str, given: str) -> None:
    """In the input it always is one; in the expected board and the answer as the letters say."""
    boards = [written("checkers", [each])[:-1] for each in best_line()]
    assert boards[1].startswith(".R")
    line = [board.replace(".R", f".{given}", 1) for board in boards]
    truth = find_truth(
        "checkers", MAN, line[1].replace(f".{given}", f".{expected}", 1), nodes=NODES
    )
    assert judge_move(MAN, line[1].encode(), truth).verdict is Verdict.EXACT
    left = next((n for n, board in enumerate(boards) if not board.startswith(".R")), len(boards))
    answer = "\n".join([*line[:left], *boards[left:]])
    assert judge_line(MAN, answer.encode(), truth, nodes=NODES).verdict is Verdict.EXACT


def best_line() -> list[Any]:
    return on("checkers", position_of(NINE, "checkers"))


@pytest.mark.parametrize(
    "change",
    [
        lambda text: "Solution:\n\n" + text + "9 moves\n",
        lambda text: text.replace("\n\n", "\n"),
        lambda text: text.replace("\n\n", "\n\n\n\n"),
        lambda text: text.replace("\n", "\r\n"),
        lambda text: "\ufeff" + text.rstrip(),
        lambda text: text.replace("\n\n", "\n\nnext move\n"),
    ],
)
def test_headers_footers_and_blank_lines_do_not_matter(change: Any) -> None:
    text = change(written("checkers", best_line()))
    judgement = judge_line(NINE, text.encode(), truth_of("checkers", NINE), nodes=NODES)
    assert judgement.verdict is Verdict.EXACT


def drop(numbers: list[int]) -> list[Any]:
    return [position for number, position in enumerate(best_line()) if number not in numbers]


@pytest.mark.parametrize(
    ("make", "verdict", "reason"),
    [
        (lambda: drop([0]), Verdict.ILLEGAL, "the line begins after the first move"),
        (lambda: drop([0, 1]), Verdict.ILLEGAL, "the first board is not the input board"),
        (lambda: drop([9]), Verdict.WORSE, "the line breaks off after 8 plies; nobody has won"),
        (lambda: bent(1, True)[:-1], Verdict.WORSE, "nobody has won; the weak step is ply 1 (red"),
        (lambda: drop([2]), Verdict.ILLEGAL, "board 3, black to move: "),
        (lambda: drop([*range(1, 10)]), Verdict.WORSE, "the line breaks off after 0 plies"),
        (lambda: [best_line()[0], *best_line()], Verdict.ILLEGAL, "red to move: nothing was moved"),
        (lambda: [*best_line(), best_line()[0]], Verdict.ILLEGAL, "comes after the end of the"),
    ],
)
def test_a_broken_line(make: Callable[[], list[Any]], verdict: Verdict, reason: str) -> None:
    judgement = judge("checkers", NINE, make())
    assert judgement.verdict is verdict
    assert reason in judgement.reason


def after(position: Any, *names: str) -> list[Any]:
    """A position, and those after moves by their names."""
    game, line = game_named("checkers"), [position]
    for name in names:
        found = {game.move_name(line[-1], child, True): child for child in line[-1].children()}
        line.append(found[name])
    return line


def test_a_line_that_goes_round_in_a_circle() -> None:
    text = "........\n........\n......B.\n........\n........\n........\n.R......\n........\n"
    line = after(position_of(text, "checkers"), "b2-a3", "g6-h5", "a3-b2", "h5-g6")
    judgement = judge_line(text, written("checkers", line).encode(), made_up(text))
    assert judgement.verdict is Verdict.WORSE
    assert "the line breaks off after 4 plies" in judgement.reason


@pytest.mark.parametrize(
    ("change", "verdict", "reason"),
    [
        (lambda text: "", Verdict.MISSING, "empty"),
        (lambda text: "no solution", Verdict.MALFORMED, "there is no board in the output"),
        (lambda text: text[:-11], Verdict.MALFORMED, "the output ends after 7 rows of board 10"),
        (lambda text: text[:9] + text[10:], Verdict.MALFORMED, "row 2 of board 1 has 7 char"),
        (lambda text: text[:27] + "\n" + text[27:], Verdict.MALFORMED, "board 1 ends after 3 rows"),
        (lambda text: text[:27] + "?" + text[28:], Verdict.MALFORMED, "line 4: row 4 of board 1"),
    ],
)
def test_a_cut_or_bent_board_is_found(change: Any, verdict: Verdict, reason: str) -> None:
    text = change(written("checkers", best_line()))
    judgement = judge_line(NINE, text.encode(), truth_of("checkers", NINE))
    assert judgement.verdict is verdict
    assert reason in judgement.reason


def test_a_line_that_ends_with_a_win_for_the_wrong_side() -> None:
    start, weak = after(position_of(SHOT, "checkers"), "c5-d4")
    judgement = judge("checkers", SHOT, [start, *on("checkers", weak)])
    assert judgement.verdict is Verdict.WORSE
    assert "win for black; the weak step is ply 1 (red c5-d4): throws the" in judgement.reason


def test_a_step_after_which_no_win_is_proven_is_not_accepted() -> None:
    """Red gives up the shortest win, and both sides play on at random until red has won."""
    rng = random.Random(1)
    line: list[Any] = []
    while not line or line[-1].mover() == "red":
        line = after(position_of(SHOT, "checkers"), "d2-e3")
        while line[-1].children():
            line.append(rng.choice(line[-1].children()))
    judgement = judge("checkers", SHOT, line)
    assert value_of("checkers", line[1]) is None
    assert judgement.verdict is Verdict.SLOWER
    assert "ply 1 (red d2-e3): no win is proven after it" in judgement.reason


def score(position: Any) -> int:
    value = value_of("checkers", position)
    assert value is not None
    return value.score


def test_a_step_that_throws_the_win_away_is_told_though_it_is_won_in_the_end() -> None:
    """Red gives a king; black, who could hold the draw, gives its own."""
    position = position_of(KINGS, "checkers")
    drawn = [child for child in position.children() if value_of("checkers", child) == Value(0)]
    line = [position, drawn[0]]
    while line[-1].children():
        choose = min if line[-1].mover() == "red" else max
        line.append(choose(line[-1].children(), key=score))
    assert line[-1].mover() == "black"
    judgement = judge("checkers", KINGS, line)
    assert judgement.verdict is Verdict.WORSE
    name = game_named("checkers").move_name(position, drawn[0], True)
    assert (
        f"could draw; the weak step is ply 1 (red {name}): throws the win away" in judgement.reason
    )


@pytest.mark.parametrize(
    ("value", "verdict", "reason"),
    [
        ("0 at depth 1", Verdict.JUDGE_ERROR, "not proven within 10 nodes"),
        ("win in at most 9", Verdict.JUDGE_ERROR, "not proven within 10 nodes"),
        ("win in 9", Verdict.EXACT, "a best line: 9 plies"),
        ("win in 7", Verdict.SLOWER, "9 plies: more than necessary"),
        ("win in 11", Verdict.EQUAL, "black could hold out longer"),
    ],
)
def test_what_can_be_said_without_proofs(value: str, verdict: Verdict, reason: str) -> None:
    output = written("checkers", best_line()).encode()
    judgement = judge_line(NINE, output, made_up(NINE, values=(value,)), nodes=10)
    assert judgement.verdict is verdict
    assert reason in judgement.reason


def test_a_finished_game_is_a_line_of_one_board() -> None:
    blocked = (ROOT / "inputs" / "checkers" / "blocked.txt").read_text()
    assert judge_line(blocked, blocked.encode(), made_up(blocked)).verdict is Verdict.EXACT
