"""`solver analyse`, `hint` and `eval`: what the search and the heuristics say about a board."""

from __future__ import annotations

import json
import time
from argparse import Namespace
from functools import partial

from solver.cli.options import BOARD, Parser, choose_heuristic, make_request, number, open_board
from solver.errors import UserError
from solver.explain.layout import render_table, wrap
from solver.games.puzzle import Puzzle
from solver.games.solve import (
    BestMoves,
    Request,
    Solution,
    Solver,
    analyse,
    describe_result,
    describe_value,
    find_heuristic,
)
from solver.search.result import SearchResult, branching_factor


def make_parser() -> Parser:
    parser = Parser(
        "analyse",
        "Show what the search finds at every depth, then the best moves.",
        "  solver analyse board.txt --lines 3\n"
        "  solver analyse board.txt --why\n"
        "  solver analyse board.txt --depth 10 --ordering none --cache none\n"
        "  solver analyse board.txt --json --lines 3 --time 10\n",
    )
    parser.option("input [FILE]", BOARD)
    parser.option("--lines N", "number of moves to compare", number(1), 1)
    about = (
        "explain the best move: its line in words, what the next best move loses, and what "
        "the heuristic counts at the end of both"
    )
    parser.option("--why", about)
    about = "with --why: compare with this move, not with the next best one"
    parser.option("--against MOVE", about, rare=True)
    about = "one JSON object per depth, with the best moves at that depth; with --why, only that"
    parser.option("--json", about)
    parser.add_solving()
    return parser


def run(arguments: Namespace) -> int:
    if arguments.against is not None and not arguments.why:
        raise UserError("--against needs --why.")
    request = make_request(arguments)
    puzzle = open_board(arguments)
    if arguments.json and not arguments.why:
        _print_json(puzzle, request, arguments.lines)
        return 0
    best_moves = BestMoves(Solver(puzzle, request))
    if puzzle.result is not None:
        print(puzzle.result)
        return 0
    lines = max(arguments.lines, 2 if arguments.why else 1)
    listener = (lambda *_: None) if arguments.json else partial(print_depth, best_moves)
    results = best_moves.find(lines, listener)
    parts = [_table_of_moves(puzzle, results)]
    if arguments.why:
        from solver.explain.why import Explanation

        explanation = Explanation(best_moves, results)
        if arguments.against is not None:
            explanation.compare_with(arguments.against)
        if arguments.json:
            print(json.dumps(explanation.as_dict()))
            return 0
        parts.append(explanation.text())
    print("\n" + "\n\n".join(parts))
    return 0


def print_depth(best_moves: BestMoves, result: SearchResult, is_proof: bool) -> None:
    """For every depth of the first search, as soon as it is finished."""
    counters = result.counters
    print(
        f"{'proof' if is_proof else 'depth'} {result.depth} "
        f"score {describe_value(result).replace(' ', '-')} "
        f"nodes {counters.visited} cutoffs {counters.alpha_cuts}+{counters.beta_cuts} "
        f"cache {counters.hits}/{counters.probes} "
        f"ebf {branching_factor(counters.visited, result.depth):.2f} "
        f"time {time.monotonic() - best_moves.meter.started:.2f} "
        f"pv {' '.join(best_moves.solver.puzzle.line_names(result.line))}",
        flush=True,
    )


def _table_of_moves(puzzle: Puzzle, results: list[SearchResult]) -> str:
    rows = []
    for result in results:
        names = puzzle.line_names(result.line)
        rows.append((names[0], describe_result(result), " ".join(names[1:])))
    return render_table(rows, ("move", "value", "continued"), left=3)


# `solver analyse --json`


def _print_json(puzzle: Puzzle, request: Request, lines: int) -> None:
    """Until everything is settled or the limits are used up."""
    if puzzle.result is not None:
        print(json.dumps({"outcome": puzzle.result.as_dict()}), flush=True)
        return
    started = time.perf_counter()
    for depth in analyse(puzzle, request, lines):
        seconds, nodes = time.perf_counter() - started, int(depth.counters.visited)
        record = {
            "depth": depth.depth,
            "proof": depth.is_proof,
            "proven": depth.proven,
            "seconds": round(seconds, 6),
            "nodes": nodes,
            "nps": round(nodes / max(seconds, 1e-6)),
            "effort": depth.counters.as_dict(),
            "lines": [_line_record(solution) for solution in depth.lines],
        }
        print(json.dumps(record), flush=True)


def _line_record(solution: Solution) -> dict[str, object]:
    names, game = solution.line, solution.puzzle.game
    return {
        "move": names[0],
        "names": names,
        "texts": [game.with_side(position) for position in solution.result.line],
        "score": solution.score,
        "value": solution.value,
        "proven": solution.proven,
    }


# `solver hint`


def make_hint_parser() -> Parser:
    parser = Parser(
        "hint",
        "Say what a position is about and where to look, but not the move. The limits are\n"
        "for the best move; searching the others may take as long again.",
        "  solver hint board.txt\n  solver hint board.txt --level 1\n",
    )
    parser.option("input [FILE]", BOARD)
    about = "1: the theme; 2: the theme and the piece (default); 3: also the idea"
    parser.option("--level N", about, number(1, 3), 2)
    parser.add_search()
    return parser


def run_hint(arguments: Namespace) -> int:
    from solver.explain.why import find_hint

    request = make_request(arguments)
    puzzle = open_board(arguments)
    if puzzle.result is not None:
        print(puzzle.result)
        return 0
    for line in find_hint(puzzle, request).sentences(arguments.level):
        print(wrap(line))
    return 0


# `solver eval`


def make_eval_parser() -> Parser:
    parser = Parser(
        "eval",
        "Show what a heuristic sees in a position, term by term.",
        "  solver eval board.txt --heuristic six-regions\n"
        "  solver eval board.txt --heuristic my.py:evaluate\n",
    )
    parser.option("input [FILE]", BOARD)
    parser.add_heuristic()
    parser.add_board_options(notation=False)
    return parser


def run_eval(arguments: Namespace) -> int:
    puzzle = open_board(arguments)
    game = puzzle.game
    name, evaluate = find_heuristic(puzzle, choose_heuristic(arguments.heuristic))
    if puzzle.result is not None:
        print(f"{puzzle.result}; heuristics are for games that go on")
        return 0
    value = evaluate(puzzle.position)
    if name in game.heuristics():
        terms = game.explain(name, puzzle.position)
        rows: list[tuple[object, ...]] = [
            (term.title, term.first, term.second, term.weight, term.total) for term in terms
        ]
        rows.append(("sum", "", "", "", sum(term.total for term in terms)))
        print(render_table(rows, ("term", *game.SIDES, "weight", "total")))
        print()
    print(f"{name}: {value:+d} for {puzzle.mover}, the side to move")
    return 0
