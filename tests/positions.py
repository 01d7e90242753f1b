"""Positions for tests: boards from text, random small boards, and explicit trees."""

from __future__ import annotations

import random
from dataclasses import dataclass
from typing import Any

from pawn_drawings import position_of, random_game

from solver.checkers import game
from solver.checkers.mixed import TwoBoards
from solver.checkers.rules import BLACK, BOTTOM_ROW, LIGHT, SQUARES, TOP_ROW, Board
from solver.checkers.squares import each_bit
from solver.position import Position
from solver.standing import LOST, QUIET


def board(text: str) -> Any:
    """A position from a FEN or from eight rows that may be indented."""
    lines = [line.strip() for line in text.strip().splitlines()]
    return game.read("\n".join(lines), "test", True)[0]


def black_to_move(fen: str, drawing: str) -> Any:
    """The position of a FEN, which must look like the drawing."""
    position = board(fen)
    assert str(position) == str(board(drawing))
    assert position.mover() == "black"
    return position


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
        if position.standing() != LOST:
            found.append(position)
    return found


def random_pawns(count: int, pawns: range, seed: int) -> list[Any]:
    """Positions of Two Flags with legal moves, in both rule sets, some with en passant."""
    rng = random.Random(seed)
    found: list[Any] = []
    while len(found) < count:
        position = position_of(random_game(rng, rng.choice(pawns), rng.random() < 0.7))
        if position.standing() != LOST:
            found.append(position)
    return found


@dataclass(frozen=True)
class Tree(Position):
    """An explicit game tree: a leaf has a value for Max, the player at the root."""

    name: str
    nodes: tuple[Tree, ...] = ()
    value: int = 0
    max_moves: bool = True

    @classmethod
    def of(cls, shape: Any, name: str = "", max_moves: bool = True) -> Tree:
        """Numbers are leaves, lists are nodes."""
        if isinstance(shape, int):
            return cls(name, (), shape, max_moves)
        nodes = (cls.of(part, f"{name}{i}", not max_moves) for i, part in enumerate(shape))
        return cls(name, tuple(nodes), 0, max_moves)

    def children(self) -> list[Tree]:
        return list(self.nodes)

    def moves(self) -> list[Tree]:
        return self.children()

    def standing(self) -> int:
        return QUIET

    def key(self) -> int:
        return int("1" + self.name)

    def board_key(self) -> int:
        return self.key()

    def change(self, child: Tree) -> int:
        return int(child.name[-1])

    def mover(self) -> str:
        return "Max" if self.max_moves else "Min"


def leaf_value(tree: Any) -> int:
    """The heuristic of explicit trees."""
    return int(tree.value if tree.max_moves else -tree.value)
