"""`solver endgame`: build, check and count the endgame tables of checkers."""

from __future__ import annotations

import os

from solver.checkers.endgame import MOST_PIECES
from solver.checkers.endgame.build import Counts, ForwardCheck, total
from solver.checkers.endgame.file import SHIPPED, Archive, digest, is_tables, packed
from solver.checkers.endgame.slices import all_pairs, all_slices, pairs_below, slice_named
from solver.checkers.endgame.values import StoredValues, Values, score_of
from solver.checkers.text import fen_text
from solver.cli.arguments import Parser, number, one_of
from solver.cli.endgame_work import Work, solve
from solver.cli.files import check_output, write_bytes
from solver.cli.report import table
from solver.errors import UserError, counted
from solver.score import in_words

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import Namespace

    from solver.checkers.endgame.slices import Slice

ENDGAME_EXIT_CODES = """exit codes:
  0    done, and no error found
  1    the check has found an error
  2    wrong usage
  3    a file could not be read or written, or is damaged
  130  interrupted
"""
DEFAULT_PIECES = 4
AT_ONCE = 10_000  # positions checked between two looks at the clock


def make_parser() -> Parser:
    parser = Parser(
        command="endgame",
        about="The endgame tables of checkers: every position of a few pieces, with its result\n"
        "and the plies to the end.\n\n"
        "  build [OUT]        work them out from nothing (default: endgame-N.tables)\n"
        "  check [FILE]       does every value follow from those one move later?\n"
        "  count [SLICE ...]  how many positions are won, drawn and lost (default: all slices)\n\n"
        "Without FILE or --tables, the tables that come with the package are meant.\n"
        "A slice is all positions with the same pieces, the mover's first: KKvK is two kings\n"
        "against one, KmvKm a king and a man on either side.",
        examples="  solver endgame build\n  solver endgame build --pieces 5 five.tables\n"
        "  solver endgame check\n  solver endgame count KKvK KmvK mmvmm\n",
        exit_codes=ENDGAME_EXIT_CODES,
    )
    parser.add_argument("task", type=one_of("build", "check", "count"), help="see above")
    parser.add_argument("words", nargs="*", default=[], metavar="OUT|FILE|SLICE", help="see above")
    parser.add_argument(
        "--pieces",
        type=number(2, MOST_PIECES),
        metavar="N",
        help=f"build up to so many pieces, 2 to {MOST_PIECES} (default: {DEFAULT_PIECES})",
    )
    parser.add_argument("--tables", metavar="FILE", help="count in this file")
    return parser


def run(arguments: Namespace) -> int:
    task, words = arguments.task, arguments.words
    if arguments.pieces is not None and task != "build":
        raise UserError("--pieces is for 'solver endgame build'.")
    if arguments.tables is not None and task != "count":
        raise UserError("--tables is for 'solver endgame count'.")
    if len(words) > 1 and task != "count":
        raise UserError(f"'solver endgame {task}' takes one file and not {len(words)}.")
    if task == "build":
        pieces = arguments.pieces or DEFAULT_PIECES
        return _build(words[0] if words else f"endgame-{pieces}.tables", pieces)
    if task == "check":
        return _check(words[0] if words else SHIPPED)
    return _count(words, arguments.tables or SHIPPED)


def _build(out: str, pieces: int) -> int:
    if out == "-":
        raise UserError("Tables go to a file and not to standard output. Give it a name.")
    check_output(out)
    if os.path.exists(out) and not (os.path.isfile(out) and is_tables(out)):
        raise UserError(f"{out} exists and is something else. Choose another name.")
    values = Values()
    solve(all_pairs(pieces), values)
    slices = all_slices(pieces)
    with Work("compressing", sum(here.size for here in slices)) as work:
        content = packed(pieces, values, work.add)
    write_bytes(out, content)
    print(f"{out}: {work.positions:,} positions in {len(content):,} bytes")
    print(f"sha256 of the values: {digest(slices, values)}")
    return 0


def _check(path: str) -> int:
    archive = Archive(path)
    values = StoredValues(archive)
    slices = all_slices(archive.pieces)
    errors = 0
    if digest(slices, values) != archive.sha256:
        errors += 1
        print("The values are not those that were written: their sha256 is another.")
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
        work.progress.clear()
        stored, right = values.score(board), score_of(values.best(board.children()))
        print(
            f"{here.name()}: {counted(check.wrong, 'wrong value')}, the first at "
            f"{fen_text(board)}: {in_words(stored)} instead of {in_words(right)}"
        )
    return check.wrong


def _count(names: list[str], path: str) -> int:
    wanted = [_slice(name) for name in names]
    archive = Archive(path)
    values = StoredValues(archive)
    for here in wanted:
        solve([pair for pair in pairs_below(here) if not values.has(pair[0])], values)
    rows = [_row(here.name(), Counts(values.all_of(here))) for here in wanted]
    if not wanted:
        rows = _all_rows(archive.pieces, values)
    print(table(rows, ("slice", "positions", "won", "drawn", "lost", "longest win")))
    return 0


def _slice(name: str) -> Slice:
    found = slice_named(name)
    if found is None:
        raise UserError(
            f"{name!a} is not a slice of up to {MOST_PIECES} pieces, such as KKvK or KmvKm."
        )
    return found


def _all_rows(pieces: int, values: Values) -> list[tuple[object, ...]]:
    """Every slice of the file, and the sums for each number of pieces."""
    rows, sums = [], []
    by_pieces: dict[int, list[Counts]] = {}
    for here in all_slices(pieces):
        counts = Counts(values.all_of(here))
        by_pieces.setdefault(here.pieces(), []).append(counts)
        rows.append(_row(here.name(), counts))
    for number_of_pieces, parts in by_pieces.items():
        sums.append(_row(f"all {number_of_pieces} pieces", total(parts)))
    return rows + sums


def _row(name: str, counts: Counts) -> tuple[object, ...]:
    numbers = (counts.positions(), counts.won, counts.drawn, counts.lost, counts.longest_win)
    return name, *(f"{number:,}" for number in numbers)
