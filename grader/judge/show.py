"""Boards side by side as plain text, with the changed squares in brackets."""

from __future__ import annotations

from dataclasses import dataclass

from grader.judge.reading import Drawing, drawing_of
from solver.errors import UserError, counted
from solver.games import Game, game_of
from solver.games.breach import FILES, square, squares

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
