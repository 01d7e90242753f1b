"""Positions for tests: boards from text, and random small ones."""

from __future__ import annotations

import random
from typing import Any

from solver.games.checkers import game
from solver.games.checkers.mixed import TwoBoards
from solver.games.checkers.rules import BLACK, BOTTOM_ROW, LIGHT, SQUARES, TOP_ROW, Board, each_bit
from solver.search.position import LOST
from support.pawn_drawings import position_of, random_game


def board(text: str) -> Any:
    """A position from a FEN or from eight rows that may be indented."""
    lines = [line.strip() for line in text.strip().splitlines()]
    return game.read("\n".join(lines), "test", True).position


def value(heuristic: str, position: Any) -> int:
    return game.evaluator(heuristic, position)(position)


def random_board(rng: random.Random, pieces: int, side: int = 0, uneven: bool = False) -> Board:
    """Pieces on random squares, a third of them kings; as many of each colour as possible,
    or, uneven, so many more of the mover's that there is often a quick win."""
    own = enemy = kings = 0
    own_goal, enemy_goal = (BOTTOM_ROW, TOP_ROW) if side & BLACK else (TOP_ROW, BOTTOM_ROW)
    for count, bit in enumerate(rng.sample(each_bit(SQUARES), pieces)):
        if count == 0 if uneven else count % 2:
            enemy |= bit
        else:
            own |= bit
        if rng.random() < 1 / 3:
            kings |= bit
    kings |= own & own_goal | enemy & enemy_goal
    return Board(own, enemy, kings, side)


def random_positions(count: int, pieces: range, seed: int, uneven: bool = False) -> list[Any]:
    """Positions with legal moves: mostly one colour of squares, some with both."""
    rng = random.Random(seed)
    found: list[Any] = []
    while len(found) < count:
        side = rng.choice((0, BLACK, LIGHT, LIGHT | BLACK))
        position: Any = random_board(rng, rng.choice(pieces), side, uneven)
        if rng.random() < 0.2:
            dark = random_board(rng, rng.choice(pieces) // 2 + 1, side & BLACK)
            light = random_board(rng, rng.choice(pieces) // 2 + 1, side & BLACK | LIGHT)
            position = TwoBoards(dark, light)
        if position.status() != LOST:
            found.append(position)
    return found


def random_pawns(count: int, pawns: range, seed: int) -> list[Any]:
    """Positions of Two Flags with legal moves, in both rule sets, some with en passant."""
    rng = random.Random(seed)
    found: list[Any] = []
    while len(found) < count:
        position = position_of(random_game(rng, rng.choice(pawns), rng.random() < 0.7))
        if position.status() != LOST:
            found.append(position)
    return found
