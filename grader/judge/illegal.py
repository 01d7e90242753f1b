"""Why a board is not the board after a legal move: the nearest explanation there is."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from grader.judge.answer import Drawing, drawing_of, opponent
from grader.puzzles.find import read_board
from grader.puzzles.truth import Move, Truth, children_of, parse_value
from solver.errors import UserError, counted
from solver.games import Game, game_named, game_of
from solver.games.breach import FILES, Breach, Displaced, square, squares

# Boards side by side as plain text, with the changed squares in brackets.


HEAD = "  " + " ".join(FILES)
WIDTH = 18  # of a board: rank, brackets, eight squares
GAP = "   "


def sidebyside(input_text: str, expected: str | None, given: str) -> str:
    """Input, expected and given next to each other; without the expected board if it is None
    or empty, without the given one if that is empty.

    In brackets is what differs from the input.  Rows are numbered as they are counted in
    reasons, ranks as they are named in moves.
    """
    before = _read(input_text)
    columns = [("input", before)]
    if expected:
        columns.append(("expected", _read(expected)))
    if given:
        columns.append(("given", _read(given)))
    lines = [
        GAP.join(f"  {title:<{WIDTH - 2}}" for title, _ in columns),
        GAP.join(f"{HEAD:<{WIDTH}}" for _ in columns),
    ]
    for number in range(8):
        shown = [f"{8 - number}{_row(before, board, number)}" for _, board in columns]
        lines.append(f"{GAP.join(shown)}{GAP}row {number + 1}")
    if any(board.side for _, board in columns):
        lines.append(GAP.join(f"  {_last_line(board):<{WIDTH - 2}}" for _, board in columns))
    text = "\n".join(line.rstrip() for line in lines)
    if expected and given:
        text += f"\n{_differences(columns[1][1], columns[2][1])}"
    return text


def _read(text: str) -> Drawing:
    """The board of a text, even of one that no game allows."""
    lines = [line.rstrip() for line in text.replace("\r\n", "\n").strip("\ufeff\n").split("\n")]
    if len(lines) >= 8 and all(len(line) == 8 for line in lines[:8]):
        words = lines[8].split() if len(lines) > 8 else []
        return Drawing("".join(lines[:8]), *words[:2])
    game = game_of(text)
    try:
        position = game.read(text, "the board", False).position
    except UserError:
        return Drawing("?" * 64)
    return drawing_of(position, game.NAME)


def _row(before: Drawing, board: Drawing, number: int) -> str:
    marks = [" "] * 9
    for file in range(8):
        index = number * 8 + file
        if before.cells[index] != board.cells[index]:
            marks[file] = "|" if marks[file] == "]" else "["
            marks[file + 1] = "]"
    letters = board.rows[number]
    return "".join(mark + letter for mark, letter in zip(marks, letters, strict=False)) + marks[8]


def _last_line(board: Drawing) -> str:
    return f"{board.side} {board.passed}".rstrip()


def _differences(expected: Drawing, given: Drawing) -> str:
    differing = [square(i) for i in range(64) if expected.cells[i] != given.cells[i]]
    if differing:
        return f"given differs from expected on {' '.join(differing)}"
    return "given and expected are the same board"


# What differs between two boards, square by square.


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
