"""The page as a reader sees it, in a real browser."""

from __future__ import annotations

import base64
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from grading_examples import CLASS, HOSTILE_ONE, ONE
from headless_browser import CHROMIUM, Page, browser

from grader.records import Feedback, Report
from grader.report.grading import render

pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="there is no chromium on this machine")

SHOWN = "[...document.querySelectorAll('.card')].filter(one => one.checkVisibility())"
PHONE = 390


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Page]:
    with browser(tmp_path_factory.mktemp("profile")) as page:
        yield page


@pytest.fixture(autouse=True)
def usual(page: Page) -> None:
    page.emulate()
    page.resize(1200, 900)


def show(page: Page, report: Report, folder: Path) -> None:
    path = folder / "report.html"
    path.write_text(render("html", report), encoding="utf-8")
    page.open(path)


def press(page: Page, verdict: str) -> None:
    page.value(f"document.querySelector('button[data-verdict={verdict}]').click()")


def test_a_filter_shows_what_was_asked_for(page: Page, tmp_path: Path) -> None:
    show(page, ONE, tmp_path)
    assert page.value(f"{SHOWN}.length") == len(ONE.records)
    press(page, "slower")
    assert page.value(f"{SHOWN}.map(one => one.dataset.verdict)") == ["slower", "slower"]
    assert page.value("document.getElementById('shown').innerText") == "2 of 15 answers shown"
    pressed = "document.querySelector('button[data-verdict=slower]').ariaPressed"
    assert page.value(pressed) == "true"
    press(page, "illegal")
    assert page.value(f"{SHOWN}.length") == 3
    press(page, "illegal")
    press(page, "slower")
    assert page.value(f"{SHOWN}.length") == len(ONE.records)


def test_boards_are_really_there(page: Page, tmp_path: Path) -> None:
    show(page, ONE, tmp_path)
    press(page, "illegal")
    boards = f"[...{SHOWN}[0].querySelectorAll('svg')].map(one => one.getBoundingClientRect())"
    sizes = page.value(f"{boards}.map(one => [one.width, one.height, one.top])")
    assert len(sizes) == 3
    assert len({top for _, _, top in sizes}) == 1  # side by side
    assert all(width > 120 and height > 120 for width, height, _ in sizes)
    marks = page.value(f"{SHOWN}[0].querySelectorAll('use').length")
    assert marks == 3
    name = page.value(
        f"document.getElementById({SHOWN}[0].querySelectorAll('svg')[2]"
        ".getAttribute('aria-labelledby')).textContent"
    )
    assert "changed: g3 h2" in name


def test_a_class_is_filtered_by_submission_and_linked_from_its_matrix(
    page: Page, tmp_path: Path
) -> None:
    show(page, CLASS, tmp_path)
    assert page.value(f"{SHOWN}.length") == len(CLASS.records)
    page.value(
        "(() => { const one = document.querySelector('select'); one.value = 's1';"
        " one.dispatchEvent(new Event('change')); })()"
    )
    assert page.value(f"{SHOWN}.length") == 8
    assert page.value(f"new Set({SHOWN}.map(one => one.closest('section').id)).size") == 1
    page.value(
        "new Promise(done => { addEventListener('hashchange', () => done());"
        " document.querySelector('.matrix a[href=\"#r20\"]').click(); })"
    )
    assert page.value("document.getElementById('r20').checkVisibility()")


def test_dark_and_light(page: Page, tmp_path: Path) -> None:
    show(page, ONE, tmp_path)
    colours = (
        "[getComputedStyle(document.body).backgroundColor, getComputedStyle(document.body).color]"
    )
    light = page.value(colours)
    page.emulate(scheme="dark")
    dark = page.value(colours)
    assert (light, dark) == (
        ["rgb(246, 246, 243)", "rgb(29, 29, 27)"],
        ["rgb(22, 23, 22)", "rgb(236, 236, 234)"],
    )


def test_print_hides_the_filter_and_keeps_every_card(page: Page, tmp_path: Path) -> None:
    show(page, ONE, tmp_path)
    page.emulate(scheme="dark", media="print")
    assert not page.value("document.getElementById('filter').checkVisibility()")
    assert page.value(f"{SHOWN}.length") == len(ONE.records)
    assert page.value("getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"
    assert base64.b64decode(page.pdf()).startswith(b"%PDF")


@pytest.mark.parametrize("report", [ONE, CLASS, HOSTILE_ONE], ids=["one", "class", "hostile"])
def test_a_phone_scrolls_in_one_direction_only(page: Page, tmp_path: Path, report: Report) -> None:
    page.resize(PHONE, 800)
    show(page, report, tmp_path)
    assert page.value("document.documentElement.scrollWidth") <= PHONE
    wide = (
        "[...document.querySelectorAll('.card')].filter(one => one.scrollWidth > one.clientWidth)"
    )
    assert page.value(f"{wide}.length") == 0


def test_everything_can_be_read_without_a_script(page: Page, tmp_path: Path) -> None:
    page.emulate(scripts=False)
    show(page, ONE, tmp_path)
    assert page.value(f"{SHOWN}.length") == len(ONE.records)
    assert not page.value("document.getElementById('filter').checkVisibility()")


def test_the_network_is_left_alone_and_nothing_is_complained_about(
    page: Page, tmp_path: Path
) -> None:
    page.requests.clear()
    page.complaints.clear()
    show(page, HOSTILE_ONE, tmp_path)
    assert page.requests == [(tmp_path / "report.html").as_uri()]
    assert page.complaints == []


def test_a_script_in_the_page_that_is_not_ours_does_not_run(page: Page, tmp_path: Path) -> None:
    text = render("html", ONE).replace("<main>", "<main><script>document.title = 'x'</script>")
    path = tmp_path / "attacked.html"
    path.write_text(text)
    page.open(path)
    assert page.value("document.title") == "Checkmark"
    assert page.complaints


def test_what_is_kept_back_is_nowhere_in_the_document(page: Page, tmp_path: Path) -> None:
    wrong = tuple(record for record in ONE.records if not record.verdict.accepted)
    show(page, replace(ONE, records=wrong, feedback=Feedback.OWN), tmp_path)
    assert page.value("document.querySelectorAll('figure').length") > 0
    named = "[...document.querySelectorAll('figcaption, symbol title')]"
    assert "expected" not in page.value(f"{named}.map(one => one.textContent).join()")
