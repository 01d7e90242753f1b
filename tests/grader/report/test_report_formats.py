"""Every format: golden files (of HTML its words), schemas of others, and hostile text.

`PYTHONPATH=tests:. python tests/grader/report/test_report_formats.py` writes the golden files.
"""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from html import unescape
from pathlib import Path
from typing import Any
from xml.etree.ElementTree import Element, fromstring

import pytest
from hypothesis import example as example_of
from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft202012Validator, ValidationError
from support.grading_examples import (
    ALL,
    CLASS,
    EVERY_FORM,
    HOSTILE,
    HOSTILE_ONE,
    NOTHING,
    ONE,
    example,
    render,
)
from support.lab_examples import CLIMBED, COMPARED

from grader.grading.records import (
    Diagnosis,
    Feedback,
    FoundBug,
    Record,
    Report,
    Student,
    Verdict,
)
from grader.lab.match_results import MatchResult, Pair, Pairing, PlayedGame
from grader.lab.stats import times
from grader.report import render_comparison, render_match
from grader.report.text import (
    Table,
    file_names,
    number,
    one_line,
    printable,
    shorten,
    to_csv,
)
from grader.sandbox.job import from_plain
from solver import __version__

GOLDEN = Path(__file__).parent / "golden"
SCHEMAS = Path(__file__).parent / "schemas"
EXAMPLES: dict[str, tuple[tuple[str, ...], Callable[[str], str]]] = {
    "one": (
        ("table", "records", "records.csv", "html", "md", "junit", "gradescope"),
        lambda name: render(name, ONE),
    ),
    "class": (("table", "marks", "html", "md"), lambda name: render(name, CLASS)),
    "comparison": (("table", "csv", "html"), lambda name: render_comparison(name, COMPARED)),
    "ladder": (("table", "html"), lambda name: render_comparison(name, CLIMBED)),
}
FILES = {
    f"{name}.{form}": partial(render, form)
    for name, (forms, render) in EXAMPLES.items()
    for form in forms
}
CONTROL = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")


def stable(text: str) -> str:
    if text.startswith("<!doctype html>"):
        text = re.sub(r"<(style|script)>.*?</\1>|<[^>]*>", "\n", text, flags=re.DOTALL)
        text = re.sub(r"\s*\n\s*", "\n", unescape(text)).lstrip()
    return text.replace(__version__, "VERSION")


@pytest.mark.parametrize("name", FILES)
def test_golden_files(name: str) -> None:
    assert stable(FILES[name]()) == (GOLDEN / name).read_text("utf-8")


@pytest.mark.parametrize("form", EVERY_FORM)
@pytest.mark.parametrize("report", ALL.values(), ids=ALL)
def test_every_format_is_repeatable_utf8_and_commands_no_terminal(
    form: str, report: Report
) -> None:
    text = render(form, report)
    assert text == render(form, report)
    text.encode()
    assert not CONTROL.search(text)


@given(st.text(st.characters(exclude_categories=[])))
def test_printable_text_is_printable_and_stays_so(text: str) -> None:
    found = printable(text)
    assert not CONTROL.search(found)
    assert printable(found) == found
    assert "\n" not in one_line(text)
    found.encode()


def test_numbers_and_names_are_short() -> None:
    numbers = [number(value) for value in (0, 0.5, 1.0, 2.333, 10, 100.0)]
    assert numbers == ["0", "0.5", "1", "2.33", "10", "100"]
    ratios = [times(ratio) for ratio in (1.0, 0.42, 0.0301, 12.34, 512.3, 12_345.6, 0.0, None)]
    assert ratios == ["1.00 x", "0.42 x", "0.030 x", "12.34 x", "512 x", "12,346 x", "0 x", "-"]
    assert [shorten(text, 6) for text in ("abcdef", "abcdefg")] == ["abcdef", "abcd …"]


def test_hostile_names_keep_to_their_row() -> None:
    lines = render("table", HOSTILE_ONE).split("\n\n")[0].splitlines()
    assert len(lines) == 2 + len(HOSTILE)
    assert max(map(len, lines)) < 140
    table = Table("hostile", ("name", "value"), [(f"{text}!", text) for text in HOSTILE])
    assert len(str(table).splitlines()) == 2 + len(HOSTILE)
    assert not CONTROL.search(str(table))


