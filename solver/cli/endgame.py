"""`solver endgame`: build and check the endgame tables of checkers."""

from __future__ import annotations

import os
from argparse import Namespace

from solver.cli.console import Progress, tell
from solver.cli.files import check_output, write_file
from solver.cli.options import Parser, number, one_of
from solver.errors import FileError, UserError, counted
from solver.games.checkers.endgame import MOST_PIECES
from solver.games.checkers.endgame.build import find_wrong, solve_pair
from solver.games.checkers.endgame.file import (
    LARGEST,
    SHIPPED,
    Archive,
    cache_folder,
    digest,
    is_tables,
    packed,
)
from solver.games.checkers.endgame.slices import (
    Positions,
    Slice,
    Values,
    all_pairs,
    all_slices,
    score_of,
)
from solver.games.checkers.text import fen_text
from solver.search.score import in_words

BAR = 30
DEFAULT_PIECES = 4
AT_ONCE = 10_000  # positions checked between two looks at the clock


def make_parser() -> Parser:
    parser = Parser(
        "endgame",
        "The endgame tables of checkers: every position of a few pieces, with its result\n"
        "and the plies to the end.\n\n"
        "  build [FILE]  compute them (default: endgame-N.tables; of five pieces, a file in\n"
        "                your cache folder, where all commands find and use it)\n"
        "  check [FILE]  does every value follow from those one move later?\n"
        "                (default: the tables that come with the package)",
        "  solver endgame build\n  solver endgame build --pieces 5 five.tables\n"
        "  solver endgame check\n",
        {
            0: "done, and no error found",
            1: "the check has found an error",
            3: "a file could not be read or written, or is damaged",
        },
    )
    parser.option("task TASK", "see above", one_of("build", "check"))
    parser.option("file [FILE]", "see above")
    about = f"build for up to N pieces, 2 to {MOST_PIECES} (default: {DEFAULT_PIECES})"
    parser.option("--pieces N", about, number(2, MOST_PIECES))
    return parser


def run(arguments: Namespace) -> int:
    file = arguments.file
    if arguments.task == "build":
        pieces = arguments.pieces or DEFAULT_PIECES
        return _build(default_file(pieces) if file is None else file, pieces)
    if arguments.pieces is not None:
        raise UserError("--pieces is only allowed with 'build'.")
    return _check(SHIPPED if file is None else file)


def default_file(pieces: int) -> str:
    """In the cache folder all commands find it."""
    if pieces < MOST_PIECES:
        return f"endgame-{pieces}.tables"
    folder = cache_folder()
    try:
        os.makedirs(folder, exist_ok=True)
    except OSError as error:
        raise FileError(f"{folder}: {error.strerror}\nName another FILE.") from None
    return os.path.join(folder, LARGEST)


def _build(out: str, pieces: int) -> int:
    if out == "-":
        raise UserError("Tables cannot go to standard output. Give the name of a file.")
    check_output(out)
    if os.path.exists(out) and not (os.path.isfile(out) and is_tables(out)):
        raise UserError(f"{out} exists and is not a file of tables. Choose another name.")
    values, slices = Values(), all_slices(pieces)
    positions = sum(here.size for here in slices)
    tell(f"solving {positions:,} positions")
    with Work("solving", positions) as work:
        for pair in all_pairs(pieces):
            solve_pair(*pair, values, work.add)
            work.add(sum(each.size for each in {*pair}))
    with Work("compressing", positions) as work:
        content = packed(pieces, values, work.add)
    write_file(out, content)
    print(f"{out}: {positions:,} positions in {len(content):,} bytes")
    print(f"sha256 of the values: {digest(slices, values)}")
    return 0


def _check(path: str) -> int:
    archive = Archive(path)
    values = Values(archive)
    slices = all_slices(archive.pieces)
    errors = 0
    if digest(slices, values) != archive.sha256:
        errors += 1
        print("The values have changed since they were written: sha256 does not match.")
    with Work("checking", sum(here.size for here in slices)) as work:
        for here in slices:
            errors += _check_slice(here, values, work)
    print(f"{counted(len(slices), 'slice')}, {work.done:,} positions, {counted(errors, 'error')}")
    return 1 if errors else 0


def _check_slice(here: Slice, values: Values, work: Work) -> int:
    positions, first, errors = Positions(here), None, 0
    for start in range(0, here.size, AT_ONCE):
        indices = range(start, min(start + AT_ONCE, here.size))
        wrong = find_wrong(positions, values, indices)
        first = first or next(iter(wrong), None)
        errors += len(wrong)
        work.add(len(indices))
    if first is not None:
        work.clear()
        stored, right = values.score(first), score_of(values.best(first.children()))
        print(
            f"{here.name()}: {counted(errors, 'wrong value')}, the first at "
            f"{fen_text(first)}: {in_words(stored)} instead of {in_words(right)}"
        )
    return errors


class Work(Progress):
    """A progress bar over positions."""

    def __init__(self, what: str, positions: int) -> None:
        super().__init__()
        self.what = what
        self.positions = positions
        self.done = 0

    def add(self, positions: int = 0) -> None:
        self.done += positions
        self.poll(self._describe)

    def _describe(self, seconds: float) -> str:
        share = self.done / max(1, self.positions)
        bar = "#" * int(share * BAR)
        left = f", {seconds / share - seconds:.0f} s left" if share else ""
        return f"{self.what} [{bar:.<{BAR}}] {share:4.0%} {seconds:5.0f} s{left}"
