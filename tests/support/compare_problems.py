"""Problems of the collection, and commands to compare variants on them."""

from __future__ import annotations

import shutil
from pathlib import Path

from grader.lab.compare import Problem
from grader.puzzles.evidence import truth_of
from grader.puzzles.find import find_cases
from support.grader_command import ROOT

SHOT = "checkers/shot-in-nine"
TRAP = "checkers/trap-do-not-crown-yet"
DRAW = "checkers/draw-one-of-eight"
RACE = "twoflags/race-lone-pawns"
SAMPLE = (SHOT, TRAP, DRAW, RACE)


def problem(name: str) -> Problem:
    ((case,), _) = find_cases(ROOT / "inputs", name=name)
    return Problem(case.name, case.game, case.text, truth_of(case))


def copy_sample(folder: Path, names: tuple[str, ...] = SAMPLE) -> Path:
    """Some puzzles of the collection, with all that is expected of them."""
    for name in names:
        for path in (f"inputs/{name}.txt", f"expected/{name}.txt", f"expected/{name}.json"):
            (folder / path).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / path, folder / path)
    return folder
