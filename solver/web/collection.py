"""The puzzles of a folder, by name; no path is ever made from what a page asks for."""

from __future__ import annotations

from itertools import islice
from pathlib import Path

from solver.errors import UserError, did_you_mean
from solver.games import GAMES
from solver.web.answers import MOST_NAME, MOST_TEXT, described, place_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from solver.web.asking import Ask
    from solver.web.settings import Settings

MOST_PUZZLES = 5000


def listed(settings: Settings) -> dict[str, Path]:
    """Every puzzle `GAME/NAME` with its file."""
    folder = settings.puzzles
    if folder is None:
        raise UserError("There are no puzzles here. Name their folder: solver serve --puzzles DIR.")
    files = (file for game in GAMES for file in sorted((folder / game).glob("*.txt")))
    return {f"{file.parent.name}/{file.stem}": file for file in islice(files, MOST_PUZZLES)}


def puzzles(settings: Settings) -> dict[str, Any]:
    return {
        "puzzles": [{"name": name, "game": name.partition("/")[0]} for name in listed(settings)]
    }


def puzzle_file(ask: Ask, settings: Settings) -> tuple[str, Path]:
    """The name of the puzzle that is asked for, and its file."""
    name, known = ask.text("name", MOST_NAME), listed(settings)
    if name not in known:
        raise UserError(f"There is no puzzle {name!a}.{did_you_mean(name, list(known))}")
    return name, known[name]


def puzzle(ask: Ask, settings: Settings) -> dict[str, Any]:
    """A puzzle as it was written, and as a position."""
    name, file = puzzle_file(ask, settings)
    content = content_of(name, file)
    place, warnings = place_of(content, name.partition("/")[0])
    return {**described(place, warnings), "name": name, "file": content}


def content_of(name: str, file: Path) -> str:
    try:
        with open(file, "rb") as opened:
            content = opened.read(MOST_TEXT + 1)
    except OSError as error:
        raise UserError(f"{name}: {error.strerror}") from None
    if len(content) > MOST_TEXT:
        raise UserError(f"{name}: more than {MOST_TEXT} bytes, too large for a puzzle")
    return content.decode("utf-8", "surrogateescape")
