"""`solver analyse`: what the search thinks, depth by depth, and the best moves."""

from __future__ import annotations

import json
import select
import sys
import time
from contextlib import suppress

from solver.cli.options import Parser, add_file, add_solving_options, number, opened, requested
from solver.cli.report import line_names, table, value, worth
from solver.errors import UserError
from solver.proof.answer import prove
from solver.proof.prover import Prover
from solver.search.alphabeta import Search
from solver.search.limits import Limits
from solver.search.minimax import minimal_tree, tree_width
from solver.search.multipv import Comparison
from solver.search.result import branching_factor

TYPE_CHECKING = False

if TYPE_CHECKING:
    from argparse import Namespace
    from typing import Any

    from solver.cli.puzzle import Puzzle
    from solver.cli.request import Request
    from solver.search.multipv import Compared
    from solver.search.result import SearchResult


def make_parser() -> Parser:
    parser = Parser(
        command="analyse",
        about="Show what the search finds at every depth, then the best moves.",
        examples="  solver analyse board.txt --lines 3\n"
        "  solver analyse board.txt --why\n"
        "  solver analyse board.txt --depth 10 --ordering none --cache none\n"
        "  solver analyse board.txt --json --lines 3 --time 10\n",
    )
    add_file(parser)
    parser.add_argument(
        "--lines", type=number(1), default=1, metavar="N", help="how many moves to compare"
    )
    parser.add_argument(
        "--minimal",
        action="store_true",
        help="compare the nodes with the minimal tree of Knuth and Moore for the same depth and "
        "the same number of moves in a position, on average",
    )
    parser.add_argument(
        "--json",
        action="store_true",
        help="an object on a line for every depth, with the best moves at that depth",
    )
    parser.add_argument(
        "--why",
        action="store_true",
        help="explain it: the best line in words, what the next best move loses, and what the "
        "heuristic counts at the end of both",
    )
    add_solving_options(parser)
    return parser


def run(arguments: Namespace) -> int:
    if arguments.json and (arguments.minimal or arguments.why):
        raise UserError("--json goes with neither --minimal nor --why.")
    request = requested(arguments)
    puzzle = opened(arguments)
    squares = arguments.notation == "squares"
    if arguments.json:
        # import dropped

        analyse(puzzle, request, arguments.lines, squares)
        return 0
    analysis = Analysis(puzzle, request, squares)
    outcome = puzzle.game.outcome(puzzle.position)
    if outcome is not None:
        print(outcome)
        return 0
    results = analysis.best_moves(max(arguments.lines, 2 if arguments.why else 1))
    why = explained(analysis, results) if arguments.why else ""
    rows = [
        (names[0], value(result), " ".join(names[1:]))
        for result in results
        for names in [line_names(puzzle, result, analysis.squares)]
    ]
    print()
    print(table(rows, ("move", "value", "continued"), left=3))
    if arguments.minimal:
        print()
        print(analysis.against_minimal())
    if why:
        print(f"\n{why}")
    return 0


def explained(analysis: Analysis, results: list[SearchResult]) -> str:
    """Why the first of them is best."""
    from solver.cli.why import explanation

    return explanation(analysis, results)


