"""The pages as a reader sees them, in a real browser."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from comparison_examples import COMPARED
from headless_browser import CHROMIUM, Page, browser
from match_examples import MATCH

from grader.report.page.compare_page import compare_page
from grader.report.page.match_page import match_page

pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="there is no chromium on this machine")

PHONE = 390
PAGES = {"compare": lambda: compare_page(COMPARED), "match": lambda: match_page(MATCH)}
# Words of a plot that stick out of the card around it, or run into others on their line.
OUTSIDE = """
[...document.querySelectorAll('.plot')].flatMap(plot => {
  const card = plot.closest('figure').getBoundingClientRect();
  return [...plot.querySelectorAll('text')].filter(one => {
    const box = one.getBoundingClientRect();
    return box.left < card.left || box.right > card.right + .5 || box.bottom > card.bottom + .5;
  }).map(one => one.textContent);
})"""
OVERLAPPING = """
[...document.querySelectorAll('.plot')].flatMap(plot => {
  const boxes = [...plot.querySelectorAll('text')]
    .map(one => [one.textContent, one.getBoundingClientRect()]);
  return boxes.flatMap(([words, box], place) => boxes.slice(place + 1)
    .filter(([, other]) => box.left < other.right - 1 && other.left < box.right - 1
                        && box.top < other.bottom - 3 && other.top < box.bottom - 3)
    .map(([others]) => [words, others]));
})"""


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Page]:
    with browser(tmp_path_factory.mktemp("profile")) as page:
        yield page


@pytest.mark.parametrize("name", PAGES)
def test_a_page_fits_a_phone_and_a_desk_by_day_and_by_night(
    page: Page, tmp_path: Path, name: str
) -> None:
    path = tmp_path / "page.html"
    path.write_text(PAGES[name](), encoding="utf-8")
    page.requests.clear()
    page.complaints.clear()
    colours = set()
    for width, scheme in ((PHONE, "light"), (PHONE, "dark"), (1200, "light"), (1200, "dark")):
        page.emulate(scheme=scheme, scripts=False)
        page.resize(width, 900)
        page.open(path)
        assert page.value("document.documentElement.scrollWidth") <= width
        assert page.value(OUTSIDE) == []
        assert page.value(OVERLAPPING) == []
        colours.add(page.value("getComputedStyle(document.querySelector('.whisker')).stroke"))
    assert len(colours) == 2
    assert set(page.requests) == {path.as_uri()}
    assert page.complaints == []
