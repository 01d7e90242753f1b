"""What the transcripts in tests/golden/commands cannot show about the commands."""

from __future__ import annotations

import json
import subprocess
import sys
from functools import partial

import pytest
from support.command import BLOCKED, SHOT, call

from solver import read, solve
from solver.cli import trace
from solver.cli.bench import make_perft_parser

OPENING = "B:W21-32:B1-12"
EN_PASSANT = "Setup Wb5 Wh2 Bc7 Bh5 BLACK"


def test_a_module_calls_itself_as_it_was_called(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "argv", ["solver/__main__.py"])
    page = make_perft_parser().format_help()
    assert page.startswith("usage: python3 -m solver perft ")
    assert "examples:\n  python3 -m solver perft " in page
    assert "Try 'python3 -m solver perft --help'." in call("perft").stderr


def test_all_nodes_are_counted_not_only_those_of_finished_depths() -> None:
    solution = solve(read(OPENING), nodes=5000)
    assert not solution.proven
    assert 5000 <= solution.nodes <= 5002  # each of the two attempts sees that it is over


def play_out(text: str, *words: str) -> tuple[list[list[str]], str]:
    """Ply, side, move and value of every move; and how it ended."""
    done = call("-", "/dev/null", "--line", "-v", *words, text=text)
    assert (done.returncode, done.stdout) == (0, "")
    *moves, end = done.stderr.splitlines()
    return [line.split(maxsplit=3) for line in moves], end.removeprefix("solver: standard input: ")


def test_the_first_position_is_won_in_sixty_one_plies_without_a_detour() -> None:
    moves, end = play_out("W:WK19,K23:B12,K28")
    assert [int(row[0]) for row in moves] == list(range(1, 62))
    assert moves[0] == ["1", "black", "23-27", "win in 61"]
    assert [int(row[3].split()[-1]) for row in moves] == list(range(61, 0, -1))
    assert {row[3].split()[0] for row in moves[1::2]} == {"loss"}
    assert end == "black has won: red has no piece left; plies: 61"


@pytest.mark.parametrize(
    ("words", "first", "last"),
    [
        # Five pieces: proven by search into the tables, played to the end in one go.
        ((), "win in 21", ["win in 3", "loss in 2", "win in 1"]),
        # Two plies of search see the tables' win and nothing of what might be sooner.
        (("--depth", "2"), "win in at most 21", ["win in at most 3", "loss in 2", "win in 1"]),
    ],
)
def test_a_win_that_needs_more_than_the_tables(
    words: tuple[str, ...], first: str, last: list[str]
) -> None:
    values = [row[3] for row in play_out("B:W10,19:BK11,23,K31", *words)[0]]
    assert (values[0], values[-3:]) == (first, last)


def test_lines_of_draws_estimates_and_finished_games() -> None:
    drawn = "B:WK19,K23:B12,K28"
    moves, end = play_out(drawn)
    assert moves[0] == ["1", "red", "28-32", "draw"]
    assert {row[3] for row in moves} == {"draw"}
    assert end == f"a draw: the same position for the third time; plies: {len(moves)}"
    moves, _ = play_out(drawn, "--nodes", "300", "--without", "tables")
    assert any(row[3].endswith("(not proven)") for row in moves)
    assert len(play_out("Setup We5 Bd7 Bf7 BLACK")[0]) == 6
    assert play_out(BLOCKED) == ([], "black has won: red is to move and has no legal move")


@pytest.mark.parametrize("text", [OPENING, SHOT, EN_PASSANT])
def test_the_texts_of_a_line_are_positions_one_move_apart(text: str) -> None:
    done = call("analyse", "-", "--json", "--depth", "5", text=text)
    line = json.loads(done.stdout.splitlines()[-1])["lines"][0]
    here = read(text)
    for name, after in zip(line["names"], line["texts"], strict=True):
        here = here.play(name)
        assert here.game.with_side(here.position) == after


def test_it_ends_when_nobody_reads_any_more() -> None:
    """At the next depth."""
    process = subprocess.Popen(
        [sys.executable, "-m", "solver", "analyse", "-", "--json", "--time", "3600"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    with process:
        assert process.stdin is not None
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdin.write(OPENING)
        process.stdin.close()
        while json.loads(process.stdout.readline())["depth"] < 4:
            pass
        process.stdout.close()
        assert process.wait(120) == 0
        assert process.stderr.read() == ""


def test_black_sees_it_the_other_way_round() -> None:
    """The same position with the colours swapped and the board turned."""
    words = ("analyse", "-", "--depth", "4", "--why", "--heuristic", "tuned")
    red, black = (
        call(*words, text=text).stdout.rpartition(":\n\n")[2]
        for text in ("B:W6,18,28:B1,9,K12", "W:B27,15,5:W32,24,K21")
    )
    numbers = [[line.split()[-4:] for line in text.splitlines()[2:-1]] for text in (red, black)]
    assert numbers[0] == numbers[1]


def test_a_tree_that_is_too_large_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    small = partial(vars(trace)["record_trace"], most=50)
    monkeypatch.setattr(trace, "record_trace", small)
    done = call("trace", "-", "--depth", "4", text=SHOT)
    assert (done.returncode, done.stdout) == (2, "")
    assert "too many to trace. Choose a smaller --depth." in done.stderr


def test_without_a_seed_it_is_told_and_can_be_used_again() -> None:
    words = ("puzzle", "--pieces", "4", "--draw", "--unique")
    done = call(*words)
    word, seed = done.stderr.split()
    assert word == "seed"
    assert call(*words, "--seed", seed).stdout == done.stdout
