"""The page's other modes: search trees, games against the solver, puzzles, watching."""

from __future__ import annotations

import socket
import threading
from typing import TYPE_CHECKING

import pytest
from support.analysis_page import AnalysisPage, on_every_screen, on_three_screens
from support.command import SHOT, solver
from support.web_host import START, served

if TYPE_CHECKING:
    from pathlib import Path

    from playwright.sync_api import Page

HOMEWORK = "((3 12 8) (2 4 6) (14 5 2))"
BOARD = SHOT.strip().replace("\n", "/")
WON = "Setup Wa5 Bh4 WHITE"
PUZZLE = "checkers/shot-in-nine"
NOT_YET = "\N{EN DASH}"
COUNTS = {
    "best": "1",
    "value": "3",
    "visited": "11",
    "evaluated": "7",
    "alpha cuts": "2",
    "beta cuts": "0",
}
START_COUNTS = {**dict.fromkeys(COUNTS, "0"), "best": NOT_YET, "value": NOT_YET}


def until_drawn(visit: AnalysisPage) -> None:
    visit.wait("document.querySelector('#drawing .node') !== null")


def step_to(visit: AnalysisPage, number: int) -> str:
    """Move the slider; the text of that step."""
    visit.value(
        f"(() => {{ const slider = document.getElementById('step'); slider.value = {number - 1};"
        " slider.dispatchEvent(new Event('input')); })()"
    )
    visit.until("#step-number", f"step {number} of")
    return visit.text("#step-words")


def counts(visit: AnalysisPage) -> dict[str, str]:
    return dict(zip(visit.texts("#tree-counts dt"), visit.texts("#tree-counts dd"), strict=True))


def values(visit: AnalysisPage, kind: str) -> list[str]:
    found: list[str] = visit.page.eval_on_selector_all(
        f"#drawing .node.{kind} .value", "all => all.map(one => one.textContent)"
    )
    return found


def test_step_through_a_homework_tree(visit: AnalysisPage) -> None:
    visit.go(mode="tree", tree=HOMEWORK)
    until_drawn(visit)
    assert visit.text("#step-number") == "step 1 of 22"
    assert not visit.page.is_visible("#tree-run")  # settings are folded to a line
    step_to(visit, 21)
    assert counts(visit) == {**COUNTS, "best": NOT_YET, "value": NOT_YET}
    step_to(visit, 13)
    assert counts(visit) == {**START_COUNTS, "visited": "7", "evaluated": "4", "alpha cuts": "1"}
    step_to(visit, 22)
    assert counts(visit) == COUNTS
    assert values(visit, "skipped") == ["4", "6"]  # known, and struck out
    assert values(visit, "cut") == ["≤2", "≤2"]
    assert values(visit, "line") == ["3", "3", "3"]
    assert "[\N{MINUS SIGN}∞, +∞]" in step_to(visit, 1)
    assert len(visit.page.query_selector_all("#drawing .node")) == 1  # nothing of the future
    assert len(visit.texts("#outline [role=treeitem]")) == 1
    assert "heuristic" not in step_to(visit, 4)
    assert "[3, +∞]" in step_to(visit, 10)
    cut = step_to(visit, 13)
    assert "Min can already hold Max to 2 here" in cut
    assert cut.endswith("2.2, 2.3.")
    assert values(visit, "cut") == ["≤2"]
    visit.click("#step-back")
    visit.until("#step-number", "step 12 of 22")
    assert values(visit, "cut") == []
    visit.click("#step-on")
    visit.until("#step-number", "step 13 of 22")
    assert visit.text("#step-words") == cut
    for button, number in [("cut-on", 21), ("cut-back", 13), ("first", 1)]:
        visit.click(f"#step-{button}")
        visit.until("#step-number", f"step {number} of 22")
    visit.value("document.getElementById('step').focus()")
    visit.press("ArrowRight")
    visit.until("#step-number", "step 2 of 22")
    spoken = visit.page.get_attribute("#step", "aria-valuetext")
    assert (spoken or "").startswith("Step 2 of 22.")
    visit.value("document.activeElement.blur()")
    visit.press("Space")
    visit.until("#step-number", "step 3 of")
    visit.press("Space", "ArrowLeft")
    visit.until("#step-number", "step 2 of")
    assert visit.page.get_attribute("#step-run", "aria-pressed") == "false"
    visit.check_access("dark")


