"""`grader tune` as a real process, and what it learns from."""

from __future__ import annotations

import signal
from pathlib import Path

import pytest
from support.command import SHOT, solver
from support.grader_command import ROOT, grader, started, wait_for_two_workers
from support.positions import random_positions, value

from grader.lab.tune import (
    HELD_OUT,
    EndingsOrder,
    GameOrder,
    Options,
    Sample,
    as_python,
    done,
    play,
    solve,
    tuned,
)
from solver.games.checkers.heuristics import HEURISTICS
from solver.search.heuristic import load

SMALL = ("tune", "--games", "10", "--endings", "20", "--depth", "1")


def test_the_same_weights_for_one_worker_and_for_two(tmp_path: Path) -> None:
    one = grader(*SMALL, "-j", "1", "-o", "one.py", cwd=tmp_path)
    two = grader(*SMALL, "-j", "2", "-o", "two.py", cwd=tmp_path)
    assert (one.returncode, one.stderr) == (0, "")
    assert one.stdout == two.stdout
    assert (tmp_path / "one.py").read_text() == (tmp_path / "two.py").read_text()
    assert "These are not the weights of tuned as it is shipped." in one.stdout
    assert "grader tune --games 10 --endings 20 --depth 1" in (tmp_path / "one.py").read_text()


def test_the_written_file_is_the_heuristic_with_these_weights(tmp_path: Path) -> None:
    done = grader(*SMALL, "--heuristic", "six-regions", "-j", "1", "-o", "mine.py", cwd=tmp_path)
    shown = {line.rsplit(maxsplit=2)[0]: int(line.split()[-1]) for line in _terms(done.stdout)}
    named = HEURISTICS["six-regions"]
    assert list(shown) == [title for title, _ in named.TERMS.values()]
    mine = type(named)(dict(zip(named.TERMS, shown.values(), strict=True)))
    evaluate = load(f"{tmp_path / 'mine.py'}:evaluate")
    for position in random_positions(30, range(4, 16), seed=5):
        assert evaluate(position) == sum(mine.value(board) for board in position.boards())


def _terms(report: str) -> list[str]:
    return report.split("\n\n")[0].splitlines()[2:]


def test_the_written_file_is_used_by_the_solver_as_it_is(tmp_path: Path) -> None:
    (tmp_path / "board.txt").write_text(SHOT)
    options = Options(games=10, endings=0, depth=1, nodes=None)
    written = as_python(tuned(options, map(done, options.orders())))
    (tmp_path / "mine.py").write_text(written)
    path = f"{tmp_path / 'mine.py'}:evaluate"
    ended = solver("eval", str(tmp_path / "board.txt"), "--heuristic", path, cwd=ROOT)
    assert ended.returncode == 0
    assert f"{path}: " in ended.stdout


@pytest.mark.parametrize("name", HEURISTICS)
def test_the_old_weights_are_those_the_search_uses(name: str) -> None:
    batches = [solve(EndingsOrder(name, str(number), 2)) for number in range(HELD_OUT)]
    old = tuned(Options(name, games=HELD_OUT, endings=0), batches).old
    for position in random_positions(10, range(4, 12), seed=7):
        same = type(HEURISTICS[name])(old)
        assert sum(same.value(board) for board in position.boards()) == value(name, position)


def test_a_game_is_learned_from_or_held_out_as_a_whole() -> None:
    options = Options(games=2 * HELD_OUT, endings=0)
    batches = [[Sample((1,) * 9, 1.0)] * 3 for _ in range(2 * HELD_OUT)]
    tuning = tuned(options, batches)
    assert tuning.fitted_to == 3 * 2 * (HELD_OUT - 1)
    assert [(held.kind, held.samples) for held in tuning.held_by_new] == [("games", 3 * 2)]


def test_the_command_of_the_default_options_has_none() -> None:
    assert Options().command() == "grader tune"
    assert Options(seed=3, nodes=50).command() == "grader tune --seed 3 --nodes 50"


def test_games_differ_by_their_seed_and_by_nothing_else() -> None:
    one, again, other = (play(GameOrder("material", seed, 1, None)) for seed in "aab")
    assert one == again
    assert one != other


def test_positions_of_a_game_share_its_result() -> None:
    """One side has won them all, or nobody."""
    for seed in "cdefg":
        samples = play(GameOrder("tuned", seed, 1, None))
        assert samples
        results = {sample.result for sample in samples}
        assert results in ({0.5}, {0.0}, {1.0}, {0.0, 1.0})


def test_endings_are_worth_what_the_tables_say() -> None:
    """Who has two pieces or more than the other wins; equal numbers are mostly drawn."""
    samples = solve(EndingsOrder("material", "x", 200))
    for sample in samples:
        ahead = sum(sample.counts)
        if abs(ahead) >= 2:
            assert sample.result == (1.0 if ahead > 0 else 0.0)
    even = [sample.result for sample in samples if sum(sample.counts) == 0]
    assert even.count(0.5) > len(even) / 2


def test_an_interrupt_ends_it_and_nothing_is_written(tmp_path: Path) -> None:
    process = started("tune", "--nodes", "100000", "-j", "2", "-o", "mine.py", cwd=tmp_path)
    wait_for_two_workers(process)
    process.send_signal(signal.SIGINT)
    stdout, stderr = process.communicate(timeout=30)
    assert (process.returncode, stdout, stderr) == (130, "", "grader: interrupted\n")
    assert not list(tmp_path.iterdir())
