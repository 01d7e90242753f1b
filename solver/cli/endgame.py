"""`solver endgame`: build, check and count the endgame tables of checkers."""

from __future__ import annotations

import os
from argparse import Namespace

from solver.cli.console import Progress, tell
from solver.cli.files import check_output, write_file
from solver.cli.options import Parser, number, one_of
from solver.errors import UserError, counted
from solver.explain.layout import render_table
from solver.games.checkers.endgame import MOST_PIECES
from solver.games.checkers.endgame.build import Counts, ForwardCheck, solve_pair, total
from solver.games.checkers.endgame.file import SHIPPED, Archive, digest, is_tables, packed
from solver.games.checkers.endgame.slices import (
    Slice,
    Values,
    all_pairs,
    all_slices,
    pairs_below,
    score_of,
    slice_named,
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
        "  build [OUT]        compute them (default: endgame-N.tables)\n"
        "  check [FILE]       does every value follow from those one move later?\n"
        "  count [SLICE ...]  how many positions are won, drawn and lost (default: all slices)\n\n"
        "Without FILE or --tables, the tables that come with the package are used.\n"
        "A slice is all positions with the same pieces, the mover's first: KKvK is two kings\n"
        "against one, KmvKm a king and a man on either side.",
        "  solver endgame build\n  solver endgame build --pieces 5 five.tables\n"
        "  solver endgame check\n  solver endgame count KKvK KmvK mmvmm\n",
        {
            0: "done, and no error found",
            1: "the check has found an error",
            3: "a file could not be read or written, or is damaged",
        },
    )
    parser.option("task TASK", "see above", one_of("build", "check", "count"))
    parser.option("words [OUT|FILE|SLICE...]", "see above")
    about = f"build for up to N pieces, 2 to {MOST_PIECES} (default: {DEFAULT_PIECES})"
    parser.option("--pieces N", about, number(2, MOST_PIECES))
    parser.option("--tables FILE", "count in this file")
    return parser


def run(arguments: Namespace) -> int:
    task, words = arguments.task, arguments.words
    if arguments.pieces is not None and task != "build":
        raise UserError("--pieces is only allowed with 'build'.")
    if arguments.tables is not None and task != "count":
        raise UserError("--tables is only allowed with 'count'.")
    if len(words) > 1 and task != "count":
        raise UserError(f"'solver endgame {task}' takes one file, not {len(words)}.")
    if task == "build":
        pieces = arguments.pieces or DEFAULT_PIECES
        return _build(words[0] if words else f"endgame-{pieces}.tables", pieces)
    if task == "check":
        return _check(words[0] if words else SHIPPED)
    return _count(words, arguments.tables or SHIPPED)


def _build(out: str, pieces: int) -> int:
    if out == "-":
        raise UserError("Tables cannot go to standard output. Give the name of a file.")
    check_output(out)
    if os.path.exists(out) and not (os.path.isfile(out) and is_tables(out)):
        raise UserError(f"{out} exists and is not a file of tables. Choose another name.")
    values = Values()
    solve(all_pairs(pieces), values)
    slices = all_slices(pieces)
    with Work("compressing", sum(here.size for here in slices)) as work:
        content = packed(pieces, values, work.add)
    write_file(out, content)
    print(f"{out}: {work.positions:,} positions in {len(content):,} bytes")
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
    check = ForwardCheck(here, values)
    for start in range(0, here.size, AT_ONCE):
        indices = range(start, min(start + AT_ONCE, here.size))
        check.look_at(indices)
        work.add(len(indices))
    board = check.first_wrong
    if board is not None:
        work.clear()
        stored, right = values.score(board), score_of(values.best(board.children()))
        print(
            f"{here.name()}: {counted(check.wrong, 'wrong value')}, the first at "
            f"{fen_text(board)}: {in_words(stored)} instead of {in_words(right)}"
        )
    return check.wrong


def _count(names: list[str], path: str) -> int:
    wanted = []
    for name in names:
        found = slice_named(name)
        if found is None:
            what = f"a slice of up to {MOST_PIECES} pieces, such as KKvK or KmvKm"
            raise UserError(f"{name!a} is not {what}.")
        wanted.append(found)
    archive = Archive(path)
    values = Values(archive)
    for here in wanted:
        solve([pair for pair in pairs_below(here) if not values.has(pair[0])], values)
    rows = [_row(here.name(), Counts(values.all_of(here))) for here in wanted]
    if not wanted:
        rows = _all_rows(archive.pieces, values)
    print(render_table(rows, ("slice", "positions", "won", "drawn", "lost", "longest win")))
    return 0


def _all_rows(pieces: int, values: Values) -> list[tuple[object, ...]]:
    """Every slice of the file, and the sums for each number of pieces."""
    rows = []
    by_pieces: dict[int, list[Counts]] = {}
    for here in all_slices(pieces):
        counts = Counts(values.all_of(here))
        by_pieces.setdefault(here.pieces(), []).append(counts)
        rows.append(_row(here.name(), counts))
    return rows + [_row(f"all {n} pieces", total(parts)) for n, parts in by_pieces.items()]


def _row(name: str, counts: Counts) -> tuple[object, ...]:
    numbers = (counts.positions(), counts.won, counts.drawn, counts.lost, counts.longest_win)
    return name, *(f"{number:,}" for number in numbers)


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


def solve(pairs: list[tuple[Slice, Slice]], finished: Values) -> None:
    """Solve pairs of slices one after the other."""
    sizes = [sum(each.size for each in {*pair}) for pair in pairs]
    if pairs:
        tell(f"solving {sum(sizes):,} positions")
    with Work("solving", sum(sizes)) as work:
        for (here, there), size in zip(pairs, sizes, strict=True):
            solve_pair(here, there, finished, work.add)
            work.add(size)
