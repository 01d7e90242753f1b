"""The judge's word about an answer to a puzzle: the grader's, as contest systems call it."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory

from solver.errors import UserError
from solver.web.answers import MOST_TEXT, place_of
from solver.web.children import child
from solver.web.collection import content_of, puzzle_file

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from solver.web.asking import Ask
    from solver.web.settings import Settings

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
