"""`solver bench`: one node count for this version of the search, and its speed."""

from __future__ import annotations

from solver.bench import CASES, run_case, speed
from solver.cli.arguments import Parser
from solver.cli.report import table, version

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import Namespace


def make_parser() -> Parser:
    parser = Parser(
        command="bench",
        about="Search fixed boards to fixed depths. The sum of the nodes identifies the "
        "behaviour\nof the search; with --speed, the time it takes on this machine.",
        examples="  solver bench\n  solver bench --speed\n",
    )
    parser.add_argument("--speed", action="store_true", help="measure nodes per second as well")
    return parser


def run(arguments: Namespace) -> int:
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
