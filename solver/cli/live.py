"""`solver analyse --json`: the best moves after every depth, an object on each line."""

from __future__ import annotations

import json
import select
import sys
import time
from contextlib import suppress

from solver.cli.report import line_names, worth
from solver.comparison import Comparison, GrowingProof
from solver.limits import Limits
from solver.search import Search

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from solver.cli.puzzle import Puzzle
    from solver.cli.request import Request
    from solver.comparison import Compared
    from solver.finding import Finding


def analyse(puzzle: Puzzle, request: Request, lines: int, squares: bool) -> None:
    """Tell everything until it is settled, the limits are used up, or nobody reads any more."""
    outcome = puzzle.game.outcome(puzzle.position)
    if outcome is not None:
        _tell({"outcome": outcome.as_dict()})
        return
    solver, limits, techniques = request.solver(puzzle), request.limits, request.techniques
    megabytes = max(1, techniques.megabytes // 2)  # the other half is for the proof
    Comparison(
        puzzle.position,
        Search(solver.evaluate, techniques.changed(megabytes=megabytes), solver.exact),
        lines,
        Limits(limits.depth, limits.nodes, limits.seconds, Reader().has_gone),
        GrowingProof(solver.evaluate, solver.exact, megabytes) if limits.depth is None else None,
        Teller(puzzle, squares).tell,
    ).run()


class Teller:
    def __init__(self, puzzle: Puzzle, squares: bool) -> None:
        self.puzzle = puzzle
        self.squares = squares
        self.started = time.perf_counter()

    def tell(self, compared: Compared) -> None:
        seconds = time.perf_counter() - self.started
        nodes = int(compared.effort.visited)
        _tell(
            {
                "depth": compared.depth,
                "proof": compared.proof,
                "proven": compared.findings[0].proven,
                "seconds": round(seconds, 6),
                "nodes": nodes,
                "nps": round(nodes / max(seconds, 1e-6)),
                "effort": compared.effort.as_dict(),
                "lines": [self._line(finding) for finding in compared.findings],
            }
        )

    def _line(self, finding: Finding) -> dict[str, Any]:
        names = line_names(self.puzzle, finding, self.squares)
        return {
            "move": names[0],
            "names": names,
            "texts": [self.puzzle.game.with_side(position) for position in finding.line],
            "score": finding.score,
            "value": worth(finding),
            "proven": finding.proven,
        }


class Reader:
    """Whoever reads our standard output: a search need not go on for somebody who has left."""

    def __init__(self) -> None:
        self.poll = None
        with suppress(AttributeError, OSError, ValueError):  # not everywhere, not of every output
            poll = select.poll()
            poll.register(sys.stdout.fileno(), 0)  # for nothing but the end
            self.poll = poll

    def has_gone(self, visited: int) -> bool:
        return self.poll is not None and bool(self.poll.poll(0))


def _tell(record: dict[str, Any]) -> None:
    print(json.dumps(record), flush=True)
