"""The page as text: well-formed, complete, harmless and not too large."""

from __future__ import annotations

import re
from dataclasses import replace
from html.parser import HTMLParser

import pytest
from grading_examples import ALL, CLASS, HOSTILE, HOSTILE_ONE, ONE, example, klass, two_flags

from grader.records import Feedback, Report
from grader.report.grading import render
from grader.report.grading.html.boards import Drawing, differing, drawings
from grader.verdicts import Verdict

VOID = {"meta", "link"}
OURS = {
    *("html", "head", "meta", "title", "link", "style", "script", "body", "header", "main"),
    *("section", "article", "h1", "h2", "h3", "p", "span", "small", "a", "div", "dl", "dt", "dd"),
    *("table", "thead", "tbody", "tr", "th", "td", "figure", "figcaption", "pre"),
    *("form", "button", "label", "select", "option"),
    *("svg", "symbol", "pattern", "use", "g", "rect", "circle", "path", "text"),
}


class Outline(HTMLParser):
    """The elements of a page, and what is wrong with how they are nested."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.faults: list[str] = []
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))
        if tag not in OURS:
            self.faults.append(f"<{tag}> is not ours")
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        if not self.open or self.open.pop() != tag:
            self.faults.append(f"</{tag}> closes something else")

    def values(self, *names: str) -> list[str]:
        return [attrs[name] or "" for _, attrs in self.elements for name in names if name in attrs]


@pytest.mark.parametrize("feedback", Feedback)
@pytest.mark.parametrize("report", ALL.values(), ids=ALL)
def test_the_page_is_well_formed(report: Report, feedback: Feedback) -> None:
    page = Outline(render("html", replace(report, feedback=feedback)))
    assert (page.faults, page.open) == ([], [])
    names = page.values("id")
    assert len(names) == len(set(names))
    targets = {target.removeprefix("#") for target in page.values("href", "aria-labelledby")}
    assert targets - {"data:,"} <= set(names)
    assert not [name for _, attrs in page.elements for name in attrs if name.startswith("on")]


def test_the_outline_notices_what_is_wrong() -> None:
    assert Outline("<p><img></p>").faults == ["<img> is not ours", "</p> closes something else"]
    assert Outline("<div><p></div>").faults


def test_the_page_asks_for_nothing() -> None:
    for report in ALL.values():
        page = Outline(render("html", report))
        assert not page.values("src", "srcset", "data", "action", "style")
    assert "url(" not in render("html", ONE).replace('fill="url(#squares)"', "")


def test_a_single_page_shows_every_answer_with_its_boards() -> None:
    text = render("html", ONE)
    assert text.count("<article") == len(ONE.records)
    assert text.count("<figcaption>input") == len(ONE.records)
    assert len(re.findall("<figcaption>given(<| <)", text)) == 8  # one of them is no board
    assert text.count("<figcaption>given 3<") == 1
    assert text.count("<figcaption>expected") == 14
    assert "red man c3 h2</title>" in text
    assert "changed: g3 h2; not as expected: " in text
    assert "white pawn" in text
    assert "<small>black to move</small>" in text


def test_a_class_has_a_matrix_and_no_boards_of_right_answers() -> None:
    text = render("html", CLASS)
    page = Outline(text)
    assert text.count("<article") == len(CLASS.records)
    cells = re.findall(r'<td class="(\w+)"><a href="#r(\d+)">(.)</a></td>', text)
    assert len(cells) == len(CLASS.records)
    assert sum(kind == "good" for kind, _, _ in cells) == 33
    assert text.count("<td>.</td>") == 5
    assert "option" in {tag for tag, _ in page.elements}
    right = Report(tuple(example(Verdict.EXACT, who) for who in ("ada", "bob")))
    assert "<figure" not in render("html", right)


def test_boards_are_drawn_once_however_often_they_are_shown() -> None:
    few, many = (render("html", klass(size, 12)) for size in (20, 40))
    assert few.count('<symbol id="b') == many.count('<symbol id="b')
    assert many.count("<figure>") > few.count("<figure>")


def test_a_large_class_stays_a_page_that_a_browser_opens() -> None:
    assert len(render("html", klass(300, 40)).encode()) < 8_000_000


def test_hostile_text_is_text() -> None:
    text = render("html", HOSTILE_ONE)
    assert "&lt;script&gt;alert(1)&lt;/script&gt;" in text
    assert text.count("<script>") == 1
    assert "<img" not in text
    assert "naïve 棋盤 ♛ 🏁 é" in text
    assert len(re.findall("<article", text)) == len(HOSTILE)


def test_strange_pieces_are_drawn_as_they_are() -> None:
    odd = replace(example(Verdict.ILLEGAL), given_board="<&x.....\n" + "........\n" * 7)
    text = render("html", Report((odd,)))
    assert '<text class="unknown" x="5" y="7.5">&lt;</text>' in text


def test_texts_that_are_no_boards_have_no_drawing() -> None:
    row = "........\n"
    assert drawings("checkers", row * 7) == []
    assert drawings("checkers", row * 7 + ".......\n") == []
    assert drawings("checkers", row * 8 + "too\nmany\nlines\n") == []
    assert drawings("checkers", "") == []
    assert len(drawings("checkers", row * 8 + "\n" + row * 8)) == 2
    assert drawings("checkers", (row * 8 + "\n") * 101) == []


def test_differing_squares_have_their_names() -> None:
    (before,) = drawings("twoflags", two_flags().input_board)
    (after,) = drawings("twoflags", two_flags().given_board)
    assert differing(before, after) == ("a4", "a2")
    assert isinstance(after, Drawing)
    assert after.note == "black to move"
