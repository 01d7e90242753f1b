"""What is wrong with a checkers move, given its start, end and vanished pieces.  Of all possible
chains of jumps, the one that breaks the fewest rules is assumed."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice, pairwise

from solver.games.breach import Breach, Displaced, join_breaches, square, squares, unexplained
from solver.games.checkers.mixed import TwoBoards
from solver.games.checkers.moves import move_name
from solver.games.checkers.rules import Board
from solver.search.position import FORCED

MOST_CHAINS = 2000
FORWARD = {"red": -1, "black": 1}  # rows, counted from the top
LAST = {"red": 1, "black": 8}  # crowning rows; row 1 is the first line of the text
DIAGONALS = ((-1, -1), (-1, 1), (1, -1), (1, 1))

Chain = tuple[tuple[int, int], ...]  # the squares jumped over and landed on


def find_fault(position: Board | TwoBoards, moved: Displaced) -> Breach:
    """The nearest explanation; an empty reason if the move breaks no rule."""
    if abs(moved.rows) == abs(moved.columns) == 1 and moved.before[moved.end] == ".":
        return join_breaches(_step_faults(position, moved), _name(moved, [moved.end], "-"))
    chains = islice(_chains(moved, moved.start, ()), MOST_CHAINS)
    landed = [chain for chain in chains if chain[-1][1] == moved.end]
    if landed:
        explained = [(_chain_faults(moved, chain), chain) for chain in landed]
        faults, chain = min(explained, key=lambda pair: len(pair[0]))
        return join_breaches(faults, _name(moved, [end for _, end in chain], "x"))
    faults = [_leap_fault(moved), *_crown_faults(moved)]
    return join_breaches(faults, _name(moved, [moved.end], "-"))


def _row(index: int) -> int:
    return index // 8 + 1


def _is_king(moved: Displaced) -> bool:
    return moved.before[moved.start].isupper()


def _name(moved: Displaced, path: list[int], sign: str) -> str:
    return sign.join(square(index) for index in (moved.start, *path))


def _step_faults(position: Board | TwoBoards, moved: Displaced) -> list[Breach]:
    faults = []
    if position.status() == FORCED:
        jumps = [move_name(position, child, squares=True) for child in position.children()]
        faults.append(
            Breach(
                "a jump was available, and jumps are compulsory",
                "jumps are not compulsory in the program",
                hint=f"a jump was available: {', '.join(jumps)}",
            )
        )
    if _is_backwards(moved, moved.rows):
        faults.append(_backwards(moved))
    if moved.taken:
        faults.append(Breach(f"the piece on {_on(moved.taken)} was taken without a jump"))
    return faults + _crown_faults(moved)


def _is_backwards(moved: Displaced, rows: int) -> bool:
    return not _is_king(moved) and rows * FORWARD[moved.mover] < 0


def _backwards(moved: Displaced) -> Breach:
    reason = f"the {moved.mover} man on {square(moved.start)} moved backwards"
    return Breach(reason, "men move backwards in the program")


def _on(indexes: frozenset[int]) -> str:
    return squares(sorted(indexes))


def _chains(moved: Displaced, at: int, done: Chain) -> Iterator[Chain]:
    """Every chain of jumps, forwards and backwards, complete or not."""
    for over, to in _jumps(moved, at, done):
        chain = (*done, (over, to))
        yield chain
        yield from _chains(moved, to, chain)


def _jumps(moved: Displaced, at: int, done: Chain) -> list[tuple[int, int]]:
    """The jumps over enemies not jumped before; the start counts as empty."""
    gone = {over for over, _ in done}
    found = []
    for rows, columns in DIAGONALS:
        row_to, column_to = at // 8 + 2 * rows, at % 8 + 2 * columns
        if not (0 <= row_to < 8 and 0 <= column_to < 8):
            continue
        over, to = at + 8 * rows + columns, row_to * 8 + column_to
        enemy = moved.before[over].lower() not in (".", moved.mover[0])
        if enemy and over not in gone and (moved.before[to] == "." or to == moved.start):
            found.append((over, to))
    return found


def _chain_faults(moved: Displaced, chain: Chain) -> list[Breach]:
    jumped = frozenset(over for over, _ in chain)
    ends = [moved.start, *(to for _, to in chain)]
    crowned = not _is_king(moved) and any(_row(end) == LAST[moved.mover] for end in ends[:-1])
    faults = []
    if crowned:
        faults.append(
            Breach(
                f"the man crowned on row {LAST[moved.mover]} jumped on; crowning ends the move",
                "a new king jumps on at once in the program",
            )
        )
    elif any(_is_backwards(moved, b // 8 - a // 8) for a, b in pairwise(ends)):
        faults.append(_backwards(moved))
    if left := jumped - moved.taken:
        reason = f"the jumped piece on {_on(left)} was left on the board"
        faults.append(Breach(reason, "the program does not remove what it jumps"))
    if extra := moved.taken - jumped:
        faults.append(Breach(f"the piece on {_on(extra)} was taken without a jump"))
    if not faults and _could_go_on(moved, chain):
        faults.append(
            Breach(
                f"the jump was not finished: the piece on {square(moved.end)} could jump on",
                "the program stops a jump too early",
            )
        )
    return faults + _crown_faults(moved)


def _could_go_on(moved: Displaced, chain: Chain) -> bool:
    if not _is_king(moved) and _row(moved.end) == LAST[moved.mover]:
        return False
    return any(
        not _is_backwards(moved, to // 8 - moved.end // 8)
        for _, to in _jumps(moved, moved.end, chain)
    )


def _crown_faults(moved: Displaced) -> list[Breach]:
    is_king = moved.after[moved.end].isupper()
    reached = _row(moved.end) == LAST[moved.mover]
    where = square(moved.end)
    if _is_king(moved) and not is_king:
        return [Breach(f"the king that moved to {where} became a man")]
    if not _is_king(moved) and reached and not is_king:
        reason = f"the man that reached the last row on {where} was not crowned"
        return [Breach(reason, "the program does not crown men")]
    if not _is_king(moved) and is_king and not reached:
        last = LAST[moved.mover]
        return [Breach(f"the man that moved to {where} was crowned, which happens on row {last}")]
    return []


def _leap_fault(moved: Displaced) -> Breach:
    """A move that is neither a step nor a chain of jumps."""
    start, end = square(moved.start), square(moved.end)
    who = f"the {'king' if _is_king(moved) else 'man'} on {start}"
    if moved.end in moved.taken:
        reason = f"{who} moved onto the enemy on {end} instead of jumping over it"
        return Breach(reason, "pieces are taken as in chess in the program")
    if not moved.rows:
        return Breach(f"{who} moved sideways to {end}; pieces move diagonally")
    if not moved.columns:
        return Breach(f"{who} moved straight to {end}; pieces move diagonally")
    if abs(moved.rows) == abs(moved.columns):
        return _diagonal_fault(moved, who)
    return unexplained(moved)


def _diagonal_fault(moved: Displaced, who: str) -> Breach:
    length = abs(moved.rows)
    step = (moved.end - moved.start) // length
    between = [moved.start + step * count for count in range(1, length)]
    own = [index for index in between if moved.before[index].lower() == moved.mover[0]]
    if own:
        return Breach(f"{who} jumped over its own piece on {squares(own)}")
    if _is_king(moved):
        reason = f"{who} flew {length} squares; a king moves one square at a time"
        return Breach(reason, "kings fly in the program")
    if length == 2:
        return Breach(f"{who} jumped over {squares(between)}, where no enemy is")
    return Breach(f"{who} moved {length} squares; a man moves one square at a time")
