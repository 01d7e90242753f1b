"""Ways and hints for tests, from positions as text and moves by name."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from solver import read
from solver.explain.story import Way
from solver.explain.why import Hint, find_hint
from solver.games.puzzle import Puzzle, read_puzzle
from solver.games.solve import Request
from solver.search.heuristic import NOTHING
from solver.search.limits import Limits
from solver.search.result import Counters, SearchResult

INPUTS = Path(__file__).parents[2] / "inputs"


def puzzle_of(text: str) -> Puzzle:
    """From a FEN, a setup or rows that may be indented."""
    return read_puzzle("\n".join(line.strip() for line in text.strip().splitlines()), strict=True)


def way(text: str, moves: str, score: int, depth: int = 4, **result: Any) -> Way:
    """The way that these moves make, worth so much."""
    puzzle = puzzle_of(text)
    game, position = puzzle.game, puzzle.position
    line: list[Any] = []
    for name in moves.split():
        (position,) = (c for c in position.children() if game.move_name(position, c) == name)
        line.append(position)
    found = SearchResult(depth, score, line, Counters(), **result)
    return Way(puzzle.position, found, NOTHING, game.describer(), game.move_name)


def hint_of(text: str, nodes: int = 20_000) -> Hint:
    return find_hint(puzzle_of(text), Request(Limits(nodes=nodes)))


def hint_for(name: str, nodes: int = 20_000) -> Hint:
    """About a puzzle in `inputs/`, named by game and file."""
    return find_hint(read(INPUTS / f"{name}.txt"), Request(Limits(nodes=nodes)))
