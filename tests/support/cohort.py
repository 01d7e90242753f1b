"""A class of student programs, right ones and ones with one bug each, to measure the diagnosis.

The programs share no code with the hypotheses they are measured against.  What a seed draws is a
class of its own: engines, evaluations, depths, orders, ties and forms of the bugs differ.

    PYTHONPATH=tests:. python -m support.cohort SEED checkers/
"""

from __future__ import annotations

import json
import random
import sys
from collections.abc import Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from tempfile import gettempdir
from typing import Any

from grader.grading.grade import grade
from grader.grading.plan import Plan
from grader.grading.records import Diagnosis, Record, sha256
from grader.judge.diagnosis import diagnose, fit_all
from grader.puzzles.find import Case, find_cases
from grader.sandbox.job import Ending, Job, Outcome, RunLimits
from grader.submissions.find import Submission
from support import student_programs
from support.student_programs import Program

Ways = Mapping[str, Sequence[Any]]  # what programs are drawn from, field by field
SOURCE = Path(student_programs.__file__).read_text()
INPUTS = Path(__file__).parents[2] / "inputs"


@dataclass(frozen=True)
class Bug:
    """`name` is what a diagnosis calls it; bugs of one family are relatives."""

    key: str
    name: str
    family: str
    forms: Sequence[int] = (0, 0, 0)  # one for each program of a cohort
    built: Ways = field(default_factory=dict)  # where it can show itself

    @property
    def in_rules(self) -> bool:
        return self.family not in ("aim", "cache", "end", "reply")


GRID: Ways = {"engine": ["grid"]}
DEEP: Ways = {"depth": [4, 5, 6]}
CACHE: Ways = {"search": ["cache"], "depth": [5, 6]}
DEEPENING: Ways = {"search": ["deepening cache"], "depth": [5, 6]}
PRUNING: Ways = {"search": ["plain", "ends first"]}
WRAPS = "a piece that leaves the board at index -1 comes back on the other side"
CHECKERS_BUGS = [
    Bug("kings never back", "kings never move backward", "kings", [0, 0, 1]),
    Bug("kings never jump back", "kings step but never jump backward", "kings"),
    Bug("kings never step back", "kings jump but never step backward", "kings"),
    Bug("men jump back", "men jump backward", "men", [0, 0, 1]),
    Bug("one piece", "a jump ends after one piece", "jump"),
    Bug("stops early", "a jump may stop early", "jump"),
    Bug("jumps on", "a man that is crowned by a jump jumps on", "jump"),
    Bug("black uncrowned", "black is never crowned", "crown"),
    Bug("red uncrowned", "red is never crowned", "crown"),
    Bug("nobody crowned", "nobody is crowned", "crown"),
    Bug("jump does not crown", "a man is not crowned by a jump", "crown", [0, 0, 1]),
    Bug("optional", "jumps are optional", "must", [0, 1, 1]),
    Bug("own piece", "jumps are compulsory only for the piece that can jump", "must"),
    Bug("longest", "only the longest jump is allowed", "must", [0, 0, 1]),
    Bug("black up", "black's men move up", "crown", [0, 1, 1]),
    Bug("edge", "row 0, the top one, cannot be entered", "edge", [0]),
    Bug("edge", "column 0, on the left, cannot be entered", "edge", [1]),
    Bug("edge", "row 7, at the bottom, cannot be entered", "edge", [2]),
    Bug("edge", "column 7, on the right, cannot be entered", "edge", [3]),
    Bug("edge", "row 0 and column 0 cannot be entered", "edge", [4]),
    Bug("edge", "row 7 and column 7 cannot be entered", "edge", [5]),
    Bug("wraps", WRAPS, "edge", [0, 0, 1], GRID),
    Bug("no move", "a side without a legal move has not lost", "end", [0, 1, 1, 2], DEEP),
    Bug("wins alike", "all wins are worth the same", "end", [0] * 3, {**DEEP, "ties": ["last"]}),
    Bug("helps", "the opponent's moves are chosen to help", "reply", [0] * 4),
    Bug("sign", "the evaluation has the wrong sign", "aim", [0] * 4),
    Bug("minimises", "the program looks for its worst move", "aim", [0, 0, 1, 1]),
    # These hardly ever matter: the same board seldom comes back with another side or depth.
    Bug("cache side", "cached values are used for the other side to move", "cache", [0], DEEPENING),
    Bug("cache depth", "cached values are used for other depths", "cache", [0, 0], CACHE),
    Bug(
        *("cache board", "cached values are used for the other side and other depths", "cache"),
        *([0, 0], CACHE),
    ),
    Bug("cut", "the search cuts at the wrong bound", "reply", [0, 0, 1, 2], PRUNING),
]
TWOFLAGS_BUGS = [
    Bug("through", "a double step goes through a pawn", "step"),
    Bug("no en passant", "pawns never take en passant", "passing"),
    Bug(
        *("always en passant", "any pawn beside one on its fifth rank is taken en passant"),
        *("passing", [0, 0]),
    ),
    Bug("always en passant", "any pawn beside another is taken en passant", "passing", [1]),
    Bug("straight", "pawns take straight ahead", "step", [0, 0, 1]),
    Bug("promotion", "a pawn on the last rank has not won", "won"),
    Bug("no move", "a side without a legal move has not lost", "won", [0, 0, 1]),
    Bug("side", "the program always moves for white", "side", [0, 0]),
    Bug("side", "the program moves for the wrong side", "side", [1]),
]
# The ways programs are built: each is drawn from these.
CHECKERS: Ways = {
    "engine": ["grid", "pieces"],
    "search": ["plain", "ends first", "cache", "deepening cache"],
    "evaluation": list(student_programs.EVALUATIONS)[:10],
    "depth": [2, 3, 3, 4, 4, 5, 6],
    "order": ["as found", "reversed", "shuffled", "captures", "evaluation"],
    "ties": ["first", "first", "last", "random"],
    "seed": range(10**6),
    "patience": [300, 600, 900],
    "gives_up": [True, False, False, False],
}
ODD: Ways = {"evaluation": list(student_programs.EVALUATIONS)[10:-1], "depth": [1, 1, 2, 3, 4]}
TWOFLAGS: Ways = {
    "engine": ["pawns"],
    "evaluation": ["count", "race", "total", "both"],
    "depth": [2, 3, 4, 5],
    "order": ["as found", "reversed", "shuffled", "captures"],
    "search": ["plain", "cache"],
    "ties": ["first", "last", "random"],
    "seed": range(10**6),
}
ODD_PAWNS: Ways = {"evaluation": list(student_programs.PAWN_EVALUATIONS)[4:], "depth": [1, 1, 2]}


