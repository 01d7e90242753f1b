"""Which file is the expected answer to which input, told by their names.

Known are `input3.txt` with `solution3.txt` or `solution_3.txt` (whatever the word before the
number), `X.txt` with `X_sol.txt`, `X.in` with `X.ans`, `X.test` with `X.solution`, in one folder
or in two; and in two folders files of the same name, with `X.json` beside the expected one.
"""

from __future__ import annotations

import os
import re
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

from solver.errors import FileError, UserError

HABITS = (
    "input1.txt with solution1.txt or solution_1.txt, X.txt with X_sol.txt, X.in with X.ans, "
    "X.test with X.solution, or inputs/X.txt with expected/X.txt"
)
ENDINGS = {".in": ".ans", ".test": ".solution"}
SOLUTION = re.compile(r"solution[-_ ]?(\d+)\.txt", re.IGNORECASE)
NUMBERED = re.compile(r"[^\d].*?(\d+)\.txt", re.IGNORECASE)


@dataclass(frozen=True)
class Pair:
    """An input with its expected board, its proof, or both."""

    name: str  # the path of the input below the folder, without its ending
    input: Path
    expected: Path | None
    proof: Path | None


def find_pairs(inputs: Path, expected: Path) -> tuple[list[Pair], list[str]]:
    """The pairs below two folders, which may be the same one, and warnings about the rest."""
    pairs: list[Pair] = []
    warnings: list[str] = []
    for folder in _folders(inputs):
        answers = expected / folder.relative_to(inputs)
        found, odd = _pairs_of(inputs, folder, answers)
        pairs += found
        warnings += odd
    pairs.sort(key=lambda pair: natural(pair.name))
    _refuse_twins(pairs)
    return pairs, warnings


def natural(name: str) -> list[tuple[int, int, str]]:
    """A sort key that puts `input2` before `input10`."""
    words = re.split(r"(\d+)", name)
    return [(1, int(word), word) if word.isdecimal() else (0, 0, word) for word in words]


def _folders(top: Path) -> list[Path]:
    folders = []
    for folder, inner, _ in os.walk(top, onerror=_unreadable):
        inner[:] = sorted(name for name in inner if not name.startswith("."))
        folders.append(Path(folder))
    return folders


def _unreadable(error: OSError) -> None:
    raise FileError(f"{error.filename}: {error.strerror}")


def _files(folder: Path) -> list[str]:
    """Names in an order that does not depend on the machine."""
    if not folder.is_dir():
        return []
    try:
        return sorted(path.name for path in folder.iterdir() if path.is_file())
    except OSError as error:
        raise FileError(f"{folder}: {error.strerror}") from None


def _pairs_of(top: Path, folder: Path, answers: Path) -> tuple[list[Pair], list[str]]:
    apart = folder.resolve() != answers.resolve()
    there = _files(answers)
    inputs = [name for name in _files(folder) if is_input(name)]
    pairs: list[Pair] = []
    warnings: list[str] = []
    taken: dict[str, str] = {}
    for name in inputs:
        fitting = [other for other in there if answers_to(name, other, apart)]
        proof = f"{Path(name).stem}.json" if apart else ""
        if len(fitting) > 1:
            raise UserError(f"{folder / name}: expected is {' or '.join(fitting)}. Keep one.")
        if not fitting and proof not in there:
            warnings.append(f"{folder / name}: left out, there is no expected file for it")
            continue
        for other in fitting:
            if other in taken:
                raise UserError(
                    f"{answers / other}: is it for {taken[other]} or {name}? Rename one of them."
                )
            taken[other] = name
        pairs.append(
            Pair(
                (folder.relative_to(top) / name).with_suffix("").as_posix(),
                folder / name,
                answers / fitting[0] if fitting else None,
                answers / proof if proof in there else None,
            )
        )
    warnings += [
        f"{answers / name}: there is no input for it"
        for name in there
        if name not in taken and (is_answer(name) or (apart and name.endswith(".txt")))
    ]
    return pairs, warnings


def is_answer(name: str) -> bool:
    """Whether a name says by itself that this is an expected answer."""
    path = Path(name)
    return (
        path.suffix in ENDINGS.values()
        or (path.suffix == ".txt" and path.stem.endswith("_sol"))
        or SOLUTION.fullmatch(name) is not None
    )


def is_input(name: str) -> bool:
    known = name.endswith((".txt", *ENDINGS))
    return known and not name.startswith(".") and not is_answer(name)


def answers_to(name: str, other: str, apart: bool) -> bool:
    """Whether `other` is by its name the expected answer to the input `name`."""
    path = Path(name)
    if path.suffix in ENDINGS:
        return other == path.stem + ENDINGS[path.suffix]
    if other == f"{path.stem}_sol.txt" or (apart and other == name):
        return True
    number, solution = NUMBERED.fullmatch(name), SOLUTION.fullmatch(other)
    return number is not None and solution is not None and int(number[1]) == int(solution[1])


def _refuse_twins(pairs: list[Pair]) -> None:
    for one, other in pairwise(pairs):
        if one.name == other.name:
            raise UserError(
                f"{one.input} and {other.input}: both puzzles would be called {one.name}. "
                "Rename one of them."
            )
