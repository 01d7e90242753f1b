"""`grader prove`: the expected files of puzzles, checked or written."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from concurrent.futures import as_completed
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass
from pathlib import Path

from tabulate import tabulate

from grader.cli.options import (
    GraderParser,
    add_jobs,
    add_puzzles,
    add_settings,
    file_settings,
    jobs_of,
    progress,
)
from grader.grading.workers import processes
from grader.puzzles.find import Case, PuzzleFiles, find_puzzles, select
from grader.puzzles.prove import MOST_NODES, NODES, Proof, as_json, differences, prove_again
from solver.cli.console import shown, tell
from solver.cli.files import write_text
from solver.cli.options import number
from solver.errors import FileError, UserError, counted

EXAMPLES = """\
  grader prove                              # is all of expected/ still so?
  grader prove -k shot -j 4
  grader prove --inputs mine --write        # proofs for your own puzzles
  grader prove -k ending --nodes 50000000 --write
"""
EXIT_CODES = """exit codes:
  0    every file is as it should be, or has been written
  1    some file is not as it should be; an expected board of your own is not the best
  2    wrong usage, or a malformed puzzle
  3    a file that cannot be read or written
  130  interrupted; what was proven by then is written
"""
HEADERS = ("puzzle", "value", "proven", "moves", "nodes", "difficulty", "files")
ALIGNED = ("left", "left", "left", "right", "right", "left", "left")


def make_parser() -> GraderParser:
    parser = GraderParser(
        command="prove",
        about="Proves what every move of a puzzle is worth, and compares or writes the expected\n"
        "files: a best move's board, and a JSON file with all values.",
        examples=EXAMPLES,
        codes=EXIT_CODES,
    )
    add_puzzles(parser)
    proving = parser.add_argument_group("proving")
    what = proving.add_mutually_exclusive_group()
    what.add_argument(
        "--check", action="store_true", help="compare with the expected files (default)"
    )
    what.add_argument(
        "--write", action="store_true", help="write what is missing or not as it should be"
    )
    proving.add_argument(
        "--nodes",
        metavar="N",
        type=number(1, MOST_NODES),
        help=f"for one puzzle (default: those of the proof there is, or {NODES})",
    )
    add_jobs(proving)
    add_settings(proving)
    return parser


@dataclass(frozen=True)
class Puzzle:
    files: PuzzleFiles
    case: Case


@dataclass(frozen=True)
class Line:
    """One puzzle in the table, and what is wrong with it."""

    puzzle: Puzzle
    proof: Proof | None
    files: str
    faults: list[str]

    def row(self) -> list[str]:
        name = shown(self.puzzle.case.name)
        if self.proof is None:
            return [name, *["-"] * (len(HEADERS) - 2), self.files]
        truth = self.proof.truth
        return [
            name,
            str(truth.value or "-"),
            truth.proven,
            str(len(truth.moves)),
            str(self.proof.nodes),
            str(self.proof.difficulty or "-"),
            self.files,
        ]


def run(arguments: argparse.Namespace) -> int:
    puzzles = _puzzles(arguments)
    lines: dict[str, Line] = {}
    try:
        with progress(len(puzzles), "puzzle") as bar:
            for puzzle, proof in _proofs(puzzles, arguments.nodes, jobs_of(arguments)):
                lines[puzzle.case.name] = _settled(puzzle, proof, arguments.write)
                bar.set_postfix_str(puzzle.case.name, refresh=False)
                bar.update()
    except (KeyboardInterrupt, UserError):
        safe = ", and what was wrong is written" if arguments.write else ""
        tell(f"grader: proven: {len(lines)} of {counted(len(puzzles), 'puzzle')}{safe}.")
        raise
    return _report([lines[puzzle.case.name] for puzzle in puzzles])


def _puzzles(arguments: argparse.Namespace) -> list[Puzzle]:
    settings = file_settings(arguments)
    inputs = Path(arguments.inputs) if arguments.inputs else settings.inputs or Path("inputs")
    expected = Path(arguments.expected) if arguments.expected else settings.expected
    found, warnings = find_puzzles(inputs, expected, also_alone=True)
    puzzles = []
    for files in select(found, arguments.puzzle, arguments.word):
        case, repaired = files.read()
        puzzles.append(Puzzle(files, case))
        warnings += repaired
    for warning in warnings:
        tell(f"grader: {warning}")
    return puzzles


def _proofs(
    puzzles: list[Puzzle], nodes: int | None, jobs: int
) -> Iterator[tuple[Puzzle, Proof | str]]:
    """Every puzzle with its proof, as soon as there is one."""
    if min(jobs, len(puzzles)) == 1:
        for puzzle in puzzles:
            yield puzzle, prove_again(puzzle.case, nodes)
        return
    with processes(min(jobs, len(puzzles))) as executor:
        begun = {executor.submit(prove_again, each.case, nodes): each for each in puzzles}
        for future in as_completed(begun):
            try:
                yield begun[future], future.result()
            except BrokenProcessPool:
                raise UserError(
                    "A process was killed, perhaps for want of memory. Try fewer at once: -j 1"
                ) from None


def _settled(puzzle: Puzzle, proof: Proof | str, write: bool) -> Line:
    """Compare, and write if that is wanted."""
    if isinstance(proof, str):
        return Line(puzzle, None, "refused", [proof])
    faults = differences(puzzle.case, proof)
    if not faults:
        return Line(puzzle, proof, "as proven", [])
    if not write:
        missing = not (puzzle.case.expected or puzzle.case.proof)
        return Line(puzzle, proof, "missing" if missing else "differ", faults)
    _write(puzzle, proof)
    return Line(puzzle, proof, "written", [])


def _write(puzzle: Puzzle, proof: Proof) -> None:
    files = puzzle.files
    try:
        files.expected.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise FileError(f"{files.expected.parent}: cannot write: {error.strerror}") from None
    if not (puzzle.case.expected and proof.confirms):
        write_text(str(files.expected), f"{proof.truth.board}\n")
    write_text(str(files.proof), as_json(proof))


def _report(lines: list[Line]) -> int:
    print(tabulate([line.row() for line in lines], HEADERS, colalign=ALIGNED))
    wrong = [line for line in lines if line.faults]
    for line in wrong:
        print(f"\n{shown(line.puzzle.case.name)}:")
        for words in "\n".join(line.faults).split("\n"):
            print(f"  {shown(words)}")
    print(f"\n{_summary(lines)}")
    if any(line.proof is not None for line in wrong):
        tell("grader: --write would write what is proven.")
    return 1 if wrong else 0


def _summary(lines: list[Line]) -> str:
    kinds = [line.proof.truth.proven for line in lines if line.proof is not None]
    told = ", ".join(f"{kinds.count(kind)} {kind}" for kind in dict.fromkeys(kinds))
    wrong = sum(1 for line in lines if line.faults)
    return f"{counted(len(lines), 'puzzle')} ({told or 'none proven'}); {wrong} not as proven"
