"""`grader assign`: puzzles of their own for every student of a class, all equally hard; and which
submission of a class gets which of them."""

from __future__ import annotations

import argparse
import json
import time
from dataclasses import dataclass, replace
from pathlib import Path

from grader.cli.options import GraderParser, jobs_of, progress, write_inside
from grader.grading.workers import run_in_processes
from grader.puzzles.evidence import NODES, find
from grader.puzzles.find import Case
from grader.puzzles.prove import Difficulty, PuzzleProof, as_json, measure_depth, stars
from grader.submissions.find import Submission
from grader.submissions.roster import folder_of, read_roster, write_roster
from solver.cli.console import tell
from solver.cli.options import number, one_of
from solver.cli.puzzle import make_hunt, parse_pieces, parse_plies
from solver.errors import FileError, UserError, counted
from solver.games import GAMES, game_named
from solver.search.score import win_in

ROSTER = "students.csv"  # beside the puzzles: who has which folder
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
class Order:
    """One puzzle for one student; the same order always gives the same puzzle."""

    game: str
    pieces: tuple[int, ...]
    win_in: int
    student: str  # the name of the folder
    number: int

    @property
    def seed(self) -> str:
        return f"{self.student}/{self.number}"


def make_parser() -> GraderParser:
    codes = {0: "every student has all puzzles", 130: "interrupted; what was found is written"}
    parser = GraderParser("assign", ABOUT, EXAMPLES, codes)
    parser.option("folder [OUT]", "where to write (default: assigned)")
    about = "a list from the course system, or ids line by line"
    parser.option("--students FILE", f"{about} (required)")
    parser.option("--pieces N", "pieces of both sides, or of each: 4v3", parse_pieces, (6,))
    plies = parse_plies(3, "a win takes an odd number of plies")
    parser.option("--win-in N", "the shortest win takes N plies (default: 9)", plies, 9)
    parser.option("--count N", "puzzles for each student (default: 5)", number(1, 100), 5)
    parser.option("--game NAME", " or ".join(GAMES), one_of(*GAMES), GAMES[0])
    parser.add_jobs()
    return parser


def run(arguments: argparse.Namespace) -> int:
    if not arguments.students:
        raise UserError("Name the students: --students FILE.")
    students = read_roster(Path(arguments.students))
    folder, kind = Path(arguments.folder or "assigned"), (arguments.game, arguments.pieces)
    orders = [
        Order(*kind, arguments.win_in, folder_of(student), count)
        for student in students
        for count in range(1, arguments.count + 1)
    ]
    left = [order for order in orders if not _is_there(folder, order)]
    write_inside(folder / ROSTER, write_roster(students))
    started = time.monotonic()
    with progress(len(orders), "puzzle", len(orders) - len(left)) as advance:
        for index, made in run_in_processes(make_puzzle, left, jobs_of(arguments)):
            (board, answer, proof), (here, there) = made, _places(folder, left[index])
            write_inside(here, board)
            write_inside(there, answer)
            write_inside(there.with_suffix(".json"), proof)  # the last: now it is there
            advance()
    _refuse_copies(folder, orders)
    done, seconds = counted(len(left), "puzzle"), time.monotonic() - started
    tell(f"grader: {done} for {counted(len(students), 'student')} in {seconds:.1f} s: {folder}")
    return 0


def make_puzzle(order: Order) -> tuple[str, str, str]:
    """The board, the expected answer and the proof.  A search needs at least half the depth of
    the win to see the best move: what is easier is left out."""
    rules = game_named(order.game)
    hunt = make_hunt(rules, win_in(order.win_in), order.pieces, order.seed)
    while (found := hunt.next()) is not None:
        findings = find(rules, found.position, nodes=NODES)
        depth, nodes = measure_depth(rules, found.position, findings.best)
        if depth is None or not order.win_in / 2 < depth <= order.win_in:
            continue
        truth = findings.truth(found.best[0], "board")
        difficulty = Difficulty(stars(nodes), depth, nodes, {}, None)
        proof = PuzzleProof(truth, findings.nodes, NODES, difficulty, confirms=True)
        return f"{rules.write(found.position, 'board')}\n", f"{truth.board}\n", as_json(proof)
    raise UserError(
        f"No win in {order.win_in} was found with these pieces. Try other --pieces or fewer plies."
    )


def _places(folder: Path, order: Order) -> tuple[Path, Path]:
    name = f"puzzle{order.number}.txt"
    return folder / "inputs" / order.student / name, folder / "expected" / order.student / name


def _is_there(folder: Path, order: Order) -> bool:
    path = _places(folder, order)[1].with_suffix(".json")
    try:
        known = json.loads(path.read_text("utf-8"))
    except FileNotFoundError:
        return False
    except (OSError, ValueError) as error:
        raise FileError(f"{path}: cannot be read: {error}") from None
    if (known.get("game"), known.get("value")) != (order.game, f"win in {order.win_in}"):
        raise UserError(f"{path}: this is another kind of puzzle. Name a new folder.")
    return True


def _refuse_copies(folder: Path, orders: list[Order]) -> None:
    """Random boards are hardly ever the same; if they are, nobody gets one that another has."""
    seen: dict[str, Path] = {}
    for order in orders:
        path = _places(folder, order)[0]
        other = seen.setdefault(path.read_text("utf-8"), path)
        if other is not path:
            raise UserError(f"{path} and {other} are the same board. Try more --pieces.")


def share_out(
    folder: Path, cases: list[Case], submissions: list[Submission]
) -> tuple[list[Case], list[Submission]]:
    """Each submission with the puzzles of its student, known by id or name.  One whose student has
    none gets no marks, and a reason."""
    owners: dict[str, str] = {}  # the folder that an id or a name stands for
    for student in read_roster(folder / ROSTER):
        for word in (student.name, student.id, folder_of(student)):
            owners[word.casefold()] = folder_of(student)
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
