"""The page's other modes: search trees, games against the solver, puzzles, watching."""

from __future__ import annotations

import re
import subprocess
import sys
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from support.analysis_page import AnalysisPage
from support.command import SHOT
from support.web_host import START, served

if TYPE_CHECKING:
    from playwright.sync_api import Page

HOMEWORK = "((3 12 8) (2 4 6) (14 5 2))"
BOARD = SHOT.strip().replace("\n", "/")
WON = "Setup Wa5 Bh4 WHITE"
PUZZLE = "checkers/shot-in-nine"


def open_tree(visit: AnalysisPage, **state: str) -> None:
    visit.go(mode="tree", **state)
    visit.wait("document.querySelector('#drawing svg') !== null")


def step_to(visit: AnalysisPage, number: int) -> str:
    """Move the slider; the text of that step."""
    visit.value(
        f"(() => {{ const slider = document.getElementById('step'); slider.value = {number - 1};"
        " slider.dispatchEvent(new Event('input')); })()"
    )
    visit.until("#step-number", f"step {number} of")
    return visit.text("#step-words")


def values(visit: AnalysisPage, kind: str) -> list[str]:
    found: list[str] = visit.page.eval_on_selector_all(
        f"#drawing .node.{kind} .value", "all => all.map(one => one.textContent)"
    )
    return found


def test_step_through_a_homework_tree(visit: AnalysisPage) -> None:
    open_tree(visit, tree=HOMEWORK)
    assert visit.text("#step-number") == "step 22 of 22"
    facts = dict(zip(visit.texts("#tree-counts dt"), visit.texts("#tree-counts dd"), strict=True))
    assert (facts["value"], facts["visited"], facts["alpha cuts"]) == ("3", "11", "2")
    assert values(visit, "spared") == ["4", "6"]  # known, and struck out
    assert values(visit, "cut") == ["≤2", "≤2"]
    assert values(visit, "line") == ["3", "3", "3"]
    first = step_to(visit, 1)
    assert "[\N{MINUS SIGN}∞, +∞]" in first
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
    visit.click("#step-run")
    visit.until("#step-number", "step 4 of")
    visit.click("#step-run")
    assert visit.page.get_attribute("#step-run", "aria-pressed") == "false"


def test_expand_nodes_by_the_keyboard(visit: AnalysisPage) -> None:
    open_tree(visit, tree=HOMEWORK)
    names = "#outline [role=treeitem] .what"
    visit.click("#outline-all")
    assert visit.texts(names) == ["root", "1", "2", "3"]
    visit.value("document.querySelector('#outline [tabindex=\"0\"]').focus()")
    visit.press("ArrowDown", "ArrowDown", "ArrowRight")
    assert visit.texts(names) == ["root", "1", "2", "2.1", "3"]
    row = visit.text("#outline [aria-selected=true]")
    assert all(words in row for words in ("[3, +∞]", "cut", "2.2 2.3"))
    visit.press("ArrowLeft")
    assert visit.texts(names) == ["root", "1", "2", "3"]
    assert visit.value("document.activeElement.getAttribute('aria-selected')") == "true"
    visit.click("#tree-techniques input[value=alpha-beta]", "#tree-run")
    visit.until("#step-number", "of 26")
    assert values(visit, "spared") == []
    visit.click("#tree-techniques input[value=alpha-beta]")
    visit.click("#tree-techniques input[value=pvs]", "#tree-run")
    visit.until("#outline", "scout")


def test_the_tree_of_a_position(visit: AnalysisPage) -> None:
    open_tree(visit, text=BOARD, depth="2")
    visit.click("#step-first", "#step-on")
    visit.until("#turn", "After 19-23")
    assert visit.label("d6") == "D6, number 23, red king"
    visit.page.fill("#tree-depth", "1")
    visit.click("#tree-run")
    visit.until("#step-number", "step 14 of 14")
    assert "depth=1" in visit.address()
    visit.click("[data-mode=analyse]")
    visit.until_board(SHOT.strip())
    open_tree(visit, text=START, depth="4")
    assert len(visit.texts("#outline [role=treeitem]")) < 60
    step_to(visit, 400)
    visit.click("#outline [aria-selected=true]")
    visit.click("#outline-all")
    visit.until("#drawing", "too many to draw")
    assert visit.page.is_visible("#drawing .node.now")
    assert len(visit.texts("#outline [aria-selected=true]")) == 1


