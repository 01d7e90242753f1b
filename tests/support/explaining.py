"""Ways and hints for tests, from positions as text and moves by name."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from solver.cli.hint import found_hint
from solver.cli.puzzle import Puzzle, read_puzzle
from solver.cli.request import Request
from solver.explain.hint import Hint
from solver.explain.story import Way, make_way
from solver.games import game_of
from solver.search.heuristic import NOTHING
from solver.search.limits import Limits
from solver.search.result import Counters, SearchResult

INPUTS = Path(__file__).parents[2] / "inputs"


def puzzle_of(text: str) -> Puzzle:
    """From a FEN, a setup or rows that may be indented."""
    content = "\n".join(line.strip() for line in text.strip().splitlines())
    game = game_of(content)
    read = game.read(content, "test", True)
    position, form = read.position, read.form
    return Puzzle(game, position, form, "test")


def way(text: str, moves: str, score: int, depth: int = 4, **result: Any) -> Way:
    """The way that these moves make, worth so much."""
    puzzle = puzzle_of(text)
    game, position = puzzle.game, puzzle.position
    line: list[Any] = []
    for name in moves.split():
        (position,) = (c for c in position.children() if game.move_name(position, c) == name)
        line.append(position)
    found = SearchResult(depth, score, line, Counters(), **result)
    return make_way(puzzle.position, found, NOTHING, game.describer(), game.move_name)


def hint_of(text: str, nodes: int = 20_000) -> Hint:
    return found_hint(puzzle_of(text), Request(Limits(nodes=nodes)))


def hint_for(name: str, nodes: int = 20_000) -> Hint:
    """About a puzzle in `inputs/`, named by game and file."""
    return found_hint(read_puzzle(str(INPUTS / f"{name}.txt")), Request(Limits(nodes=nodes)))
