"""The analysis page as a visitor uses it: the board, the address, and what goes wrong."""

from __future__ import annotations

from pathlib import Path

import pytest
from analysis_page import AnalysisPage
from command import SHOT, SHOT_ANSWER
from headless_browser import CHROMIUM, browser
from web_host import served

pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="there is no chromium on this machine")

EMPTY = "\n".join(["........"] * 8)
RACE = "Setup Wa5 Bh4 WHITE"
RACE_BOARD = "........\n........\n........\nw.......\n.......b\n........\n........\n........"
# Two jumps from 15 end on 8, by ways of their own.
LOOPS = "B:WK10,K11,K18,K19,K26,K27:BK15,K1"
MODES = ["Analyse", "Play", "Heuristics", "Tree", "Puzzles", "Watch"]
PHONE = 360


def test_set_up_a_board_by_clicks_and_get_the_best_move(visit: AnalysisPage) -> None:
    visit.go()
    visit.click("#edit", "#clear")
    visit.until_board(EMPTY)
    pieces = {"R": "c5 h8", "r": "g7 d2", "b": "f8 e5 h4 g3"}
    for piece, squares in pieces.items():
        visit.click(f"#palette input[value={piece}]")
        visit.squares(*squares.split())
    visit.squares("a1", "a1")  # there, and away again
    visit.until_board(SHOT.strip())
    visit.click("#edit", ".search .main")
    assert "19-23" in visit.until(".lines li:first-child", "win in 9")
    visit.until(".badge", "proven")
    visit.click(".lines li:first-child button")
    visit.until_board(SHOT_ANSWER.strip())
    assert visit.text("#turn") == "Black to move"
    visit.click("#back")
    visit.until_board(SHOT.strip())


def test_set_up_a_board_by_the_keyboard_alone(visit: AnalysisPage) -> None:
    visit.go(game="twoflags")
    visit.click("#edit", "#clear")
    visit.until_board(EMPTY)
    visit.squares("d4")  # a pawn, which typing replaces
    for key in ("w", "ArrowUp", "ArrowRight", "b", "ArrowLeft", "ArrowLeft", "b"):
        visit.page.press(key)
    visit.page.wait("document.querySelectorAll('#board .piece').length === 3")
    assert visit.label("d4") == "D4, white pawn"
    assert visit.label("e5") == "E5, black pawn"
    visit.choose("#mover", "black")
    visit.until("#turn", "Black to move")
    assert not visit.shown("#legal")
    visit.click("#edit")
    assert {"c5d4", "e5d4"} <= set(visit.texts("#legal-moves button"))
    assert visit.label("c5") == "C5, black pawn, can move"


def test_a_square_that_cannot_be_says_why(visit: AnalysisPage) -> None:
    visit.go(text=RACE)
    visit.click("#edit", "#palette input[value=w]")
    visit.squares("c1")
    assert "its own first rank" in visit.until("#editor-fault", "line 8, column 3")
    visit.squares("c1")
    visit.page.wait("document.getElementById('editor-fault').hidden")


@pytest.mark.parametrize(
    ("text", "game", "turn"),
    [
        (SHOT, "checkers", "Red to move"),
        ("W:W18,24:B1,K5", "checkers", "Black to move"),
        ("Setup We5 Bd7 Bf7 BLACK", "twoflags", "Black to move"),
        (RACE_BOARD + "\nblack", "twoflags", "Black to move"),
    ],
)
def test_paste_any_text(visit: AnalysisPage, text: str, game: str, turn: str) -> None:
    visit.go()
    visit.click("#edit", "#paste-text")
    visit.page.type(text)
    visit.click("#paste button[type=submit]")
    visit.page.wait(f"document.getElementById('game').value === '{game}'")
    visit.until("#turn", turn)


def test_pasted_nonsense_names_every_fault(visit: AnalysisPage) -> None:
    visit.go()
    visit.click("#edit", "#paste-text")
    visit.page.type("........\n..x.....\n")
    visit.click("#paste button[type=submit]")
    words = visit.until("#editor-fault", "line 2, column 3")
    assert "line 3, column 1: the board ends after 2 rows" in words


def test_moves_are_made_by_clicks_and_by_keys(visit: AnalysisPage) -> None:
    visit.go()
    visit.squares("c3")
    assert visit.label("c3").endswith("chosen")
    assert visit.label("d4").endswith("move here")
    visit.page.press("ArrowUp")
    visit.page.press("ArrowRight")
    visit.page.press("Enter")
    visit.until("#turn", "Black to move")
    assert visit.texts("#record-moves button") == ["11-15"]
    visit.click("#legal-moves button")
    visit.until("#turn", "Red to move")
    visit.click("#back", "#back")
    visit.until("#turn", "Red to move")
    visit.click("#forward")
    visit.until("#turn", "Black to move")
    assert len(visit.texts("#record-moves button")) == 2


