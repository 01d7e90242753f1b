"""Who is measured, in turns: so that the noise of a machine meets all of them alike."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import time
from statistics import median

from solver.benchmark import peers, rows
from solver.checkers import game
from solver.errors import UserError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    Speeds = dict[str, float]  # of each row, a second
    Counts = dict[str, int]

HERE = os.path.dirname(os.path.abspath(__file__))
PACKAGE = os.path.dirname(HERE)
MEASURE = """
import json, sys
sys.path.insert(0, sys.argv[1])
from solver.benchmark.rows import measure
json.dump(measure(), sys.stdout)
"""
# The sources of a compiled build, as if nothing had been compiled.
INTERPRETED = (
    """
import sys
from importlib.machinery import SOURCE_SUFFIXES, FileFinder, SourceFileLoader
def only_sources(path):
    if not (path + "/").startswith(sys.argv[1] + "/solver/"):
        raise ImportError
    return FileFinder(path, (SourceFileLoader, SOURCE_SUFFIXES))
sys.path_hooks.insert(0, only_sources)
"""
    + MEASURE
)
MEASURE_PEER = """
import json, sys
sys.path.insert(0, sys.argv[1])
from solver.benchmark.peers import measure
json.dump(measure(sys.argv[2]), sys.stdout)
"""
STARTS = 5  # in every round: they are short
ONE_MOVE = "........\n........\n.b......\n........\n........\n........\n........\nr.......\n"


class Contestant:
    """A program, and how to measure it once; of a guest, what is wrong if that is impossible."""

    def __init__(
        self,
        name: str,
        measure: Callable[[], dict[str, tuple[int, float]]],
        guest: bool = False,
    ) -> None:
        self.name = name
        self.measure = measure
        self.guest = guest
        self.fault = ""
        self.counts: Counts = {}
        self.speeds: dict[str, list[float]] = {}

    def take_turn(self) -> None:
        try:
            measured = self.measure()
        except UserError as error:
            if not self.guest:
                raise
            self.fault = str(error)
            return
        for row, (count, seconds) in measured.items():
            self.counts[row] = count
            self.speeds.setdefault(row, []).append(count / seconds)


class Start:
    """How long a plain call takes on a board with one move, and Python without a program."""

    def __init__(self, folder: str) -> None:
        self.ours: list[float] = []
        self.bare: list[float] = []
        board = os.path.join(folder, "board")
        with open(board, "w", encoding="utf-8") as file:
            file.write(ONE_MOVE)
        # As if installed: with bytecode, wherever we run and whoever may write there.
        self.environment = {**os.environ, "PYTHONPYCACHEPREFIX": os.path.join(folder, "bytecode")}
        self.environment.pop("PYTHONDONTWRITEBYTECODE", None)
        self.call = ["-m", "solver", board, os.path.join(folder, "answer")]
        self._seconds("-c", "pass")
        self._seconds(*self.call)

    def take_turn(self) -> None:
        for _ in range(STARTS):
            self.bare.append(self._seconds("-c", "pass"))
            self.ours.append(self._seconds(*self.call))

    def _seconds(self, *words: str) -> float:
        started = time.perf_counter()
        command = [sys.executable, *words]
        subprocess.run(command, cwd=os.path.dirname(PACKAGE), env=self.environment, check=True)
        return time.perf_counter() - started


def contestants(compiled: bool, others: list[str], folder: str) -> list[Contestant]:
    """This build first; `others` are folders with another build, each with a `solver` in it."""
    ours = os.path.dirname(PACKAGE)
    name = "compiled" if compiled else "interpreted"
    found = [_python(name, sys.executable, folder, MEASURE, ours)]
    if compiled:
        found.append(_python("interpreted", sys.executable, folder, INTERPRETED, ours))
    for other in others:
        if not os.path.isfile(os.path.join(other, "solver", "benchmark", "rows.py")):
            raise UserError(f"{other}: there is no solver with a full benchmark in it.")
        found.append(_python(other, sys.executable, folder, MEASURE, os.path.abspath(other)))
    pypy = shutil.which("pypy3")
    if pypy is not None:
        found.append(_python("PyPy", pypy, folder, MEASURE, ours, guest=True))
    for name in peers.installed():
        found.append(_python(name, sys.executable, folder, MEASURE_PEER, ours, name, guest=True))
    reference = _reference(folder)
    return found if reference is None else [*found, reference]


def _python(
    name: str, python: str, folder: str, code: str, *words: str, guest: bool = False
) -> Contestant:
    """It runs in that folder, and not where somebody's own `checkers.py` may lie."""

    def measure() -> dict[str, tuple[int, float]]:
        command = [python, "-c", code, *words]
        done = subprocess.run(command, cwd=folder, capture_output=True, text=True)
        if done.returncode:
            last = done.stderr.strip().rpartition("\n")[2]
            raise UserError(f"{name} cannot be measured: {last}")
        measured: dict[str, tuple[int, float]] = json.loads(done.stdout)
        return measured

    return Contestant(name, measure, guest)


def _reference(folder: str) -> Contestant | None:
    """The yardstick in C, if there is a compiler."""
    compiler = shutil.which("cc") or shutil.which("gcc") or shutil.which("clang")
    if compiler is None:
        return None
    program = os.path.join(folder, "reference")
    source = os.path.join(HERE, "reference.c")
    done = subprocess.run([compiler, "-O3", "-o", program, source], capture_output=True)
    if done.returncode:
        return None

    def measure() -> dict[str, tuple[int, float]]:
        return {
            "plain alpha-beta": _run(program, "search", rows.PLAIN_DEPTH),
            "perft": _run(program, "perft", rows.PERFT_DEPTH),
        }

    return Contestant("C", measure)


def _run(program: str, task: str, depth: int) -> tuple[int, float]:
    total, seconds = 0, 0.0
    for text in rows.BOARDS:
        (board,) = game.read(text, "bench", True).position.boards()
        words = [str(number) for number in (board.own, board.enemy, board.kings, board.side & 1)]
        command = [program, task, *words, str(depth)]
        done = subprocess.run(command, capture_output=True, text=True, check=True)
        count, once = done.stdout.split()
        total += int(count)
        seconds += float(once)
    return total, seconds


def check_counts(all_of_them: list[Contestant]) -> None:
    """Whoever does the same work must have counted the same; peers do less of it."""
    first = all_of_them[0].counts
    for other in all_of_them[1:]:
        if other.name in peers.PEERS:
            continue
        for row, count in other.counts.items():
            if count != first.get(row, count):
                raise UserError(
                    f"{other.name} counts {count} for {row}, and {all_of_them[0].name} "
                    f"{first[row]}: they do not do the same."
                )


def spread(values: list[float]) -> dict[str, float]:
    return {"median": median(values), "least": min(values), "most": max(values)}


def ratios(one: list[float], other: list[float]) -> list[float]:
    """How many times as much, round by round."""
    return [a / b for a, b in zip(one, other, strict=True)]
