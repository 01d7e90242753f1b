"""`solver replay`: the games of a log, move by move, checked."""

from __future__ import annotations

from argparse import Namespace

from solver.cli.console import shown
from solver.cli.options import Parser
from solver.errors import counted
from solver.games.puzzle import read_text
from solver.games.twoflags.net.match import (
    GameRecord,
    describe_result,
    find_result,
    follow_moves,
    parse_records,
)
from solver.games.twoflags.rules import NO_EN_PASSANT

REPLAY_EXIT_CODES = """exit codes:
  0    every game follows the rules
  2    wrong usage, or a log with faults
  3    a file could not be read
  130  interrupted
"""
LARGEST_LOG = 100_000_000  # bytes; a game has 2000


def make_parser() -> Parser:
    parser = Parser(
        command="replay",
        about="Show the games of a log that 'solver server --log' has written, and check them.",
        examples="  solver replay games.txt\n  solver replay games.txt --boards\n",
        exit_codes=REPLAY_EXIT_CODES,
    )
    parser.add_argument("input", metavar="FILE", help="the log, - for standard input")
    parser.add_argument("--boards", action="store_true", help="show the board after every move")
    parser.add_argument("--check", action="store_true", help="check only, and print one line")
    return parser


def run(arguments: Namespace) -> int:
    source = "standard input" if arguments.input == "-" else arguments.input
    records = parse_records(read_text(arguments.input, source, LARGEST_LOG), source)
    if arguments.check:
        moves = sum(len(record.moves) for record in records)
        print(
            f"{shown(source)}: {counted(len(records), 'game')}, {counted(moves, 'move')}: all legal"
        )
        return 0
    for index, record in enumerate(records):
        if index:
            print()
        _print_game(record, arguments.boards)
    return 0


def _print_game(record: GameRecord, boards: bool) -> None:
    variant = ", no en passant" if record.start.state & NO_EN_PASSANT else ""
    clocks = f", {record.minutes:g} minutes each" if record.minutes else ""
    names = f"white {shown(record.white)}, black {shown(record.black)}"
    print(f"game {record.number}: {names}{clocks}{variant}")
    position = record.start
    if boards:
        print(f"{position}\n")
    for ply, (move, position) in enumerate(follow_moves(record), 1):
        seconds = "" if move.seconds is None else f"  {move.seconds:.2f} s"
        print(f"{ply:3d}  {move.side:5s}  {move.name}{seconds}")
        if boards:
            print(f"{position}\n")
    result = "not finished" if record.result is None else describe_result(record.result)
    print(f"{shown(result)}; plies: {len(record.moves)}")
    seen = find_result(position)
    if seen is not None and record.result is not None and seen.winner != record.result.winner:
        print(f"but on the board {describe_result(seen)}")