@pytest.mark.parametrize(
    ("text", "numbered"),
    [
        ("B:W21-32:B1-12", True),
        ("......../......../......../.....b../......../.r....../......../........", True),
        ("......../......../......../.....b../......../.r....../......../r.......", False),
    ],
    ids=["dark", "light", "both"],
)
def test_squares_have_the_numbers_that_moves_are_named_by(
    visit: AnalysisPage, text: str, numbered: bool
) -> None:
    visit.go(text=text)
    for move in visit.texts("#legal-moves button"):
        start = move.partition("-")[0]
        attribute = "number" if numbered else "square"
        assert visit.label_of(attribute, start).endswith("can move")


def test_moves_that_clicks_cannot_tell_apart_are_chosen_by_name(visit: AnalysisPage) -> None:
    visit.go(text=LOOPS)
    visit.squares("d4", "b2")
    visit.page.wait("document.querySelectorAll('#legal-moves .marked').length === 2")
    marked = visit.texts("#legal-moves .marked")
    assert sorted(marked, key=len) == ["15x8", "15x22x31x24x15x8"]
    visit.click("#legal-moves .marked")
    visit.until("#turn", "Black to move")


def test_watch_the_depth_grow_and_stop_at_once(visit: AnalysisPage) -> None:
    visit.go()
    visit.click(".search .main")
    depth = "Number(document.querySelector('.search dd')?.innerText ?? 0)"
    seen = [visit.page.wait(f"{depth} >= {least} && {depth}") for least in (2, 5, 7)]
    assert seen == sorted(seen)
    assert len(visit.texts(".lines li")) == 3
    assert visit.texts(".search dt") == ["Depth", "Nodes", "Nodes / s", "Time"]
    assert visit.text(".search .badge") == "searching"
    assert len(visit.server.children()) == 1
    visit.click(".search .main")
    assert visit.text(".search .badge") == "stopped"
    stopped = visit.page.value(depth)
    visit.until_idle()
    assert visit.page.value(depth) == stopped


def test_the_analysis_follows_the_board(visit: AnalysisPage) -> None:
    visit.go(text=RACE)
    visit.click(".search .main")
    visit.until(".lines", "a5a6")
    visit.squares("a5", "a6")
    visit.until(".lines", "h4h3")
    visit.click("[data-mode=heuristics]")
    visit.page.wait("document.querySelector('#value-bar').hidden")


def test_two_searches_side_by_side(visit: AnalysisPage) -> None:
    visit.go(text="B:W21-32:B1-12", heuristic="material")
    visit.click("#compare", ".search .main", ".search:nth-child(2) .main")
    visit.page.wait("document.querySelectorAll('.lines li').length === 6")
    visit.choose(".search:nth-child(2) label select", "centre")
    visit.page.wait("document.querySelectorAll('.search:nth-child(2) .lines li').length === 3")
    assert visit.text(".search h3") == "First search: material"
    visit.click(".search .main", ".search:nth-child(2) .main")
    assert visit.texts(".search .badge") == ["stopped", "stopped"]


def test_what_two_heuristics_see(visit: AnalysisPage) -> None:
    visit.go(mode="heuristics", text=SHOT.strip().replace("\n", "/"), heuristic="centre")
    visit.until("#tables", "+5 for red, who is to move")
    visit.choose("#versus", "material")
    visit.page.wait("document.querySelectorAll('#tables table').length === 2")
    assert visit.texts("#tables h3") == ["centre", "material"]
    assert visit.texts("#tables table:first-of-type tbody tr")[0].split("\t") == [
        *("kings", "2", "0", "+4", "+8")
    ]
    assert "versus=material" in visit.address()
    assert len(visit.texts("#ranking tbody tr")) == len(visit.texts("#legal-moves button"))


def test_the_rules_of_a_variant(visit: AnalysisPage) -> None:
    visit.go(text="Setup We5 Bd7 Bf7 BLACK")
    visit.squares("d7", "d5")
    visit.until("#legal-moves", "e5d6")
    visit.click("#back")
    visit.until("#turn", "Black to move")
    visit.choose("#variant", "no-en-passant")
    visit.page.wait("location.hash.includes('variant=no-en-passant')")
    visit.squares("d7", "d5")
    visit.until("#turn", "White to move")
    assert visit.texts("#legal-moves button") == ["e5e6"]


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
    visit.go(text=RACE)
    address = visit.address()
    visit.page.press("Tab")
    assert visit.page.value("document.activeElement.id") == "skip"
    visit.page.press("Enter")
    assert visit.page.value("document.activeElement.id") == "panels"
    assert visit.address() == address
