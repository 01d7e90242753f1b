"""The pages as text: well-formed, complete and harmless."""

from __future__ import annotations

import re
from dataclasses import fields, is_dataclass, replace
from typing import Any
from xml.etree import ElementTree
from xml.etree.ElementTree import Element

import pytest
from support.grading_examples import ALL, CLASS, HOSTILE, HOSTILE_ONE, example, klass, two_flags
from support.grading_examples import render as render_grading
from support.lab_examples import CLIMBED, COMPARED, COMPARISON, LADDER, NAMES, VARIANTS

from grader.grading.records import Feedback, Report, Verdict
from grader.lab.compare_results import ChangedValue
from grader.lab.compare_results import ComparisonReport as Compared
from grader.lab.stats import Estimate
from grader.report import render_comparison
from grader.report.boards import differing, read_boards

FOREIGN = {"src", "srcset", "data", "action", "style"}
LABELS = {"aria-label", "aria-labelledby", "aria-hidden"}
OURS = {
    *("html", "head", "meta", "title", "link", "body", "header", "nav", "main"),
    *("section", "article", "h1", "h2", "h3", "p", "span", "small", "a", "div", "dl", "dt", "dd"),
    *("table", "thead", "tbody", "tr", "th", "td", "figure", "figcaption", "pre", "ul", "li"),
    *("form", "button", "label", "select", "option", "details", "summary", "wbr"),
    *("svg", "symbol", "pattern", "use", "g", "rect", "circle", "path", "text"),
    *("line", "polyline"),
}
NASTY = "<script>alert(1)</script>\"'&]]>\x07\u202e"
COMPARISONS = {
    "comparison": COMPARED,
    "truth": Compared(VARIANTS, replace(COMPARISON, origin="random endings of 4 pieces")),
    "a ladder": CLIMBED,
    "a ladder of one depth": Compared(VARIANTS, replace(LADDER, depths=(8,))),
    "a fault": Compared(
        VARIANTS, replace(LADDER, faults=(ChangedValue("+ cache", "case-07", 6, 12, 15),))
    ),
}
PAGES: dict[str, Report | Compared] = {
    **{
        f"{name} {kind}": replace(each, feedback=kind)
        for name, each in ALL.items()
        for kind in Feedback
    },
    **COMPARISONS,
}


def render(report: Report | Compared) -> str:
    if isinstance(report, Report):
        return render_grading("html", report)
    return render_comparison("html", report)


def parse(page: str) -> Element:
    """An XML parser finds what is not well-formed."""
    page = re.sub(r"<!doctype html>|<(style|script)>.*?</\1>", "", page, flags=re.DOTALL)
    page = re.sub(r"<(meta|link|wbr)\b([^>]*)>", r"<\1\2/>", page)
    return ElementTree.fromstring(page.replace(" hidden>", ' hidden="">'))


@pytest.mark.parametrize("name", PAGES)
def test_a_page_is_well_formed_and_asks_for_nothing(name: str) -> None:
    text = render(PAGES[name])
    page = parse(text)
    address = re.compile(r"http://127\.0\.0\.1:8017/#game=\w+&text=[\w./%]+")
    assert {each.tag for each in page.iter()} <= OURS
    names = [each.get("id", "") for each in page.iter() if "id" in each.attrib]
    assert len(names) == len(set(names))
    for each in page.iter():
        for target in (each.get("href", ""), each.get("aria-labelledby", "")):
            known = target in ("", "data:,") or target.removeprefix("#") in names
            assert known or address.fullmatch(target)  # a board in `solver serve`
        assert not FOREIGN & set(each.attrib)
        assert not [name for name in each.attrib if name.startswith("on")]
        assert each.tag != "svg" or LABELS & set(each.attrib)
        assert each.tag == "meta" or not re.search(r"\bnan\b", " ".join(each.attrib.values()))
    assert "url(" not in text.replace('fill="url(#squares)"', "")
    for table in re.findall(r"<table.*?</table>", text, re.DOTALL):
        rows = re.findall(r"<tbody>(.*)</tbody>", table, re.DOTALL)[0].split("</tr>")[:-1]
        cells = {row.count("</td>") + row.count("</th>") for row in rows}
        assert cells <= {table.count('scope="col"')}


def test_a_page_grows_with_the_answers_and_not_with_the_class() -> None:
    few, many = (render_grading("html", klass(size, 40)) for size in (40, 300))
    assert few.count("<figure>") == many.count("<figure>")
    assert len(re.findall(r'<td><a class="\w+"( href="#r\d+")?>.</a></td>', many)) == 300 * 40
    assert len(many.encode()) < 1_000_000


