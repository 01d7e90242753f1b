"""Which file is the expected answer to which input, told by their names.

Known are `input3.txt` with `solution3.txt` or `solution_3.txt` (whatever the word before the
number), `X.txt` with `X_sol.txt`, `X.in` with `X.ans`, `X.test` with `X.solution`, in one folder
or in two; and in two folders files of the same name.  A proof lies beside the expected answer and
has its name with `.json`, or in two folders the input's.
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
INPUT = re.compile(r"input[-_ ]?(\d+)\.txt", re.IGNORECASE)


@dataclass(frozen=True)
class Pair:
    """An input with its expected board, its proof, or both: where they are, or would be."""

    name: str  # the path of the input below the folder, without its ending
    input: Path
    expected: Path
    proof: Path

    @property
    def answers(self) -> list[Path]:
        """What there is."""
        return [path for path in (self.expected, self.proof) if path.is_file()]


def find_pairs(
    inputs: Path, expected: Path, also_alone: bool = False
) -> tuple[list[Pair], list[str]]:
    """The pairs below two folders, which may be the same one, and warnings about the rest.

    Inputs that are alone are left out, or paired with files that are not there yet.
    """
    pairs: list[Pair] = []
    warnings: list[str] = []
    for folder in _folders(inputs):
        answers = expected / folder.relative_to(inputs)
        found, odd = _pairs_of(inputs, folder, answers, also_alone)
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


def _pairs_of(
    top: Path, folder: Path, answers: Path, also_alone: bool
) -> tuple[list[Pair], list[str]]:
    apart = folder.resolve() != answers.resolve()
    there = _files(answers)
    pairs: list[Pair] = []
    warnings: list[str] = []
    taken: dict[str, str] = {}
    names = [name for name in _files(folder) if is_input(name)]
    for name in names:
        fitting = _fitting(name, names, there, apart)
        if len(fitting) > 1:
            raise UserError(f"{folder / name}: expected is {' or '.join(fitting)}. Keep one.")
        answer = fitting[0] if fitting else answer_name(name, apart)
        proof = _proof_name(name, answer, apart, there)
        if not (fitting or proof in there or also_alone):
            warnings.append(f"{folder / name}: left out, there is no expected file for it")
            continue
        if answer in taken:
            raise UserError(
                f"{answers / answer}: is it for {taken[answer]} or {name}? Rename one of them."
            )
        taken[answer] = name
        place = (folder.relative_to(top) / name).with_suffix("").as_posix()
        pairs.append(Pair(place, folder / name, answers / answer, answers / proof))
    warnings += [
        f"{answers / name}: there is no input for it"
        for name in there
        if name not in taken and (is_answer(name) or (apart and name.endswith(".txt")))
    ]
    return pairs, warnings


def _fitting(name: str, names: list[str], there: list[str], apart: bool) -> list[str]:
    """The answers that there are for an input; of several, those that fit no other input."""
    fitting = [answer for answer in there if answers_to(name, answer, apart)]
    if len(fitting) < 2:
        return fitting
    others = [other for other in names if other != name]
    taken = [answer for answer in fitting if any(answers_to(it, answer, apart) for it in others)]
    return [answer for answer in fitting if answer not in taken] or fitting


def answer_name(name: str, apart: bool) -> str:
    """What the expected answer to an input is called if nobody has called it anything yet."""
    path = Path(name)
    if path.suffix in ENDINGS:
        return path.stem + ENDINGS[path.suffix]
    if apart:
        return name
    number = INPUT.fullmatch(name)
    return f"solution{number[1]}.txt" if number else f"{path.stem}_sol.txt"


def _proof_name(name: str, answer: str, apart: bool, there: list[str]) -> str:
    """The proof there is, or what it would be called."""
    after_input, after_answer = f"{Path(name).stem}.json", f"{Path(answer).stem}.json"
    return after_input if apart and after_input in there else after_answer


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
