"""`grader tree`: grade a search, and not only its move, on explicit trees."""

from __future__ import annotations

import argparse
import shlex
from dataclasses import dataclass
from pathlib import Path

from grader.cli.options import FAILED, JUDGE_ERROR, GraderParser, check_sandbox, jobs_of, progress
from grader.grading.grade import run_submission
from grader.grading.records import Verdict
from grader.grading.workers import local
from grader.judge.answer import Unreadable
from grader.judge.outcome import judge_outcome
from grader.judge.tree import (
    FORMAT,
    Rule,
    SearchAnswer,
    SearchedTree,
    find_faults,
    find_leaves,
    read_answer,
)
from grader.puzzles.find import natural, shipped_puzzles
from grader.report.text import NOTHING, Table, one_line
from grader.sandbox.job import Outcome, RunLimits, Sandbox
from grader.submissions.find import from_command, from_program
from solver.cli.options import program
from solver.errors import UserError, counted
from solver.games.puzzle import read_text
from solver.games.tree import Tree, parse

ABOUT = f"""\
Grades an alpha-beta search on trees such as [[3, 12, 8], [2, 4, 6], [14, 5, 2]], with Max at
the root. PROGRAM gets the names of two files: the tree, and where to write
{FORMAT}: the value, the best child of the root, and the
leaves that it visited. It may cut where alpha ≥ beta, or only where alpha > beta."""
EXAMPLES = """\
  grader tree mine.py                     # twenty trees
  grader tree mine.py homework.txt        # trees of your own; also whole folders
  grader tree homework/ --solver "java Mine {input} {output}"
"""
CODES = {0: "every search is right", 1: "some search is not", 3: "a judge error; unreadable file"}
ENDINGS = (".tree", ".txt")
MOST_REASONS = 5  # the smallest trees come first


@dataclass(frozen=True)
class TreeRun:
    """One run on one tree: an answer, or the reason why there is none."""

    path: Path
    tree: Tree
    answer: SearchAnswer | None
    verdict: Verdict = Verdict.EXACT
    reason: str = ""

    def find_faults(self, rule: Rule) -> dict[str, str]:
        if self.answer is None:
            return {self.verdict.value: self.reason}
        return find_faults(self.tree, self.answer, rule)


def make_parser() -> GraderParser:
    parser = GraderParser("tree", ABOUT, EXAMPLES, CODES)
    parser.option("program [PROGRAM]", "a file in any language, or a folder with one")
    parser.option("trees [TREE...]", "files or folders (default: the twenty of the collection)")
    about = "how the program is started; then all arguments are trees"
    parser.option("--solver COMMAND", about)
    parser.add_jobs()
    parser.add_sandbox()
    return parser


def run(arguments: argparse.Namespace) -> int:
    words = [arguments.program, *arguments.trees] if arguments.program else []
    if arguments.solver is not None:
        submission = from_command(arguments.solver, Path.cwd())
    elif words:
        submission = from_program(Path(words.pop(0)))
    else:
        raise UserError(f"Which program? Try '{program('grader')} tree mine.py'.")
    paths = _find_trees(words)
    texts = [read_text(str(path), str(path)) for path in paths]
    trees = [parse(text, str(path)) for path, text in zip(paths, texts, strict=True)]
    sandbox, limits = Sandbox(arguments.sandbox or Sandbox.AUTO), RunLimits()
    check_sandbox(sandbox, [submission])
    with local(jobs_of(arguments)) as workers, progress(len(paths), "run") as advance:

        def run_on(path: Path, text: str, tree: Tree) -> TreeRun:
            content = text.encode("utf-8", "surrogateescape")
            outcome = run_submission(submission, path.name, content, limits, sandbox, workers.run)
            advance()
            return _read_run(path, tree, outcome, limits)

        runs = list(workers.pool.map(run_on, paths, texts, trees))
    return _report(runs)


def _read_run(path: Path, tree: Tree, outcome: Outcome, limits: RunLimits) -> TreeRun:
    failed = judge_outcome(outcome, limits)
    if failed is not None:
        reason = "; ".join(filter(None, (failed.reason, failed.cause)))
        return TreeRun(path, tree, None, failed.verdict, reason)
    try:
        return TreeRun(path, tree, read_answer(outcome.output))
    except Unreadable as error:
        return TreeRun(path, tree, None, error.verdict, error.reason)


def _find_trees(words: list[str]) -> list[Path]:
    folders = [Path(word) for word in words]
    if not words and (shipped := shipped_puzzles()) is not None:
        folders = [shipped / "inputs" / "trees"]
    found: list[Path] = []
    for path in folders:
        inside = [each for ending in ENDINGS for each in path.glob(f"*{ending}")]
        found += sorted(inside, key=lambda each: natural(each.name)) if path.is_dir() else [path]
    if not found:
        raise UserError(f"{' '.join(words)}: no trees found; their names end with .tree or .txt.")
    return found


def _report(runs: list[TreeRun]) -> int:
    """Print what is wrong by the rule that fits more of the answers; the result is the exit
    code."""
    found = {rule: [each.find_faults(rule) for each in runs] for rule in Rule}
    rule = min(Rule, key=lambda each: sum(map(bool, found[each])))
    rows = [
        [
            each.path.stem,
            ", ".join(faults) or each.verdict.value,
            str(len(find_leaves(each.tree))),
            str(len(SearchedTree(each.tree, rule).leaves)),
            str(len(each.answer.leaves)) if each.answer else NOTHING,
        ]
        for each, faults in zip(runs, found[rule], strict=True)
    ]
    print(Table("", ["tree", "verdict", "leaves", "to visit", "visited"], rows, words=2))
    wrong = [(each.path, words) for each, words in zip(runs, found[rule], strict=True) if words]
    of_all = counted(len(runs), "tree")
    print(f"{len(runs) - len(wrong)} of {of_all} right, by the rule: cut where alpha {rule} beta")
    for path, faults in wrong[:MOST_REASONS]:
        print(f"{path.stem}: {one_line(next(iter(faults.values())))}")
    if wrong:
        print(f"The right search: {program()} trace {shlex.quote(str(wrong[0][0]))}")
    if any(each.verdict is Verdict.JUDGE_ERROR for each in runs):
        return JUDGE_ERROR
    return FAILED if wrong else 0