class Analysis:
    """The best moves of one puzzle, told while they are found."""

    def __init__(self, puzzle: Puzzle, request: Request, squares: bool) -> None:
        self.puzzle = puzzle
        self.request = request
        self.squares = squares
        self.solver = request.solver(puzzle)
        self.search = Search(self.solver.evaluate, request.techniques, self.solver.exact)
        self.started = time.perf_counter()
        self.deepest: SearchResult | None = None  # of the first search

    def best_moves(self, count: int) -> list[SearchResult]:
        """As many moves as asked for, or as there are, the best first.

        A share of the limits goes to a proof and the rest to the first search.  The other moves
        are then searched as deep as that, with as many nodes each; seconds are shared.
        """
        children = self.puzzle.position.children()
        limits = self.request.limits
        count = min(count, len(children))
        results: list[SearchResult] = []
        if limits.depth is None:
            proof = prove(
                self.puzzle.position,
                self.solver.evaluate,
                limits,
                self.solver.exact,
                self.request.techniques.megabytes,
            )
            if proof.result is not None:
                self.tell(proof.result, "proof")
                results.append(proof.result)
            limits = Limits(None, limits.part(1 - proof.share).nodes, limits.seconds)
        while len(results) < count:
            chosen = frozenset(children.index(result.best) for result in results)
            listener = self.found if not results else _silent
            share = self.seconds_left(limits, count - len(results))
            now = Limits(limits.depth, limits.nodes, share)
            result = self.search.run(self.puzzle.position, now, listener, chosen)
            results.append(result)
            if limits.depth is None and not result.proven:
                limits = Limits(max(1, result.depth), limits.nodes, limits.seconds)
        return results

    def seconds_left(self, limits: Limits, searches: int) -> float | None:
        """The share of the time that the next of so many searches may take."""
        if limits.seconds is None:
            return None
        left = limits.seconds - (time.perf_counter() - self.started)
        return max(left / searches, 0.01)

    def found(self, result: SearchResult) -> None:
        self.deepest = result
        self.tell(result)

    def against_minimal(self) -> str:
        """All that the first search has visited, on its way to the last depth and beyond it to
        the end of captures, beside the least that such a depth takes in an even tree."""
        if self.deepest is None:
            return "minimal tree: nothing was searched to a depth; --depth N does"
        visited, depth = int(self.deepest.counters.visited), self.deepest.depth
        width = tree_width(self.puzzle.position, depth)
        least = minimal_tree(width, depth)
        return (
            f"minimal tree: {least:.0f} nodes (depth {depth}, {width:.2f} moves a position); "
            f"visited: {visited}, {visited / least:.2f} times as many"
        )

    def tell(self, result: SearchResult, word: str = "depth") -> None:
        counters = result.counters
        print(
            f"{word} {result.depth} score {worth(result).replace(' ', '-')} "
            f"nodes {counters.visited} cutoffs {counters.alpha_cuts}+{counters.beta_cuts} "
            f"cache {counters.hits}/{counters.probes} "
            f"ebf {branching_factor(counters.visited, result.depth):.2f} "
            f"time {time.perf_counter() - self.started:.2f} "
            f"pv {' '.join(line_names(self.puzzle, result, self.squares))}",
            flush=True,
        )


def _silent(result: SearchResult) -> None:
    """The moves after the best one are shown in the table only."""


# `solver analyse --json`: the best moves after every depth, an object on each line.


def analyse(puzzle: Puzzle, request: Request, lines: int, squares: bool) -> None:
    """Tell everything until it is settled, the limits are used up, or nobody reads any more."""
    outcome = puzzle.game.outcome(puzzle.position)
    if outcome is not None:
        _tell({"outcome": outcome.as_dict()})
        return
    solver, limits, techniques = request.solver(puzzle), request.limits, request.techniques
    megabytes = max(1, techniques.megabytes // 2)  # the other half is for the proof
    prover = None
    if limits.depth is None:
        prover = Prover(Limits(), solver.exact, solver.evaluate, max(1, megabytes // 2))
    search = Search(solver.evaluate, techniques.changed(megabytes=megabytes), solver.exact)
    within = Limits(limits.depth, limits.nodes, limits.seconds, Reader().has_gone)
    printer = AnalysisPrinter(puzzle, squares)
    for compared in Comparison(puzzle.position, search, lines, within, prover).run():
        printer.tell(compared)


class AnalysisPrinter:
    def __init__(self, puzzle: Puzzle, squares: bool) -> None:
        self.puzzle = puzzle
        self.squares = squares
        self.started = time.perf_counter()

    def tell(self, compared: Compared) -> None:
        seconds = time.perf_counter() - self.started
        nodes = int(compared.counters.visited)
        _tell(
            {
                "depth": compared.depth,
                "proof": compared.proof,
                "proven": compared.results[0].proven,
                "seconds": round(seconds, 6),
                "nodes": nodes,
                "nps": round(nodes / max(seconds, 1e-6)),
                "effort": compared.counters.as_dict(),
                "lines": [self._line(result) for result in compared.results],
            }
        )

    def _line(self, result: SearchResult) -> dict[str, Any]:
        names = line_names(self.puzzle, result, self.squares)
        return {
            "move": names[0],
            "names": names,
            "texts": [self.puzzle.game.with_side(position) for position in result.line],
            "score": result.score,
            "value": worth(result),
            "proven": result.proven,
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
