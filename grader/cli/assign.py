"""`grader assign`: puzzles of their own for every student of a class, all equally hard; and which
submission of a class gets which of them."""

from __future__ import annotations

import argparse
import csv
import io
import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from pathlib import Path

from grader.cli.options import GraderParser, jobs_of, progress, read_csv, write_inside
from grader.grading.records import Student
from grader.grading.workers import run_in_processes
from grader.puzzles.evidence import NODES, find
from grader.puzzles.find import Case, proof_fields
from grader.puzzles.prove import PuzzleProof, as_json, measure
from grader.submissions.find import Submission
from solver.cli.console import tell
from solver.cli.options import number, one_of
from solver.cli.puzzle import make_hunt, parse_pieces, parse_plies
from solver.errors import BYTE_ORDER_MARK, UserError, counted
from solver.games import GAMES, game_named
from solver.games.puzzle import read_text
from solver.search.score import win_in

ROSTER = "students.csv"  # beside the puzzles: who has which folder
# The heads of columns in the lists of Canvas, Moodle and Gradescope, the surest first.
IDS = (
    *("id", "identifier", "student id", "studentid", "id number", "sid", "sis user id"),
    *("username", "sis login id", "login", "email", "email address"),
)
NAMES = ("name", "student", "student name", "full name")
FIRST, LAST = ("first name", "given name"), ("last name", "surname", "family name")
UNSAFE = re.compile(r"[^\w.@+-]")
EXAMPLES = """\
  grader assign --students roster.csv
  grader assign --students roster.csv --pieces 6 --win-in 9 --count 5 homework
  grader class submissions.zip --assigned homework
"""
ABOUT = """\
Gives every student puzzles of their own: proven wins in the same number of plies, with one best
move, and about as hard as the others'. The same id gives the same puzzles.

OUT/inputs/ID is for the student, OUT/expected is for you. What is there already is kept, so that
an interrupted command can be repeated."""


@dataclass(frozen=True)
class Assignment:
    """One puzzle for one student; the same order always gives the same puzzle."""

    game: str
    pieces: tuple[int, ...]
    win_in: int
    student: str  # the name of the folder
    number: int

    def places(self, folder: Path) -> tuple[Path, Path]:
        """Of the board and of the expected answer."""
        name = f"puzzle{self.number}.txt"
        return folder / "inputs" / self.student / name, folder / "expected" / self.student / name

    def is_done(self, folder: Path) -> bool:
        """Whether the proof is there, which is written last."""
        path = self.places(folder)[1].with_suffix(".json")
        if not path.exists():
            return False
        known = proof_fields(read_text(str(path), str(path)))
        if (known.get("game"), known.get("value")) != (self.game, f"win in {self.win_in}"):
            raise UserError(f"{path}: this is another kind of puzzle. Name a new folder.")
        return True


def make_parser() -> GraderParser:
    codes = {0: "every student has all puzzles", 130: "interrupted; what was found is written"}
    parser = GraderParser("assign", ABOUT, EXAMPLES, codes)
    parser.option("folder [OUT]", "where to write (default: assigned)")
    about = "a list from the course system, or ids line by line"
    parser.option("--students FILE", f"{about} (required)")
    parser.option("--pieces N", "pieces of both sides, or of each: 4v3", parse_pieces, "6")
    plies = parse_plies(3, "a win takes an odd number of plies")
    parser.option("--win-in N", "the shortest win takes N plies (default: 9)", plies, 9)
    parser.option("--count N", "puzzles for each student (default: 5)", number(1, 100), 5)
    parser.option("--game NAME", " or ".join(GAMES), one_of(*GAMES), GAMES[0])
    parser.add_jobs()
    return parser


def run(arguments: argparse.Namespace) -> int:
    if not arguments.students:
        raise UserError("Name the students: --students FILE.")
    students, folder = read_roster(Path(arguments.students)), Path(arguments.folder or "assigned")
    orders = [
        Assignment(arguments.game, arguments.pieces, arguments.win_in, folder_of(student), count)
        for student in students
        for count in range(1, arguments.count + 1)
    ]
    left = [order for order in orders if not order.is_done(folder)]
    write_inside(folder / ROSTER, read_csv(arguments.students))
    with progress(len(orders), "puzzle", len(orders) - len(left)) as advance:
        for index, made in run_in_processes(make_puzzle, left, jobs_of(arguments)):
            (board, answer, proof), (here, there) = made, left[index].places(folder)
            write_inside(here, board)
            write_inside(there, answer)
            write_inside(there.with_suffix(".json"), proof)
            advance()
    copies = len(orders) - len({order.places(folder)[0].read_bytes() for order in orders})
    if copies:
        raise UserError(f"{folder}: {copies} of the boards are there twice. Try more --pieces.")
    done = counted(len(left), "puzzle")
    tell(f"grader: {done} for {counted(len(students), 'student')}: {folder}")
    return 0