def test_expand_nodes_by_the_keyboard_and_change_the_tree(visit: AnalysisPage) -> None:
    visit.go(mode="tree", tree=HOMEWORK)
    until_drawn(visit)
    names = "#outline [role=treeitem] .what"
    step_to(visit, 22)
    visit.value("document.querySelector('#outline [tabindex=\"0\"]').focus()")
    for number in (3, 2, 1):
        visit.click(f"#outline li:has(.what:text-is('{number}')) .twisty")
    assert visit.texts(names) == ["root", "1", "2", "3"]
    visit.press("Home")
    visit.value("document.querySelector('#outline [tabindex=\"0\"]').focus()")
    visit.press("ArrowDown", "ArrowDown", "ArrowRight")
    assert visit.texts(names) == ["root", "1", "2", "2.1", "3"]
    row = visit.text("#outline [aria-selected=true]")
    assert [words for words in ("[3, +∞]", "cut", "2.2 2.3") if words not in row] == []
    visit.press("ArrowLeft")
    assert visit.texts(names) == ["root", "1", "2", "3"]
    visit.click("#tree-settings summary")
    visit.value("document.querySelector('#outline [tabindex=\"0\"]').focus()")
    assert visit.value("document.activeElement.getAttribute('aria-selected')") == "true"
    visit.click("#tree-techniques input[value=alpha-beta]", "#tree-run")
    visit.until("#step-number", "of 26")
    step_to(visit, 26)
    assert values(visit, "skipped") == []
    visit.click("#tree-settings summary")
    visit.click("#tree-techniques input[value=alpha-beta]")
    visit.click("#tree-techniques input[value=pvs]", "#tree-run")
    visit.until("#tree-summary", "pvs")
    visit.click("#step-last")
    visit.until("#outline", "scout")
    visit.click("#tree-settings summary")
    for tree, words in (("((3 12", "never closed"), ("(1 x 2)", "column 6"), ("3", "begins with")):
        visit.page.fill("#tree-text", tree)
        visit.click("#tree-run")
        visit.until("#tree-fault", words)
        assert not visit.page.is_visible("#tree-result")


def test_the_tree_of_a_position(visit: AnalysisPage) -> None:
    visit.go(mode="tree", text=BOARD, depth="2")
    until_drawn(visit)
    visit.click("#step-on")
    visit.until("#turn", "After c5-d6")
    assert visit.label("d6") == "D6, red king"
    visit.click("#tree-settings summary")
    visit.page.fill("#tree-depth", "1")
    visit.click("#tree-run")
    visit.until("#step-number", "step 1 of 14")
    assert "depth=1" in visit.address()
    visit.click("[data-mode=analyse]")
    visit.until_board(SHOT.strip())
    visit.change(mode="tree", text=START, depth="4")
    visit.wait("Number(document.getElementById('step').max) > 400")
    assert len(visit.texts("#outline [role=treeitem]")) < 60
    step_to(visit, 400)
    visit.click("#outline [aria-selected=true]")
    assert visit.page.is_visible("#drawing .node.now")
    assert len(visit.texts("#outline [aria-selected=true]")) == 1


@on_every_screen
@pytest.mark.parametrize("source", ["page", "file"])
def test_lectures(
    request: pytest.FixtureRequest, visit: AnalysisPage, source: str, tmp_path: Path
) -> None:
    """On the page, and in the file of `solver trace --format html`."""
    width, height, theme = request.node.callspec.params["visit"]
    if source == "page":
        visit.go(mode="tree", tree=HOMEWORK)
    else:
        visit.watch.requests.clear()
        (tmp_path / "tree.txt").write_text(HOMEWORK)
        page = tmp_path / "tree.html"
        assert (
            solver(
                "trace", str(tmp_path / "tree.txt"), "--format", "html", "-o", str(page)
            ).returncode
            == 0
        )
        visit.page.goto(page.as_uri())
    until_drawn(visit)
    visit.until("#step-number", "step 1 of 22")
    assert {**counts(visit), "visited": "0"} == START_COUNTS
    for _ in range(12):
        visit.press("ArrowRight")
    assert "Min can already hold Max to 2 here" in visit.text("#step-words")
    if width > 1000:
        assert max(map(visit.bottom, ("#drawing", "#step-words", "#step-run"))) <= height
    fitting = smallest_text(visit)
    assert fitting >= 12
    visit.press("+")
    assert smallest_text(visit) > fitting
    visit.press("0")
    assert smallest_text(visit) == fitting
    visit.click("#lecture")
    visit.wait("document.getElementById('tree-result').classList.contains('lecture')")
    assert smallest_text(visit) >= 20
    assert "2" in "".join(values(visit, "now"))
    visit.press("ArrowRight")
    visit.until("#step-number", "step 14 of")
    visit.check_access(theme)
    assert visit.bottom("#lecture") <= height
    visit.press("Escape")
    visit.wait("!document.getElementById('tree-result').classList.contains('lecture')")
    visit.check_fit()
    visit.watch.requests[:] = [url for url in visit.watch.requests if url[:5] != "file:"]


