"""What a person types: a move by any of its names, or a word; and help if it is neither."""

from __future__ import annotations

import re

from solver.errors import did_you_mean

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from solver.games import Game

WORDS = {
    "moves": "list the legal moves (or ?)",
    "hint": "ask the solver",
    "undo": "take your last move back",
    "board": "show the board again",
    "resign": "give the game up",
    "quit": "leave",
    "help": "this list",
}
SHORT = {"?": "moves", "q": "quit", "exit": "quit"}
SQUARE = re.compile(r"[a-h][1-8]|\d+")
LIKE_A_MOVE = re.compile(r"(?:(?:[a-h][1-8]|\d+)[-x: ]*){2,}[qrbn]?")
MOST_LISTED = 12


class Entry:
    """Exactly one of the three: a word, a child of the position, or what is wrong."""

    def __init__(self, word: str = "", child: Any = None, fault: str = "") -> None:
        self.word = word
        self.child = child
        self.fault = fault


def understood(text: str, game: Game, position: Any, squares: bool) -> Entry:
    """What somebody means who is to move here."""
    text = text.strip().lower()
    word = SHORT.get(text, text)
    if word in WORDS:
        return Entry(word=word)
    if not LIKE_A_MOVE.fullmatch(text):
        return Entry(fault=_no_move(text, game, position, squares))
    return _move(text, game, position, squares)


def move_names(game: Game, position: Any, squares: bool) -> list[str]:
    return [game.move_name(position, child, squares) for child in position.children()]


def _move(text: str, game: Game, position: Any, squares: bool) -> Entry:
    """A move by all its squares, or by the first and the last if that is enough."""
    wanted = SQUARE.findall(text)
    whole, ends = [], []
    for child in position.children():
        paths = [SQUARE.findall(game.move_name(position, child, way)) for way in (False, True)]
        if wanted in paths:
            whole.append(child)
        elif wanted in [[path[0], path[-1]] for path in paths]:
            ends.append(child)
    found = whole or ends
    if len(found) == 1:
        return Entry(child=found[0])
    if found:
        names = [game.move_name(position, child, squares) for child in found]
        return Entry(fault=f"{text} could be {' or '.join(names)}.")
    return Entry(fault=_illegal(text, wanted[0], game, position, squares))


def _illegal(text: str, start: str, game: Game, position: Any, squares: bool) -> str:
    names = move_names(game, position, squares)
    from_there = [
        game.move_name(position, child, squares)
        for child in position.children()
        if any(
            SQUARE.findall(game.move_name(position, child, way))[0] == start
            for way in (False, True)
        )
    ]
    if from_there:
        return f"{text} is not legal. From {start}: {_listed(from_there)}."
    if all("x" in name for name in names):
        return f"{text} is not legal: a jump is compulsory. Legal: {_listed(names)}."
    return f"{text} is not legal: no move of {position.mover()} begins on {start}. '?' lists all."


def _no_move(text: str, game: Game, position: Any, squares: bool) -> str:
    hint = did_you_mean(text, [*WORDS, *move_names(game, position, squares)])
    return f"{text!a} is no move.{hint} '?' lists the legal moves, 'help' everything else."


def _listed(names: list[str]) -> str:
    more = f" and {len(names) - MOST_LISTED} more" if len(names) > MOST_LISTED else ""
    return ", ".join(names[:MOST_LISTED]) + more
