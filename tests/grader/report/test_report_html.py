"""The pages as text: well-formed, complete and harmless."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import fields, is_dataclass, replace
from html.parser import HTMLParser
from typing import Any

import pytest
from comparison_examples import (
    CASES,
    COMPARED,
    COMPARISON,
    FAULTY,
    LADDER,
    MEASUREMENTS,
    NAMES,
    TRUTH,
    VARIANTS,
)
from grading_examples import ALL, CLASS, HOSTILE, HOSTILE_ONE, ONE, example, klass, two_flags
from match_examples import DUEL, EMPTY_MATCH, MATCH

from grader.compare.results import Comparison, Ladder, Scan
from grader.compare.results import Report as Compared
from grader.records import Feedback, Report
from grader.report import render_comparison, render_grading, render_match
from grader.report.boards import differing, read_boards
from grader.verdicts import Verdict

VOID = {"meta", "link", "wbr"}
OURS = {
    *("html", "head", "meta", "title", "link", "style", "script", "body", "header", "nav", "main"),
    *("section", "article", "h1", "h2", "h3", "p", "span", "small", "a", "div", "dl", "dt", "dd"),
    *("table", "thead", "tbody", "tr", "th", "td", "figure", "figcaption", "pre", "ul", "li"),
    *("form", "button", "label", "select", "option", "details", "summary", "wbr"),
    *("svg", "symbol", "pattern", "use", "g", "rect", "circle", "path", "text"),
    *("line", "polyline"),
}
NASTY = "<script>alert(1)</script>\"'&]]>\x07\u202e"
COMPARISONS = {
    "everything": COMPARED,
    "comparison": Compared(VARIANTS, COMPARISON),
    "truth unscanned": Compared(
        VARIANTS, truth=replace(TRUTH, option="", points=TRUTH.points[::3])
    ),
    "a ladder of one depth": Compared(VARIANTS, ladder=replace(LADDER, depths=(8,))),
    "a fault": FAULTY,
    "nothing": Compared(()),
    "empty parts": Compared(
        (),
        Comparison((), (), (), 0),
        Scan("depth", (), ()),
        replace(TRUTH, cases=(), points=(), measurements=()),
        Ladder("", (), (), (), (), ()),
    ),
}
MATCHES = {"three": MATCH, "a duel": DUEL, "nobody": EMPTY_MATCH}


def pages() -> dict[str, Callable[[], str]]:
    found: dict[str, Callable[[], str]] = {}
    for name, graded in ALL.items():
        for feedback in Feedback:
            told = replace(graded, feedback=feedback)
            found[f"{name} {feedback}"] = lambda told=told: render_grading("html", told)  # type: ignore[misc]
    for name, compared in COMPARISONS.items():
        found[name] = lambda compared=compared: render_comparison("html", compared)  # type: ignore[misc]
    for name, match in MATCHES.items():
        found[name] = lambda match=match: render_match("html", match)  # type: ignore[misc]
    return found


class Outline(HTMLParser):
    """The elements of a page, its text, and what is wrong with how it is nested."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.faults: list[str] = []
        self.elements: list[tuple[str, dict[str, str]]] = []
        self.text: list[str] = []
        self.feed(page)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_startendtag(tag, attrs)
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, {name: value or "" for name, value in attrs}))
        if tag not in OURS:
            self.faults.append(f"<{tag}> is not ours")

    def handle_endtag(self, tag: str) -> None:
        self.text.append(" ")
        if not self.open or self.open.pop() != tag:
            self.faults.append(f"</{tag}> closes something else")

    def handle_data(self, data: str) -> None:
        if "style" not in self.open:
            self.text.append(data)

    def values(self, *names: str) -> list[str]:
        return [attrs[name] for _, attrs in self.elements for name in names if name in attrs]

    @property
    def words(self) -> str:
        return " ".join("".join(self.text).split())


@pytest.mark.parametrize("make", pages().values(), ids=pages())
def test_a_page_is_well_formed_and_asks_for_nothing(make: Callable[[], str]) -> None:
    text = make()
    page = Outline(text)
    assert (page.faults, page.open) == ([], [])
    names = page.values("id")
    assert len(names) == len(set(names))
    targets = {target.removeprefix("#") for target in page.values("href", "aria-labelledby")}
    assert targets - {"data:,"} <= set(names)
    assert not page.values("src", "srcset", "data", "action", "style")
    assert not [name for _, attrs in page.elements for name in attrs if name.startswith("on")]
    assert "url(" not in text.replace('fill="url(#squares)"', "")
    for tag, attributes in page.elements:
        assert tag != "svg" or {"aria-label", "aria-labelledby", "aria-hidden"} & set(attributes)
        values = "" if tag == "meta" else " ".join(attributes.values()).lower()
        assert not re.search(r"\bnan\b", values)
    for table in re.findall(r"<table.*?</table>", text, re.DOTALL):
        rows = re.findall(r"<tbody>(.*)</tbody>", table, re.DOTALL)[0].split("</tr>")[:-1]
        cells = {row.count("</td>") + row.count("</th>") for row in rows}
        assert cells <= {table.count('scope="col"')}


def test_a_page_of_one_shows_every_answer_with_its_boards() -> None:
    text = render_grading("html", ONE)
    assert text.count("<article") == text.count("<figcaption>input") == len(ONE.records)
    assert len(re.findall("<figcaption>given(<| <)", text)) == 8  # one of them is not a board
    assert text.count("<figcaption>given 3<") == 1
    assert text.count("<figcaption>expected") == 14
    assert "red man c3 h2</title>" in text
    assert "changed: g3 h2; not as expected: " in text
    assert "white pawn" in text
    assert "<small>black to move</small>" in text
    assert ">not the best way</span>" in text


