"""The pages of comparisons and matches: what is on them, and that nothing breaks them."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import fields, is_dataclass, replace
from html.parser import HTMLParser
from math import inf
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
from match_examples import DUEL, EMPTY_MATCH, MATCH

from grader.compare.results import Comparison, Kept, Ladder, Report, Scan
from grader.report.page.compare_page import compare_page
from grader.report.page.match_page import match_page
from grader.report.page.wording import signed, times
from grader.stats.shares import Share

VOID = {"meta", "link", "br", "wbr"}
HOSTILE = "<script>alert(1)</script>\"'&]]>\x07\u202e"

REPORTS = {
    "everything": COMPARED,
    "comparison": Report(VARIANTS, COMPARISON),
    "truth": Report(VARIANTS, truth=TRUTH),
    "truth unscanned": Report(VARIANTS, truth=replace(TRUTH, option="", points=TRUTH.points[::3])),
    "ladder": Report(VARIANTS, ladder=LADDER),
    "a ladder of one depth": Report(VARIANTS, ladder=replace(LADDER, depths=(8,))),
    "a fault": FAULTY,
    "scan": Report(VARIANTS, scan=COMPARED.scan),
    "nothing": Report(()),
    "empty parts": Report(
        (),
        Comparison((), (), (), 0),
        Scan("depth", (), ()),
        replace(TRUTH, cases=(), points=(), measurements=()),
        Ladder("", (), (), (), (), ()),
    ),
}
MATCHES = {"three": MATCH, "a duel": DUEL, "nobody": EMPTY_MATCH}


class Structure(HTMLParser):
    """Which elements are open, and what they hold."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.seen: list[tuple[str, dict[str, str]]] = []
        self.text: list[str] = []
        self.feed(page)
        self.close()
        assert not self.open

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.seen.append((tag, {name: value or "" for name, value in attrs}))
        if tag not in VOID:
            self.open.append(tag)
        elif tag == "br":
            self.text.append(" ")

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.seen.append((tag, {name: value or "" for name, value in attrs}))

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag
        self.text.append(" ")

    def handle_data(self, data: str) -> None:
        if "style" not in self.open:
            self.text.append(data)

    def all(self, tag: str) -> list[dict[str, str]]:
        return [attributes for name, attributes in self.seen if name == tag]

    @property
    def words(self) -> str:
        return " ".join("".join(self.text).split())


def pages() -> dict[str, Callable[[], str]]:
    found: dict[str, Callable[[], str]] = {}
    for name, report in REPORTS.items():
        found[name] = lambda report=report: compare_page(report)  # type: ignore[misc]
    for name, match in MATCHES.items():
        found[name] = lambda match=match: match_page(match)  # type: ignore[misc]
    return found


@pytest.mark.parametrize("make", pages().values(), ids=pages())
def test_a_page_is_whole_and_names_all_that_it_refers_to(make: Callable[[], str]) -> None:
    page = make()
    structure = Structure(page)
    names = [attributes["id"] for _, attributes in structure.seen if "id" in attributes]
    assert len(names) == len(set(names))
    for _, attributes in structure.seen:
        for key in ("href", "aria-labelledby"):
            if attributes.get(key, "").startswith("#") or key == "aria-labelledby":
                assert attributes.get(key, names[0]).lstrip("#") in names
    for plot in structure.all("svg"):
        assert {"aria-label", "aria-labelledby", "aria-hidden"} & set(plot)
    values = " ".join(
        value for _, attributes in structure.seen for value in attributes.values()
    ).lower()
    assert not re.search(r"\bnan\b", values)
    assert not {"script", "img", "iframe", "object"} & {name for name, _ in structure.seen}
    assert "http:" not in page
    assert "https:" not in page


@pytest.mark.parametrize("make", pages().values(), ids=pages())
def test_every_table_has_as_many_cells_as_heads(make: Callable[[], str]) -> None:
    for table in re.findall(r"<table.*?</table>", make(), re.DOTALL):
        heads = table.count('scope="col"')
        rows = re.findall(r"<tbody>(.*)</tbody>", table, re.DOTALL)[0].split("</tr>")[:-1]
        assert {row.count("</td>") + row.count("</th>") for row in rows} <= {heads}


def test_a_comparison_shows_numbers_plots_and_truth() -> None:
    words = Structure(compare_page(COMPARED)).words
    for each in ("16 of 18, 89 % [67, 97]", "0.42 \u00d7 [0.33, 0.53]", "23,437,500", "562,563"):
        assert each in words
    for title in ("Truth kept", "Effort", "Disagreements", "Ablation ladder", "Growth with depth"):
        assert title in words
    assert "Two Flags has no endings." in words
    assert "The times of centre differ by 9 %" in words
    for name in NAMES:
        assert name in words


def test_a_ladder_says_whether_its_values_hold() -> None:
    whole = Structure(compare_page(REPORTS["ladder"])).words
    assert "Every rung has the values that it must have." in whole
    faulty = Structure(compare_page(FAULTY)).words
    assert "must have." not in faulty
    assert "case-07: + caching has the value 12 at depth 6, and must have 15" in faulty


def test_a_cache_that_changes_values_is_drawn_otherwise() -> None:
    page = compare_page(REPORTS["ladder"])
    assert page.count('class="bar doubtful"') == 1
    assert "An open bar with a dashed edge changes values." in page


