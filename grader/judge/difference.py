"""What differs between two boards, square by square."""

from __future__ import annotations

from dataclasses import dataclass

from solver.errors import counted
from solver.games import Game
from solver.games.breach import square, squares

MOST_SQUARES = 4  # named one by one before the rest is only counted


@dataclass(frozen=True)
class Difference:
    """The squares that the mover's and the enemy's pieces have left and reached, and those
    where a piece has the same colour but another rank."""

    own_left: list[int]
    own_new: list[int]
    enemy_left: list[int]
    enemy_new: list[int]
    changed: list[int]

    @property
    def is_one_piece(self) -> bool:
        """Whether one piece of the mover went from one square to another, whatever it took."""
        return (
            len(self.own_left) == len(self.own_new) == 1 and not self.enemy_new and not self.changed
        )


def difference(before: str, after: str, mover: str, game: Game) -> Difference:
    found = Difference([], [], [], [], [])
    for index, (old, new) in enumerate(zip(before, after, strict=True)):
        if old == new:
            continue
        if game.colour(old) == game.colour(new):
            found.changed.append(index)
            continue
        if old != ".":
            (found.own_left if game.colour(old) == mover else found.enemy_left).append(index)
        if new != ".":
            (found.own_new if game.colour(new) == mover else found.enemy_new).append(index)
    return found


def in_words(before: str, after: str, mover: str, game: Game) -> str:
    """The changes as a list; the last resort when no mistake explains them."""
    found = difference(before, after, mover, game)
    enemy_moved = found.enemy_left or found.enemy_new
    if len(found.own_left) == len(found.own_new) == 2 and not enemy_moved:
        reached = squares(found.own_new)
        return f"two {mover} pieces were moved: from {squares(found.own_left)} to {reached}"
    changes = [
        _change(before[index], after[index], index, game)
        for index in range(64)
        if before[index] != after[index]
    ]
    shown = changes[:MOST_SQUARES]
    if len(changes) > MOST_SQUARES:
        shown.append(f"{counted(len(changes) - MOST_SQUARES, 'square')} more changed")
    return "no move does this: " + "; ".join(shown)


def _change(old: str, new: str, index: int, game: Game) -> str:
    if new == ".":
        return f"the {game.PIECES[old]} on {square(index)} vanished"
    if old == ".":
        return f"a {game.PIECES[new]} appeared on {square(index)}"
    return f"the {game.PIECES[old]} on {square(index)} became a {game.PIECES[new]}"
