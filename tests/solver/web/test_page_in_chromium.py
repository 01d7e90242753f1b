"""The analysis page as a visitor uses it: the board, live analysis, heuristics."""

from __future__ import annotations

import pytest
from support.analysis_page import AnalysisPage
from support.command import SHOT, SHOT_ANSWER
from support.headless_browser import CHROMIUM

pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="there is no chromium on this machine")

EMPTY = "\n".join(["........"] * 8)
RACE = "Setup Wa5 Bh4 WHITE"
RACE_BOARD = "........\n........\n........\nw.......\n.......b\n........\n........\n........"
# Two jumps from 15 end on 8, by ways of their own.
LOOPS = "B:WK10,K11,K18,K19,K26,K27:BK15,K1"


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


def test_a_line_keeps_the_focus_while_the_search_goes_on(visit: AnalysisPage) -> None:
    """It is the same button that shows another move."""
    visit.go()
    visit.click(".search .main")
    visit.page.wait("document.querySelector('.lines button') !== null")
    visit.page.value("void (window.kept = document.querySelector('.lines button')).focus()")
    visit.page.wait("Number(document.querySelector('.search dd').innerText) >= 7")
    assert visit.page.value("document.activeElement === kept && kept.isConnected")
    best = visit.text(".lines button")
    visit.page.press("Enter")
    visit.until("#turn", "Black to move")
    assert visit.texts("#record-moves button") == [best]
    visit.click(".search .main")
    visit.until_idle()


def test_the_analysis_follows_the_board(visit: AnalysisPage) -> None:
    visit.go(text=RACE)
    visit.click(".search .main")
    visit.until(".search .badge", "proven")
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
