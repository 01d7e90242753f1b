"""The search as a tree: stepping through it, forth and back, and looking at its nodes."""

from __future__ import annotations

import pytest
from support.analysis_page import AnalysisPage
from support.command import SHOT
from support.headless_browser import CHROMIUM

pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="there is no chromium on this machine")

HOMEWORK = "((3 12 8) (2 4 6) (14 5 2))"
BOARD = SHOT.strip().replace("\n", "/")


def open_tree(visit: AnalysisPage, **state: str) -> None:
    visit.go(mode="tree", **state)
    visit.page.wait("document.querySelector('#drawing svg') !== null")


def step_to(visit: AnalysisPage, number: int) -> str:
    """Drag the slider there; what is said then."""
    visit.page.value(
        f"(() => {{ const slider = document.getElementById('step'); slider.value = {number - 1};"
        " slider.dispatchEvent(new Event('input')); })()"
    )
    visit.until("#step-number", f"step {number} of")
    return visit.text("#step-words")


def drawn(visit: AnalysisPage, kind: str) -> list[str]:
    found: list[str] = visit.page.value(
        f"[...document.querySelectorAll('#drawing .node.{kind}')]"
        ".map(one => one.querySelector('.value').textContent)"
    )
    return found


def test_a_homework_tree_at_its_end(visit: AnalysisPage) -> None:
    open_tree(visit, tree=HOMEWORK)
    assert visit.text("#step-number") == "step 22 of 22"
    assert visit.text("#step-words") == "The search is over: 3. The best move is 1."
    facts = dict(zip(visit.texts("#tree-counts dt"), visit.texts("#tree-counts dd"), strict=True))
    assert (facts["value"], facts["visited"], facts["alpha cuts"]) == ("3", "11", "2")
    assert drawn(visit, "spared") == ["4", "6"]  # known, and struck out
    assert drawn(visit, "cut") == ["≤2", "≤2"]
    assert drawn(visit, "line") == ["3", "3", "3"]


def test_step_through_a_search_forth_and_back(visit: AnalysisPage) -> None:
    open_tree(visit, tree=HOMEWORK)
    first = "Begins at the root with the window [\N{MINUS SIGN}∞, +∞]. Max is to move."
    assert step_to(visit, 1) == first
    assert drawn(visit, "open") == [""]
    assert step_to(visit, 9).startswith("Comes back from 1 with 3")
    assert step_to(visit, 10) == "Looks at 2 with the window [3, +∞]. Min is to move."
    cut = step_to(visit, 13)
    assert cut.startswith("Comes back from 2 with at most 2: Min can already hold Max to 2 here")
    assert cut.endswith("Not looked at: 2.2, 2.3.")
    assert drawn(visit, "cut") == ["≤2"]
    visit.click("#step-back")
    visit.until("#step-number", "step 12 of 22")
    assert drawn(visit, "cut") == []
    visit.click("#step-on")
    assert visit.until("#step-number", "step 13 of 22")
    assert visit.text("#step-words") == cut
    visit.click("#step-cut-on")
    visit.until("#step-number", "step 21 of 22")
    visit.click("#step-cut-back")
    visit.until("#step-number", "step 13 of 22")
    visit.click("#step-first")
    visit.until("#step-number", "step 1 of 22")
    assert visit.text("#step-words") == first


def test_the_slider_goes_by_the_keyboard_and_says_where_it_is(visit: AnalysisPage) -> None:
    open_tree(visit, tree=HOMEWORK)
    visit.page.value("document.getElementById('step').focus()")
    visit.page.press("Home")
    visit.until("#step-number", "step 1 of 22")
    visit.page.press("ArrowRight")
    visit.until("#step-number", "step 2 of 22")
    assert visit.attribute("#step", "aria-valuetext").startswith("Step 2 of 22. Looks at 1 ")


def test_it_runs_by_itself(visit: AnalysisPage) -> None:
    open_tree(visit, tree="((1 2) (0 3))")
    visit.click("#step-run")
    visit.until("#step-number", "step 2 of")
    visit.click("#step-run")
    assert visit.attribute("#step-run", "aria-pressed") == "false"


def test_expand_nodes_by_the_keyboard(visit: AnalysisPage) -> None:
    open_tree(visit, tree=HOMEWORK)
    names = "#outline [role=treeitem] .what"
    visit.click("#outline-all")
    assert visit.texts(names) == ["root", "1", "2", "3"]
    visit.page.value("document.querySelector('#outline [tabindex=\"0\"]').focus()")
    visit.page.press("ArrowDown")
    visit.page.press("ArrowDown")
    visit.page.press("ArrowRight")
    assert visit.texts(names) == ["root", "1", "2", "2.1", "3"]
    row = visit.text("#outline [aria-selected=true]")
    assert "[3, +∞]" in row
    assert "cut" in row
    assert "not looked at: 2.2 2.3" in row
    visit.page.press("ArrowLeft")
    assert visit.texts(names) == ["root", "1", "2", "3"]
    assert visit.page.value("document.activeElement.getAttribute('aria-selected')") == "true"


def test_the_search_of_a_position_shows_its_boards(visit: AnalysisPage) -> None:
    open_tree(visit, text=BOARD, depth="2")
    assert visit.board() == SHOT.strip()
    visit.click("#step-first", "#step-on")
    visit.until("#turn", "After 19-23")
    assert visit.label("d6") == "D6, number 23, red king"
    visit.choose("#tree-depth", "1")
    visit.click("#tree-run")
    visit.until("#step-number", "step 14 of 14")
    assert "depth=1" in visit.address()
    visit.click("[data-mode=analyse]")
    visit.until_board(SHOT.strip())


def test_techniques_change_what_is_looked_at(visit: AnalysisPage) -> None:
    open_tree(visit, tree=HOMEWORK)
    visit.click("#tree-techniques input[value=alpha-beta]", "#tree-run")
    visit.until("#step-number", "of 26")
    assert drawn(visit, "spared") == []
    visit.click("#tree-techniques input[value=alpha-beta]")
    visit.click("#tree-techniques input[value=pvs]", "#tree-run")
    visit.until("#outline", "scout")


@pytest.mark.parametrize(
    ("tree", "words"),
    [("((3 12", "this is never closed"), ("(1 x 2)", "column 6"), ("3", "begins with a")],
)
def test_a_tree_that_is_none_says_where(visit: AnalysisPage, tree: str, words: str) -> None:
    visit.go(mode="tree", tree=tree)
    assert words in visit.until("#tree-fault", words)
    assert not visit.shown("#tree-result")


def test_a_large_search_opens_where_it_is_looked_at(visit: AnalysisPage) -> None:
    open_tree(visit, text="B:W21-32:B1-12", depth="4")
    few = len(visit.texts("#outline [role=treeitem]"))
    assert few < 60
    step_to(visit, 400)
    assert len(visit.texts("#outline [aria-selected=true]")) == 1
    visit.click("#outline [aria-selected=true]")
    assert visit.shown("#drawing .node.now")
    visit.click("#outline-all")
    visit.until("#drawing", "too many to draw")
    assert visit.shown("#drawing .node.now")
    assert len(visit.texts("#outline [aria-selected=true]")) == 1
