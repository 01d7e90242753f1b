"""Two Flags written once more, slowly and simply, to test the solver's rules against.

A game is eight strings of eight characters, rank 8 on top, `.` empty, `w` and `b` pawns; who is
to move; the square that the last move went past in two steps, or nothing; and whether en passant
is played.  White moves up, black moves down.
"""

from __future__ import annotations

from typing import NamedTuple

Rows = tuple[str, ...]

FORWARD = {"white": +1, "black": -1}
START_RANK = {"white": 2, "black": 7}
LAST_RANK = {"white": 8, "black": 1}
OTHER = {"white": "black", "black": "white"}


class Game(NamedTuple):
    rows: Rows
    mover: str
    passed: str = ""
    en_passant: bool = True


def moves(game: Game) -> dict[str, Game]:
    """The game after every legal move, by the move's name."""
    if has_landed(game.rows):
        return {}
    found = {}
    for file, rank in places(game.rows, game.mover):
        for to in [*steps(game, file, rank), *captures(game, file, rank)]:
            found[name_of(file, rank) + to] = played(game, name_of(file, rank), to)
    return found


def perft(game: Game, depth: int) -> int:
    """How many sequences of that many moves there are."""
    if depth == 0:
        return 1
    return sum(perft(after, depth - 1) for after in moves(game).values())


def plies_to_end(game: Game, known: dict[Game, int]) -> int:
    """How long best play lasts: an odd number if the mover wins, an even one if it loses."""
    if game not in known:
        ends = [plies_to_end(after, known) for after in moves(game).values()]
        wins = [end for end in ends if end % 2 == 0]
        known[game] = 1 + (min(wins) if wins else max(ends, default=-1))
    return known[game]


def has_landed(rows: Rows) -> bool:
    return "w" in rows[0] or "b" in rows[7]


def steps(game: Game, file: int, rank: int) -> list[str]:
    """Where a pawn can step: one square ahead, or two from its start rank, all of them empty."""
    ahead = FORWARD[game.mover]
    found = []
    if at(game.rows, file, rank + ahead) == ".":
        found.append(name_of(file, rank + ahead))
        if rank == START_RANK[game.mover] and at(game.rows, file, rank + 2 * ahead) == ".":
            found.append(name_of(file, rank + 2 * ahead))
    return found


def captures(game: Game, file: int, rank: int) -> list[str]:
    """Where a pawn can take: an enemy diagonally ahead, or the square an enemy went past."""
    enemy = OTHER[game.mover][0]
    found = []
    for beside in (file - 1, file + 1):
        to = rank + FORWARD[game.mover]
        goes_past = at(game.rows, beside, to) == "." and name_of(beside, to) == game.passed
        if at(game.rows, beside, to) == enemy or (goes_past and game.en_passant):
            found.append(name_of(beside, to))
    return found


def played(game: Game, start: str, to: str) -> Game:
    """The game after a move, which is taken to be legal."""
    (file, rank), (to_file, to_rank) = place_of(start), place_of(to)
    pawns = {place: colour for colour in OTHER for place in places(game.rows, colour)}
    if file != to_file and (to_file, to_rank) not in pawns:
        del pawns[to_file, rank]  # en passant: the pawn taken stands beside the one that takes
    pawns.pop((file, rank))
    pawns[to_file, to_rank] = game.mover
    middle = name_of(file, (rank + to_rank) // 2) if abs(to_rank - rank) == 2 else ""
    return Game(drawn(pawns), OTHER[game.mover], middle, game.en_passant)


def text_of(game: Game) -> str:
    """The board and the side to move, and the square of en passant if a pawn can take there."""
    takes = [
        file
        for file, rank in places(game.rows, game.mover)
        if game.passed in captures(game, file, rank)
    ]
    words = [game.mover, game.passed] if game.passed and takes else [game.mover]
    return "\n".join([*game.rows, " ".join(words)])


def drawn(pawns: dict[tuple[int, int], str]) -> Rows:
    return tuple(
        "".join(pawns.get((file, rank), ".")[0] for file in range(8)) for rank in range(8, 0, -1)
    )


def places(rows: Rows, colour: str) -> list[tuple[int, int]]:
    """Where the pawns of a colour stand: file from 0, rank from 1."""
    return [
        (file, rank)
        for rank in range(1, 9)
        for file in range(8)
        if rows[8 - rank][file] == colour[0]
    ]


def at(rows: Rows, file: int, rank: int) -> str:
    """What stands on a square; `#` off the board."""
    return rows[8 - rank][file] if 0 <= file < 8 and 1 <= rank <= 8 else "#"


def name_of(file: int, rank: int) -> str:
    return f"{'abcdefgh'[file]}{rank}" if 0 <= file < 8 else "#"


def place_of(name: str) -> tuple[int, int]:
    return "abcdefgh".index(name[0]), int(name[1])
