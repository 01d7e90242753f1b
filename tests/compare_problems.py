"""Problems of the collection, and commands to compare variants on them."""

from __future__ import annotations

import shutil
from functools import cache
from pathlib import Path

from grader_command import ROOT

from grader.compare.problem import Problem
from grader.puzzles.find import Case, find_cases, select
from grader.truth.of_case import truth_of

SHOT = "checkers/shot-in-nine"
TRAP = "checkers/trap-do-not-crown-yet"
DRAW = "checkers/draw-one-of-eight"
RACE = "twoflags/race-lone-pawns"
SAMPLE = (SHOT, TRAP, DRAW, RACE)


@cache
def collection() -> list[Case]:
    return find_cases(ROOT / "inputs")[0]


def problem(name: str) -> Problem:
    (case,) = select(collection(), name)
    return Problem(case.name, case.game, case.text, truth_of(case))


def copy_sample(folder: Path, names: tuple[str, ...] = SAMPLE) -> Path:
    """Some puzzles of the collection, with all that is expected of them."""
    for name in names:
        for path in (f"inputs/{name}.txt", f"expected/{name}.txt", f"expected/{name}.json"):
            (folder / path).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / path, folder / path)
    return folder
