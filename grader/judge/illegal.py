"""Why a board is not the board after a legal move; and boards side by side."""

from __future__ import annotations

from grader.grading.records import Judgement, Verdict
from grader.judge.answer import WrittenBoard, write_board
from solver.errors import UserError, counted
from solver.games import Game, game_of
from solver.games.breach import FILES, Breach, Displaced, square, squares
from solver.search.position import Position

MOST_SQUARES = 4  # named one by one before the rest is only counted
HEAD = "  " + " ".join(FILES)
WIDTH = 18  # of a board: rank, brackets, eight squares
GAP = "   "


def find_move(rules: Game, position: Position, given: WrittenBoard) -> Position | Judgement:
    """The position after the legal move that an answer shows; else the answer's judgement."""
    for child in position.children():
        if given.fits(write_board(rules, child)):
            return child
    breach = explain(rules, position, given)
    about = breach.reason, breach.cause, breach.hint, breach.move
    return Judgement(Verdict.ILLEGAL, *about, given_board=str(given))


def explain(rules: Game, position: Position, given: WrittenBoard) -> Breach:
    """Why the given board, which no legal move leads to, is wrong."""
    before, mover = write_board(rules, position), position.mover()
    enemy = rules.other(mover)
    if given.cells == before.cells:
        return Breach("nothing was moved", "the program writes the board that it has read")
    if breach := _wrong_last_line(rules, position, given):
        return breach
    if name := _name_move(rules, rules.passed(position), given.cells):
        return Breach(f"{enemy} was moved: {name}", f"the program plays for {enemy}")
    found = BoardDifference(rules, before.cells, given.cells, mover)
    if found.is_one_piece:
        start, end = found.own_left[0], found.own_new[0]
        taken = frozenset(found.enemy_left)
        moved = Displaced(before.cells, given.cells, mover, start, end, taken)
        breach = rules.find_fault(position, moved)
        if breach.is_unexplained and _is_after_two(rules, position, given.cells, reply=False):
            return Breach(f"{mover} was moved twice", "", breach.move)
        return breach if breach.reason else _explain_squares(rules, found, mover)
    if breach := _wrong_way_round(rules, position, given):
        return breach
    if _is_after_two(rules, position, given.cells, reply=True):
        return Breach(
            f"{enemy}'s reply was played too: the board after {mover}'s move is wanted",
            "the program writes the board after two plies",
        )
    if _is_after_two(rules, position, given.cells, reply=False):
        return Breach(f"{mover} was moved twice")
    return _explain_squares(rules, found, mover)


def _wrong_last_line(rules: Game, position: Position, given: WrittenBoard) -> Breach | None:
    """A legal board with the wrong side to move, or the wrong square after it."""
    for child in position.children():
        after = write_board(rules, child)
        if after.cells != given.cells:
            continue
        name = rules.move_name(position, child, True)
        if given.side not in ("", after.side):
            reason = f"{given.side} is named as the side to move; after the move it is {after.side}"
            return Breach(reason, "the program does not switch the side to move", name)
        what = rules.AFTER_SIDE or "square after the side to move"
        return Breach(f"{given.after_side} is named as the {what}, which is wrong", "", name)
    return None


def _name_move(rules: Game, position: Position, cells: str) -> str:
    """The name of the move that leads to these cells, empty if there is none."""
    for child in position.children():
        if str(child).replace("\n", "") == cells:
            return rules.move_name(position, child, True)
    return ""


def _is_after_two(rules: Game, position: Position, cells: str, reply: bool) -> bool:
    """Whether two moves lead here, the second by the opponent or by the mover again."""
    return any(
        _name_move(rules, child if reply else rules.passed(child), cells)
        for child in position.children()
    )


def _wrong_way_round(rules: Game, position: Position, given: WrittenBoard) -> Breach | None:
    """A legal answer that was printed the wrong way round; every turn is its own inverse."""
    legal = {str(each).replace("\n", "") for each in (position, *position.children())}
    cells, rows, swap = given.cells, given.rows, rules.swapped()
    for words, turned in {
        "upside down": "".join(reversed(rows)),
        "mirrored from left to right": "".join(row[::-1] for row in rows),
        "turned by half": cells[::-1],
        "with the colours exchanged": cells.translate(swap),
        "turned by half, with the colours exchanged": cells[::-1].translate(swap),
        "with rows and columns exchanged": "".join(cells[file::8] for file in range(8)),
    }.items():
        if turned in legal:
            return Breach(f"the board is printed {words}", f"the program prints the board {words}")
    return None


