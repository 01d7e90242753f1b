"""`solver trace`: the search tree, with the reason for every cutoff."""

from __future__ import annotations

import argparse

from solver.cli.files import check_output, tell_end, write_file
from solver.cli.options import (
    BOARD,
    NAMES,
    TECHNIQUE,
    Parser,
    choose_heuristic,
    number,
    one_of,
    open_board,
)
from solver.errors import UserError
from solver.games.puzzle import Puzzle, read_text, source_of
from solver.games.solve import find_heuristic
from solver.games.tree import MAX, leaf_value, looks_like_tree, parse
from solver.search.heuristic import NOTHING
from solver.search.techniques import Techniques, plain
from solver.trace.formats import FORMATS
from solver.trace.nodes import TraceView
from solver.trace.recorder import record_trace
from solver.trace.trace import MOST_VISITS, ONLY, Subject, Trace

DEFAULT_DEPTH = 3
DEEPEST = 20
DEFAULT_NODES = 2000


def make_parser() -> Parser:
    parser = Parser(
        "trace",
        "Show the search tree: windows, values, cutoffs and the reasons for them. The\n"
        "default is alpha-beta as in the textbook; every technique of the solver can be added.\n"
        "FILE is a board, or a tree such as ((3 12 8) (2 4 6) (14 5 2)).",
        "  solver trace board.txt --depth 2\n"
        "  solver trace board.txt --only cuts --ordering static\n"
        "  solver trace board.txt --with all --depth 4\n"
        "  echo '((3 12 8) (2 4 6) (14 5 2))' | solver trace -\n",
    )
    add = parser.option
    add("input [FILE]", BOARD)
    parser.section("output")
    about = "pv: the principal variation; cuts: nodes with a cutoff"
    add("--only KIND", about, one_of(*ONLY))
    about = "show at most N nodes"
    add("--max-nodes N", about, number(1, MOST_VISITS), DEFAULT_NODES, rare=True)
    add("--format NAME", ", ".join(FORMATS), one_of(*FORMATS), "text")
    add("-o --output OUT", "a file instead of standard output")
    parser.section("search")
    add("--depth N", f"plies (default: {DEFAULT_DEPTH}; of a tree, all)", number(1, DEEPEST))
    about = "techniques to add to alpha-beta; all: everything that the solver does"
    add(f"--with {NAMES}", about, **TECHNIQUE)
    parser.add_heuristic()
    add("--tree", "read FILE as a tree, whatever it looks like", rare=True)
    parser.add_techniques(plain(), "ordering", "cache")
    parser.set_defaults(techniques=plain(), output="-")
    parser.add_board_options()
    return parser


def run(arguments: argparse.Namespace) -> int:
    check_output(arguments.output)
    path = arguments.input
    content = None if path is None else read_text(path, source_of(path))
    if arguments.tree or (content is not None and looks_like_tree(content)):
        subject, trace = _of_tree(arguments, content or "")
    else:
        puzzle = open_board(arguments, content)
        if tell_end(puzzle):
            raise UserError("The game is over: there is nothing to search. Choose another board.")
        subject, trace = _of_puzzle(arguments, puzzle)
    view = TraceView(trace, subject, trace.select(arguments.only), arguments.max_nodes)
    write_file(arguments.output, FORMATS[arguments.format](view))
    return 0


def _of_puzzle(arguments: argparse.Namespace, puzzle: Puzzle) -> tuple[Subject, Trace]:
    techniques: Techniques = arguments.techniques
    trace = record_trace(
        puzzle.position,
        find_heuristic(puzzle, choose_heuristic(arguments.heuristic))[1],
        techniques,
        puzzle.game.tables() if techniques.has("tables") else NOTHING,
        arguments.depth or DEFAULT_DEPTH,
    )
    return Subject(puzzle.game, puzzle.notation == "squares"), trace


def _of_tree(arguments: argparse.Namespace, content: str) -> tuple[Subject, Trace]:
    if arguments.input is None:
        raise UserError("Which tree? Give a file, or - for standard input.")
    if arguments.heuristic is not None:
        raise UserError("--heuristic is not allowed with a tree: its leaves have values.")
    tree = parse(content, source_of(arguments.input))
    if arguments.depth is not None and arguments.depth < tree.height:
        raise UserError(f"A tree is searched to its leaves: --depth {tree.height} here, or none.")
    trace = record_trace(tree, leaf_value, arguments.techniques, NOTHING, tree.height, hero=MAX)
    return Subject(), trace