PINCH = """() => {
  const drawing = document.getElementById("drawing");
  const box = drawing.getBoundingClientRect();
  const send = (type, pointerId, x) => drawing.dispatchEvent(new PointerEvent(type, {
    pointerId, clientX: box.x + x, clientY: box.y + 50, bubbles: true }));
  send("pointerdown", 1, 100);
  send("pointerdown", 2, 150);
  send("pointermove", 2, 200);
  send("pointerup", 1, 100);
  send("pointerup", 2, 200);
}"""
VIEW = "document.querySelector('#drawing svg').getAttribute('viewBox').split(' ').map(Number)"


@on_every_screen
def test_zoom_and_pan_and_fold_a_large_tree(visit: AnalysisPage) -> None:
    visit.go(mode="tree", text=BOARD, depth="3")
    until_drawn(visit)
    assert smallest_text(visit) >= 12
    visit.click("#step-last")
    assert smallest_text(visit) >= 12  # what has no room is folded
    assert visit.page.locator("#drawing .more").count() > 0
    visit.page.locator("#drawing").scroll_into_view_if_needed()
    if visit.page.viewport_size and visit.page.viewport_size["width"] > 1000:
        shown = ("#drawing", "#step-words", "#step-run", "#board")
        assert max(map(visit.bottom, shown)) <= visit.height
    _, _, width, _ = visit.value(VIEW)
    visit.page.evaluate(PINCH)
    assert visit.value(VIEW)[2] == pytest.approx(width / 2)
    visit.click("#zoom-out")
    assert visit.value(VIEW)[2] == pytest.approx(width / 2 / 0.8)
    box = visit.page.locator("#drawing").bounding_box()
    assert box
    visit.page.mouse.move(box["x"] + 60, box["y"] + 60)
    before = visit.value(VIEW)
    visit.page.mouse.down()
    visit.page.mouse.move(box["x"] + 20, box["y"] + 40, steps=3)
    visit.page.mouse.up()
    scale = before[2] / box["width"]
    moved = [now - was for now, was in zip(visit.value(VIEW), before, strict=True)]
    assert moved == pytest.approx([40 * scale, 20 * scale, 0, 0], abs=0.5)
    before = visit.value(VIEW)
    visit.press("Shift+ArrowRight", "Shift+ArrowDown")
    moved = [now - was for now, was in zip(visit.value(VIEW), before, strict=True)]
    assert moved == pytest.approx([60 * scale, 60 * scale, 0, 0], abs=0.5)
    visit.page.mouse.wheel(0, -200)
    visit.wait(f"{VIEW}[2] < {before[2] * 0.9}")
    visit.click("#fit")
    assert visit.value(VIEW)[2] == pytest.approx(width)


def smallest_text(visit: AnalysisPage) -> float:
    """In pixels, of the words in the drawing."""
    return float(
        visit.value(
            "Math.min(...[...document.querySelectorAll('#drawing text')].map(one =>"
            " parseFloat(getComputedStyle(one).fontSize) * one.getScreenCTM().a))"
        )
    )


def start(visit: AnalysisPage, side: str, level: str = "medium") -> None:
    visit.choose("#play-side", side)
    visit.choose("#play-level", level)
    visit.click("#play-start")


def move(visit: AnalysisPage, *squares: str) -> None:
    visit.until("#play-status", "Your move")
    visit.squares(*squares)