def test_the_marks_of_a_class_have_one_row_per_student() -> None:
    probe = replace(example(Verdict.ILLEGAL, puzzle="probe-1"), group="probe", max_score=0.0)
    named = replace(example(Verdict.EXACT, "bob"), group="note")
    broken = replace(example(Verdict.MISSING, "eve"), runs=0, reason="cannot be unpacked: =BAD")
    records = (example(Verdict.SLOWER), probe, named, broken, replace(probe, submission="zoe"))
    report = Report(
        records,
        students={"bob": Student("=Bob", "007", late=True)},
        diagnoses={"ada": Diagnosis((FoundBug("kings never move backward", True, 3, 4, 1, "p"),))},
    )
    text = render("marks", report)
    assert text.startswith("name,id,marks,max,percent,checkers,note (group),late,note\n")
    ada, bob, eve, zoe = (list(row.values()) for row in rows_of(text))
    assert ada == ["ada", "", "1", "2", "50.0", "1", "", "", "kings never move backward"]
    assert bob == ["'=Bob", "007", "2", "2", "100.0", "", "2", "yes", ""]
    assert eve == ["eve", "", "0", "2", "0.0", "0", "", "", "cannot be unpacked: =BAD"]
    assert zoe[2:5] == ["0", "0", ""]
    crashing = Report(tuple(example(Verdict.CRASH, puzzle=name) for name in "ab"))
    assert rows_of(render("marks", crashing))[0]["note"].startswith(
        "crashes on every puzzle: killed"
    )


@given(st.lists(st.text(st.characters(exclude_categories=[]), max_size=80), unique=True))
@example_of(["../../etc", "a/b", "a\\b", "..", ".hidden", "NUL", "con.txt", "Ada", "ADA", "ada-2"])
def test_file_names_are_safe_and_differ_everywhere(names: list[str]) -> None:
    found = file_names(names)
    assert list(found) == names
    for file in found.values():
        assert re.fullmatch(r"[\w-][\w.-]*", file)
        assert not re.fullmatch(r"(nul|con)(\..*)?", file.lower())
        assert len(file.encode()) < 240
    assert len({file.casefold() for file in found.values()}) == len(names)


def rows_of(text: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(text)))


def test_csv_has_every_field_of_a_record_and_no_formula() -> None:
    (row,) = rows_of(render("records.csv", Report((example(Verdict.CRASH),))))
    fields = set(example(Verdict.CRASH).as_dict()) - {"limits"}
    limits = {"limit_cpu_s", "limit_wall_s", "limit_memory_mb", "limit_output_bytes"}
    assert set(row) == fields | limits | {"limit_processes"}
    assert render("records.csv", NOTHING).startswith("submission,puzzle,")
    names = (*HOSTILE, " =1", "\uff1d1")
    found = rows_of(to_csv(["name"], [{"name": name} for name in names]))
    assert len(found) == len(names)
    for row in found:
        assert not row["name"].lstrip().startswith(tuple("=+-@\uff1d"))
    assert found[5]["name"].startswith("'=HYPERLINK")


@pytest.mark.parametrize("report", [HOSTILE_ONE, CLASS, ONE])
def test_markdown_tables_stay_whole(report: Report) -> None:
    blocks = render("md", report).strip().split("\n\n")
    for block in (block for block in blocks if block.startswith("|")):
        cells = {len(re.split(r"(?<!\\)\|", line)) for line in block.split("\n")}
        assert len(cells) == 1


def test_nothing_in_markdown_is_markup_but_our_own() -> None:
    lines = [line for line in render("md", HOSTILE_ONE).split("\n") if line]
    for line in (line for line in lines if not line.startswith("    ")):
        assert not re.search(r"[<>`\[\]_~$]", re.sub(r"\\.", "", line)), line
        assert re.match(r"(#{1,3} |\| |0 of 36 marks)", line), line
    assert sum(line.startswith("#") for line in lines) == 2 + len(HOSTILE)


def validator(name: str) -> Draft202012Validator:
    schema = json.loads((SCHEMAS / f"{name}.json").read_text())
    Draft202012Validator.check_schema(schema)
    return Draft202012Validator(schema)


