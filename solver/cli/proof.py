"""`solver proof`: a winning strategy from the start of a game, written and checked."""

from __future__ import annotations

from argparse import Namespace

from solver.cli.console import Progress
from solver.cli.files import check_output, read_bytes, write_file
from solver.cli.options import MOST_MEGABYTES, Parser, number, one_of, open_board
from solver.cli.solve import MEGABYTES, StartProof
from solver.errors import UserError, check_known
from solver.games import GAMES, check_variant, game_named
from solver.proof.strategy import NODES, Strategy, StrategyFault, Writer, unpack_strategy
from solver.search.limits import Limits
from solver.search.score import describe, loss_in, win_in


def make_parser() -> Parser:
    parser = Parser(
        "proof",
        "The proof of who wins from the start: an answer to everything the loser can do.\n\n"
        "  write FILE  solve the start and write the winner's strategy\n"
        "  check FILE  does it answer every reply, and does every line end in time?",
        "  solver proof write four.proof --game twoflags --files 4\n"
        "  solver proof check four.proof\n",
        {0: "done, and no fault found", 1: "the check has found a fault"},
    )
    parser.option("task TASK", "see above", one_of("write", "check"))
    parser.option("file FILE", "see above")
    parser.add_board_options(notation=False)
    about = f"memory for the proof (default: {MEGABYTES})"
    parser.option("--hash MB", about, number(1, MOST_MEGABYTES), rare=True)
    parser.option("--checkpoint FILE", "goes on from there if it was stopped", rare=True)
    parser.set_defaults(input=None, nodes=None, time=None)
    return parser


def run(arguments: Namespace) -> int:
    return _write(arguments) if arguments.task == "write" else _check(arguments.file)


def _write(arguments: Namespace) -> int:
    check_output(arguments.file)
    puzzle = open_board(arguments)
    exact = puzzle.game.insight()
    if not exact.game_ends():
        raise UserError(f"{puzzle.game.TITLE} has no proof of this kind. Try --game twoflags.")
    with Progress() as progress:
        attempt = StartProof(puzzle, arguments, progress)
        result = attempt.run()
        assert result is not None  # there was no limit
        attempt.proof.allow(Limits())
        writer = Writer(
            attempt.proof,
            lambda done: progress.poll(lambda s: f"strategy: {done:,} positions, {s:.0f} s"),
        )
        codes, book = writer.write(puzzle.position, result.depth)
    head = {
        "game": puzzle.game.NAME,
        "start": puzzle.write("setup"),
        "variant": arguments.variant,
        "plies": result.depth,
        "nodes": NODES,
    }
    content = Strategy(head, codes, book).pack()
    write_file(arguments.file, content)
    value = describe(result.score)
    print(f"{puzzle.mover}: {value}; {len(codes):,} positions in {len(content):,} bytes")
    return 0


def _check(path: str) -> int:
    strategy = unpack_strategy(read_bytes(path), path)
    head = strategy.head
    check_known("game", head["game"], GAMES)
    game = game_named(head["game"])
    check_variant(game, head["variant"])
    root = game.read(head["start"], path, True, head["variant"]).position
    with Progress() as progress:
        try:
            done = strategy.check(
                root,
                game.insight(),
                lambda done: progress.poll(lambda s: f"{done:,} positions, {s:.0f} s"),
            )
        except StrategyFault as fault:
            progress.clear()
            print(f"{path}: fault: {fault}")
            return 1
    plies = head["plies"]
    value = describe(win_in(plies) if plies & 1 else loss_in(plies), False)
    rules = head["variant"] or "all rules"
    print(f"{path}: {head['start']}, {rules}")
    print(f"{root.mover()}: {value}; {done:,} positions, 0 faults")
    return 0
