"""`solver solve --game GAME`: who wins from the position that a game begins with."""

from __future__ import annotations

import sys
import time

from solver.cli.boards import opened
from solver.cli.progress import Progress
from solver.cli.report import line_names
from solver.cli.words import tell
from solver.errors import FileError, UserError, counted
from solver.forcing import generation_of_two
from solver.limits import Limits
from solver.score import describe
from solver.shortest import ShortestWin

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import Namespace

    from solver.cli.puzzle import Puzzle
    from solver.finding import Finding

MEGABYTES = 1200  # if nobody says otherwise: such a proof is mostly remembering


class Watch(Progress):
    """Shows how far a proof has come."""

    def __init__(self) -> None:
        super().__init__()
        self.attempt: ShortestWin | None = None

    def poll(self, visited: int) -> bool:
        """Never a reason to stop; only the moment to be asked about."""
        if self.attempt is not None and self.is_due():
            entries = len(self.attempt.forced) + len(self.attempt.yielded)
            self.show(
                f"{self.attempt.asked + 1} plies, {visited:,} nodes, {entries:,} entries, "
                f"{time.monotonic() - self.started:.0f} s"
            )
        return False


def solve_start(arguments: Namespace) -> int:
    """Prove the value of the start; the default is no limit but patience."""
    if arguments.output is not None or arguments.outputfile is not None:
        raise UserError("The proof of a start goes to standard output and takes no OUT.")
    if arguments.depth is not None:
        raise UserError("A proof has no --depth. Use --nodes or --time to bound it.")
    for option in ("line", "stats", "format", "heuristic", "tables"):
        if getattr(arguments, option):
            raise UserError(f"--{option} is for a board file and not for the start of a game.")
    if sys.stdout is None:
        raise FileError("standard output is closed")
    puzzle = opened(arguments)
    progress = Watch()
    limits = Limits(nodes=arguments.nodes, seconds=arguments.time, poll=progress.poll)
    generation = generation_of_two(arguments.hash or MEGABYTES)
    attempt = ShortestWin(limits, generation=generation)
    progress.attempt = attempt
    try:
        finding = attempt.run(puzzle.position)
    finally:
        progress.clear()
    print(_told(puzzle, attempt, finding))
    if arguments.verbose:
        seconds = time.monotonic() - progress.started
        tell(f"{attempt.effort.visited} nodes, {seconds:.2f} s")
    return 0


def _told(puzzle: Puzzle, attempt: ShortestWin, finding: Finding | None) -> str:
    mover = puzzle.position.mover()
    if finding is None:
        plies = counted(attempt.asked, "ply", "plies")
        return f"{mover}: not proven; neither a win nor a loss within {plies}"
    best = attempt.best_children(puzzle.position, finding.depth)
    names = [puzzle.game.move_name(puzzle.position, child) for child in best]
    line = " ".join(line_names(puzzle, finding, squares=False))
    return f"{mover}: {describe(finding.score)} by {' '.join(names)}\nline: {line}"