@on_three_screens
def test_games_against_the_solver(visit: AnalysisPage) -> None:
    visit.go(mode="play", text=WON)
    start(visit, "white")
    before = visit.board()
    move(visit, "a5", "a6")
    visit.until("#record-moves", "h4h3")
    visit.until("#play-status", "Your move")
    visit.click("#back")
    visit.until_board(before)
    assert visit.page.is_disabled("#back")
    move(visit, "a5", "a6")
    visit.until("#record-moves [aria-current]", "h4h3")
    move(visit, "a6", "a7")
    visit.until("#record-moves", "h3h2")
    move(visit, "a7", "a8")
    visit.until("#play-status", "White has won")
    assert visit.texts("#record-moves button") == ["a5a6", "h4h3", "a6a7", "h3h2", "a7a8"]
    visit.until("#legal", "Legal moves (0)")
    visit.check_access("dark")
    visit.click("#play-rematch")  # now with black
    visit.until("#play-status", "Your move: you play black")
    assert len(visit.texts("#record-moves button")) == 1
    visit.click("#play-swap")
    visit.until("#play-status", "Your move: you play white")
    visit.click("#play-new", "#play-end")
    assert visit.board().startswith("........\nbbbbbbbb")
    visit.change(mode="play", text="W:W29:BK22")  # black can only step in front of the king
    visit.until("#turn", "Black to move")
    start(visit, "red")
    visit.until("#record-moves", "h8-g7")
    move(visit, "f6", "h8")
    assert "black has no piece left" in visit.until("#play-status", "Red has won")
    visit.change(mode="play", text=START)
    visit.until("#turn", "Red to move")
    start(visit, "black", "full")
    visit.click("#play-now")
    visit.until("#play-status", "Your move: you play black")
    assert len(visit.texts("#record-moves button")) == 1
    assert visit.board()[:2] == ".r"  # red is at the top now
    visit.click("#play-end")
    assert visit.text("#play-status") == "Choose your side, then start."


def test_black_cannot_hold_out_in_two_flags(visit: AnalysisPage) -> None:
    """The page's White plays by the proof of the package, at once although it may think 10 s."""
    visit.lose_two_flags()


@on_three_screens
def test_puzzles_and_their_verdicts(visit: AnalysisPage) -> None:
    visit.go(mode="puzzles", puzzle=PUZZLE)
    visit.wait(f"document.getElementById('puzzle-name').value === '{PUZZLE}'")
    visit.until("#verdict", "Red to move and win")
    assert "shot" not in visit.text("#puzzle-name option:checked")  # a name says what to look for
    board = visit.board()
    visit.squares("d2", "e3")
    assert len(visit.until("#verdict", "Not the best way").splitlines()) > 1  # with a reason
    visit.click("#puzzle-again")
    visit.until_board(board)
    visit.squares("c5", "d6")
    visit.until("#verdict", "Right: c5-d6")
    visit.check_access("light")
    assert visit.text("#puzzle-name option:checked").startswith("✓ shot in nine")
    play_on(visit, "d6xf4xh2", "The win is kept")  # the defence answers, and you win
    play_on(visit, "d2-e3", "The win is kept")
    visit.click("#puzzle-again")
    visit.until("#record-moves [aria-current]", "h6-g5")
    play_on(visit, "d2-e3", "The win is kept")
    play_on(visit, "e3xg5", "The win is kept")
    play_on(visit, "h2xf4", "Finished: Red has won")
    assert len(visit.texts("#record-moves button")) == 9
    visit.until("#puzzle-progress", "1 played out")
    visit.click("#explain")
    visit.until("#why-text", "Why c5-d6?")
    assert f"puzzle={PUZZLE}" in visit.address()
    visit.click("#puzzle-next")
    visit.wait(f"document.getElementById('puzzle-name').value !== '{PUZZLE}'")
    visit.until("#verdict", "to move and")
    visit.page.select_option("#puzzle-theme", label="Two Flags: race")
    visit.wait("location.hash.includes('puzzle=twoflags/race')")
    visit.page.select_option("#puzzle-stars", label="★★")
    visit.wait("document.querySelector('#puzzle-name option:checked').innerText.includes('★★')")
    visit.go(mode="puzzles")  # begins with the easiest that is not solved
    visit.until("#puzzle-progress", "1 of")
    visit.until("#puzzle-name option:checked", "No. ")
    visit.until("#verdict", "Make your move")


def play_on(visit: AnalysisPage, name: str, words: str) -> None:
    visit.wait(
        f"[...document.querySelectorAll('#legal-moves button')].some(b => !b.disabled &&"
        f" b.textContent === '{name}')"
    )
    visit.value(
        f"[...document.querySelectorAll('#legal-moves button')].find(b => b.textContent"
        f" === '{name}').click()"
    )
    visit.until("#verdict", words)


