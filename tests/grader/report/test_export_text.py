"""Tables, Markdown and CSV: readable, complete, and harmless whatever a submission wrote."""

from __future__ import annotations

import csv
import io
import re
from dataclasses import replace

import pytest
from grading_examples import ALL, CLASS, HOSTILE, HOSTILE_ONE, NOTHING, ONE, example, klass
from hypothesis import given
from hypothesis import strategies as st

from grader.records import Feedback, Report
from grader.report.grading import FORMATS, render
from grader.report.grading.table import MOST_FAULTS
from grader.report.grading.wording import number, one_line, printable, shortened
from grader.verdicts import Verdict

CONTROL = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")


@pytest.mark.parametrize("name", ["table", "md", "csv", "html", "junit"])
@pytest.mark.parametrize("report", ALL.values(), ids=ALL)
def test_nothing_commands_a_terminal(name: str, report: Report) -> None:
    assert not CONTROL.search(render(name, report))


@given(st.text(st.characters(exclude_categories=[])))
def test_printable_text_is_printable_and_stays_so(text: str) -> None:
    shown = printable(text)
    assert not CONTROL.search(shown)
    assert printable(shown) == shown
    assert "\n" not in one_line(text)
    shown.encode()


def test_wording() -> None:
    assert [number(value) for value in (0, 0.5, 1.0, 2.333, 10, 100.0)] == [
        "0",
        "0.5",
        "1",
        "2.33",
        "10",
        "100",
    ]
    assert shortened("abcdef", 6) == "abcdef"
    assert shortened("abcdefg", 6) == "abcd …"


def test_the_table_of_one_submission() -> None:
    report = Report((example(Verdict.EXACT), example(Verdict.TIMEOUT)))
    assert (
        render("table", report)
        == """\
puzzle            verdict    marks    move      best           CPU s    MB      nodes
----------------  ---------  -------  --------  -----------  -------  ----  ---------
checkers/exact    exact      2/2      c3xe5xg7  c3xe5xg7 +1     0.25  20.0  1,234,567
checkers/timeout  timeout    0/2      -         c3xe5xg7 +1    10.02  20.0          -

2 of 4 marks (50.0%): 1 exact, 1 timeout; 10.27 s CPU

checkers/timeout: timeout: CPU 10.02 s > limit 10 s
Best: c3xe5xg7 or e1f2
"""
    )


def test_the_tables_of_a_class() -> None:
    report = Report(
        (
            example(Verdict.EXACT, "ada", "one"),
            example(Verdict.SLOWER, "ada", "two"),
            example(Verdict.CRASH, "bob", "one"),
            example(Verdict.EXACT, "cyd", "one"),
            example(Verdict.SLOWER, "cyd", "two"),
        )
    )
    assert (
        render("table", report)
        == """\
    submission      marks     %    E    s    c    CPU s
--  ------------  -------  ----  ---  ---  ---  -------
 1  ada               3/4  75.0    1    1          0.50
 1  cyd               3/4  75.0    1    1          0.50
 3  bob               0/2   0.0              1     0.25

submission    1-2
------------  -----
ada           Es
cyd           Es
bob           c.

E exact, s slower, c crash, . not graded

    puzzle      accepted     %
--  --------  ----------  ----
 1  one                2  66.7
 2  two                0   0.0
"""
    )


def test_a_class_of_forty_puzzles_fits_a_terminal() -> None:
    lines = render("table", klass(12, 40)).splitlines()
    assert max(map(len, lines)) <= 110
    matrix = [line for line in lines if line.startswith("student-003")]
    assert len(matrix) == 1
    assert [len(block) for block in matrix[0].split()[1:]] == [10, 10, 10, 10]


def test_hostile_names_keep_to_their_row() -> None:
    table = render("table", HOSTILE_ONE)
    lines = table.split("\n\n")[0].splitlines()
    assert len(lines) == 2 + len(HOSTILE)
    assert "\x1b" not in table
    assert max(map(len, lines)) < 140


def rows_of(text: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(text)))


def test_csv_has_every_field_of_a_record() -> None:
    (row,) = rows_of(render("csv", Report((example(Verdict.CRASH),))))
    fields = set(example(Verdict.CRASH).as_dict()) - {"limits"}
    limits = {"limit_cpu_s", "limit_wall_s", "limit_memory_mb", "limit_output_bytes"}
    assert set(row) == fields | limits | {"limit_processes"}
    assert (row["verdict"], row["signal"], row["exit_code"]) == ("crash", "SIGSEGV", "")
    assert rows_of(render("csv", NOTHING)) == []
    assert render("csv", NOTHING).startswith("submission,puzzle,")


def test_csv_holds_no_formula() -> None:
    names = (*HOSTILE, " =1", "\uff1d1")
    records = tuple(
        replace(record, submission=name) for name in names for record in ONE.records[:1]
    )
    found = rows_of(render("csv", Report((*records, *HOSTILE_ONE.records))))
    assert len(found) == len(names) + len(HOSTILE)
    for row in found:
        for cell in row.values():
            assert not cell.lstrip().startswith(tuple("=+-@\uff1d"))
    assert "'=HYPERLINK" in found[5]["submission"]


def tables_in(text: str) -> list[list[str]]:
    """The rows of each Markdown table, as GitHub splits them."""
    blocks = [block.split("\n") for block in text.strip().split("\n\n") if block.startswith("|")]
    return [[re.split(r"(?<!\\)\|", line)[1:-1] for line in block] for block in blocks]  # type: ignore[misc]


@pytest.mark.parametrize("report", [HOSTILE_ONE, CLASS, ONE])
def test_markdown_tables_stay_whole(report: Report) -> None:
    for table in tables_in(render("md", report)):
        assert len({len(row) for row in table}) == 1


def test_nothing_in_markdown_is_markup_but_our_own() -> None:
    for line in render("md", HOSTILE_ONE).split("\n"):
        if line.startswith("    ") or not line:
            continue
        free = re.sub(r"\\.", "", line)
        assert not re.search(r"[<>`\[\]_~$]", free), line
        assert re.match(r"(#{1,3} |\| )", line), line
    headings = re.findall("^#.*", render("md", HOSTILE_ONE), re.MULTILINE)
    assert len(headings) == 2 + len(HOSTILE)


def test_markdown_says_what_is_wrong() -> None:
    text = render("md", ONE)
    assert "| checkers/slower | slower | 1/2 | h2g3 | c3xe5xg7 or e1f2 | 0.25 |" in text
    assert "| **all** | 3 accepted | **8/30** |  |  | 13.52 |" in text
    assert "### checkers/timeout\n\n    timeout: CPU 10.02 s > limit 10 s\n" in text
    assert "### checkers/equal" not in text
    assert "| rank | submission |" in render("md", CLASS)


@pytest.mark.parametrize("name", FORMATS)
@pytest.mark.parametrize("feedback", Feedback)
def test_rendering_is_repeatable(name: str, feedback: Feedback) -> None:
    report = replace(CLASS, feedback=feedback)
    assert render(name, report) == render(name, report)


def test_the_table_tells_of_some_faults_and_counts_the_others() -> None:
    wrong = tuple(example(Verdict.CRASH, puzzle=f"number{number}") for number in range(20))
    text = render("table", Report(wrong))
    assert text.count("\nnumber") == 20 + MOST_FAULTS
    assert f"\nAnd {20 - MOST_FAULTS} more: " in text
