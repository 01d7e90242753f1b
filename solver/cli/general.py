"""`solver` without a command: help and version."""

from __future__ import annotations

import argparse

from solver.cli.options import Parser, program


def run(argv: list[str]) -> int:
    """Answer `--help` and `--version`; a call that says nothing gets the help."""
    _make_parser().parse_args(argv or ["--help"])
    return 0


class Version(argparse.Action):
    """Looks up how the solver was built only when asked."""

    def __call__(self, parser: argparse.ArgumentParser, *_: object) -> None:
        from solver.cli.report import version

        print(version())
        parser.exit()


def _make_parser() -> Parser:
    parser = Parser(
        command="",
        usage=f"{program()} [solve] IN OUT [options]\n"
        f"       {program()} analyse|eval|trace|hint|serve ...\n"
        f"       {program()} puzzle|endgame|perft|bench ...\n"
        f"       {program()} play|agent|server|replay|comply ...\n"
        "       (each has its own --help)",
        about="Reads a board, writes the board after the best move.\n\n"
        "  solve    the best move, or the whole line to the end\n"
        "  analyse  what the search thinks, depth by depth, and the best moves\n"
        "  eval     what a heuristic sees in a position, term by term\n"
        "  trace    the tree that a search looks at, and why it cuts\n"
        "  hint     a nudge towards the best move, without the move\n"
        "  serve    a page for the browser that shows all this\n"
        "  puzzle   find a new puzzle whose solution is proven\n"
        "  endgame  build, check and count the endgame tables\n"
        "  perft    count move sequences, to test a move generator\n"
        "  bench    one node count for this version of the search, and its speed\n"
        "  play     play against the solver, or on a server\n"
        "  agent    let the solver play Two Flags on a server\n"
        "  server   let two programs play Two Flags over TCP\n"
        "  replay   show and check the games that a server has logged\n"
        "  comply   check whether an agent or a server keeps to the protocol",
        examples="  solver board.txt answer.txt\n"
        "  solver --inputfile board.txt --outputfile answer.txt\n"
        "  solver analyse board.txt --lines 3\n",
    )
    parser.add_argument("--version", action=Version, nargs=0, help="version, compiled or not")
    return parser
