"""The puzzles of a batch: which file is an input, which its expected answer (`KNOWN`), and what
they hold.  A proof is beside the expected answer and has its name with `.json`, or in two folders
the input's."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from fnmatch import fnmatchcase
from functools import lru_cache
from itertools import pairwise, takewhile
from pathlib import Path
from typing import Any

from grader.grading.records import Visibility
from grader.puzzles.truth import Truth
from solver.errors import FileError, UserError, did_you_mean
from solver.games import GAMES, ReadBoard, game_named, game_of, plain_text
from solver.games.bugs import PROBE
from solver.search.position import Position

KNOWN = (
    "input1.txt with solution1.txt or solution_1.txt, X.txt with X_sol.txt, X.in with X.ans, "
    "X.test with X.solution, or inputs/X.txt with expected/X.txt"
)
ENDINGS = {".in": ".ans", ".test": ".solution"}
SOLUTION = re.compile(r"solution[-_ ]?(\d+)\.txt", re.IGNORECASE)
NUMBERED = re.compile(r"[^\d].*?(\d+)\.txt", re.IGNORECASE)
INPUT = re.compile(r"input[-_ ]?(\d+)\.txt", re.IGNORECASE)
PLACES = re.compile(r"\{(input|output|submission)\}")  # would be filled in, in a command
ANSWERS = (".txt", ".json", ".ans", ".solution")
LARGEST = 1_000_000  # bytes; a line of a hundred boards is eight thousand


@dataclass(frozen=True)
class PuzzleFiles:
    """An input with its expected board, its proof, or both: where they are, or would be."""

    name: str  # such as `checkers/double-jump`: the path of the input without its ending
    input_path: Path
    expected_path: Path = Path()
    proof_path: Path = Path()
    group: str = ""
    points: float = 1.0
    visibility: Visibility = Visibility.VISIBLE

    @property
    def answers(self) -> list[Path]:
        """The answers that are there."""
        return [path for path in (self.expected_path, self.proof_path) if path.is_file()]

    def read(self) -> tuple[Case, list[str]]:
        """A puzzle whose board can be read, and what had to be repaired in it."""
        content = _content(self.input_path)
        there = {path: _content(path) for path in self.answers}
        proof = there.get(self.proof_path, b"").decode("utf-8", "replace")
        named = [*self.name.split("/")[:-1][:1], proof_fields(proof).get("game")]
        game = next((name for name in named if name in GAMES), None)
        case = Case(
            **vars(self),
            game=game or game_of(content.decode("utf-8", "replace")).NAME,
            input=content,
            expected=there.get(self.expected_path, b""),
            proof=proof,
        )
        return case, [f"{self.input_path}: {fault}" for fault in board_of(case).warnings]


@dataclass(frozen=True, kw_only=True)
class Case(PuzzleFiles):
    """One puzzle with its contents.  `expected` may be empty where there is only a proof, and
    `proof` (the text of the JSON file) where there is only an expected board; `truth` is what was
    then found out before the grading began."""

    game: str
    input: bytes
    expected: bytes
    proof: str
    owner: str = ""  # the only submission that gets it, if it was assigned to one student
    truth: Truth | None = field(default=None, compare=False)

    @property
    def text(self) -> str:
        """The board as plain text, whatever bytes it is made of."""
        return plain_text(self.input.decode("utf-8", "replace"))

    @property
    def given(self) -> bytes:
        """What programs get: the file as it is, or a plain board if it had to be repaired."""
        if self.text == self.input.decode("utf-8", "replace"):
            return self.input
        rows = self.text.split("\n")
        return "\n".join(rows if game_named(self.game).BOARD_NAMES_SIDE else rows[:8]).encode()


@lru_cache(maxsize=1024)
def board_of(case: Case) -> ReadBoard[Position]:
    """The position of a puzzle, parsed once, by the rules that its proof names."""
    text, source = case.input.decode("utf-8", "replace"), str(case.input_path)
    return game_named(case.game).read(text, source, False, variant_of(case))


def variant_of(case: Case) -> str:
    variant = proof_fields(case.proof).get("variant")
    return str(variant) if variant in game_named(case.game).VARIANTS else ""


def proof_fields(proof: str) -> dict[str, Any]:
    """The fields of a JSON file, whatever they are; none if it is not readable."""
    try:
        fields = json.loads(proof)
    except (ValueError, RecursionError):
        return {}
    return fields if isinstance(fields, dict) else {}


@dataclass(frozen=True)
class About:
    """What an instructor says about some puzzles: those whose names match one of the patterns,
    or, without patterns, those of the group.  What is said later takes precedence."""

    group: str = ""  # puzzles named by patterns are put in it
    patterns: tuple[str, ...] = ()
    points: float | None = None
    visibility: Visibility | None = None

    def fits(self, puzzle: PuzzleFiles) -> bool:
        if not self.patterns:
            return puzzle.group == self.group
        names = (puzzle.name, _base(puzzle.name))
        return any(fnmatchcase(name, pattern) for pattern in self.patterns for name in names)

    def apply(self, puzzle: PuzzleFiles) -> PuzzleFiles:
        return replace(
            puzzle,
            group=self.group or puzzle.group,
            points=puzzle.points if self.points is None else self.points,
            visibility=self.visibility or puzzle.visibility,
        )


def choose_folders(inputs: Path | None, expected: Path | None) -> tuple[Path, Path | None]:
    """The folders of puzzles and answers: those that are named, else `inputs` here, else the
    collection that comes with the grader."""
    if inputs is not None or Path("inputs").exists():
        return inputs or Path("inputs"), expected
    shipped = shipped_puzzles()
    if shipped is None:
        return Path("inputs"), expected
    return shipped / "inputs", expected or shipped / "expected"


def shipped_puzzles() -> Path | None:
    """Where the collection is: installed, inside this package; in a checkout, beside it."""
    here = Path(__file__).resolve()
    for folder in (here.with_name("collection"), here.parents[2]):
        if (folder / "inputs").is_dir() and (folder / "expected").is_dir():
            return folder
    return None


def find_cases(
    inputs: Path,
    expected: Path | None = None,
    about: Sequence[About] = (),
    *,
    name: str | None = None,
    word: str | None = None,
) -> tuple[list[Case], list[str]]:
    """The puzzles of a folder, or of one input file, and warnings about what was left out.  Without
    an `expected` folder it is the one beside `inputs`, if it is called so, or the same."""
    puzzles, warnings = find_puzzles(inputs, expected)
    for each in about:
        if not any(each.fits(puzzle) for puzzle in puzzles):
            wanted = each.patterns or (each.group,)
            hint = did_you_mean(wanted[0], [one.name for one in puzzles] + _groups(puzzles))
            warnings.append(f"no puzzle is meant by {', '.join(map(repr, wanted))}.{hint}")
        puzzles = [each.apply(puzzle) if each.fits(puzzle) else puzzle for puzzle in puzzles]
    cases, repaired = read_selected(puzzles, name, word)
    return cases, warnings + repaired


def find_puzzles(
    inputs: Path, expected: Path | None = None, also_alone: bool = False
) -> tuple[list[PuzzleFiles], list[str]]:
    """The files of all puzzles, found by their names.  Inputs without an answer are left out, or
    get the names of files that are not there yet; then the folder need not be there either."""
    inputs, answers, only = _where(inputs, expected, also_alone)
    for folder in (inputs,) if also_alone else (inputs, answers):
        if not folder.is_dir():
            raise FileError(
                f"{folder}: there is no such folder. --inputs and --expected name the puzzles."
            )
    puzzles, warnings = _find_pairs(inputs, answers, also_alone)
    if only is not None:
        puzzles = [puzzle for puzzle in puzzles if puzzle.input_path.name == only]
        warnings = [warning for warning in warnings if warning.startswith(f"{inputs / only}:")]
    if not puzzles:
        reasons = "".join(f"\n{warning}" for warning in warnings[:5])
        raise UserError(f"{inputs}: no puzzles found. Known are {KNOWN}.{reasons}")
    groups = groups_of([puzzle.name for puzzle in puzzles])
    return [
        replace(puzzle, group=group, points=0.0 if group == PROBE else 1.0)
        for puzzle, group in zip(puzzles, groups, strict=True)
    ], warnings


def select(
    puzzles: list[PuzzleFiles], name: str | None = None, word: str | None = None
) -> list[PuzzleFiles]:
    """The puzzle of that name, whole or without its folder; those with the word in their name
    or group."""
    if name is not None:
        puzzles = [_named(puzzles, name)]
    if word is None:
        return puzzles
    found = [each for each in puzzles if word.lower() in f"{each.name} {each.group}".lower()]
    if not found:
        groups = _groups(puzzles)
        raise UserError(
            f"No puzzle has {word!r} in its name.{did_you_mean(word, groups)} "
            f"Groups: {', '.join(groups)}."
        )
    return found


def read_selected(
    puzzles: list[PuzzleFiles], name: str | None, word: str | None
) -> tuple[list[Case], list[str]]:
    """Those that `select` chooses, and what had to be repaired in them."""
    found = [each.read() for each in select(puzzles, name, word)]
    return [case for case, _ in found], [fault for _, faults in found for fault in faults]


def _named(puzzles: list[PuzzleFiles], name: str) -> PuzzleFiles:
    wanted = name.removesuffix(".txt")
    whole = [each for each in puzzles if each.name == wanted]
    found = whole or [each for each in puzzles if _base(each.name) == wanted]
    if len(found) == 1:
        return found[0]
    if found:
        raise UserError(f"{name!r} could be {' or '.join(each.name for each in found)}.")
    hint = did_you_mean(
        wanted, [word for each in puzzles for word in (each.name, _base(each.name))]
    )
    raise UserError(f"There is no puzzle {name!r}.{hint} Groups: {', '.join(_groups(puzzles))}.")


def _groups(puzzles: list[PuzzleFiles]) -> list[str]:
    return sorted({puzzle.group for puzzle in puzzles})


def _base(name: str) -> str:
    return name.rpartition("/")[2]


def secret_files(inputs: Path, expected: Path | None = None) -> list[Path]:
    """What no submission may see, as far as it is in these folders: puzzles and answers.  The
    collection that comes with the grader is public."""
    if inputs.is_absolute() and inputs.parent == shipped_puzzles():
        return []
    inputs, answers, _ = _where(inputs, expected)
    puzzles, _ = _find_pairs(inputs, answers, also_alone=False)
    files = [path for puzzle in puzzles for path in (puzzle.input_path, *puzzle.answers)]
    if answers.resolve() != inputs.resolve():
        files += [path for path in answers.rglob("*") if path.suffix in ANSWERS]
    return list(dict.fromkeys(files))


def case_of(input_path: Path, expected: Path) -> Case:
    """One puzzle by its files; a proof beside the answer, of the same name, is read too."""
    files = PuzzleFiles(input_path.stem, input_path, expected, expected.with_suffix(".json"))
    return replace(files.read()[0], expected=_content(expected))


def _content(path: Path) -> bytes:
    try:
        with open(path, "rb") as file:
            content = file.read(LARGEST + 1)
    except OSError as error:
        raise FileError(f"{path}: {error.strerror}") from None
    if len(content) > LARGEST:
        raise UserError(f"{path}: more than {LARGEST} bytes, too large for a puzzle")
    return content


def _where(
    inputs: Path, expected: Path | None, to_be_made: bool = False
) -> tuple[Path, Path, str | None]:
    """The folders of inputs and answers, and the one input that is wanted, if it is one."""
    only = inputs.name if inputs.is_file() else None
    if only is not None:
        inputs = inputs.parent
    elif (inputs / "inputs").is_dir():
        inputs = inputs / "inputs"
    return inputs, _answers_of(inputs, to_be_made) if expected is None else expected, only


def _answers_of(inputs: Path, to_be_made: bool) -> Path:
    """`sets/expected/checkers` for `sets/inputs/checkers`, if there is one, or the same folder;
    what is to be made is put there as soon as there is a `sets/expected` or a `sets/inputs`."""
    parts = inputs.resolve().parts
    if "inputs" not in parts:
        return inputs
    at = len(parts) - 1 - parts[::-1].index("inputs")
    twin = Path(*parts[:at], "expected", *parts[at + 1 :])
    top = Path(*parts[:at], "expected")
    may_be_made = to_be_made and (top.is_dir() or at == len(parts) - 1)
    return twin if twin.is_dir() or may_be_made else inputs


def groups_of(names: list[str]) -> list[str]:
    """For every name the words that it shares with all that begin with the same word: `en-passant`
    for `en-passant-invited` and `en-passant-now`.  Numbers at the end are not words of a group."""
    shared: dict[tuple[str, str], list[str]] = {}
    starts = []
    for name in names:
        words = re.findall(r"[^\W\d_]+|\d+", _base(name)) or [_base(name)]
        while len(words) > 1 and words[-1].isdecimal():
            words.pop()
        start = (name.rpartition("/")[0], words[0])
        starts.append(start)
        both = takewhile(
            lambda pair: pair[0] == pair[1], zip(shared.get(start, words), words, strict=False)
        )
        shared[start] = [word for word, _ in both]
    return ["-".join(shared[start]).lower() for start in starts]


def decode_path(path: str) -> str:
    """A path as text: names that are not UTF-8 are read as Latin-1, and no place of a command is
    in it."""
    text = path.encode("utf-8", "surrogateescape")
    try:
        path = text.decode()
    except UnicodeDecodeError:
        path = text.decode("latin-1")
    return PLACES.sub(r"(\1)", path)


def natural(name: str) -> list[tuple[int, int, str]]:
    """A sort key that puts `input2` before `input10`."""
    words = re.split(r"(\d+)", name)
    return [(1, int(word), word) if word.isdecimal() else (0, 0, word) for word in words]


def _find_pairs(
    inputs: Path, expected: Path, also_alone: bool
) -> tuple[list[PuzzleFiles], list[str]]:
    pairs: list[PuzzleFiles] = []
    warnings: list[str] = []
    for folder, inner, _ in os.walk(inputs, onerror=_refuse_unreadable):
        inner[:] = sorted(name for name in inner if not name.startswith("."))
        found, odd = _pairs_of(inputs, Path(folder), expected, also_alone)
        pairs += found
        warnings += odd
    pairs.sort(key=lambda pair: natural(pair.name))
    for one, other in pairwise(pairs):
        if one.name == other.name:
            raise UserError(
                f"{one.input_path} and {other.input_path}: both puzzles would be called"
                f" {one.name}. Rename one of them."
            )
    return pairs, warnings


def _refuse_unreadable(error: OSError) -> None:
    raise FileError(f"{error.filename}: {error.strerror}")


def _pairs_of(
    top: Path, folder: Path, expected: Path, also_alone: bool
) -> tuple[list[PuzzleFiles], list[str]]:
    """The pairs of one folder of inputs and the folder of answers that belongs to it."""
    answers = expected / folder.relative_to(top)
    apart = folder.resolve() != answers.resolve()
    there = _files(answers)
    inputs = [name for name in _files(folder) if _is_input(name)]
    pairs: list[PuzzleFiles] = []
    warnings: list[str] = []
    taken: dict[str, str] = {}
    for name in inputs:
        found = _find_answers(name, there, apart)
        if len(found) > 1:
            raise UserError(f"{folder / name}: expected is {' or '.join(found)}. Keep one.")
        answer = found[0] if found else _answer_name(name, apart)
        after_input = f"{Path(name).stem}.json"
        proof = after_input if apart and after_input in there else f"{Path(answer).stem}.json"
        if not (found or proof in there or also_alone):
            warnings.append(f"{folder / name}: left out, there is no expected file for it")
            continue
        if answer in taken:
            raise UserError(
                f"{answers / answer}: is it for {taken[answer]} or {name}? Rename one of them."
            )
        taken[answer] = name
        place = decode_path((folder.relative_to(top) / name).with_suffix("").as_posix())
        pairs.append(PuzzleFiles(place, folder / name, answers / answer, answers / proof))
    warnings += [
        f"{answers / name}: there is no input for it"
        for name in there
        if name not in taken and (_is_answer(name) or (apart and name.endswith(".txt")))
    ]
    return pairs, warnings


def _files(folder: Path) -> list[str]:
    """Names in an order that does not depend on the machine."""
    try:
        return sorted(entry.name for entry in os.scandir(folder) if entry.is_file())
    except (FileNotFoundError, NotADirectoryError):
        return []
    except OSError as error:
        raise FileError(f"{folder}: {error.strerror}") from None


def _find_answers(name: str, there: list[str], apart: bool) -> list[str]:
    """The answers that there are for an input: of its whole name, else of its number."""
    stem, ending = Path(name).stem, Path(name).suffix
    named = {f"{stem}_sol.txt", name if apart else ""}
    if ending in ENDINGS:
        named = {stem + ENDINGS[ending]}
    if found := [answer for answer in there if answer in named]:
        return found
    number = NUMBERED.fullmatch(name)
    return [
        answer
        for answer in there
        if number and (known := SOLUTION.fullmatch(answer)) and int(known[1]) == int(number[1])
    ]


def _answer_name(name: str, apart: bool) -> str:
    """The name of an expected answer that is not there yet."""
    path = Path(name)
    if path.suffix in ENDINGS:
        return path.stem + ENDINGS[path.suffix]
    if apart:
        return name
    number = INPUT.fullmatch(name)
    return f"solution{number[1]}.txt" if number else f"{path.stem}_sol.txt"


def _is_answer(name: str) -> bool:
    """Whether a name says by itself that this is an expected answer."""
    return name.endswith(("_sol.txt", *ENDINGS.values())) or SOLUTION.fullmatch(name) is not None


def _is_input(name: str) -> bool:
    known = name.endswith((".txt", *ENDINGS))
    return known and not name.startswith(".") and not _is_answer(name)
