"""Several workers: the answer of one, and nothing left behind."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import pairwise
from pathlib import Path

import pytest
from builds import times
from command import solver
from positions import board, random_positions

from solver import parallel
from solver.checkers import game
from solver.limits import Limits
from solver.parallel import ParallelSearch
from solver.search import Search
from solver.shared import SharedTable
from solver.table import DEPTH_SHIFT
from solver.techniques import Techniques

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="needs a system that can fork")

MIDDLE = "B:W14,17,19,24,27,28,29,30,31,32:B1,2,4,5,6,7,8,10,11,12"


@pytest.mark.parametrize("least_depth", [2, 5])
@pytest.mark.parametrize(
    "switches",
    [
        Techniques(),
        Techniques(ordering="static"),
        Techniques("alpha-beta"),
        Techniques(cache="none"),
    ],
    ids=["default", "static", "minimax", "no cache"],
)
def test_two_workers_answer_as_one(
    switches: Techniques, least_depth: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With `material` most moves are equal, and the first of them has to be found."""
    monkeypatch.setattr(parallel, "LEAST_DEPTH", least_depth)
    tables = game.tables()
    for position in random_positions(times(12, 4), range(6, 14), seed=least_depth):
        evaluate = game.evaluator("material", position)
        alone = Search(evaluate, switches, tables).run(position, Limits(depth=5))
        with ParallelSearch(evaluate, switches, tables, threads=2) as search:
            together = search.run(position, Limits(depth=5))
        assert (together.score, together.best) == (alone.score, alone.best)
        assert together.proven or together.depth == 5
        steps = [position, *together.line]
        assert all(b in a.children() for a, b in pairwise(steps))


def test_every_depth_is_told_and_children_can_be_left_out() -> None:
    position = board(MIDDLE)
    evaluate = game.evaluator("material", position)
    best = Search(evaluate, Techniques()).run(position, Limits(depth=6)).best
    out = frozenset([position.children().index(best)])
    expected = Search(evaluate, Techniques()).run(position, Limits(depth=6), leave_out=out)
    told: list[int] = []
    with ParallelSearch(evaluate, Techniques(), threads=3) as search:
        search.run(position, Limits(depth=6), lambda finding: told.append(finding.depth))
        found = search.run(position, Limits(depth=6), leave_out=out)
    assert told == [1, 2, 3, 4, 5, 6]
    assert (found.score, found.best) == (expected.score, expected.best)


def test_what_is_counted_is_what_all_have_done() -> None:
    position = board(MIDDLE)
    evaluate = game.evaluator("material", position)
    plain = Techniques("alpha-beta,cache,deepening")
    alone = Search(evaluate, plain).run(position, Limits(depth=5))
    with ParallelSearch(evaluate, plain, threads=2) as search:
        together = search.run(position, Limits(depth=5))
    assert together.effort.as_dict() == alone.effort.as_dict()


def test_a_shared_table_forgets_but_never_errs() -> None:
    table = SharedTable(64)
    latest = {}
    for number in range(1, 1000):
        key = number * number * 7919 % 4001
        latest[key] = number << DEPTH_SHIFT + 8 | number % 9 << DEPTH_SHIFT
        table.put(key, latest[key])
        assert table.get(key) == latest[key]
    assert all(table.get(key) in (-1, entry) for key, entry in latest.items())
    assert 32 < len(table) <= 64


def test_a_half_written_entry_is_no_answer() -> None:
    table = SharedTable(2)
    table.put(5, 1234)
    table.words[1] = 1235  # as another process would, before it writes the key
    assert table.get(5) == -1


def test_the_time_is_kept() -> None:
    position = board(MIDDLE)
    evaluate = game.evaluator("material", position)
    with ParallelSearch(evaluate, Techniques(), threads=2) as search:
        found = search.run(position, Limits(depth=200, seconds=0.5))
        assert found.depth < 200
        assert not search.workers  # they would still be searching
        assert search.run(position, Limits(depth=200, seconds=1e-9)).depth == 0


# --- the command ---------------------------------------------------------------------------