class BoardDifference:
    """The squares that the mover's and the enemy's pieces have left and reached."""

    def __init__(self, rules: Game, before: str, after: str, mover: str) -> None:
        def find_left(old: str, new: str, side: str) -> list[int]:
            pairs = enumerate(zip(map(rules.colour, old), map(rules.colour, new), strict=True))
            return [index for index, (was, now) in pairs if was == side != now]

        enemy = rules.other(mover)
        self.own_left = find_left(before, after, mover)
        self.own_new = find_left(after, before, mover)
        self.enemy_left = find_left(before, after, enemy)
        self.enemy_new = find_left(after, before, enemy)
        self.words: list[str] = []  # each square that differs, for people
        crowned = False  # a piece of the same colour and another rank
        for index, (old, new) in enumerate(zip(before, after, strict=True)):
            where = square(index)
            if old != new and new == ".":
                self.words.append(f"the {rules.PIECES[old]} on {where} vanished")
            elif old != new and old == ".":
                self.words.append(f"a {rules.PIECES[new]} appeared on {where}")
            elif old != new:
                became = f"became a {rules.PIECES[new]}"
                self.words.append(f"the {rules.PIECES[old]} on {where} {became}")
                crowned = crowned or rules.colour(old) == rules.colour(new)
        one_moved = len(self.own_left) == len(self.own_new) == 1
        self.is_one_piece = one_moved and not self.enemy_new and not crowned


def _explain_squares(rules: Game, found: BoardDifference, mover: str) -> Breach:
    """The changes as a list; the last resort when no mistake explains them."""
    enemy_moved = found.enemy_left or found.enemy_new
    if len(found.own_left) == len(found.own_new) == 2 and not enemy_moved:
        left, reached = squares(found.own_left), squares(found.own_new)
        return Breach(f"two {mover} pieces were moved: from {left} to {reached}")
    shown = found.words[:MOST_SQUARES]
    if len(found.words) > MOST_SQUARES:
        shown.append(f"{counted(len(found.words) - MOST_SQUARES, 'square')} more changed")
    words = "no move does this: " + "; ".join(shown)
    if found.enemy_left and found.enemy_new and not found.own_new and not found.own_left:
        enemy = rules.other(mover)
        return Breach(f"{enemy} was moved; {words}", f"the program plays for {enemy}")
    return Breach(words)


def sidebyside(input_text: str, expected: str | None, given: str) -> str:
    """Input, expected and given next to each other, as far as they are there.  What differs from
    the input is in brackets.  Rows are numbered as in reasons, ranks as in the names of moves."""
    texts = {"input": input_text, "expected": expected, "given": given}
    boards = {title: _read_any(text) for title, text in texts.items() if text}
    lines = [
        GAP.join(f"  {title:<{WIDTH - 2}}" for title in boards),
        GAP.join(f"{HEAD:<{WIDTH}}" for _ in boards),
    ]
    before = boards["input"]
    for number in range(8):
        rows = [f"{8 - number}{_bracket(before, board, number)}" for board in boards.values()]
        lines.append(f"{GAP.join(rows)}{GAP}row {number + 1}")
    if any(board.side for board in boards.values()):
        last = [f"{board.side} {board.after_side}".rstrip() for board in boards.values()]
        lines.append(GAP.join(f"  {words:<{WIDTH - 2}}" for words in last))
    if len(boards) == len(texts):
        pairs = zip(boards["expected"].cells, boards["given"].cells, strict=True)
        differing = [square(index) for index, (one, other) in enumerate(pairs) if one != other]
        lines.append(
            f"given differs from expected on {' '.join(differing)}"
            if differing
            else "given and expected are the same board"
        )
    return "\n".join(line.rstrip() for line in lines)


def _read_any(text: str) -> WrittenBoard:
    """The board of a text, even of one that no game allows."""
    lines = [line.rstrip() for line in text.replace("\r\n", "\n").strip("\ufeff\n").split("\n")]
    if len(lines) >= 8 and all(len(line) == 8 for line in lines[:8]):
        words = lines[8].split() if len(lines) > 8 else []
        return WrittenBoard("".join(lines[:8]), *words[:2])
    rules = game_of(text)
    try:
        return write_board(rules, rules.read(text, "the board", False).position)
    except UserError:
        return WrittenBoard("?" * 64)


def _bracket(before: WrittenBoard, board: WrittenBoard, number: int) -> str:
    """A row with brackets around what differs."""
    marks = [" "] * 9
    old, new = before.rows[number], board.rows[number]
    for file in range(8):
        if old[file] != new[file]:
            marks[file] = "|" if marks[file] == "]" else "["
            marks[file + 1] = "]"
    return "".join(mark + letter for mark, letter in zip(marks, new, strict=False)) + marks[8]