def test_a_win_that_is_thrown_away_later(visit: AnalysisPage) -> None:
    visit.go(mode="puzzles", puzzle="twoflags/blockade-six-against-six")
    visit.until("#verdict", "Black to move and win")
    assert visit.page.is_disabled("#puzzle-rest")
    play_on(visit, "a7b6", "Right")
    play_on(visit, "b6b5", "The win is kept")
    play_on(visit, "b7b6", "The win is thrown away: b7b6")
    assert "White wins" in visit.text("#verdict")
    assert "e5e4" not in visit.text("#verdict")  # there is another try
    visit.click("#explain")  # on the board where it was played
    visit.until("#why-text", "Why e5e4?")
    visit.click("#puzzle-again")
    visit.until("#record-moves [aria-current]", "a4a5")
    visit.click("#puzzle-rest")
    visit.until("#verdict", "Shown: Black has won")
    visit.until("#puzzle-progress", "1 of")
    assert "0 played out" in visit.text("#puzzle-progress")


def test_a_draw_is_held(visit: AnalysisPage) -> None:
    visit.go(mode="puzzles", puzzle="checkers/draw-first-position")
    visit.until("#verdict", "Red to move and hold the draw")
    play_on(visit, "a7-b8", "Right")
    verdict = "document.getElementById('verdict').innerText"
    may = "document.querySelector('#legal-moves button:enabled')"
    place = 0
    while "held" not in visit.wait(f"({may} || /held/.test({verdict})) && {verdict}"):
        names = visit.texts("#legal-moves button")
        play_on(visit, names[place], f": {names[place]}")
        if "thrown away" in visit.text("#verdict"):
            visit.click("#puzzle-again")
            place += 1
        else:
            place = 0
    assert visit.text("#verdict").startswith("Finished: the draw is held")


@on_three_screens
def test_hints_and_reasons(visit: AnalysisPage) -> None:
    visit.go(mode="puzzles", puzzle=PUZZLE)
    visit.until("#verdict", "Red to move and win")
    assert visit.page.is_disabled("#explain")  # not before a move was tried
    visit.click("#hint")
    visit.until("#why-text", "Think of a shot")
    assert "c5" not in visit.text("#why-text")
    visit.click("#hint", "#hint")
    assert len(visit.texts("#why-text li")) == 3
    board = visit.board()
    visit.squares("d2", "e3")
    visit.until("#verdict", "Not the best way")
    visit.click("#explain")
    visit.until("#why-text", "It wins by force in 9 plies")
    assert "The other move: d2-e3" in visit.text("#why-text")
    visit.check_access("light")
    visit.click(".story tr:nth-child(3) button")
    visit.until("#record-moves [aria-current]", "d6xf4xh2")
    visit.click("#puzzle-again")
    visit.until_board(board)
    visit.go(text=BOARD)
    visit.click("#explain")
    visit.until("#why-text", "Why c5-d6?")
    visit.click("#why-text p >> text=d6xf4xh2")
    visit.until("#record-moves [aria-current]", "d6xf4xh2")
    assert visit.text("#why-text")  # it stays until another game is shown
    visit.change(text=START)
    visit.wait("document.getElementById('why-text').innerText === ''")


LOG = """# waiting for two players
# GAME 1 WHITE=one BLACK=two
# SETUP Wa6 Bh4 WHITE
1 W a6a7 # 0.10s
2 B h4h3 # 0.10s
3 W a7a8 # 0.10s
RESULT WHITE reason=last-rank plies=3
"""


def test_watch_a_game_on_the_network(page: Page) -> None:
    """The server's log is scripted here; the real server is in test_tabs.py."""

    def send_log(listening: socket.socket) -> None:
        connection, _ = listening.accept()
        with connection:
            connection.sendall(LOG.encode())

    with socket.create_server(("127.0.0.1", 0)) as listening:
        sending = threading.Thread(target=send_log, args=(listening,))
        sending.start()
        with served("--watch", f"127.0.0.1:{listening.getsockname()[1]}") as server:
            visit = AnalysisPage(page, server)
            visit.go(mode="watch")
            assert "a7a8" in visit.until("#watch-log", "RESULT WHITE")
            assert "one (white) against two (black)" in visit.text("#watch-status")
            assert visit.text("#turn").startswith("White has won")
            visit.click("#watch-analyse")
            visit.until("nav [aria-current]", "Analyse")
            assert visit.board()[0] == "w"
            sending.join()