def test_a_student_reads_the_diagnosis_first_and_accepted_answers_are_folded() -> None:
    own = Report(CLASS.records, Feedback.OWN, diagnoses=CLASS.diagnoses)
    text = render_grading("feedback", own).split("student-001.html")[1]
    order = ("<h2>Diagnosis", "in which kings never move", "<h2>Summary", "<h2>Not accepted")
    folds = ("<summary>Accepted: ", "<summary>Without marks: 1")
    places = [text.index(each) for each in (*order, *folds)]
    assert places == sorted(places)
    assert "14 of 16" in text  # without what is worth nothing


def test_a_class_page_shows_findings_and_which_puzzles_separate() -> None:
    solves = {"easy": "abcdef", "never": "", "hard": "abc", "fair": "abcde", "odd": "ef"}
    solves["middle"] = "abcd"
    records = tuple(
        example(Verdict.EXACT if name in solves[puzzle] else Verdict.WORSE, name, puzzle)
        for name in "abcdef"
        for puzzle in solves
    )
    words = re.sub("<[^>]*>", "|", render_grading("html", Report(records)))
    assert re.search(r"\|fair\|+83\.3%\|+\+0\.45\|+hard\|+50\.0%\|+\+0\.45\|", words)
    assert "Solved by all: easy." in words
    assert "Solved by none: never." in words
    assert re.search(r"\(check the expected answer\): odd \(-0\.\d\d\)\.", words)
    found = re.sub("<[^>]*>", "|", render_grading("html", CLASS))
    assert re.search(r"kings never move backward\|+1\|+student-001\|", found)


def test_hostile_text_is_text() -> None:
    text = render_grading("html", HOSTILE_ONE)
    assert "&lt;script&gt;alert(1)&lt;/script&gt;" in text
    assert text.count("<script>") == 1
    assert "naïve 棋盤 ♛ 🏁 é" in text
    assert text.count("<article") == len(HOSTILE)
    odd = replace(example(Verdict.ILLEGAL), given_board="<&x.....\n" + "........\n" * 7)
    letter = '<text class="unknown" x="5" y="7.5">&lt;</text>'
    assert letter in render_grading("html", Report((odd,)))


def test_texts_that_are_no_boards_have_no_drawing() -> None:
    row = "........\n"
    for text in (row * 7, row * 7 + ".......\n", row * 8 + "too\nmany\nlines\n", ""):
        assert read_boards("checkers", text) == []
    assert len(read_boards("checkers", row * 8 + "\n" + row * 8)) == 2
    assert read_boards("checkers", (row * 8 + "\n") * 101) == []
    (before,) = read_boards("twoflags", two_flags().input_board)
    (after,) = read_boards("twoflags", two_flags().given_board)
    assert differing(before, after) == ("a4", "a2")
    assert after.note == "black to move"
    assert before.address.endswith("/white")
    (passed,) = read_boards("twoflags", row * 8 + "black e3")  # with the square of en passant
    assert passed.address.endswith("/black%20e3")
    (start,) = read_boards("checkers", row * 8)
    assert start.since(start).address.endswith("/black")
    assert start.since(start.since(start)).address.endswith("/red")


def cards(report: Compared) -> list[str]:
    text = render_comparison("html", report)
    return re.findall(r'<article class="card">.*?</article>', text, re.DOTALL)


def test_variants_that_disagree_are_side_by_side_with_the_truth() -> None:
    """Whether or not a variant found it."""
    assert [card.count("<use ") for card in cards(COMPARISONS["comparison"])] == [4, 4]
    wrong = tuple(replace(each, move=f"{each.move}?") for each in COMPARISON.measurements)
    found = cards(Compared(VARIANTS, replace(COMPARISON, measurements=wrong)))
    assert all("truth <small>" in card and card.count("<use ") == 4 for card in found)


def spoil(value: Any, names: dict[str, str]) -> Any:
    """The same with other names, wherever they stand."""
    if isinstance(value, str):
        return names.get(value, value)
    if isinstance(value, tuple) and not isinstance(value, Estimate):
        return tuple(spoil(each, names) for each in value)
    if is_dataclass(value) and not isinstance(value, type):
        changes = {each.name: spoil(getattr(value, each.name), names) for each in fields(value)}
        return replace(value, **changes)
    return value


def test_no_name_is_ever_markup() -> None:
    texts = [*NAMES, "jump-01", "c3xe5xg7", "+12 at depth 4", "+ cache"]
    names = {text: f"{NASTY}{place}" for place, text in enumerate(texts)}
    for report in COMPARED, CLIMBED:
        text = render(spoil(report, names))
        page = parse(text)
        assert {each.tag for each in page.iter()} <= OURS
        assert "<script>alert(1)</script>" in "".join(page.itertext())
        assert "<script>" not in text
        assert not set(text) & {"\x07", "\u202e"}
