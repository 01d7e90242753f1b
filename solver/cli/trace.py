"""`solver trace`: the tree that a search has looked at, with the reason for every cut."""

from __future__ import annotations

import argparse

from solver.cli.files import check_output, read_text, write_text
from solver.cli.options import (
    Change,
    Parser,
    add_board_options,
    add_file,
    add_heuristic,
    add_notation,
    add_techniques,
    check_names,
    number,
    one_of,
    opened,
)
from solver.cli.puzzle import puzzle_in, source_of
from solver.errors import UserError
from solver.games.tree import MAX, leaf_value, looks_like_tree, parse
from solver.search.heuristic import NOTHING
from solver.search.techniques import Techniques, plain
from solver.trace.formats import FORMATS
from solver.trace.nodes import TraceView
from solver.trace.trace import MOST_VISITS, ONLY, Subject, Trace, record_trace, select_visits

TYPE_CHECKING = False
if TYPE_CHECKING:
    from solver.cli.puzzle import Puzzle

DEFAULT_DEPTH = 3
DEEPEST = 20
DEFAULT_NODES = 2000


def make_parser() -> Parser:
    parser = Parser(
        command="trace",
        about="Show the tree that a search looks at: windows, values, cuts and the reasons for\n"
        "them. The default is alpha-beta as in the textbook; every technique of the solver can\n"
        "be added. FILE is a board, or a tree such as ((3 12 8) (2 4 6) (14 5 2)).",
        examples="  solver trace board.txt --depth 2\n"
        "  solver trace board.txt --only cuts --ordering static\n"
        "  solver trace board.txt --with all --node 11-15.24-20\n"
        "  echo '((3 12 8) (2 4 6) (14 5 2))' | solver trace - --format dot\n",
    )
    add_file(parser)
    _add_shown(parser)
    _add_search(parser)
    add_board_options(parser)
    add_notation(parser)
    return parser


def _add_shown(parser: Parser) -> None:
    group = parser.add_argument_group("what is shown")
    group.add_argument(
        "--node",
        default="",
        metavar="PATH",
        help="only this node and what is below it: moves by name or number, 11-15.24-20 or 2.1",
    )
    group.add_argument(
        "--only",
        type=one_of(*ONLY),
        metavar="KIND",
        help="pv: the principal variation; cuts: nodes whose other children cannot matter",
    )
    group.add_argument(
        "--max-nodes",
        type=number(1, MOST_VISITS),
        default=DEFAULT_NODES,
        metavar="N",
        help=f"how many at the most (default: {DEFAULT_NODES})",
    )
    group.add_argument(
        "--format",
        type=one_of(*FORMATS),
        default="text",
        metavar="NAME",
        help=f"{', '.join(FORMATS)} (default: text)",
    )
    group.add_argument(
        "-o", "--output", default="-", metavar="OUT", help="a file instead of standard output"
    )


def _add_search(parser: Parser) -> None:
    group = parser.add_argument_group("the search")
    group.add_argument(
        "--depth",
        type=number(1, DEEPEST),
        metavar="N",
        help=f"plies (default: {DEFAULT_DEPTH}; of a tree, all)",
    )
    group.add_argument("--tree", action="store_true", help="FILE is a tree, whatever it looks like")
    add_techniques(group, plain(), ("ordering", "cache"))
    group.add_argument(
        "--with",
        action=Change,
        type=check_names,
        dest="techniques",
        metavar="NAME[,NAME...]",
        help="techniques besides alpha-beta; all: everything that the solver does",
    )
    add_heuristic(group)
    parser.set_defaults(techniques=plain())


def run(arguments: argparse.Namespace) -> int:
    check_output(arguments.output)
    content = None if arguments.input is None else read_text(arguments.input, _source(arguments))
    if arguments.tree or (content is not None and looks_like_tree(content)):
        subject, trace = _of_tree(arguments, content or "")
    else:
        puzzle = _puzzle(arguments, content)
        outcome = puzzle.tell_outcome()
        if outcome is not None:
            raise UserError("There is nothing to search. Choose another board.")
        subject, trace = _of_puzzle(arguments, puzzle)
    if not trace.complete:
        raise UserError(
            f"More than {MOST_VISITS} nodes, too many to trace. Choose a smaller --depth."
        )
    visits = select_visits(trace, subject, arguments.node, arguments.only)
    view = TraceView(trace, subject, visits, arguments.max_nodes)
    write_text(arguments.output, FORMATS[arguments.format](view))
    return 0


def _source(arguments: argparse.Namespace) -> str:
    return source_of(arguments.input or "-")


def _puzzle(arguments: argparse.Namespace, content: str | None) -> Puzzle:
    if content is None:
        return opened(arguments)
    return puzzle_in(
        content,
        _source(arguments),
        strict=arguments.strict,
        game_name=arguments.game,
        variant=arguments.variant,
    )


def _of_puzzle(arguments: argparse.Namespace, puzzle: Puzzle) -> tuple[Subject, Trace]:
    techniques: Techniques = arguments.techniques
    trace = record_trace(
        puzzle.position,
        puzzle.evaluator(arguments.heuristic),
        techniques,
        puzzle.game.tables() if techniques.has("tables") else NOTHING,
        arguments.depth or DEFAULT_DEPTH,
    )
    return Subject(puzzle.game, arguments.notation == "squares"), trace


def _of_tree(arguments: argparse.Namespace, content: str) -> tuple[Subject, Trace]:
    if arguments.input is None:
        raise UserError("Which tree? Give a file, or - for standard input.")
    if arguments.heuristic is not None:
        raise UserError("The leaves of a tree have their values; it takes no --heuristic.")
    tree = parse(content, _source(arguments))
    if arguments.depth is not None and arguments.depth < tree.height:
        raise UserError(f"A tree is searched to its leaves: this one has {tree.height} plies.")
    trace = record_trace(tree, leaf_value, arguments.techniques, NOTHING, tree.height, hero=MAX)
    return Subject(), trace
