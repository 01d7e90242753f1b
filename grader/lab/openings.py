"""Openings: positions after a few plies, of which neither side has lost already.

A file of openings has one on a line: moves from the start of the game (`11-15 23-19 8-11`), or a
position (a FEN, or a `Setup` line).  What follows a # is a remark.  The lists that come with the
package have every opening of three plies and are written by `grader match --write-openings`.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from solver.errors import UserError, counted
from solver.games.puzzle import read_text
from solver.search.alphabeta import Search
from solver.search.limits import Limits
from solver.search.techniques import Techniques

if TYPE_CHECKING:
    from solver.games import Game

PLIES = 3
LARGEST_LIST = 10_000_000  # bytes
SHIPPED = Path(__file__).parent


def shipped(game: Game) -> Path:
    return SHIPPED / f"openings_{game.NAME}.txt"


def read_openings(game: Game, path: Path | None = None) -> list[str]:
    """The positions of a file, each once, as a FEN or a `Setup` line; or of the package's."""
    source = str(path or shipped(game))
    found: dict[str, None] = {}
    text = read_text(source, source, LARGEST_LIST).removeprefix("\ufeff")
    for number, line in enumerate(text.split("\n"), 1):
        words = line.partition("#")[0].strip()
        if words:
            found[one_line(game, _position(game, words, source, number))] = None
    if not found:
        raise UserError(f"{source}: there is no opening in it. One on a line, such as a FEN.")
    return list(found)


def one_line(game: Game, position: Any) -> str:
    """A position in the game's format of one line."""
    return game.write(position, game.FORMATS[1])


def read_position(game: Game, text: str) -> Any:
    return game.read(text, "the opening", False).position


def _position(game: Game, words: str, source: str, number: int) -> Any:
    if ":" in words or words.lower().startswith("setup"):
        # Faults are told with the number of the line in the file.
        position = game.read("\n" * (number - 1) + words, source, False).position
    else:
        position = _after(game, words.split(), f"{source}: line {number}")
    outcome = game.outcome(position)
    if outcome is not None:
        raise UserError(f"{source}: line {number}: the game is over: {outcome}")
    return position


def _after(game: Game, moves: list[str], place: str) -> Any:
    position = read_position(game, game.start())
    for name in moves:
        children = {game.move_name(position, child): child for child in position.children()}
        if name not in children:
            raise UserError(
                f"{place}: {name!r} is no legal move here. There are: {', '.join(children)}"
            )
        position = children[name]
    return position


def every_opening(game: Game, plies: int = PLIES) -> dict[str, Any]:
    """The moves to every position after so many plies, and the position.

    Of several ways to a board, or to its image in a mirror, the first one stands for all.
    """
    level = {"": read_position(game, game.start())}
    for _ in range(plies):
        after: dict[str, tuple[str, Any]] = {}
        for moves, position in level.items():
            for child in position.children():
                name = f"{moves} {game.move_name(position, child)}".strip()
                after.setdefault(_looks(child), (name, child))
        level = dict(after.values())
    return level


def _looks(position: Any) -> str:
    drawing = str(position)
    mirrored = "\n".join(row[::-1] for row in drawing.split("\n"))
    return min(drawing, mirrored)


def is_lost(game: Game, position: Any) -> bool:
    """Whether one of the sides has as good as lost."""
    heuristic, depth, worth = game.LOPSIDED
    search = Search(game.evaluator(heuristic, position), Techniques(), game.tables())
    return abs(search.run(position, Limits(depth=depth)).score) >= worth


def playable(game: Game, plies: int = PLIES) -> Iterator[tuple[str, bool]]:
    """Every opening by its moves, and whether it can be played."""
    for moves, position in every_opening(game, plies).items():
        yield moves, bool(position.children()) and not is_lost(game, position)


def as_text(game: Game, found: list[tuple[str, bool]], plies: int = PLIES) -> str:
    """A file of openings."""
    heuristic, depth, worth = game.LOPSIDED
    kept = [moves for moves, can_be_played in found if can_be_played]
    head = (
        f"# {game.NAME}: every opening of {counted(plies, 'ply', 'plies')}, each position once;"
        f" {len(kept)} of {len(found)}.",
        f"# Left out: those worth {worth} or more for a side by {heuristic} at depth {depth}.",
        f"# Written by: grader match --game {game.NAME} --write-openings FILE --plies {plies}",
    )
    return "\n".join([*head, *kept, ""])