def cohort(seed: int, game: str = "checkers") -> list[Program]:
    """For each bug some programs that have it, and right ones, every other one of them odd."""
    checkers = game == "checkers"
    usual, odd = (CHECKERS, ODD) if checkers else (TWOFLAGS, ODD_PAWNS)

    def draw(number: int, ways: Ways, **bug: Any) -> Program:
        chance = random.Random(f"{seed} {number} {bug}")
        return Program(**{name: chance.choice(x) for name, x in {**usual, **ways}.items()}, **bug)

    buggy = [
        draw(number, bug.built, bug=bug.key, form=form)
        for bug in (CHECKERS_BUGS if checkers else TWOFLAGS_BUGS)
        for number, form in enumerate(bug.forms)
    ]
    right = [{"depth": [1, *usual["depth"]]}, odd] * (24 if checkers else 10)
    return buggy + [draw(number, ways) for number, ways in enumerate(right)]


def write_script(program: Program, path: Path) -> None:
    """The same program as a file that can be handed in."""
    path.write_text(f"{SOURCE}\n\nmain({program!r})\n")


def puzzles(word: str) -> list[Case]:
    return find_cases(INPUTS, word=word)[0]


def play(program: Program, boards: Sequence[str], memory: Path | None = None) -> list[str | None]:
    """A program's answers, remembered in a folder if there is one."""
    name = sha256((SOURCE + repr(program)).encode())
    file = memory / f"{name}.json" if memory else None
    known: dict[str, str | None] = json.loads(file.read_text()) if file and file.exists() else {}
    new = {board: program.answer(board) for board in boards if board not in known}
    if file and new:
        file.write_text(json.dumps(known | new))
    return [(known | new)[board] for board in boards]


