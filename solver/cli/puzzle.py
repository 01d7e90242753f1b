"""`solver puzzle`: new puzzles, found at random and proven."""

from __future__ import annotations

import argparse
import os
import time
from collections.abc import Callable
from random import Random

from solver.cli.console import Progress, tell
from solver.cli.files import check_output, write_file
from solver.cli.options import Parser, number, one_of
from solver.errors import UserError, counted
from solver.games import GAMES, Game, check_variant, game_named
from solver.games.puzzle import Puzzle
from solver.proof.puzzles import Found, Hunt
from solver.proof.wins import LONGEST, WinProof
from solver.search.limits import Limits
from solver.search.score import in_words, is_decisive, loss_in, win_in

DEFAULT_NODES = 120_000_000


class NothingFound(UserError):
    exit_code = 1


def make_parser() -> Parser:
    parser = Parser(
        "puzzle",
        "Find a new puzzle: a random position without a forced capture, with at least\n"
        "three moves and a proven solution. The same seed gives the same puzzle everywhere.",
        "  solver puzzle --pieces 6 --win-in 9 --unique --seed 7\n"
        "  solver puzzle --pieces 4v3 --win-in 7 board.txt -v\n"
        "  solver puzzle --pieces 4 --draw --unique\n"
        "  solver puzzle --game twoflags --pieces 8 --win-in 9 --unique\n",
        {0: "found and written", 1: "no such puzzle was found"},
    )
    add = parser.option
    add("output [OUT]", "where to write, - for standard output (default)", default="-")
    goal = parser.either(required=True)
    plies = parse_plies(1, "a win takes an odd number of plies")
    add("--win-in N", "the shortest win takes N plies", plies, either=goal)
    add("--draw", "some moves draw, the others lose", either=goal)
    plies = parse_plies(4, "a loss takes an even number of plies")
    about = "all moves lose, and the longest defence lasts N plies"
    add("--loss-in N", about, plies, either=goal)
    add("--unique", "only one move is best")
    about = (
        "pieces of both sides; an odd one goes to the side that is better off; or the "
        "mover's and the other's, 2v4 (default: 6)"
    )
    add("--pieces N", about, parse_pieces, (6,))
    add("--game NAME", " or ".join(GAMES), one_of(*GAMES), GAMES[0])
    parser.add_variant()
    add("--seed N", "seed of the random numbers (default: a new one each time)", number(0))
    about = (
        f"positions to visit before giving up (default: {DEFAULT_NODES}; half a minute for "
        "checkers if compiled, some minutes in plain Python)"
    )
    add("--nodes N", about, number(1000), DEFAULT_NODES, rare=True)
    add("-v --verbose", "print solution and node counts")
    parser.add_notation()
    return parser


def parse_plies(least: int, rule: str) -> Callable[[str], int]:
    whole = number(least, LONGEST)

    def check(word: str) -> int:
        if whole(word) % 2 != least % 2:
            raise argparse.ArgumentTypeError(f"{rule}, not {word}")
        return whole(word)

    return check


def parse_pieces(word: str) -> tuple[int, ...]:
    """How many in all, or of the mover and of the other side."""
    parts = word.split("v")
    if len(parts) > 2 or not all(part.isascii() and part.isdigit() for part in parts):
        raise argparse.ArgumentTypeError(f"{word!r} is not a number of pieces such as 6 or 2v4")
    return tuple(number(1 if len(parts) == 2 else 2, 99)(part) for part in parts)


def run(arguments: argparse.Namespace) -> int:
    game = game_named(arguments.game)
    tells_seed = arguments.verbose or arguments.seed is None
    if arguments.seed is None:
        arguments.seed = int.from_bytes(os.urandom(4), "big")
    wanted = 0  # the score for the mover
    if not arguments.draw:
        wanted = win_in(arguments.win_in) if arguments.win_in else loss_in(arguments.loss_in)
    hunt = make_hunt(
        game,
        wanted,
        arguments.pieces,
        arguments.seed,
        variant=arguments.variant,
        unique=arguments.unique,
        nodes=arguments.nodes,
    )
    check_output(arguments.output)
    if tells_seed:
        tell(f"seed {arguments.seed}")
    started = time.perf_counter()
    with Progress() as progress:
        found = hunt.next(
            lambda tries, nodes: progress.poll(
                lambda _: f"{tries:,} positions tried, {nodes:,} nodes"
            )
        )
    if found is None:
        raise NothingFound(
            f"No such puzzle was found within {arguments.nodes} nodes.\n"
            "Try another --seed, more --nodes, other --pieces, fewer plies, or no --unique."
        )
    write_file(arguments.output, game.write(found.position, "board") + "\n")
    if arguments.verbose:
        puzzle = Puzzle(game, found.position, notation=arguments.notation or "")
        tell(_summary(puzzle, found, hunt, time.perf_counter() - started))
    return 0


def make_hunt(
    game: Game,
    wanted: int,
    pieces: tuple[int, ...],
    seed: int | str,
    *,
    variant: str = "",
    unique: bool = True,
    nodes: int = DEFAULT_NODES,
) -> Hunt:
    """For puzzles of that score for the mover; `pieces` are those of both sides, or of each."""
    check_variant(game, variant)
    exact = game.tables()
    if not exact.has_scores() and not is_decisive(wanted):
        raise UserError(f"There are no draws in {game.NAME}. Use --win-in or --loss-in.")
    own, *rest = pieces
    if rest:
        other = rest[0]
    else:
        # An odd one goes to the side that is better off.
        own, other = (own + (wanted > 0)) // 2, (own + (wanted <= 0)) // 2
    if max(own, other) > game.MOST_PIECES:
        raise UserError(f"A side has at most {game.MOST_PIECES} pieces, not {max(own, other)}.")
    # Python promises that these, of all random numbers, stay the same in later versions.
    chance = Random(seed).random
    return Hunt(
        lambda: game.random_position(chance, own, other, variant),
        wanted,
        unique=unique,
        exact=exact,
        nodes=nodes,
    )


def _summary(puzzle: Puzzle, found: Found, hunt: Hunt, seconds: float) -> str:
    """The solution and what it took to find it."""
    names = " ".join(puzzle.move_name(puzzle.position, child) for child in found.best)
    summary = (
        f"{puzzle.mover} plays {names}, proven {in_words(hunt.wanted)}; "
        f"{counted(found.tries, 'position')} tried, {found.nodes} nodes, {seconds:.2f} s"
    )
    line = WinProof(Limits(), hunt.exact).run(puzzle.position) if hunt.wanted else None
    return summary if line is None else f"{summary}\nline: {' '.join(puzzle.line_names(line.line))}"
