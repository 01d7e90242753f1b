"""How the scripted side of a check moves: legally, soon, and always the same way."""

from __future__ import annotations

from random import Random

from solver.standing import LOST
from solver.twoflags.moves import move_name
from solver.twoflags.rules import (
    BLACK,
    FILES,
    NO_EN_PASSANT,
    WHITE_LANDED_AT,
    Pawns,
    each_bit,
    name_of,
)

PLAYOUTS = 60


class Mover:
    """Takes and lands where it can, en passant first; else a move that nobody can punish at
    once, if there is one.

    Weak on purpose: an agent that gives up against it has not understood the game.
    """

    def __init__(self, seed: int = 0) -> None:
        self.chance = Random(seed)

    def __call__(self, position: Pawns) -> str:
        children = position.children()
        forcing = [child for child in children if _is_forcing(position, child)]
        passing = [child for child in forcing if child.enemy & position.passed]
        quiet = [child for child in children if not _is_punished(child)]
        return move_name(position, self.chance.choice(passing or forcing or quiet or children))


def _is_forcing(position: Pawns, child: Pawns) -> bool:
    return child.own != position.enemy or child.state >> WHITE_LANDED_AT != 0


def _is_punished(position: Pawns) -> bool:
    return any(_is_forcing(position, child) for child in position.children())


def landing_game(position: Pawns) -> list[Pawns]:
    """A short game that ends with a landing, for both sides to play through.

    No move in it is a capture en passant, so it is legal with that rule and without it.
    """
    plain = Pawns(position.own, position.enemy, 0, position.state | NO_EN_PASSANT)
    games = [_playout(plain, Random(seed)) for seed in range(PLAYOUTS)]
    landed = [game for game in games if game and game[-1].state >> WHITE_LANDED_AT]
    return min(landed, key=len, default=[])


def _playout(position: Pawns, chance: Random) -> list[Pawns]:
    """Positions of a random game; whoever can land does."""
    game = []
    children = position.children()
    while children:
        landed = [child for child in children if child.state >> WHITE_LANDED_AT]
        position = landed[0] if landed else chance.choice(children)
        game.append(position)
        children = position.children()
    return game


def illegal_move(position: Pawns) -> str:
    """A move that is none in any variant: a pawn steps sideways."""
    square = name_of(each_bit(position.own)[0])
    beside = FILES[FILES.index(square[0]) - 1 if square[0] == "h" else FILES.index(square[0]) + 1]
    return f"{square}{beside}{square[1]}"


def quiet_move(position: Pawns) -> str:
    """A move after which the game goes on, a step if possible; empty if there is none."""
    for child in reversed(position.children()):
        if child.standing() != LOST:
            return move_name(position, child)
    return ""


def move_out_of_turn(position: Pawns) -> str:
    """A move that would be legal if it were the other side's turn."""
    return quiet_move(Pawns(position.enemy, position.own, 0, position.state ^ BLACK))