def grade_answers(cases: Sequence[Case], answers: Sequence[str | None]) -> list[Record]:
    """The records of a program that gives these answers, or none in time."""
    submission = Submission("student", (), ())
    plan = Plan((submission,), tuple(cases), RunLimits())
    given = dict(zip((case.input for case in cases), answers, strict=True))

    def run(job: Job) -> Outcome:
        answer = given[job.input]
        if answer is None:
            return Outcome(Ending.CPU)
        return Outcome(Ending.EXIT, 0, output=answer.encode())

    return [grade(plan, task, run) for task in plan.tasks()]


@dataclass(frozen=True)
class Measured:
    """What the diagnosis makes of a program's answers."""

    program: Program
    diagnosis: Diagnosis
    ranked: list[str]  # all bugs, the most likely first
    without: list[str]  # named if the true bug is not among the hypotheses

    @property
    def bug(self) -> Bug | None:
        return bug_of(self.program)

    @property
    def named(self) -> list[str]:
        return [bug.name for bug in self.diagnosis.bugs]

    @property
    def is_right(self) -> bool:
        return (self.bug.name in self.named) if self.bug else not self.named

    @property
    def is_wrong(self) -> bool:
        return bool(self.named) and not self.is_right

    @property
    def is_strange(self) -> bool:
        """Without the true bug, what is named is no relative of it."""
        kin = {bug.name: bug.family for bug in known_bugs(self.program)}
        return any(kin.get(name) != (self.bug and self.bug.family) for name in self.without)


def known_bugs(program: Program) -> list[Bug]:
    return TWOFLAGS_BUGS if program.engine == "pawns" else CHECKERS_BUGS


def bug_of(program: Program) -> Bug | None:
    known = known_bugs(program)
    return next((x for x in known if x.key == program.bug and program.form in x.forms), None)


def measure(programs: Sequence[Program], word: str, memory: Path | None = None) -> list[Measured]:
    """Let programs solve the puzzles with this word in their names, and diagnose them."""
    cases = puzzles(word)
    ask = partial(play, boards=[case.text for case in cases], memory=memory)
    if len(programs) < 20:
        answers = list(map(ask, programs))
    else:
        with ProcessPoolExecutor(2) as pool:
            answers = list(pool.map(ask, programs))
    measured = []
    for program, given in zip(programs, answers, strict=True):
        records, bug = grade_answers(cases, given), bug_of(program)
        without = diagnose(records, leave_out=[bug.name]).bugs if bug else ()
        fits = fit_all(records)
        ranked = [each.name for each, _ in fits.bugs] if fits else []
        named = [each.name for each in without]
        measured.append(Measured(program, diagnose(records), ranked, named))
    return measured


def summarise(measured: Sequence[Measured]) -> str:
    """The table of a measurement, and what was missed or wrong."""
    lines = []
    for title, kind in (("rule bugs", True), ("search bugs", False)):
        chosen = [(x, x.bug) for x in measured if x.bug and x.bug.in_rules is kind]
        first = sum(x.ranked[:1] == [bug.name] for x, bug in chosen)
        alone = sum(x.named == [bug.name] for x, bug in chosen)
        named, wrong = sum(x.is_right for x, _ in chosen), sum(x.is_wrong for x, _ in chosen)
        lines.append(
            f"{len(chosen)} {title}: {first} ranked first, {named} named ({alone} alone), "
            f"{wrong} wrong"
        )
    right = [x for x in measured if not x.bug]
    lines.append(f"{len(right)} right: {sum(x.is_wrong for x in right)} accused")
    without = sum(bool(x.without) for x in measured)
    strange = [x for x in measured if x.is_strange]
    lines.append(f"true bug taken out: {without} named, {len(strange)} not a relative")
    lines += [f"- taken out: {x.program.bug} {x.program.form}: {x.without}" for x in strange]
    for x in measured:
        if not x.is_right:
            found = [(b.name, b.shown, f"{b.matching}/{b.telling}") for b in x.diagnosis.bugs]
            lines.append(f"- {x.program}: {found}, ranked {x.ranked[:3]}")
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    folder = Path(gettempdir()) / "cohort"
    folder.mkdir(exist_ok=True)
    seed, word = int(sys.argv[1]), sys.argv[2]
    programs = cohort(seed, word.partition("/")[0])
    sys.stdout.write(summarise(measure(programs, word, folder)))
