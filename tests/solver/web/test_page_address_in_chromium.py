"""Addresses, tabs and the way to the server: what a page has besides its contents."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.analysis_page import AnalysisPage
from support.headless_browser import CHROMIUM, browser
from support.web_host import served

pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="there is no chromium on this machine")

EMPTY = "\n".join(["........"] * 8)
RACE = "Setup Wa5 Bh4 WHITE"
RACE_BOARD = "........\n........\n........\nw.......\n.......b\n........\n........\n........"


def test_a_shared_link_gives_the_same_position(visit: AnalysisPage) -> None:
    visit.go(game="twoflags", mode="heuristics", heuristic="two-flags")
    visit.squares("e2", "e4")
    visit.until("#turn", "Black to move")
    visit.squares("a7", "a5")
    visit.until("#turn", "White to move")
    board, address = visit.board(), visit.address()
    visit.page.visit("about:blank")
    visit.page.visit(address)
    visit.settle()
    assert (visit.board(), visit.address()) == (board, address)
    assert visit.text("#turn") == "White to move"
    assert visit.text("nav [aria-current]") == "Heuristics"
    assert visit.page.value("document.getElementById('heuristic').value") == "two-flags"
    other = visit.another()
    other.page.visit(address)
    other.settle()
    assert other.board() == board
    other.page.close()


def test_the_modes_share_the_game_that_was_played(visit: AnalysisPage) -> None:
    visit.go()
    visit.squares("c3", "d4")
    visit.until("#turn", "Black to move")
    visit.click("[data-mode=play]")
    visit.until("nav [aria-current]", "Play")
    assert visit.texts("#record-moves button") == ["11-15"]


@pytest.mark.parametrize(
    ("state", "words"),
    [
        ({"mode": "dance"}, "the mode “dance” is none of analyse, play"),
        ({"game": "chess"}, "the game “chess” is none of checkers, twoflags"),
        ({"text": "......../..x...../"}, "line 2, column 3: 'x' is not one of . r b R B"),
        ({"text": "Setup Wa9"}, "'Wa9' is not a pawn like Wa2 or Bh7"),
        ({"game": "checkers", "heuristic": "race"}, "the heuristic “race” is none of"),
        ({"text": RACE, "heuristic": "tuned"}, "The heuristic “tuned” is none of Two Flags"),
        ({"game": "twoflags", "variant": "x"}, "the variant “x” is none of no-en-passant"),
        ({"colour": "blue"}, "“colour” is none of mode, game"),
        ({"text": "r" * 5000}, "the text is longer than 4096 characters"),
        ({"mode": "tree", "depth": "99"}, "the depth “99” is no number from 1 to 8"),
        ({"mode": "puzzles", "puzzle": "no/such"}, "There is no puzzle “no/such” here."),
    ],
)
def test_a_bad_address_gets_a_message(
    visit: AnalysisPage, state: dict[str, str], words: str
) -> None:
    visit.go(**state)
    said = visit.until("#notices", words[1:])
    assert words.lower() in said.lower()
    assert visit.board() != EMPTY  # something is there all the same
    visit.click("#notices button")
    assert not visit.text("#notices")


def test_a_garbled_address_gets_a_message(visit: AnalysisPage) -> None:
    visit.go()
    visit.page.visit(f"{visit.server.url}#text=%E0%A4%A")
    visit.until("#notices", "is cut off or garbled")


def test_a_second_tab_is_undisturbed(visit: AnalysisPage) -> None:
    visit.go()
    other = visit.another()
    other.go(text="B:W21-32:B1-12", heuristic="material")
    depth = "Number(document.querySelector('.search dd')?.innerText ?? 0)"
    for each in (visit, other):
        each.click(".search .main")
    reached = other.page.wait(f"{depth} >= 3 && {depth}")
    visit.page.wait(f"{depth} >= 3")
    visit.click(".search .main")
    visit.squares("c3", "d4")
    visit.until("#turn", "Black to move")
    assert other.page.wait(f"{depth} > {reached} && {depth}") > reached
    assert other.text("#turn") == "Red to move"
    other.page.close()
    visit.until_idle()  # its search ends with it


def test_it_says_that_the_server_is_gone_and_comes_back(tmp_path: Path) -> None:
    with browser(tmp_path) as page:
        with served() as server:
            visit = AnalysisPage(page, server)
            visit.go(text=RACE)
            assert not visit.shown("#lost")
        page.wait("!document.getElementById('lost').hidden")
        assert visit.text("#lost").startswith("The solver does not answer")
        with served("--port", str(server.port)):
            page.wait("document.getElementById('lost').hidden")
            assert visit.board() == RACE_BOARD
            visit.squares("a5", "a6")
            visit.until("#turn", "Black to move")


def test_nothing_comes_from_elsewhere(visit: AnalysisPage) -> None:
    visit.page.requests.clear()
    visit.go()
    asked = [one for one in visit.page.requests if not one.startswith("data:image/svg+xml,")]
    assert len(asked) > 10
    assert all(one.startswith((visit.server.url, "about:blank")) for one in asked), asked
