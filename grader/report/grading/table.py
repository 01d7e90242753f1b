"""Tables for the terminal: the puzzles of one submission, or the ranking and matrix of many."""

from __future__ import annotations

from textwrap import fill

from tabulate import tabulate

from grader.feedback import seen, told
from grader.records import Feedback, Record, Report
from grader.report.grading.letters import LETTERS, NOT_GRADED, key
from grader.report.grading.totals import (
    Totals,
    by_submission,
    puzzles_of,
    ranking,
    total,
    verdicts_among,
)
from grader.report.grading.wording import megabytes, number, one_line, percent, printable, shortened
from grader.verdicts import Verdict

WIDTH = 100
LONGEST_NAME = 40
LONGEST_MOVE = 24
MOST_FAULTS = 3  # told in full
BLOCK = 10  # puzzles in one column of the matrix
PUZZLES = ["puzzle", "verdict", "marks", "move", "best", "CPU s", "MB", "nodes"]


def render(report: Report) -> str:
    report = seen(report)
    if not report.records:
        return "Nothing was graded.\n"
    if len(by_submission(report.records)) == 1:
        return _one(report.records) + _faults(report)
    parts = [_ranking(report.records), _matrix(report.records), _puzzles(report.records)]
    return "\n".join(parts)


def _one(records: tuple[Record, ...]) -> str:
    rows = [
        [
            _name(record.puzzle),
            record.verdict.value,
            f"{number(record.score)}/{number(record.max_score)}",
            _cell(record.move),
            _best(record.best),
            f"{record.cpu_s:.2f}",
            megabytes(record.max_rss_kb),
            "-" if record.nodes_reported is None else f"{record.nodes_reported:,}",
        ]
        for record in records
    ]
    rights = {"CPU s", "MB", "nodes"}
    return f"{_table(PUZZLES, rows, rights)}\n{_sum(total('', records))}\n"


def _faults(report: Report) -> str:
    """What is wrong with each answer that was not accepted."""
    if report.feedback is Feedback.VERDICT:
        return ""
    wrong = [record for record in report.records if not record.verdict.accepted]
    parts = [
        f"\n{one_line(record.puzzle)}: {printable(told(record, report.feedback))}\n"
        for record in wrong[:MOST_FAULTS]
    ]
    if len(wrong) > MOST_FAULTS:
        more = len(wrong) - MOST_FAULTS
        parts.append(f"\nAnd {more} more: -q NAME tells of one, -o html:FILE of all.\n")
    return "".join(parts)


def _sum(totals: Totals) -> str:
    marks = f"{number(totals.score)} of {number(totals.max_score)} marks"
    share = percent(totals.score, totals.max_score)
    counts = ", ".join(
        f"{totals.verdicts[verdict]} {verdict.value}"
        for verdict in Verdict
        if totals.verdicts[verdict]
    )
    return f"{marks} ({share}): {counts}; {totals.cpu_s:.2f} s CPU"


def _ranking(records: tuple[Record, ...]) -> str:
    verdicts = verdicts_among(records)
    headers = ["", "submission", "marks", "%", *(LETTERS[verdict] for verdict in verdicts), "CPU s"]
    rows = [
        [
            str(rank),
            _name(totals.name),
            f"{number(totals.score)}/{number(totals.max_score)}",
            percent(totals.score, totals.max_score).rstrip("%"),
            *(str(totals.verdicts[verdict] or "") for verdict in verdicts),
            f"{totals.cpu_s:.2f}",
        ]
        for rank, totals in ranking(records)
    ]
    return _table(headers, rows, set(headers) - {"submission"})


def _matrix(records: tuple[Record, ...]) -> str:
    """One letter for each submission and puzzle, ten puzzles to a column."""
    puzzles = puzzles_of(records)
    letters = {(one.submission, one.puzzle): LETTERS[one.verdict] for one in records}
    starts = range(0, len(puzzles), BLOCK)
    headers = ["submission"]
    headers += [f"{start + 1}-{min(start + BLOCK, len(puzzles))}" for start in starts]
    rows = []
    for _, totals in ranking(records):
        own = "".join(letters.get((totals.name, puzzle), NOT_GRADED) for puzzle in puzzles)
        rows.append([_name(totals.name), *(own[start : start + BLOCK] for start in starts)])
    missing = "" if len(letters) == len(rows) * len(puzzles) else f", {NOT_GRADED} not graded"
    meaning = fill(key(verdicts_among(records)) + missing, WIDTH)
    return f"{_table(headers, rows, set())}\n{meaning}\n"


def _puzzles(records: tuple[Record, ...]) -> str:
    rows = []
    for place, puzzle in enumerate(puzzles_of(records), 1):
        own = total(puzzle, (record for record in records if record.puzzle == puzzle))
        share = percent(own.accepted, own.graded).rstrip("%")
        rows.append([str(place), _name(puzzle), str(own.accepted), share])
    return _table(["", "puzzle", "accepted", "%"], rows, {"", "accepted", "%"})


def _table(headers: list[str], rows: list[list[str]], rights: set[str]) -> str:
    aligned = ["right" if header in rights else "left" for header in headers]
    drawn = tabulate(rows, headers, tablefmt="simple", colalign=aligned, disable_numparse=True)
    return "\n".join(line.rstrip() for line in drawn.splitlines()) + "\n"


def _name(text: str) -> str:
    return shortened(one_line(text), LONGEST_NAME)


def _cell(text: str) -> str:
    return shortened(one_line(text), LONGEST_MOVE) or "-"


def _best(moves: tuple[str, ...]) -> str:
    more = f" +{len(moves) - 1}" if len(moves) > 1 else ""
    return _cell(moves[0] if moves else "") + more