@pytest.mark.parametrize(
    ("tree", "words"),
    [("((3 12", "never closed"), ("(1 x 2)", "column 6"), ("3", "begins with a")],
)
def test_invalid_trees(visit: AnalysisPage, tree: str, words: str) -> None:
    visit.go(mode="tree", tree=tree)
    visit.until("#tree-fault", words)
    assert not visit.page.is_visible("#tree-result")


def start(visit: AnalysisPage, side: str, time: str = "0.3") -> None:
    visit.choose("#play-side", side)
    visit.choose("#play-time", time)
    visit.click("#play-start")


def move(visit: AnalysisPage, *squares: str) -> None:
    visit.until("#play-status", "Your move")
    visit.squares(*squares)


def test_a_whole_game_of_two_flags(visit: AnalysisPage) -> None:
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
    visit.until("#record-moves", "h4h3")
    move(visit, "a6", "a7")
    visit.until("#record-moves", "h3h2")
    move(visit, "a7", "a8")
    visit.until("#play-status", "White has won")
    assert visit.texts("#record-moves button") == ["a5a6", "h4h3", "a6a7", "h3h2", "a7a8"]
    assert not visit.page.is_visible("#legal")


def test_games_in_which_the_solver_begins(visit: AnalysisPage) -> None:
    visit.go(mode="play", text="W:W29:BK22")  # black can only step in front of the king
    start(visit, "red")
    visit.until("#record-moves", "29-25")
    move(visit, "f6", "h8")
    assert "black has no piece left" in visit.until("#play-status", "Red has won")
    visit.go(mode="play")
    start(visit, "black", "20")
    visit.click("#play-now")
    visit.until("#play-status", "Your move: you play black")
    assert len(visit.texts("#record-moves button")) == 1
    assert visit.board()[:2] == ".r"  # red is at the top now
    visit.click("#play-end")
    assert visit.text("#play-status") == "Choose your side, then start."


def test_puzzles_and_their_verdicts(visit: AnalysisPage) -> None:
    visit.go(mode="puzzles", puzzle=PUZZLE)
    visit.wait(f"document.getElementById('puzzle-name').value === '{PUZZLE}'")
    visit.until("#puzzle-task", "Red is to move")
    board = visit.board()
    for squares, verdict in [(("c5", "b4"), "Wrong"), (("d2", "e3"), "Not the best way")]:
        visit.squares(*squares)
        assert len(visit.until("#verdict", verdict).splitlines()) > 1  # with a reason
        visit.click("#puzzle-again")
        visit.until_board(board)
    visit.squares("c5", "d6")
    visit.until("#verdict", "Right: 19-23 (exact)")
    assert visit.text("#puzzle-name option:checked").startswith("✓")
    assert f"puzzle={PUZZLE}" in visit.address()
    visit.click("#puzzle-next")
    visit.wait(f"document.getElementById('puzzle-name').value !== '{PUZZLE}'")
    assert not visit.text("#verdict")
    visit.page.select_option("#puzzle-group", label="Two Flags: race")
    visit.wait("location.hash.includes('puzzle=twoflags/race')")
    visit.until("#puzzle-task", "is to move")


def test_watch_a_game_between_two_network_players(page: Page, tmp_path: Path) -> None:
    opening = tmp_path / "opening.txt"
    opening.write_text(f"{WON}\n")
    solver = [sys.executable, "-m", "solver"]
    command = [*solver, "server", "--port", "0", "--opening", str(opening), "--time", "0.1"]
    with ExitStack() as stack:
        host = stack.enter_context(subprocess.Popen(command, stdout=subprocess.PIPE, text=True))
        stack.callback(host.kill)
        assert host.stdout is not None
        players, spectators = (re.findall(r":(\d+)", host.stdout.readline())[0] for _ in range(2))
        server = stack.enter_context(served("--watch", f"127.0.0.1:{spectators}"))
        visit = AnalysisPage(page, server)
        visit.go(mode="watch")
        visit.until("#watch-log", "waiting for two players")
        agent = [*solver, "agent", "-q", "--port", players]
        agents = [stack.enter_context(subprocess.Popen(agent)) for _ in range(2)]
        assert "a7a8" in visit.until("#watch-log", "RESULT WHITE")
        assert visit.text("#turn").startswith("White has won")
        visit.click("#watch-analyse")
        visit.until("nav [aria-current]", "Analyse")
        assert visit.board()[0] == "w"
        assert [each.wait(60) for each in agents] == [0, 0]