def test_a_class_has_a_matrix_and_no_boards_of_right_answers() -> None:
    text = render_grading("html", CLASS)
    assert text.count("<article") == len(CLASS.records)
    cells = re.findall(r'<td><a class="(\w+)" href="#r(\d+)">(.)</a></td>', text)
    assert len(cells) == len(CLASS.records)
    assert sum(kind == "good" for kind, _, _ in cells) == 33
    assert text.count("<td>.</td>") == 5
    right = Report(tuple(example(Verdict.EXACT, who) for who in ("ada", "bob")))
    assert "<figure" not in render_grading("html", right)


def test_a_large_class_draws_each_board_once() -> None:
    few, many = (render_grading("html", klass(size, 40)) for size in (40, 300))
    assert few.count('<symbol id="b') == many.count('<symbol id="b')
    assert many.count("<figure>") > few.count("<figure>")
    assert len(many.encode()) < 8_000_000


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


def test_a_comparison_shows_numbers_charts_and_truth() -> None:
    words = Outline(render_comparison("html", COMPARED)).words
    for each in ("16 of 18 (67-97 %)", "0.42 x [0.33, 0.53]", "23,437,500", "562,563"):
        assert each in words
    for title in ("Truth kept", "Effort", "Disagreements", "Ablation ladder", "Growth with depth"):
        assert title in words
    for note in ("Two Flags has no endings.", "The times of centre differ by 9 %", *NAMES):
        assert note in words
    assert "every rung has the value of minimax" in words
    assert "tables False, seconds 0.5" in words
    faulty = render_comparison("html", FAULTY)
    assert "case-07 at depth 6: + caching has 12, not 15" in faulty
    assert faulty.count('class="bar doubtful"') == 1
    assert "An open bar with a dashed edge changes values." in faulty


def cards(report: Compared) -> list[str]:
    text = render_comparison("html", report)
    return re.findall(r'<article class="card">.*?</article>', text, re.DOTALL)


def test_variants_that_disagree_are_side_by_side_with_the_truth() -> None:
    found = cards(COMPARISONS["comparison"])
    jump, pawns = (Outline(card).words for card in found)
    assert "jump-01" in jump  # first, because two variants throw the win away there
    assert re.search("position.*truth.*c3xe5xg7: win in 5.*exact.*centre.*worse.*six-regions", jump)
    assert "h2-g3: loss in 8; searched value +12 at depth 4" in jump
    assert "Proven result: draw." in pawns
    assert [card.count("<use ") for card in found] == [4, 4]
    agreed = tuple(each for each in MEASUREMENTS if each.case == "agreed-03")
    same = Compared(VARIANTS, replace(COMPARISON, measurements=agreed, cases=CASES[2:]))
    assert "All variants give the same answers." in render_comparison("html", same)


def test_the_truth_is_drawn_also_if_no_variant_found_it() -> None:
    wrong = tuple(replace(each, move=f"{each.move}?") for each in MEASUREMENTS)
    found = cards(Compared(VARIANTS, replace(COMPARISON, measurements=wrong)))
    assert all("truth <small>" in card and card.count("<use ") == 4 for card in found)
    unknown = (replace(CASES[0], best=("a1-a9",)), *CASES[1:])
    found = cards(Compared(VARIANTS, replace(COMPARISON, cases=unknown, measurements=wrong)))
    assert "truth <small>a1-a9" not in "".join(found)


def test_a_match_shows_standings_pairs_and_openings() -> None:
    words = Outline(render_match("html", MATCH)).words
    assert "2. centre 156 104.5 +122.9 (+81.8 to +164.2)" in words
    for each in ("+37 =14 -27", "+inf", "undecided: the LLR of 0.75", "no crash and no illegal"):
        assert each in words
    assert "48 won by red, 11 drawn, 19 won by black" in words
    *full, last = MATCH.pairings
    fewer = replace(MATCH, pairings=(*full, replace(last, pairs=last.pairs[:9])))
    assert "Standings" in words
    assert "Standings" not in Outline(render_match("html", fewer)).words
    words = Outline(render_match("html", DUEL)).words
    assert f"{NAMES[1]} {NAMES[0]} crash: exit code 1 0" in words
    assert "1 opening played; no game was won on the board." in words
    assert "No games were played." in Outline(render_match("html", EMPTY_MATCH)).words


def spoil(value: Any, names: dict[str, str]) -> Any:
    """The same with other names, wherever they stand."""
    if isinstance(value, str):
        return names.get(value, value)
    if isinstance(value, tuple):
        return tuple(spoil(each, names) for each in value)
    if is_dataclass(value) and not isinstance(value, type):
        changes = {each.name: spoil(getattr(value, each.name), names) for each in fields(value)}
        return replace(value, **changes)
    return value


def test_no_name_is_ever_markup() -> None:
    texts = [*NAMES, "jump-01", "c3xe5xg7", "+12 at depth 4", "+ caching", "sound", "163 openings"]
    texts += ["1000 nodes a move", "the endgame tables know"]
    names = {text: f"{NASTY}{place}" for place, text in enumerate(texts)}
    for text in (
        render_comparison("html", spoil(COMPARED, names)),
        render_match("html", spoil(MATCH, names)),
    ):
        page = Outline(text)
        assert (page.faults, page.open) == ([], [])
        assert "script" not in {name for name, _ in page.elements}
        assert "<script>alert(1)</script>" in page.words
        assert not set(text) & {"\x07", "\u202e"}
