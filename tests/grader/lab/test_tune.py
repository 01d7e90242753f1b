"""`grader tune`: the games that it learns from, the regression, and the files it writes."""

from __future__ import annotations

import math
import signal
from pathlib import Path

import pytest
from support.grader_command import grader, started
from support.positions import random_positions

from grader.lab.self_play import HEAD, RECORD, Play, play_games, read_games
from grader.lab.tune import PatternFit, counter, expected, fit, take_samples, tune
from solver.errors import UserError
from solver.games.checkers.heuristics import HEURISTICS
from solver.games.checkers.patterns import Patterns
from solver.games.checkers.rules import Board

np = pytest.importorskip("numpy")

QUICK = Play(nodes=30)
OF_A_FILE = """\
from solver.games.checkers.patterns import Patterns

evaluate = Patterns({{}}, "{name}.weights")
"""
OWN = """\
def count(position):
    own, enemy = position.boards()[0].own, position.boards()[0].enemy
    return [own.bit_count() - enemy.bit_count(), 1]
"""


@pytest.fixture(scope="module")
def record(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("tune") / "games"
    play_games(QUICK, 20, path)
    return path


@pytest.mark.slow
def test_killed_and_resumed_it_gives_the_same_weights(tmp_path: Path) -> None:
    small = ("tune", "--games", "40", "--nodes", "30")
    whole = grader(*small, "-j", "1", "-o", "whole.weights", cwd=tmp_path)
    assert (whole.returncode, whole.stderr) == (0, "")
    words = (*small, "-j", "2", "--record", "games", "-o", "resumed.weights")
    process = started(*words, cwd=tmp_path)
    while not (tmp_path / "games").exists() or (tmp_path / "games").stat().st_size < 2000:
        assert process.poll() is None
    process.send_signal(signal.SIGKILL)
    process.communicate(timeout=300)
    before = (tmp_path / "games").read_bytes()
    resumed = grader(*words, cwd=tmp_path)
    assert resumed.stdout == whole.stdout
    assert (tmp_path / "games").read_bytes()[: len(before) - RECORD.size] in before
    found = (tmp_path / "resumed.weights").read_bytes()
    assert found == (tmp_path / "whole.weights").read_bytes()
    mine = Patterns({}, str(tmp_path / "resumed.weights"))
    boards = [board for each in random_positions(20, range(5, 20), 1) for board in each.boards()]
    assert len({mine.value(board) for board in boards}) > 10


@pytest.mark.slow
def test_two_generations_from_nothing_play_well(tmp_path: Path) -> None:
    """As the weights that are shipped were made, on a small scale."""
    for name in ("first", "second"):
        (tmp_path / f"{name}.py").write_text(OF_A_FILE.format(name=name))
    small = ("tune", "--games", "1000", "--nodes", "30")
    more = ("--player", "first.py:evaluate", "--also", "1.games", "-o", "second.weights")
    for words in (("--record", "1.games", "-o", "first.weights"), more):
        assert grader(*small, *words, cwd=tmp_path).returncode == 0
    match = ("match", "first.py:evaluate", "material", "--nodes", "100", "--pairs", "40")
    text = grader(*match, cwd=tmp_path).stdout
    assert "first.py:evaluate against material: Stronger" in text
    mine = Patterns({}, str(tmp_path / "second.weights"))
    assert mine.value(Board(0b1111 << 27, 0b11, 0, 0)) > 0  # four men against two


@pytest.mark.slow
def test_the_weights_of_tuned_are_fitted_from_nothing(tmp_path: Path) -> None:
    words = (
        "tune",
        "--player",
        "material",
        "--heuristic",
        "tuned",
        "--games",
        "40",
        "--nodes",
        "30",
    )
    one, two = (grader(*words, "-j", jobs, cwd=tmp_path) for jobs in ("1", "2"))
    assert one.stdout == two.stdout
    terms = one.stdout.split("\n\n")[0].splitlines()[2:]
    assert all(int(line.split()[-1]) > 0 for line in terms[:2])  # men, kings


def test_a_game_that_was_cut_off_is_played_again(record: Path, tmp_path: Path) -> None:
    whole = record.read_bytes()
    for length in (HEAD - 1, HEAD + 5, len(whole) // 2, len(whole) - 1):
        path = tmp_path / f"cut {length}"
        path.write_bytes(whole[:length])
        play_games(QUICK, 20, path)
        assert path.read_bytes() == whole


def test_records_of_other_games_are_refused(record: Path, tmp_path: Path) -> None:
    whole = record.read_bytes()
    with pytest.raises(UserError, match=r"not games of Play.*seed=2"):
        play_games(Play(seed=2, nodes=30), 20, record)
    assert record.read_bytes() == whole
    other = tmp_path / "other"
    other.write_text("something else\n" * 20)
    with pytest.raises(UserError, match="no games in it"):
        read_games(other)


def test_one_side_has_won_all_positions_of_a_game_or_neither(record: Path) -> None:
    found = read_games(record)
    assert len(set(found["game"].tolist())) == 20
    winners: dict[int, set[int]] = {}
    for _, _, _, game, score, side, half_points in found.tolist():
        red = half_points if side & 1 == 0 else 2 - half_points
        winners.setdefault(game, set()).add(red)
        assert abs(score) <= 600
    assert all(len(each) == 1 for each in winners.values())
    assert set.union(*winners.values()) == {0, 1, 2}
    # Who gains pieces wins.
    ahead = [own.bit_count() - enemy.bit_count() for own, enemy, *_ in found.tolist()]
    assert np.corrcoef(ahead, found["half_points"])[0, 1] > 0.2


def test_fewer_games_are_the_first_ones(record: Path) -> None:
    found = read_games(record, 5)
    assert found["game"].tolist() == sorted(found["game"].tolist())
    assert set(found["game"].tolist()) == set(range(5))


@pytest.mark.parametrize("name", [name for name in HEURISTICS if name != "patterns"])
def test_terms_are_counted_as_the_search_weighs_them(name: str) -> None:
    count = counter(name)
    weights = [weight for _, weight in HEURISTICS[name].TERMS.values()]
    for position in random_positions(20, range(4, 12), seed=7):
        for board in position.boards():
            value = sum(n * weight for n, weight in zip(count(board), weights, strict=True))
            assert value == HEURISTICS[name].value(board)


def test_the_weights_of_named_terms_are_shown(record: Path, tmp_path: Path) -> None:
    words = ("tune", "--heuristic", "six-regions", "--games", "20", "--nodes", "30", "-j", "1")
    done = grader(*words, "--record", str(record), cwd=tmp_path)
    lines = done.stdout.split("\n\n")[0].splitlines()[2:]
    terms = HEURISTICS["six-regions"].TERMS.values()
    assert [tuple(line.rsplit(maxsplit=2)[:2]) for line in lines] == [
        (title, str(weight)) for title, weight in terms
    ]
    assert all(int(line.split()[-1]) > 0 for line in lines[:2])  # men, kings


def test_what_a_function_of_the_users_returns_is_weighed(record: Path, tmp_path: Path) -> None:
    (tmp_path / "own.py").write_text(OWN)
    words = ("tune", "--heuristic", "own.py:count", "--games", "20", "--nodes", "30", "-j", "1")
    done = grader(*words, "--record", str(record), cwd=tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    ahead, ones = done.stdout.splitlines()[2:4]
    assert (ahead[:8], ones[:8]) == ("number 0", "number 1")
    assert int(ahead.split()[-1]) > 10
    refused = grader(*words, "-o", "mine.weights", cwd=tmp_path)
    assert refused.returncode == 2
    assert not (tmp_path / "mine.weights").exists()


@pytest.mark.parametrize("result", ["'x'", "None", "[1] * position.boards()[0].own", "1 / 0"])
def test_a_function_that_returns_something_else_is_named(
    record: Path, tmp_path: Path, result: str
) -> None:
    (tmp_path / "own.py").write_text(f"def count(position):\n    return {result}\n")
    words = ("tune", "--heuristic", "own.py:count", "--games", "20", "--nodes", "30", "-j", "1")
    done = grader(*words, "--record", str(record), cwd=tmp_path)
    assert done.returncode == 2
    assert "own.py" in done.stderr
    assert "Traceback" not in done.stderr


def test_without_numpy_the_extra_is_named(tmp_path: Path) -> None:
    (tmp_path / "numpy.py").write_text("raise ImportError")
    done = grader("tune", cwd=tmp_path, environment={"PYTHONPATH": str(tmp_path)})
    assert (done.returncode, done.stdout) == (2, "")
    assert "pip install 'checkmark-solver[tune]'" in done.stderr


def test_a_record_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    done = grader("tune", "--record", "nowhere/games", cwd=tmp_path)
    assert done.returncode == 3
    assert done.stderr == "grader: nowhere/games: No such file or directory\n"


def test_an_interrupt_ends_it_and_nothing_but_games_is_written(tmp_path: Path) -> None:
    words = ("tune", "--nodes", "100000", "-j", "1", "--record", "games", "-o", "mine.weights")
    process = started(*words, cwd=tmp_path)
    while not (tmp_path / "games").exists():
        assert process.poll() is None
    process.send_signal(signal.SIGINT)
    stdout, stderr = process.communicate(timeout=300)
    assert (process.returncode, stdout, stderr) == (130, "", "grader: interrupted\n")
    assert [path.name for path in tmp_path.iterdir()] == ["games"]


def draw_samples(weights: list[float], number: int, seed: int) -> tuple[object, object]:
    """Random counts with random results that have the chances that the weights give."""
    chance = np.random.default_rng(seed)
    counts = chance.integers(-3, 4, (number, len(weights))).astype(float)
    return counts, (chance.random(number) < expected(counts @ weights)).astype(float)


def test_the_weights_behind_random_results_are_found_again() -> None:
    weights = [0.8, -0.3, 0.0]
    assert fit(*draw_samples(weights, 3000, 1)) == pytest.approx(weights, abs=0.1)


def test_weights_by_hand() -> None:
    """Three wins in four mean odds of three to one; a draw is half a win.  Wins only still give a
    finite weight, and a term that never occurs has none."""
    counts = np.array([[1.0, 0.0]] * 4000)
    assert fit(counts, np.array([1.0, 0.5] * 2000)) == pytest.approx([math.log(3), 0.0], abs=0.01)
    assert 1 < fit(np.array([[1.0], [-1.0]] * 50), np.array([1.0, 0.0] * 50))[0] < 20


def test_patterns_predict_what_they_learned_from_better_than_material(record: Path) -> None:
    """Here on few games; that it plays better was measured in games."""
    samples = take_samples("patterns", read_games(record))
    pattern_fit = PatternFit(samples)
    logits = pattern_fit.run()
    labels = samples.labels[~samples.held_out]

    def loss(logits: object) -> float:
        learned = np.asarray(logits)[~samples.held_out]
        return float(np.mean(np.logaddexp(0, learned) - labels * learned))

    material = tune("material", read_games(record))
    assert loss(logits) < loss(0 * logits)
    assert samples.loss(0 * logits) == pytest.approx(math.log(2))
    assert material.guessing == pytest.approx(math.log(2))


def test_the_weights_written_give_the_values_that_were_fitted(record: Path, tmp_path: Path) -> None:
    positions = read_games(record)
    samples = take_samples("patterns", positions)
    pattern_fit = PatternFit(samples)
    logits = pattern_fit.run()
    path = tmp_path / "mine.weights"
    path.write_bytes(pattern_fit.numbers().tobytes())
    mine = Patterns({}, str(path))
    for at in range(0, len(positions), 20):
        own, enemy, kings, _, _, side, _ = positions[at].tolist()
        value = mine.value(Board(own, enemy, kings, side))
        assert value == pytest.approx(logits[at] * 400 / math.log(10), abs=6)
