"""`grader tune`: what it learns from, the regression, and the file it writes."""

from __future__ import annotations

import math
import random
import signal
from pathlib import Path

import pytest
from support.grader_command import grader, started, wait_for_two_workers
from support.positions import random_positions, value

from grader.lab.tune import (
    HELD_OUT,
    Sample,
    TuneOptions,
    expected,
    fit,
    log_loss,
    play_game,
    solve_endings,
    tune,
)
from solver.games.checkers.heuristics import HEURISTICS
from solver.search.heuristic import load

SMALL = ("tune", "--games", "10", "--endings", "20", "--nodes", "50")


@pytest.mark.slow
def test_the_same_weights_for_one_worker_and_for_two(tmp_path: Path) -> None:
    one = grader(*SMALL, "-j", "1", "-o", "one.py", cwd=tmp_path)
    two = grader(*SMALL, "-j", "2", "-o", "two.py", cwd=tmp_path)
    assert (one.returncode, one.stderr) == (0, "")
    assert one.stdout == two.stdout
    assert (tmp_path / "one.py").read_text() == (tmp_path / "two.py").read_text()
    assert "These are not the weights of tuned as shipped." in one.stdout
    assert "grader tune --games 10 --endings 20 --nodes 50" in (tmp_path / "one.py").read_text()


def test_the_written_file_is_the_heuristic_with_these_weights(tmp_path: Path) -> None:
    done = grader(*SMALL, "--heuristic", "six-regions", "-j", "1", "-o", "mine.py", cwd=tmp_path)
    lines = done.stdout.split("\n\n")[0].splitlines()[2:]
    shown = {line.rsplit(maxsplit=2)[0]: int(line.split()[-1]) for line in lines}
    named = HEURISTICS["six-regions"]
    assert list(shown) == [title for title, _ in named.TERMS.values()]
    mine = type(named)(dict(zip(named.TERMS, shown.values(), strict=True)))
    evaluate = load(f"{tmp_path / 'mine.py'}:evaluate")
    for position in random_positions(30, range(4, 16), seed=5):
        assert evaluate(position) == sum(mine.value(board) for board in position.boards())


@pytest.mark.parametrize("name", HEURISTICS)
def test_the_old_weights_are_those_the_search_uses(name: str) -> None:
    batches = [solve_endings(name, str(number), 2) for number in range(HELD_OUT)]
    old = tune(TuneOptions(name, games=HELD_OUT, endings=0), batches).old
    for position in random_positions(10, range(4, 12), seed=7):
        same = type(HEURISTICS[name])(old)
        assert sum(same.value(board) for board in position.boards()) == value(name, position)


def test_a_game_is_learned_from_or_held_out_as_a_whole() -> None:
    options = TuneOptions(games=2 * HELD_OUT, endings=0)
    tuning = tune(options, [[Sample((1,) * 9, 1.0)] * 3 for _ in range(2 * HELD_OUT)])
    assert tuning.fitted_to == 3 * 2 * (HELD_OUT - 1)
    assert [(each.kind, each.samples) for each in tuning.held_out] == [("games", 3 * 2)]


def test_the_command_names_only_what_is_not_default() -> None:
    assert TuneOptions().command() == "grader tune"
    assert TuneOptions(seed=3, nodes=50).command() == "grader tune --seed 3 --nodes 50"


def test_games_differ_by_their_seed_alone_and_their_positions_share_a_result() -> None:
    """One side has won them all, or neither."""
    one, again, other = (play_game("tuned", seed, 50) for seed in "aab")
    assert one == again != other
    for found in (one, other, play_game("tuned", "c", 50)):
        assert {sample.result for sample in found} in ({0.5}, {0.0}, {1.0}, {0.0, 1.0})


def test_endings_have_the_results_of_the_tables() -> None:
    """Two pieces more win; equal numbers are mostly drawn."""
    samples = solve_endings("material", "x", 200)
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
    stdout, stderr = process.communicate(timeout=300)
    assert (process.returncode, stdout, stderr) == (130, "", "grader: interrupted\n")
    assert not list(tmp_path.iterdir())


def draw_samples(weights: list[float], number: int, seed: int) -> list[Sample]:
    """Samples with random results that have the chances that the weights give."""
    rng = random.Random(seed)
    found = []
    for _ in range(number):
        counts = tuple(rng.randint(-3, 3) for _ in weights)
        logit = sum(weight * count for weight, count in zip(weights, counts, strict=True))
        found.append(Sample(counts, float(rng.random() < expected(logit))))
    return found


def test_the_weights_behind_random_results_are_found_again() -> None:
    weights = [0.8, -0.3, 0.0]
    assert fit(draw_samples(weights, 3000, 1)) == pytest.approx(weights, abs=0.1)


def test_weights_by_hand() -> None:
    """Three wins in four mean odds of three to one; a draw is half a win.  Wins only still give a
    finite weight, and a term that never occurs has none."""
    wins = [Sample((1, 0), 1.0)] * 2000 + [Sample((1, 0), 0.5)] * 2000
    assert fit(wins) == pytest.approx([math.log(3), 0.0], abs=0.01)
    assert 1 < fit([Sample((1,), 1.0), Sample((-1,), 0.0)] * 50)[0] < 20


def test_two_terms_that_always_occur_together_share_the_weight() -> None:
    alone = draw_samples([0.6], 500, 3)
    one, two = fit([Sample(sample.counts * 2, sample.result) for sample in alone])
    assert one == pytest.approx(two)
    assert one + two == pytest.approx(fit(alone)[0], rel=0.01)


def test_log_loss_by_hand() -> None:
    samples = [Sample((1,), 1.0), Sample((-1,), 1.0), Sample((2,), 0.5)]
    assert log_loss(samples, [0.0]) == pytest.approx(math.log(2))
    for logit in (0.0, 1.0, 30.0, 800.0):
        assert expected(logit) + expected(-logit) == pytest.approx(1)
