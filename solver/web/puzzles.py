"""The puzzles of a folder, by name; no path is ever made from what a page asks for."""

from __future__ import annotations

from itertools import islice
from pathlib import Path
from tempfile import TemporaryDirectory

from solver.errors import UserError, did_you_mean
from solver.games import GAMES
from solver.web.answers import MOST_NAME, MOST_TEXT, described, place_of
from solver.web.jobs import child

TYPE_CHECKING = False

if TYPE_CHECKING:
    from typing import Any

    from solver.web.answers import Ask
    from solver.web.server import Settings


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


# The judge's word about an answer to a puzzle: the grader's, as contest systems call it.


ACCEPTED, REJECTED = 42, 43  # exit codes of a validator
MESSAGE = "teammessage.txt"  # what a student may read: nothing about the right answer


async def judged(ask: Ask, settings: Settings) -> dict[str, Any]:
    name, file = puzzle_file(ask, settings)
    answer = _as_expected(name, content_of(name, file), ask.text("answer", MOST_TEXT))
    expected = file.parent.parent.parent / "expected" / f"{name}.txt"
    if not expected.is_file():
        raise UserError(f"Nobody has said what is expected of {name}: there is no {expected}.")
    with TemporaryDirectory(prefix="checkmark-") as folder:
        words = ["validator", str(file), str(expected), folder]
        async with child("grader", words, answer) as process:
            await process.whole()
        if process.code not in (ACCEPTED, REJECTED):
            if b"No module named" in process.words:
                raise UserError("There is no judge here: install the package with its grader.")
            process.check()
            raise UserError("The judge has not said anything.")
        message = (Path(folder) / MESSAGE).read_text("utf-8").strip()
    verdict, _, reason = message.partition(": ")
    return {"verdict": verdict, "reason": reason, "accepted": process.code == ACCEPTED}


def _as_expected(name: str, puzzle: str, answer: str) -> str:
    """The answer in the form of the puzzle, without a side to move where none is written; what
    cannot be read, or only with a warning, is left for the judge to speak of."""
    game_name = name.partition("/")[0]
    try:
        asked, _ = place_of(puzzle, game_name)
        given, warnings = place_of(answer, game_name)
        form = asked.form if given.form == "board" else given.form
        return answer if warnings else given.game.write(given.position, form) + "\n"
    except UserError:
        return answer