def test_variants_that_disagree_are_side_by_side_with_the_truth() -> None:
    page = compare_page(REPORTS["comparison"])
    assert "The variants disagree in 2 of 3 cases." in page
    cards = re.findall(r'<article class="card">.*?</article>', page, re.DOTALL)
    jump, pawns = (Structure(card).words for card in cards)
    assert "jump-01" in jump  # first, because two variants throw the win away there
    assert re.search("position.*truth.*c3xe5xg7: win in 5.*exact.*centre.*worse.*six-regions", jump)
    assert "h2-g3: loss in 8; believed +12 at depth 4" in jump
    assert "Certain is draw." in pawns
    assert [card.count("<use ") for card in cards] == [4, 4]
    assert cards[0].count('class="badge bad"') == 1
    assert "agreed-03" not in "".join(cards)


def test_the_truth_is_drawn_also_where_nobody_found_it() -> None:
    """Its board is then the solver's, after the best move."""
    wrong = tuple(replace(each, move=f"{each.move}?") for each in MEASUREMENTS)
    page = compare_page(Report(VARIANTS, replace(COMPARISON, measurements=wrong)))
    cards = re.findall(r'<article class="card">.*?</article>', page, re.DOTALL)
    assert all("truth <small>" in card for card in cards)
    assert all(card.count("<use ") == 4 for card in cards)
    unknown = replace(COMPARISON, cases=(replace(CASES[0], best=("a1-a9",)), *CASES[1:]))
    page = compare_page(Report(VARIANTS, replace(unknown, measurements=wrong)))
    assert "truth <small>a1-a9" not in page


def test_agreement_is_said_in_words() -> None:
    agreed = tuple(each for each in MEASUREMENTS if each.case == "agreed-03")
    page = compare_page(Report(VARIANTS, replace(COMPARISON, measurements=agreed, cases=CASES[2:])))
    assert "All variants give the same answers." in page


def test_shares_of_nothing_are_not_drawn() -> None:
    nothing = Kept(Share(0, 0), Share(0, 0), 0, 0)
    summaries = tuple(replace(each, kept=nothing) for each in COMPARISON.summaries)
    page = compare_page(Report(VARIANTS, replace(COMPARISON, summaries=summaries)))
    assert "Wins kept" not in page


def test_a_match_shows_standings_pairs_and_openings() -> None:
    words = Structure(match_page(MATCH)).words
    assert "2. centre 104.5 of 156 67.0 %" in words
    assert "44 +37 =14 -27" in words
    assert "34 +27 =14 -37" in words  # the same games, seen from the other side
    assert "+\u221e" in words  # all pairs won
    assert "undecided: the LLR of 0.75" in words
    assert "None: nobody crashed or broke a rule." in words
    assert "48 won by red, 11 drawn, 19 won by black" in words


def test_who_has_not_played_as_often_is_not_ranked() -> None:
    *full, last = MATCH.pairings
    fewer = replace(MATCH, pairings=(*full, replace(last, pairs=last.pairs[:9])))
    assert "Standings" in Structure(match_page(MATCH)).words
    assert "Standings" not in Structure(match_page(fewer)).words


def test_a_forfeit_is_listed_as_what_it_was() -> None:
    words = Structure(match_page(DUEL)).words
    assert f"{NAMES[1]} {NAMES[0]} crash: exit code 1 0" in words
    assert "1 opening played; no game was won on the board." in words
    assert "Crosstable" not in words
    assert "Nothing was played." in Structure(match_page(EMPTY_MATCH)).words


def test_numbers_are_short_and_say_something() -> None:
    ratios = [times(ratio)[:-2] for ratio in (1.0, 0.42, 0.0301, 12.34, 512.3, 12_345.6, inf, 0.0)]
    assert ratios == ["1.00", "0.42", "0.030", "12.3", "512", "12,346", "\u221e", "0"]
    signs = [signed(elo) for elo in (0.0, 0.04, -0.04, 3.21, -12.7, 9.96, inf, -inf)]
    minus = "\u2212"
    assert signs == ["0.0", "0.0", "0.0", "+3.2", f"{minus}13", "+10", "+\u221e", f"{minus}\u221e"]


def spoilt(value: Any, names: dict[str, str]) -> Any:
    """The same with other names, wherever they stand."""
    if isinstance(value, str):
        return names.get(value, value)
    if isinstance(value, tuple):
        return tuple(spoilt(each, names) for each in value)
    if is_dataclass(value) and not isinstance(value, type):
        changes = {each.name: spoilt(getattr(value, each.name), names) for each in fields(value)}
        return replace(value, **changes)
    return value


@pytest.mark.parametrize("which", ["compared", "match"])
def test_no_name_is_ever_markup(which: str) -> None:
    texts = [*NAMES, "jump-01", "c3xe5xg7", "+12 at depth 4", "+ caching", "sound", "ordering"]
    texts += [
        "163 openings",
        "1000 nodes a move",
        "the endgame tables know",
        MATCH.pairings[0].first,
    ]
    names = {text: f"{HOSTILE}{place}" for place, text in enumerate(texts)}
    page = (
        compare_page(spoilt(COMPARED, names))
        if which == "compared"
        else match_page(spoilt(MATCH, names))
    )
    structure = Structure(page)
    assert not structure.all("script")
    assert "<script>alert(1)</script>" in structure.words
    assert "\x07" not in page
    assert "\u202e" not in page
    allowed = {name for name, _ in Structure(compare_page(COMPARED)).seen}
    allowed |= {name for name, _ in Structure(match_page(MATCH)).seen}
    assert {name for name, _ in structure.seen} <= allowed
