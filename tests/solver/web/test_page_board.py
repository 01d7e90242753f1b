"""The board under the hand: dragging, hints, the list of moves, and a page that does not jump."""

from __future__ import annotations

from support.analysis_page import (
    SCREENS,
    AnalysisPage,
    on_every_screen,
    on_screens,
    on_three_screens,
)
from support.command import SHOT
from support.web_host import START

SHIFTS = """void (window.shifts = 0, new PerformanceObserver(list => {
  for (const one of list.getEntries()) window.shifts += one.value;
}).observe({ type: 'layout-shift', buffered: true }))"""
LOOPS = "B:WK10,K11,K18,K19,K26,K27:BK15,K1"


def drag(visit: AnalysisPage, start: str, end: str) -> None:
    mouse = visit.page.mouse
    for name, act in ((start, mouse.down), (end, mouse.up)):
        box = visit.page.locator(f"[data-square={name}]").bounding_box()
        assert box
        mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2, steps=4)
        act()


@on_three_screens
def test_drag_and_drop(visit: AnalysisPage) -> None:
    visit.go()
    drag(visit, "c3", "c5")  # which is not legal
    assert visit.text("#turn") == "Red to move"
    assert not visit.label("c3").endswith("chosen")
    drag(visit, "c3", "d4")
    visit.until("#turn", "Black to move")
    assert visit.label("d4") == "D4, red man"
    drag(visit, "d4", "e5")  # not black's
    visit.squares("b6", "a5")  # clicks still work
    visit.until("#turn", "Red to move")
    assert visit.texts("#record-moves button") == ["c3-d4", "b6-a5"]


@on_three_screens
def test_captured_pieces_fade_as_the_jump_passes_them(visit: AnalysisPage) -> None:
    visit.page.emulate_media(reduced_motion="no-preference")
    visit.go(text=LOOPS)
    visit.value(
        "void (window.seen = [], window.animate = Element.prototype.animate, Element.prototype"
        ".animate = function (frames, time) { seen.push([this.parentElement.dataset.square,"
        " frames.length, time.delay]); return animate.call(this, frames, time); })"
    )
    visit.click("#legal-moves button")
    visit.until("#record-moves", "d4xf6xd8xb6xd4xb2")
    (end, squares, _), *ghosts = visit.value("seen")
    assert (end, squares) == ("b2", 6)  # from square to square
    assert sorted(delay for _, _, delay in ghosts) == [220, 440, 660, 880, 1100]
    visit.wait("document.querySelectorAll('#board .piece').length === 3")


@on_three_screens
def test_hints_leave_the_arrows(visit: AnalysisPage) -> None:
    visit.go()
    visit.click(".search .main")
    visit.wait("document.querySelectorAll('.arrows .arrow').length >= 3")
    visit.click(".search .main")
    arrows = len(visit.page.query_selector_all(".arrows .arrow"))
    visit.page.hover("#legal-moves button")
    visit.wait("document.querySelectorAll('.hinted .arrow').length === 1")
    assert len(visit.page.query_selector_all(".arrows .arrow")) == arrows + 1
    visit.page.hover("h1")
    visit.wait("document.querySelectorAll('.hinted .arrow').length === 0")


@on_three_screens
def test_the_game_is_in_the_address(visit: AnalysisPage) -> None:
    visit.go()
    for move in (("c3", "d4"), ("b6", "a5"), ("d4", "c5")):
        drawn = visit.board()
        visit.squares(*move)
        visit.wait(f"document.querySelectorAll('#record-moves button').length > 0 && {drawn!r}")
        visit.until("#record-moves", f"{move[0]}-{move[1]}")
    visit.press("Escape")
    visit.value("document.activeElement.blur()")
    visit.press("ArrowLeft")
    visit.until("#record-moves [aria-current]", "b6-a5")
    board, address = visit.board(), visit.address()
    assert "moves=c3-d4+b6-a5+d4-c5" in address
    visit.click("[data-mode=tree]")
    visit.until("nav [aria-current]", "Tree")
    visit.page.go_back()
    visit.until("nav [aria-current]", "Analyse")
    visit.page.reload()
    visit.until("#record-moves [aria-current]", "b6-a5")
    assert (visit.board(), visit.address()) == (board, address)
    assert len(visit.texts("#record-moves li")) == 2  # two columns
    visit.press("ArrowRight")
    visit.until("#turn", "Black to move")
    visit.visit(address.replace("b6-a5", "b6-b5"))
    visit.until("#notices", "illegal move: b6-b5")
    assert visit.texts("#record-moves button") == ["c3-d4"]


@on_every_screen
def test_nothing_jumps_while_analysing(visit: AnalysisPage) -> None:
    visit.go()
    visit.click(".search .main")
    visit.wait("document.querySelectorAll('.lines li').length === 3")
    visit.value(SHIFTS)
    before = visit.value("window.shifts")
    for ply in range(20):
        visit.wait("document.querySelectorAll('.lines li button').length > 0")
        visit.click("#legal-moves button")
        visit.wait(f"document.querySelectorAll('#record-moves button').length > {ply}")
    assert visit.value("window.shifts") - before < 0.05
    visit.check_fit()


@on_screens(*SCREENS[:2], *SCREENS[3:5])
def test_the_editor_is_beside_the_board(visit: AnalysisPage) -> None:
    visit.go()
    visit.click("#edit")
    assert max(visit.bottom("#board"), visit.bottom("#editor")) <= visit.height


@on_every_screen
def test_values_are_for_a_fixed_side_and_fit(visit: AnalysisPage) -> None:
    """Two rows of a line were on top of each other."""
    visit.go(text=SHOT.strip().replace("\n", "/"))
    visit.click(".search .main")
    visit.until(".lines li:first-child", "Red wins in 9")
    visit.squares("c5", "d6")
    visit.until("#turn", "Black to move")
    visit.until(".lines li:first-child", "Red wins in 8")
    assert "Red wins in 8" in visit.text("#value-bar")
    visit.change(game="twoflags")
    visit.until(".lines li:first-child", "White wins in 33")
    fits = "all => all.every(one => one.scrollHeight <= one.clientHeight + 1)"
    assert visit.page.locator(".lines li").evaluate_all(fits)


def test_an_address_is_followed_while_a_move_is_made(visit: AnalysisPage) -> None:
    """The move wrote its own address over the new one before that was read."""
    visit.go(moves="c3-d4 b6-a5", text=START)
    visit.until("#record-moves", "b6-a5")
    visit.value("void (location.hash = 'mode=puzzles', document.getElementById('first').click())")
    visit.until("nav [aria-current]", "Puzzles")