def answer(text: str) -> str:
    return re.sub(r" (nodes|cutoffs|cache|ebf|time) \S+|(?<= pv ).*", "", text)


def test_the_command_says_the_same(tmp_path: Path) -> None:
    path = tmp_path / "board.txt"
    path.write_text(MIDDLE)
    words = ("--depth", "6", "--threads")
    one, two = (solver("solve", str(path), "-", *words, threads) for threads in ("1", "2"))
    assert (one.returncode, one.stdout) == (two.returncode, two.stdout)
    more = ("--depth", "5", "--lines", "3", "--heuristic", "material", "--threads")
    one, two = (solver("analyse", str(path), *more, threads) for threads in ("1", "2"))
    assert one.returncode == two.returncode == 0
    tables = [done.stdout.split("continued\n")[1].split("\n") for done in (one, two)]
    first, second = ([row.split("at depth")[0] for row in table] for table in tables)
    assert first == second
    assert answer(one.stdout.split("\n\n")[0]) == answer(two.stdout.split("\n\n")[0])


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--threads", "2"), "--depth"),
        (("--threads", "2", "--depth", "5", "--nodes", "900"), "--nodes"),
        (("--threads", "0", "--depth", "5"), "--threads"),
        (("--threads", "many", "--depth", "5"), "--threads"),
        (("--threads", "99999", "--depth", "5"), "--threads"),
    ],
)
@pytest.mark.parametrize("command", ["analyse", "solve"])
def test_nonsense_is_refused(command: str, words: tuple[str, ...], said: str, shot: str) -> None:
    done = solver(command, shot, *words)
    assert done.returncode == 2
    assert said in done.stderr
    assert done.stdout == ""


def test_a_fault_in_a_heuristic_is_told_once(tmp_path: Path, shot: str) -> None:
    own = tmp_path / "own.py"
    own.write_text("def bad(position):\n    return 1 // 0\n")
    done = solver("solve", shot, "--depth", "4", "--threads", "2", "--heuristic", f"{own}:bad")
    assert done.returncode == 2
    assert (
        done.stderr
        == f"solver: {own}: line 2: ZeroDivisionError: integer division or modulo by zero\n"
    )


@contextmanager
def analysing(tmp_path: Path) -> Iterator[tuple[subprocess.Popen[str], list[int]]]:
    """A command that would go on for years, and its workers."""
    path = tmp_path / "board.txt"
    path.write_text(MIDDLE)
    words = ["analyse", str(path), "--depth", "60", "--threads", "2"]
    process = subprocess.Popen(
        [sys.executable, "-m", "solver", *words],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    try:
        assert process.stdout is not None
        while not process.stdout.readline().startswith("depth 6"):
            assert process.poll() is None
        yield process, children_of(process.pid)
    finally:
        process.kill()
        process.communicate()


def children_of(parent: int) -> list[int]:
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            after_the_name = (folder / "stat").read_text().rpartition(")")[2].split()
        except OSError:
            continue
        if after_the_name[1] == str(parent):
            found.append(int(folder.name))
    return found


def are_gone(workers: list[int]) -> bool:
    for _ in range(300):
        if not any(is_running(worker) for worker in workers):
            return True
        time.sleep(0.05)
    return False


def is_running(process: int) -> bool:
    try:
        return ") Z " not in Path(f"/proc/{process}/stat").read_text()
    except OSError:
        return False


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="needs /proc")
@pytest.mark.parametrize(
    ("number", "code"), [(signal.SIGINT, 130), (signal.SIGKILL, -signal.SIGKILL)]
)
def test_no_worker_outlives_the_command(number: signal.Signals, code: int, tmp_path: Path) -> None:
    with analysing(tmp_path) as (process, workers):
        assert len(workers) == 2
        if number == signal.SIGINT:  # from the keyboard, which everybody hears
            os.killpg(process.pid, number)
        else:
            process.send_signal(number)
        _, said = process.communicate(timeout=30)
        assert process.returncode == code
        assert said == ("solver: interrupted\n" if number == signal.SIGINT else "")
        assert are_gone(workers)