def objects(form: str, report: Report) -> list[Any]:
    text = render(form, report)
    return (
        [json.loads(line) for line in text.splitlines()]
        if form == "records"
        else [json.loads(text)]
    )


@pytest.mark.parametrize(("form", "schema"), [("records", "record"), ("gradescope", "gradescope")])
@pytest.mark.parametrize("feedback", Feedback)
@pytest.mark.parametrize("report", ALL.values(), ids=ALL)
def test_json_fits_its_schema(form: str, schema: str, feedback: Feedback, report: Report) -> None:
    check = validator(schema)
    for found in objects(form, replace(report, feedback=feedback)):
        check.validate(found)


def test_the_schemas_can_fail() -> None:
    for form, name in (("records", "verdict"), ("gradescope", "tests")):
        found = objects(form, ONE)[0]
        found[name] = "AC"
        with pytest.raises(ValidationError):
            validator("record" if form == "records" else form).validate(found)


def test_records_come_back_from_jsonl_as_they_were() -> None:
    report = Report((*ONE.records, *HOSTILE_ONE.records))
    assert tuple(map(partial(from_plain, Record), objects("records", report))) == report.records


COUNTS = {"tests", "failures", "errors", "skipped"}
# By element: attributes that must be there, those that may, and its children.
XUNIT2: dict[str, tuple[set[str], set[str], set[str]]] = {
    "testsuites": (set(), COUNTS | {"name", "time"}, {"testsuite"}),
    "testsuite": (COUNTS | {"name"}, {"time", "timestamp"}, {"properties", "testcase"}),
    "properties": (set(), set(), {"property"}),
    "property": ({"name", "value"}, set(), set()),
    "testcase": ({"name", "classname"}, {"time"}, {"failure", "error", "skipped"}),
    "failure": ({"type"}, {"message"}, set()),
    "error": ({"type"}, {"message"}, set()),
    "skipped": (set(), {"type", "message"}, set()),
}


def xunit_faults(element: Element) -> list[str]:
    """What xunit2 does not allow in an element and below."""
    required, optional, children = XUNIT2[element.tag]
    here = element.tag
    found = [f"{here} lacks {name}" for name in required - set(element.attrib)]
    found += [f"{here} has {name}" for name in set(element.attrib) - required - optional]
    found += [f"{child.tag} in {here}" for child in element if child.tag not in children]
    if here == "testcase" and len(element) > 1:
        found.append("two results of one case")
    if here == "testsuite":
        for name, kind in (("failures", "failure"), ("errors", "error"), ("skipped", "skipped")):
            if element.get(name) != str(len(element.findall(f"testcase/{kind}"))):
                found.append(f"{name} are counted wrongly")
        if element.get("tests") != str(len(element.findall("testcase"))):
            found.append("tests are counted wrongly")
    return found + [
        each for child in element if child.tag in XUNIT2 for each in xunit_faults(child)
    ]


@pytest.mark.parametrize("feedback", Feedback)
@pytest.mark.parametrize("report", ALL.values(), ids=ALL)
def test_junit_is_xunit2(report: Report, feedback: Feedback) -> None:
    root = fromstring(render("junit", replace(report, feedback=feedback)))
    assert xunit_faults(root) == []
    title = "<b>`=title`|\\x1b[31m"
    assert (root.get("name") == title) == (report is HOSTILE_ONE)


def test_names_cannot_break_a_file_of_games() -> None:
    odd = PlayedGame(('a\n\x1b]"', "}b{"), "W:W21-32:B1-12", (), "", "{x}")
    pairing = Pairing("", "", (Pair(1, (odd,)),))
    pdn = render_match("pdn", MatchResult("checkers", "", True, 7, "", (pairing,)))
    assert '[Black "a \\\\x1b]\'"]\n' in pdn
    assert len(re.findall(r'^\[\w+ "[ -~]*"\]$', pdn, re.MULTILINE)) == 10
    assert "{(x)}" in pdn


if __name__ == "__main__":
    GOLDEN.mkdir(exist_ok=True)
    for golden, make in FILES.items():
        (GOLDEN / golden).write_text(stable(make()), "utf-8")
