"""Why a board is not the board after a legal move: the nearest explanation there is."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from grader.judge.reading import Drawing, drawing_of, opponent
from grader.judge.show import Difference, difference, in_words
from grader.puzzles.find import read_board
from grader.puzzles.truth import Move, Truth, children_of, parse_value
from solver.games import Game, game_named
from solver.games.breach import Breach, Displaced


@dataclass(frozen=True)
class Asked:
    """The position that was to be answered."""

    game: str
    variant: str
    position: Any

    @property
    def before(self) -> Drawing:
        return drawing_of(self.position, self.game)

    @property
    def mover(self) -> str:
        mover: str = self.position.mover()
        return mover

    @property
    def rules(self) -> Game:
        return game_named(self.game)

    def name(self, child: Any) -> str:
        return self.rules.move_name(self.position, child, True)


def explain(asked: Asked, given: Drawing) -> Breach:
    """Why the given board, which is none of the legal ones, is none."""
    before, mover = asked.before, asked.mover
    enemy = opponent(asked.game, mover)
    if given.cells == before.cells:
        return Breach("nothing was moved", "the program writes the board that it has read")
    if breach := _beside_the_board(asked, given):
        return breach
    if name := _named(asked, asked.rules.passed(asked.position), given.cells):
        return Breach(f"{enemy} was moved: {name}", f"the program plays for {enemy}")
    found = difference(before.cells, given.cells, mover, asked.rules)
    if found.is_one_piece:
        breach = _one_piece(asked, before, given, found)
        if breach.is_unexplained and _is_after_two(asked, given.cells, reply=False):
            return Breach(f"{mover} was moved twice", "", breach.move)
        return breach if breach.reason else _several(asked, before, given, found)
    if breach := _turned(asked, given):
        return breach
    if _is_after_two(asked, given.cells, reply=True):
        return Breach(
            f"{enemy}'s reply was played too: the board after {mover}'s move is wanted",
            "the program writes the board after two plies",
        )
    if _is_after_two(asked, given.cells, reply=False):
        return Breach(f"{mover} was moved twice")
    return _several(asked, before, given, found)


def _beside_the_board(asked: Asked, given: Drawing) -> Breach | None:
    """A legal board with the wrong side to move, or the wrong square of en passant."""
    enemy = opponent(asked.game, asked.mover)
    for child in asked.position.children():
        after = drawing_of(child, asked.game)
        if after.cells != given.cells:
            continue
        if given.side not in ("", after.side):
            reason = f"{given.side} is named as the side to move; after the move it is {enemy}"
            return Breach(reason, "the program does not switch the side to move", asked.name(child))
        reason = f"{given.passed} is named as the square of en passant, which it is not"
        return Breach(reason, "", asked.name(child))
    return None


def _named(asked: Asked, position: Any, cells: str) -> str:
    """The name of the move that leads to these cells, empty if there is none."""
    for child in position.children():
        if str(child).replace("\n", "") == cells:
            return asked.rules.move_name(position, child, True)
    return ""


def _one_piece(asked: Asked, before: Drawing, given: Drawing, found: Difference) -> Breach:
    start, end, taken = found.own_left[0], found.own_new[0], frozenset(found.enemy_left)
    moved = Displaced(before.cells, given.cells, asked.mover, start, end, taken)
    return asked.rules.find_fault(asked.position, moved)


def _several(asked: Asked, before: Drawing, given: Drawing, found: Difference) -> Breach:
    words = in_words(before.cells, given.cells, asked.mover, asked.rules)
    enemy = opponent(asked.game, asked.mover)
    if found.enemy_left and found.enemy_new and not found.own_new and not found.own_left:
        return Breach(f"{enemy} was moved; {words}", f"the program plays for {enemy}")
    return Breach(words)


def _turned(asked: Asked, given: Drawing) -> Breach | None:
    """A legal answer that was printed the wrong way round."""
    legal = {str(child).replace("\n", "") for child in asked.position.children()}
    legal.add(asked.before.cells)
    for words, turn in _turns(asked.rules):
        if turn(given.cells) in legal:
            return Breach(f"the board is printed {words}", f"the program prints the board {words}")
    return None


def _turns(game: Game) -> Iterator[tuple[str, Callable[[str], str]]]:
    """Ways of turning a board; each is its own inverse."""
    swap = game.swapped()

    def rows(cells: str) -> list[str]:
        return [cells[at : at + 8] for at in range(0, 64, 8)]

    yield "upside down", lambda cells: "".join(reversed(rows(cells)))
    yield "mirrored from left to right", lambda cells: "".join(r[::-1] for r in rows(cells))
    yield "turned by half", lambda cells: cells[::-1]
    yield "with the colours exchanged", lambda cells: cells.translate(swap)
    yield (
        "turned by half, with the colours exchanged",
        lambda cells: cells[::-1].translate(swap),
    )
    yield (
        "with rows and columns exchanged",
        lambda cells: "".join("".join(column) for column in zip(*rows(cells), strict=True)),
    )


def _is_after_two(asked: Asked, cells: str, reply: bool) -> bool:
    """Whether two moves lead here, the second by the opponent or by the mover again."""
    for child in asked.position.children():
        if _named(asked, child if reply else asked.rules.passed(child), cells):
            return True
    return False


# What a legal but weak move betrays about the program that chose it.
#
# Only what the board shows: how many pieces are left after the move, and after the reply that
# takes the most.


FEW_MOVES = 3  # with fewer, the worst move is chosen too easily to mean anything


def betrayed(input_text: str, move: Move, truth: Truth) -> str:
    """The likely cause, or an empty string."""
    position = read_board(truth.game, input_text, truth.variant).position
    children = dict(zip(truth.moves, children_of(truth, position), strict=True))
    given = children[move]
    best = [child for listed, child in children.items() if listed.name in truth.best]
    own, ours = _balance(given, truth), [_balance(child, truth) for child in best]
    if own > max(ours):
        return "the program takes what it can, whatever comes after"
    if own >= max(ours) and _after_reply(given, truth) < min(_after_reply(c, truth) for c in best):
        return "the program does not look at the reply, which takes something"
    return _from_values(move, truth)


def _from_values(move: Move, truth: Truth) -> str:
    value = parse_value(move.value)
    values = [parse_value(listed.value).score for listed in truth.moves]
    if value.result > 0:
        return "the program sees no end of the game, or does not prefer the sooner win"
    lowest = min(values)
    if len(values) >= FEW_MOVES and value.score == lowest and values.count(lowest) == 1:
        return f"this is the worst of all moves: the program may play for {_enemy(truth)}"
    return ""


def _enemy(truth: Truth) -> str:
    return opponent(truth.game, truth.mover)


def _balance(position: Any, truth: Truth) -> int:
    """The mover's pieces less the enemy's; a king counts for two men."""
    game = game_named(truth.game)
    balance = 0
    for letter in str(position).replace("\n", "").replace(".", ""):
        worth = 2 if letter.isupper() else 1
        balance += worth if game.colour(letter) == truth.mover else -worth
    return balance


def _after_reply(position: Any, truth: Truth) -> int:
    replies = [_balance(reply, truth) for reply in position.children()]
    return min(replies, default=_balance(position, truth) + 1)
