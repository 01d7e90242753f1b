"""`solver bench` and `solver perft`: node counts that identify the search and the rules.

The count of `bench` is the same on every machine and in both builds, and changes whenever the
search behaves differently: a lost cutoff shows here first.
"""

from __future__ import annotations

import time
from argparse import Namespace

from solver.cli.options import BOARD, Parser, number, open_board, version
from solver.explain.layout import render_table
from solver.games import GAMES, game_named
from solver.games.checkers.endgame.file import SHIPPED
from solver.games.puzzle import Puzzle
from solver.proof.wins import WinProof
from solver.search.alphabeta import Search
from solver.search.limits import Limits
from solver.search.position import perft
from solver.search.score import MAX_DEPTH, describe
from solver.search.techniques import Techniques

# Game, position, and the depth to search; depth 0 asks for the proof of a win or loss.
CASES = (
    ("checkers", "B:W21-32:B1-12", 9),
    ("checkers", "B:W14,17,19,24,27,28,29,30,31,32:B1,2,4,5,6,7,8,10,11,12", 8),
    ("checkers", "B:W13,19,22,23,25,26,29,30:B2,3,4,5,6,8,9,12,21", 8),
    ("checkers", "W:W12,15,19,24,27,29,30:B1,3,4,5,8,9,21", 9),
    ("checkers", "B:WK10,20,26,29,30,31,32:B1,4,5,9,18,21", 8),
    ("checkers", "B:WK10,K11,K18,K19,K26,K27:BK15,K1", 6),
    ("checkers", "b.b...../.b...b.b/b......./.......b/..r...../.r.....r/r.r...../.......r", 8),
    ("checkers", ".b.b..../....b.b./b..b..../.b....../....r.../..r..r../.....r../.rr.....", 6),
    ("twoflags", "Setup Wa2 Wb2 Wc2 Wd2 We2 Wf2 Wg2 Wh2 Ba7 Bb7 Bc7 Bd7 Be7 Bf7 Bg7 Bh7", 7),
    ("twoflags", "Setup Wb3 Wc4 Wd2 Wf2 Wh4 Ba6 Bb7 Bc5 Bd7 Bg5 Bh7 BLACK", 9),
    ("twoflags", "Setup Wa4 Wb4 We5 Wf3 Wg4 Ba6 Bb6 Bd7 Bf7 Bg5 BLACK", 9),
    ("twoflags", "Setup Wa2 Wb2 Wc2 Ba7 Bb7 Bc7", 0),
    ("checkers", "B:WK12,14,32:BK1,2,K7,K19", 0),
    ("checkers", "B:W15,18,23,31:B1,9,K12,16,27", 0),
    ("checkers", "B:W10,19:BK11,23,K31", 0),
)


def make_parser() -> Parser:
    parser = Parser(
        "bench",
        "Search fixed boards to fixed depths. The sum of the nodes identifies the behaviour\n"
        "of the search; with --speed, the time it takes on this machine.",
        "  solver bench\n  solver bench --speed\n",
    )
    parser.option("--speed", "measure nodes per second as well")
    return parser


def run(arguments: Namespace) -> int:
    rows = [run_case(*case) for case in CASES]
    nodes = sum(row[2] for row in rows)
    print(render_table([row[:3] for row in rows], ("position", "task", "nodes")))
    print(f"bench: {nodes}")
    if arguments.speed:
        seconds = sum(row[3] for row in rows)
        print(f"{version()}: {nodes / seconds:,.0f} nodes/s")
    return 0


def run_case(game_name: str, text: str, depth: int) -> tuple[str, str, int, float]:
    """Position, task, node count and seconds of one case."""
    game = game_named(game_name)
    position = game.read(text.replace("/", "\n"), "bench", True).position
    exact = game.tables(SHIPPED if game_name == "checkers" else "")  # not those of this user
    started = time.process_time()
    if depth:
        evaluate = game.evaluator(game.DEFAULT_HEURISTIC, position)
        result = Search(evaluate, Techniques(), exact).run(position, Limits(depth=depth))
        task = f"depth {depth}"
        nodes = result.counters.visited
    else:
        attempt = WinProof(Limits(), exact)
        proof = attempt.run(position)
        assert proof is not None
        task = describe(proof.score)
        nodes = attempt.counters.visited
    return text, task, nodes, time.process_time() - started


# `solver perft`


def make_perft_parser() -> Parser:
    parser = Parser(
        "perft",
        "Count the move sequences of each length.",
        "  solver perft --depth 6\n  solver perft --game twoflags --depth 4\n"
        "  solver perft board.txt --depth 4 --divide --unique\n",
    )
    parser.option("input [FILE]", f"{BOARD} (default: the start of a game)")
    parser.option("--depth N", "the longest length", number(1, MAX_DEPTH), required=True)
    parser.option("--divide", "show the count of every first move")
    parser.option("--unique", "count moves to the same position as one")
    parser.add_board_options()
    return parser


def run_perft(arguments: Namespace) -> int:
    if arguments.input is None:
        arguments.game = arguments.game or GAMES[0]
    puzzle = open_board(arguments)
    if arguments.divide:
        _print_divide(puzzle, arguments.depth, arguments.unique)
        return 0
    print("depth  positions")
    for depth in range(1, arguments.depth + 1):
        print(f"{depth:5d}  {perft(puzzle.position, depth, arguments.unique)}", flush=True)
    return 0


def _print_divide(puzzle: Puzzle, depth: int, unique: bool) -> None:
    position = puzzle.position
    children = position.children() if unique else position.moves()
    counts = [perft(child, depth - 1, unique) for child in children]
    names = [puzzle.move_name(position, child) for child in children]
    rows = [*zip(names, counts, strict=True), ("total", sum(counts))]
    print(render_table(rows, ("move", "positions")))
