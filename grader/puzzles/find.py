"""The puzzles of a batch: inputs, and what is expected of an answer."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from fnmatch import fnmatchcase
from pathlib import Path

from grader.grading.records import Visibility
from grader.pairs import HABITS, Pair, find_pairs
from solver.errors import FileError, UserError, did_you_mean
from solver.games import GAMES, game_named, game_of

ANSWERS = (".txt", ".json", ".ans", ".solution")
LARGEST = 1_000_000  # bytes; a line of a hundred boards is eight thousand


@dataclass(frozen=True)
class Case:
    """One puzzle.  `expected` may be empty where there is only a proof, and `proof` (the text
    of the JSON file) where there is only an expected board."""

    name: str  # such as `checkers/double-jump`
    game: str
    group: str
    input_path: Path
    input: bytes
    expected: bytes
    proof: str
    points: float = 1.0
    visibility: Visibility = Visibility.VISIBLE

    @property
    def text(self) -> str:
        """The board as text, whatever bytes it is made of."""
        return self.input.decode("utf-8", "replace")


@dataclass(frozen=True)
class About:
    """What an instructor says about some puzzles: those whose names fit one of the patterns,
    or, without patterns, those of the group."""

    group: str = ""  # puzzles named by patterns are put in it
    patterns: tuple[str, ...] = ()
    points: float | None = None
    visibility: Visibility | None = None

    def fits(self, case: Case) -> bool:
        if not self.patterns:
            return case.group == self.group
        base = case.name.rpartition("/")[2]
        return any(fnmatchcase(name, each) for each in self.patterns for name in (case.name, base))

    def applied(self, case: Case) -> Case:
        return replace(
            case,
            group=self.group or case.group,
            points=case.points if self.points is None else self.points,
            visibility=self.visibility or case.visibility,
        )


def find_cases(
    inputs: Path,
    expected: Path | None = None,
    about: Sequence[About] = (),
    points: float = 1.0,
    visibility: Visibility = Visibility.VISIBLE,
) -> tuple[list[Case], list[str]]:
    """The puzzles of a folder, or of one input file, and warnings about what was left out.

    Without an `expected` folder it is the one beside `inputs`, if it is called so, or the same.
    """
    pairs, warnings = _pairs(inputs, expected)
    groups = groups_of([pair.name for pair in pairs])
    cases = []
    for pair, group in zip(pairs, groups, strict=True):
        case, mended = case_from(pair, group)
        cases.append(replace(case, points=points, visibility=visibility))
        warnings += mended
    return _told(cases, about, warnings), warnings


def find_puzzles(
    inputs: Path, expected: Path | None = None
) -> tuple[list[tuple[Pair, Case]], list[str]]:
    """The same, with the files of each; inputs without any answer are puzzles too, and the
    folder of answers need not be there yet."""
    pairs, warnings = _pairs(inputs, expected, also_alone=True)
    groups = groups_of([pair.name for pair in pairs])
    puzzles = []
    for pair, group in zip(pairs, groups, strict=True):
        case, mended = case_from(pair, group)
        puzzles.append((pair, case))
        warnings += mended
    return puzzles, warnings


def _pairs(
    inputs: Path, expected: Path | None, also_alone: bool = False
) -> tuple[list[Pair], list[str]]:
    inputs, answers, only = _where(inputs, expected, also_alone)
    for folder in (inputs,) if also_alone else (inputs, answers):
        if not folder.is_dir():
            raise FileError(
                f"{folder}: there is no such folder. --inputs and --expected name the puzzles."
            )
    pairs, warnings = find_pairs(inputs, answers, also_alone)
    if only is not None:
        pairs = [pair for pair in pairs if pair.input.name == only]
        warnings = [warning for warning in warnings if warning.startswith(f"{inputs / only}:")]
    if not pairs:
        reasons = "".join(f"\n{warning}" for warning in warnings[:5])
        raise UserError(f"{inputs}: no puzzles found. Known are {HABITS}.{reasons}")
    return pairs, warnings


def secret_files(inputs: Path, expected: Path | None = None) -> list[Path]:
    """What no submission may see, as far as it lies in these folders: puzzles and answers."""
    inputs, answers, _ = _where(inputs, expected)
    pairs, _ = find_pairs(inputs, answers)
    files = [path for pair in pairs for path in (pair.input, *pair.answers)]
    if answers.resolve() != inputs.resolve():
        files += [path for path in answers.rglob("*") if path.suffix in ANSWERS]
    return files


def case_of(input_path: Path, expected: Path) -> Case:
    """One puzzle by its files; a proof beside the answer, of the same name, is taken too."""
    pair = Pair(input_path.stem, input_path, expected, expected.with_suffix(".json"))
    return replace(case_from(pair, "")[0], expected=_content(expected))


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


def case_from(pair: Pair, group: str) -> tuple[Case, list[str]]:
    """A puzzle whose board can be read, and what had to be mended in it."""
    content = _content(pair.input)
    text = content.decode("utf-8", "surrogateescape")
    folder = pair.name.split("/")[0]
    game = game_named(folder) if folder in GAMES and "/" in pair.name else game_of(text)
    _, _, mended = game.read(text, str(pair.input), False)
    case = Case(
        name=pair.name,
        game=game.NAME,
        group=group,
        input_path=pair.input,
        input=content,
        expected=_content(pair.expected) if pair.expected in pair.answers else b"",
        proof=_text(pair.proof) if pair.proof in pair.answers else "",
    )
    return case, [f"{pair.input}: {fault}" for fault in mended]


def _text(path: Path) -> str:
    return _content(path).decode("utf-8", "replace")


def _content(path: Path) -> bytes:
    try:
        with open(path, "rb") as file:
            content = file.read(LARGEST + 1)
    except OSError as error:
        raise FileError(f"{path}: {error.strerror}") from None
    if len(content) > LARGEST:
        raise UserError(f"{path}: more than {LARGEST} bytes, too large for a puzzle")
    return content


def groups_of(names: list[str]) -> list[str]:
    """For every name the words that it shares with all that begin with the same word.

    So `en-passant-invited` and `en-passant-now` are of the group `en-passant`, and `input1`
    and `input2` of `input`.  Numbers at the end are no words of a group.
    """
    shared: dict[tuple[str, str], list[str]] = {}
    for name in names:
        words = _words(name)
        start = (name.rpartition("/")[0], words[0])
        shared[start] = _common(shared.get(start, words), words)
    return ["-".join(shared[name.rpartition("/")[0], _words(name)[0]]).lower() for name in names]


def _words(name: str) -> list[str]:
    base = name.rpartition("/")[2]
    words = re.findall(r"[^\W\d_]+|\d+", base) or [base]
    while len(words) > 1 and words[-1].isdecimal():
        words.pop()
    return words


def _common(these: list[str], those: list[str]) -> list[str]:
    same = 0
    while same < min(len(these), len(those)) and these[same] == those[same]:
        same += 1
    return these[:same]


def _told(cases: list[Case], about: Sequence[About], warnings: list[str]) -> list[Case]:
    """The puzzles with everything that is said about them; the last word counts."""
    for each in about:
        if not any(each.fits(case) for case in cases):
            wanted = each.patterns or (each.group,)
            known = [case.name for case in cases] + sorted({case.group for case in cases})
            hint = "".join(did_you_mean(word, known) for word in wanted[:1])
            warnings.append(f"no puzzle is meant by {', '.join(map(repr, wanted))}.{hint}")
        cases = [each.applied(case) if each.fits(case) else case for case in cases]
    return cases


def select(cases: list[Case], name: str | None = None, word: str | None = None) -> list[Case]:
    """The puzzle of that name, whole or without its folder; those with the word in their name
    or group."""
    if name is not None:
        cases = [_named(cases, name)]
    if word is not None:
        found = [case for case in cases if word.lower() in f"{case.name} {case.group}".lower()]
        if not found:
            groups = sorted({case.group for case in cases})
            raise UserError(
                f"No puzzle has {word!r} in its name.{did_you_mean(word, groups)} "
                f"Groups: {', '.join(groups)}."
            )
        cases = found
    return cases


def _named(cases: list[Case], name: str) -> Case:
    wanted = name.removesuffix(".txt")
    found = [case for case in cases if case.name == wanted] or [
        case for case in cases if case.name.rpartition("/")[2] == wanted
    ]
    if len(found) == 1:
        return found[0]
    if found:
        raise UserError(f"{name!r} could be {' or '.join(case.name for case in found)}.")
    known = [case.name for case in cases] + [case.name.rpartition("/")[2] for case in cases]
    groups = ", ".join(sorted({case.group for case in cases}))
    raise UserError(f"There is no puzzle {name!r}.{did_you_mean(wanted, known)} Groups: {groups}.")
