"""The pages as a reader sees them, in a real browser."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from support.browser import Watch, find_barriers
from support.grading_examples import CLASS, HOSTILE_ONE, ONE, render
from support.lab_examples import COMPARED
from support.web_host import served

from grader.report import render_comparison
from grader.report.boards import PAGE

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

PHONE = 390
PAGES = {
    "comparison": lambda: render_comparison("html", COMPARED),
    "class": lambda: render("html", CLASS),
    "one": lambda: render("html", ONE),
    "hostile": lambda: render("html", HOSTILE_ONE),
}
# Words of a chart that stick out of the card around it, or run into others.
OUTSIDE = """() => [...document.querySelectorAll('.plot')].flatMap(plot => {
  const card = plot.closest('figure').getBoundingClientRect();
  return [...plot.querySelectorAll('text')].filter(one => {
    const box = one.getBoundingClientRect();
    return box.left < card.left || box.right > card.right + .5 || box.bottom > card.bottom + .5;
  }).map(one => one.textContent);
})"""
OVERLAPPING = """() => [...document.querySelectorAll('.plot')].flatMap(plot => {
  const boxes = [...plot.querySelectorAll('text:not(.marker)')]
    .map(one => [one.textContent, one.getBoundingClientRect()]);
  return boxes.flatMap(([words, box], place) => boxes.slice(place + 1)
    .filter(([, other]) => box.left < other.right - 1 && other.left < box.right - 1
                        && box.top < other.bottom - 3 && other.top < box.bottom - 3)
    .map(([others]) => [words, others]));
})"""
BACKGROUND = "getComputedStyle(document.body).backgroundColor"


def show(page: Page, text: str, folder: Path) -> str:
    path = folder / "report.html"
    path.write_text(text, encoding="utf-8")
    page.goto(path.as_uri())
    return path.as_uri()


@pytest.mark.parametrize(
    "name",
    [
        name if place < 1 else pytest.param(name, marks=pytest.mark.slow)
        for place, name in enumerate(PAGES)
    ],
)
def test_a_page_fits_a_phone_and_a_desk_and_keeps_nobody_out(
    page: Page, tmp_path: Path, name: str
) -> None:
    watch = Watch(page)
    address = show(page, PAGES[name](), tmp_path)
    for width in (PHONE, 1200):
        page.set_viewport_size({"width": width, "height": 900})
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        assert page.evaluate(OUTSIDE) == []
        assert page.evaluate(OVERLAPPING) == []
    backgrounds = []
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme)
        backgrounds.append(page.evaluate(BACKGROUND))
    assert backgrounds == ["rgb(246, 246, 243)", "rgb(22, 23, 22)"]
    assert set(watch.requests) == {address}
    assert watch.complaints == []
    if name != "hostile":  # its texts are not ours
        assert find_barriers(page) == []


def test_a_grading_on_the_screen_and_on_paper(page: Page, tmp_path: Path) -> None:
    show(page, PAGES["one"](), tmp_path)
    cards, button = page.locator(".card:visible"), page.locator("button[data-verdict=slower]")
    accepted = sum(record.verdict.accepted for record in ONE.records)
    assert cards.count() == len(ONE.records) - accepted
    page.locator("details.answers > summary").click()
    assert cards.count() == len(ONE.records)
    button.click()
    assert page.locator(".card[data-verdict=slower]:visible").count() == cards.count() == 2
    assert page.locator("#shown").inner_text() == "2 of 15 answers shown"
    assert button.get_attribute("aria-pressed") == "true"
    assert button.inner_text().endswith("not the best way 2")
    page.locator("button[data-verdict=illegal]").click()
    assert cards.count() == 3
    boards = page.locator(".card[data-verdict=illegal] svg")
    boxes = [boards.nth(place).bounding_box() for place in range(boards.count())]
    assert len(boxes) == 3
    assert all(box and box["width"] > 120 and box["height"] > 120 for box in boxes)
    assert len({box["y"] for box in boxes if box}) == 1
    label = boards.nth(2).get_attribute("aria-labelledby")
    assert "changed: g3 h2" in (page.locator(f"#{label}").text_content() or "")
    page.locator("button[data-verdict=illegal]").click()
    button.click()
    assert cards.count() == len(ONE.records) - accepted
    page.emulate_media(color_scheme="dark", media="print")
    assert not page.locator("#filter").is_visible()
    assert cards.count() == len(ONE.records) - accepted
    assert page.evaluate(BACKGROUND) == "rgb(255, 255, 255)"
    assert page.pdf().startswith(b"%PDF")


def test_a_class_is_filtered_by_submission_and_linked_from_its_matrix(
    page: Page, tmp_path: Path
) -> None:
    show(page, PAGES["class"](), tmp_path)
    page.locator("select").select_option("1")
    assert page.locator(".card:visible").count() == 3
    assert page.locator(".answers:visible").count() == 3
    page.locator('.matrix a[href="#r0"]').click()
    page.locator("#r0").wait_for(state="visible")


def test_everything_can_be_read_without_a_script(browser: Browser, tmp_path: Path) -> None:
    context = browser.new_context(java_script_enabled=False)
    plain = context.new_page()
    show(plain, PAGES["one"](), tmp_path)
    plain.locator("details.answers > summary").click()
    assert plain.locator(".card:visible").count() == len(ONE.records)
    assert not plain.locator("#filter").is_visible()
    context.close()


def test_a_script_in_the_page_that_is_not_ours_does_not_run(page: Page, tmp_path: Path) -> None:
    watch = Watch(page)
    attack = "<main><script>document.title = 'x'</script>"
    show(page, PAGES["one"]().replace("<main>", attack), tmp_path)
    assert page.title() == "Checkmark"
    assert watch.complaints


def test_boards_open_in_the_page_with_the_right_side_to_move(page: Page, tmp_path: Path) -> None:
    show(page, PAGES["comparison"](), tmp_path)
    assert page.locator("h2").first.inner_text() == "Variants on the same boards"  # the ranking
    names = page.locator("table").first.locator("tbody th")
    assert len(set(names.all_inner_texts())) == names.count() == 3
    assert names.evaluate_all("all => all.every(one => one.scrollWidth <= one.clientWidth)")
    links = page.locator(".card").first.locator(".boards a")
    found = [links.nth(place).get_attribute("href") or "" for place in range(3)]
    with served() as server:
        for address, turn in zip(found, ("Red", "Black", "Black"), strict=True):
            page.goto("about:blank")
            page.goto(address.replace(PAGE, server.url))
            page.locator("#turn", has_text=f"{turn} to move").wait_for()
