"""`solver bench`: one node count for this version of the search, and its speed."""

from __future__ import annotations

from solver.bench import CASES, run_case, speed
from solver.cli.arguments import Parser, number
from solver.cli.report import table, version
from solver.errors import UserError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import Namespace


def make_parser() -> Parser:
    parser = Parser(
        command="bench",
        about="Search fixed boards to fixed depths. The sum of the nodes identifies the "
        "behaviour\nof the search; with --speed, the time it takes on this machine. With --full, "
        "this\nbuild beside all others that are there: a compiled build beside its own sources, "
        "other\nbuilds, PyPy, pydraughts, imparaai-checkers, and the same search in C if there is "
        "a\ncompiler.",
        examples="  solver bench\n  solver bench --speed\n  solver bench --full --rounds 9\n"
        "  solver bench --full --against ~/other/site-packages --json\n",
    )
    parser.add_argument("--speed", action="store_true", help="measure nodes per second as well")
    parser.add_argument("--full", action="store_true", help="compare with others, in turns")
    full = parser.add_argument_group("with --full")
    full.add_argument(
        "--rounds", type=number(1, 1000), default=5, metavar="N", help="turns of each (default: 5)"
    )
    full.add_argument(
        "--against",
        action="append",
        default=[],
        metavar="FOLDER",
        help="another build: a folder with its solver package; may be repeated",
    )
    full.add_argument("--json", action="store_true", help="print a record and no table")
    return parser


def run(arguments: Namespace) -> int:
    if arguments.full:
        from solver.cli.full_bench import run as run_full

        return run_full(arguments)
    if arguments.json or arguments.against:
        raise UserError("--json and --against are for 'solver bench --full'.")
    rows = [run_case(*case) for case in CASES]
    print(
        table([(row.position, row.task, row.nodes) for row in rows], ("position", "task", "nodes"))
    )
    print(f"bench: {sum(row.nodes for row in rows)}")
    if arguments.speed:
        nodes, rounds = speed()
        seconds = sum(row.seconds for row in rows)
        print(f"\n{version()}")
        print(f"all techniques  {sum(row.nodes for row in rows) / seconds:,.0f} nodes/s")
        print(f"plain search    {nodes:,.0f} nodes/s with material, no ordering, no cache")
        print(f"                {rounds / nodes:.1f} rounds of an empty counting loop a node")
    return 0
