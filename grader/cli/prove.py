"""`grader prove`: the expected files of puzzles, checked or written."""

from __future__ import annotations

import argparse
from dataclasses import dataclass
from functools import partial

from grader.cli.options import GraderParser, jobs_of, progress, puzzle_settings, write_inside
from grader.grading.workers import run_in_processes
from grader.puzzles.find import Case, choose_folders, find_puzzles, read_selected
from grader.puzzles.prove import MOST_NODES, NODES, PuzzleProof, as_json, differences, prove_again
from grader.report.text import Table
from solver.cli.console import shown, tell
from solver.cli.options import number
from solver.errors import UserError, counted

EXAMPLES = """\
  grader prove                              # check all of expected/
  grader prove -k shot -j 4
  grader prove --inputs mine --write        # proofs for your own puzzles
  grader prove -k ending --nodes 50000000 --write
"""
HEADS = ["puzzle", "value", "proven", "difficulty", "files", "moves", "nodes"]


def make_parser() -> GraderParser:
    parser = GraderParser(
        "prove",
        "Proves what every move of a puzzle is worth, and compares or writes the expected\n"
        "files: a best move's board, and a JSON file with all values.",
        EXAMPLES,
        {
            0: "every file is right, or has been written",
            1: "some file is not right; an expected board of your own is not the best",
            130: "interrupted; what was proven by then is written",
        },
    )
    parser.add_puzzles()
    parser.section("proving")
    parser.option("--write", "write what is missing or not right")
    about = f"for one puzzle (default: those of the proof there is, or {NODES})"
    parser.option("--nodes N", about, number(1, MOST_NODES))
    parser.add_jobs()
    parser.add_settings()
    return parser


@dataclass(frozen=True)
class ProvenPuzzle:
    """One puzzle in the table, and what is wrong with its files."""

    case: Case
    status: str
    proof: PuzzleProof | None
    faults: tuple[str, ...] = ()

    def row(self) -> list[str]:
        if self.proof is None:
            return [self.case.name, "-", "-", "-", self.status, "-", "-"]
        truth = self.proof.truth
        difficulty = str(self.proof.difficulty or "-")
        count = [str(len(truth.moves)), str(self.proof.nodes)]
        value = str(truth.value or "-")
        return [self.case.name, value, truth.proven, difficulty, self.status, *count]


def run(arguments: argparse.Namespace) -> int:
    cases = _find(arguments)
    done: dict[int, ProvenPuzzle] = {}
    prove = partial(prove_again, nodes=arguments.nodes)
    try:
        with progress(len(cases), "puzzle") as advance:
            for index, proof in run_in_processes(prove, cases, jobs_of(arguments)):
                done[index] = _compare(cases[index], proof, arguments.write)
                advance()
    except (KeyboardInterrupt, UserError):
        safe = ", and what was wrong is written" if arguments.write else ""
        tell(f"grader: proven: {len(done)} of {counted(len(cases), 'puzzle')}{safe}.")
        raise
    return _report([done[index] for index in range(len(cases))])


def _find(arguments: argparse.Namespace) -> list[Case]:
    settings = puzzle_settings(arguments)
    inputs, expected = choose_folders(settings.inputs, settings.expected)
    if settings.inputs is None and inputs.is_absolute() and arguments.write:
        raise UserError("--write: there is no folder 'inputs' here. Name the puzzles: --inputs DIR")
    found, warnings = find_puzzles(inputs, expected, also_alone=True)
    cases, repaired = read_selected(found, arguments.puzzle, arguments.word)
    for warning in [*warnings, *repaired]:
        tell(f"grader: {warning}")
    return cases


def _compare(case: Case, proof: PuzzleProof | str, write: bool) -> ProvenPuzzle:
    """Compare the files with the proof, and write them if that is wanted."""
    if isinstance(proof, str):
        return ProvenPuzzle(case, "refused", None, (proof,))
    faults = tuple(differences(case, proof))
    if not faults:
        return ProvenPuzzle(case, "as proven", proof)
    if not write:
        missing = not (case.expected or case.proof)
        return ProvenPuzzle(case, "missing" if missing else "differ", proof, faults)
    if not (case.expected and proof.confirms):
        write_inside(case.expected_path, f"{proof.truth.board}\n")
    write_inside(case.proof_path, as_json(proof))
    return ProvenPuzzle(case, "written", proof)


def _report(puzzles: list[ProvenPuzzle]) -> int:
    print(Table("", HEADS, [puzzle.row() for puzzle in puzzles], words=5), end="")
    wrong = [puzzle for puzzle in puzzles if puzzle.faults]
    for puzzle in wrong:
        print(f"\n{shown(puzzle.case.name)}:")
        for line in "\n".join(puzzle.faults).split("\n"):
            print(f"  {shown(line)}")
    kinds = [puzzle.proof.truth.proven for puzzle in puzzles if puzzle.proof is not None]
    counts = ", ".join(f"{kinds.count(kind)} {kind}" for kind in dict.fromkeys(kinds))
    total = f"{counted(len(puzzles), 'puzzle')} ({counts or 'none proven'})"
    print(f"\n{total}; {counted(len(wrong), 'mismatch', 'mismatches')}")
    if any(puzzle.proof is not None for puzzle in wrong):
        tell("grader: --write would write what is proven.")
    return 1 if wrong else 0