def make_puzzle(order: Assignment) -> tuple[str, str, str]:
    """The board, the expected answer and the proof.  A search needs at least half the depth of
    the win to see the best move: what is easier is left out."""
    rules, seed = game_named(order.game), f"{order.student}/{order.number}"
    hunt = make_hunt(rules, win_in(order.win_in), order.pieces, seed)
    while (found := hunt.next()) is not None:
        findings = find(rules, found.position, nodes=NODES)
        difficulty = measure(rules, found.position, findings.best)
        if not order.win_in / 2 < (difficulty.depth or 0) <= order.win_in:
            continue
        truth = findings.truth(found.best[0], "board")
        proof = PuzzleProof(truth, findings.nodes, NODES, difficulty, confirms=True)
        return f"{rules.write(found.position, 'board')}\n", f"{truth.board}\n", as_json(proof)
    raise UserError(
        f"No win in {order.win_in} was found with these pieces. Try other --pieces or fewer plies."
    )


def read_roster(path: Path) -> list[Student]:
    """The students of a list from a course system, or of plain ids, perhaps with names; without an
    id it is the name."""
    text = read_csv(str(path)).removeprefix(BYTE_ORDER_MARK)
    reader = csv.reader(io.StringIO(text, newline=""))
    try:
        rows = [[cell.strip() for cell in row] for row in reader if any(row)]
    except csv.Error as error:
        raise UserError(f"{path}: line {reader.line_num}: {error}") from None
    heads = [cell.lower() for cell in rows[0]] if rows else []
    if set(heads).isdisjoint((*IDS, *NAMES, *FIRST)):
        heads, rows = ["id", "name"], [[], *rows]
    students = []
    for row in rows[1:]:
        cells = dict(zip(heads, row, strict=False))
        name = f"{_cell(cells, FIRST)} {_cell(cells, LAST)}".strip() or _cell(cells, NAMES)
        found = _cell(cells, IDS).removeprefix("Participant ")  # Moodle's worksheet
        # Canvas has a line of points that belongs to nobody.
        if found or (name and set(heads).isdisjoint(IDS)):
            students.append(Student(name or found, found or name))
    folders = [folder_of(student) for student in students]
    twice = sorted({folder for folder in folders if folders.count(folder) > 1})
    if twice or not students:
        fault = f"these ids are there twice: {', '.join(twice)}" if twice else "no students found"
        raise UserError(f"{path}: {fault}. A roster has a column 'id' or 'name', or one id a line.")
    return students


def _cell(cells: dict[str, str], heads: Iterable[str]) -> str:
    """The first of these that is filled in."""
    return next((cells[head] for head in heads if cells.get(head)), "")


def folder_of(student: Student) -> str:
    """The name of a student's folder, whatever the id is made of."""
    return UNSAFE.sub("_", student.id).lstrip(".") or "_"


def share_out(
    folder: Path, cases: list[Case], submissions: list[Submission]
) -> tuple[list[Case], list[Submission]]:
    """Each submission with the puzzles of its student, known by id or name.  One whose student has
    none gets no marks, and a reason."""
    owners = {
        word.casefold(): folder_of(student)
        for student in read_roster(folder / ROSTER)
        for word in (student.name, student.id, folder_of(student))
    }
    sets: dict[str, list[Case]] = {}
    for case in cases:
        owner, _, name = case.name.partition("/")
        sets.setdefault(owner, []).append(replace(case, name=name))
    any_set, shared, named = next(iter(sets.values())), [], []
    for each in submissions:
        who = () if each.student is None else (each.student.id, each.student.name)
        words = [word.casefold() for word in (*who, each.name)]
        own = next((owners[word] for word in words if word in owners), "")
        fault = "" if own in sets else "no puzzles are assigned to this student"
        named.append(replace(each, fault=each.fault or fault))
        shared += [replace(case, owner=each.name) for case in sets.get(own, any_set)]
    return shared, named
