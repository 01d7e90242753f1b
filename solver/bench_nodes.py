"""Nodes before and after: the search with all that is sound against plain alpha-beta."""

from __future__ import annotations

from pathlib import Path

from solver.games import GAMES, game_named
from solver.limits import Limits
from solver.search import Search
from solver.switches import Switches, plain

TYPE_CHECKING = False
if TYPE_CHECKING:
    from solver.position import Position

DEPTHS = (8, 10, 12)


class NodesRow:
    """What one position costs at one depth: plainly, and with everything that is sound."""

    def __init__(self, game: str, name: str, depth: int, plain: int, default: int) -> None:
        self.game = game
        self.name = name
        self.depth = depth
        self.plain = plain
        self.default = default


def collection(folder: Path) -> list[tuple[str, str, Position]]:
    """Game, name and position of all boards in the games' folders that are not over."""
    found = []
    for game in GAMES:
        for file in sorted((folder / game).glob("*.txt")):
            position = game_named(game).read(file.read_text("utf-8"), str(file), False).position
            if position.children():
                found.append((game, file.stem, position))
    return found


def compared(
    boards: list[tuple[str, str, Position]], depth: int, heuristic: str = "", tables: bool = True
) -> list[NodesRow]:
    """A row for every board of a game that has the heuristic (default: of each game its own).

    Both searches must find the same value; else this raises `AssertionError`.
    """
    rows = []
    for game_name, name, position in boards:
        game = game_named(game_name)
        if heuristic and heuristic not in game.heuristics():
            continue
        evaluate = game.evaluator(heuristic or game.DEFAULT_HEURISTIC, position)
        one, two = (
            Search(evaluate, switches, game.tables()).run(position, Limits(depth=depth))
            for switches in (
                plain(ordering="static", extension=True, tables=tables),
                Switches(tables=tables),
            )
        )
        assert one.score == two.score, f"{name} at depth {depth}: {one.score} or {two.score}"
        rows.append(NodesRow(game_name, name, depth, one.effort.visited, two.effort.visited))
    return rows


def totals(rows: list[NodesRow]) -> tuple[int, int, float]:
    """Nodes of the plain search, of the other one, and how many times fewer these are."""
    before = sum(row.plain for row in rows)
    after = sum(row.default for row in rows)
    return before, after, before / after
