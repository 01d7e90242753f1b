"""Long work on endgame tables: what it will cost, and how far it has come."""

from __future__ import annotations

import time

from solver.checkers.endgame.build import solve_pair
from solver.cli.progress import Progress
from solver.cli.report import is_compiled
from solver.cli.words import tell

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import TracebackType

    from solver.checkers.endgame.slices import Slice
    from solver.checkers.endgame.values import Values

# Measured on one core of a small server.  Seconds for a million positions, compiled or not, by
# the number of pieces; bytes for a position while its slice is under way.
SECONDS = {True: {4: 0.8, 5: 1.7}, False: {4: 18.0, 5: 40.0}}
BYTES_UNDER_WAY = 14
BYTES_ANYWAY = 25_000_000
BAR = 30


class Work:
    """A progress bar over positions, cleared at the end."""

    def __init__(self, what: str, positions: int) -> None:
        self.what = what
        self.positions = positions
        self.done = 0
        self.progress = Progress()

    def __enter__(self) -> Work:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.progress.clear()

    def poll(self) -> None:
        if self.progress.is_due():
            share = self.done / max(1, self.positions)
            bar = "#" * int(share * BAR)
            seconds = time.monotonic() - self.progress.started
            self.progress.show(f"{self.what} [{bar:.<{BAR}}] {share:4.0%} {seconds:5.0f} s")

    def add(self, positions: int) -> None:
        self.done += positions
        self.poll()


def solve(pairs: list[tuple[Slice, Slice]], finished: Values) -> None:
    """Solve pairs of slices one after the other, and say before what that takes."""
    if not pairs:
        return
    tell(cost(pairs))
    with Work("solving", sum(positions(pair) for pair in pairs)) as work:
        for here, there in pairs:
            solve_pair(here, there, finished, work.poll)
            work.add(positions((here, there)))


def positions(pair: tuple[Slice, Slice]) -> int:
    here, there = pair
    return here.size if here is there else here.size + there.size


def cost(pairs: list[tuple[Slice, Slice]]) -> str:
    total = sum(positions(pair) for pair in pairs)
    largest = max(positions(pair) for pair in pairs)
    compiled = is_compiled()
    rate = SECONDS[compiled][max(4, *(here.pieces() for here, _ in pairs))]
    memory = (BYTES_ANYWAY + total + largest * BYTES_UNDER_WAY) / 1e6
    return (
        f"solving {total:,} positions: roughly {memory:.0f} MB of memory and "
        f"{_duration(total * rate / 1e6)} ({'compiled' if compiled else 'pure Python'})"
    )


def _duration(seconds: float) -> str:
    return f"{max(1, round(seconds))} s" if seconds < 100 else f"{seconds / 60:.0f} minutes"
