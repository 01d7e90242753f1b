"""How the page looks on a phone, by day and by night, and to who has no mouse."""

from __future__ import annotations

import pytest
from support.analysis_page import AnalysisPage
from support.headless_browser import CHROMIUM

pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="there is no chromium on this machine")

MODES = ["Analyse", "Play", "Heuristics", "Tree", "Puzzles"]
PHONE = 360


@pytest.mark.parametrize("mode", [mode.lower() for mode in MODES])
def test_a_phone_shows_everything_without_scrolling_sideways(
    visit: AnalysisPage, mode: str
) -> None:
    visit.go(mode=mode)
    visit.page.resize(PHONE, 740)
    assert visit.texts("nav a") == MODES
    assert visit.page.value("document.documentElement.scrollWidth") <= PHONE
    if mode in ("analyse", "play", "heuristics"):
        visit.click("#edit")
        assert visit.page.value("document.documentElement.scrollWidth") <= PHONE


def test_light_and_dark(visit: AnalysisPage) -> None:
    visit.go()
    colour = "getComputedStyle(document.body).backgroundColor"
    light = visit.page.value(colour)
    visit.page.emulate("dark")
    dark = visit.page.value(colour)
    assert light != dark
    visit.click("#theme")
    assert visit.text("#theme") == "Dark"
    visit.page.emulate("light")
    assert visit.page.value(colour) == dark
    visit.page.reload()
    visit.settle()
    assert visit.page.value(colour) == dark  # it is remembered
    visit.click("#theme", "#theme")
    assert (visit.text("#theme"), visit.page.value(colour)) == ("Auto", light)


def test_the_first_stop_of_the_keyboard_leads_past_the_board(visit: AnalysisPage) -> None:
    visit.go(text="Setup Wa5 Bh4 WHITE")
    address = visit.address()
    visit.page.press("Tab")
    assert visit.page.value("document.activeElement.id") == "skip"
    visit.page.press("Enter")
    assert visit.page.value("document.activeElement.id") == "panels"
    assert visit.address() == address
