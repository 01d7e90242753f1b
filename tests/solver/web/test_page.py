"""The analysis page as a visitor uses it: board, analysis, heuristics, addresses, look."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from support.analysis_page import AnalysisPage, on_every_screen
from support.command import SHOT, SHOT_ANSWER
from support.web_host import START, served

if TYPE_CHECKING:
    from playwright.sync_api import Page

EMPTY = "\n".join(["........"] * 8)
RACE = "Setup Wa5 Bh4 WHITE"
RACE_BOARD = "........\n........\n........\nw.......\n.......b\n........\n........\n........"
LOOPS = "B:WK10,K11,K18,K19,K26,K27:BK15,K1"  # two jumps from d4 end on b2
BOARD = SHOT.strip().replace("\n", "/")
DEPTH = "Number(document.querySelector('.search dd')?.innerText ?? 0)"
HOMEWORK = "((3 12 8) (2 4 6) (14 5 2))"
MODES = ["Analyse", "Play", "Heuristics", "Tree", "Puzzles"]
PHONE = 360


def test_set_up_a_board_and_get_the_best_move(visit: AnalysisPage) -> None:
    visit.go()
    visit.click("#edit", "#clear")
    visit.until_board(EMPTY)
    for piece, squares in {"R": "c5 h8", "r": "g7 d2", "b": "f8 e5 h4 g3"}.items():
        visit.click(f"#palette input[value={piece}]")
        visit.squares(*squares.split())
    visit.squares("a1", "a1")  # on, and off again
    visit.until_board(SHOT.strip())
    visit.click("#edit", ".search .main")
    assert "c5-d6" in visit.until(".lines li:first-child", "Red wins in 9")
    visit.until(".badge", "proven")
    visit.click(".lines li:first-child button")
    visit.until_board(SHOT_ANSWER.strip())
    assert visit.text("#turn") == "Black to move"
    visit.click("#back")
    visit.until_board(SHOT.strip())


def test_set_up_a_board_by_keys_and_by_text(visit: AnalysisPage) -> None:
    visit.go(game="twoflags")
    visit.click("#edit", "#clear")
    visit.until_board(EMPTY)
    visit.squares("d4")  # a pawn, which typing replaces
    visit.press("w", "ArrowUp", "ArrowRight", "b", "ArrowLeft", "ArrowLeft", "b")
    visit.wait("document.querySelectorAll('#board .piece').length === 3")
    assert (visit.label("d4"), visit.label("e5")) == ("D4, white pawn", "E5, black pawn")
    visit.choose("#mover", "black")
    visit.until("#turn", "Black to move")
    visit.click("#palette input[value=w]")
    visit.squares("c1")
    visit.until("#editor-fault", "line 8, column 3")
    visit.squares("c1")
    visit.wait("document.getElementById('editor-fault').hidden")
    visit.click("#edit")
    assert {"c5d4", "e5d4"} <= set(visit.texts("#legal-moves button"))
    assert visit.label("c5") == "C5, black pawn, can move"
    visit.click("#edit")
    for text, game, turn in [
        ("W:W18,24:B1,K5", "checkers", "Black to move"),
        ("Setup We5 Bd7 Bf7 BLACK", "twoflags", "Black to move"),
        (SHOT, "checkers", "Red to move"),
        ("........\n..x.....\n", "", ""),
    ]:
        visit.page.fill("#paste-text", text)
        visit.click("#paste button[type=submit]")
        if game:
            visit.wait(f"document.getElementById('game').value === '{game}'")
            visit.until("#turn", turn)
        else:
            assert "line 3, column 1" in visit.until("#editor-fault", "line 2, column 3")


def test_moves_by_clicks_and_by_keys(visit: AnalysisPage) -> None:
    visit.go()
    visit.squares("c3")
    assert visit.label("c3").endswith("chosen")
    assert visit.label("d4").endswith("move here")
    visit.press("ArrowUp", "ArrowRight", "Enter")
    visit.until("#turn", "Black to move")
    assert visit.texts("#record-moves button") == ["c3-d4"]
    visit.click("#legal-moves button")
    visit.until("#turn", "Red to move")
    visit.value("document.activeElement.blur()")
    visit.press("ArrowLeft", "ArrowLeft")
    visit.until("#turn", "Red to move")
    visit.press("ArrowRight")
    visit.until("#turn", "Black to move")
    assert visit.text("#record-moves [aria-current]") == "c3-d4"
    visit.click("[data-mode=play]")
    visit.until("nav [aria-current]", "Play")
    assert len(visit.texts("#record-moves button")) == 2  # modes share the game
    visit.change(mode="analyse", text=LOOPS)
    visit.until("#legal-moves", "d4xb2")
    assert visit.page.get_attribute("#legal-moves button >> text=/^d4xb2$/", "title") == "PDN 15x8"
    visit.squares("d4", "b2")
    visit.wait("document.querySelectorAll('#legal-moves .marked').length === 2")
    visit.click("#legal-moves .marked")
    visit.until("#turn", "Black to move")


def test_live_analysis(visit: AnalysisPage) -> None:
    """It grows deeper until it is stopped, in each tab for itself, and a line keeps the focus."""
    visit.go()
    other = visit.another()
    other.go(text=START, heuristic="material")
    for each in (visit, other):
        each.click(".search .main")
    visit.wait("document.querySelector('.lines button') !== null")
    visit.value("void (window.kept = document.querySelector('.lines button')).focus()")
    seen = [visit.wait(f"{DEPTH} >= {least} && {DEPTH}") for least in (2, 4)]
    assert seen == sorted(seen)
    assert visit.value("document.activeElement === kept && kept.isConnected")
    assert len(visit.texts(".lines li")) == 3
    assert visit.texts(".search dt") == ["Depth", "Nodes", "Nodes / s", "Time"]
    assert len(visit.server.children()) == 2
    visit.click(".search .main")
    assert visit.text(".search .badge") == "stopped"
    stopped, reached = visit.value(DEPTH), other.value(DEPTH)
    other.wait(f"{DEPTH} > {reached}")
    assert visit.value(DEPTH) == stopped
    other.page.close()
    visit.click("#compare", ".search .main", ".search:nth-child(2) .main")
    visit.wait("document.querySelectorAll('.lines li').length === 6")
    visit.choose(".search:nth-child(2) label select", "centre")
    visit.wait("document.querySelectorAll('.search:nth-child(2) .lines li').length === 3")
    visit.click("details summary", ".search .main", ".search:nth-child(2) .main", "#edit")
    assert visit.texts(".search .badge") == ["stopped", "stopped"]
    visit.change(mode="dance")  # with a message about that
    visit.until("#notices", "“dance”")
    visit.check_access("light")
    visit.until_idle()


def test_analysis_follows_the_board_and_the_variant(visit: AnalysisPage) -> None:
    visit.go(text=RACE)
    visit.click(".search .main")
    visit.until(".search .badge", "proven")
    visit.squares("a5", "a6")
    visit.until(".lines", "h4h3")
    visit.change(text="Setup We5 Bd7 Bf7 BLACK")
    visit.until("#legal-moves", "d7d5")
    visit.squares("d7", "d5")
    visit.until("#legal-moves", "e5d6")
    visit.click("#back")
    visit.until("#turn", "Black to move")
    visit.choose("#variant", "no-en-passant")
    visit.wait("location.hash.includes('variant=no-en-passant')")
    visit.squares("d7", "d5")
    visit.until("#turn", "White to move")
    assert visit.texts("#legal-moves button") == ["e5e6"]


def test_heuristics_and_a_shared_link(visit: AnalysisPage) -> None:
    visit.go(mode="heuristics", text=BOARD, heuristic="centre")
    visit.until("#tables", "+5 for red")
    visit.choose("#versus", "material")
    visit.wait("document.querySelectorAll('#tables table').length === 2")
    assert visit.texts("#tables h3") == ["centre", "material"]
    first = visit.texts("#tables table:first-of-type tbody tr")[0]
    assert first.split("\t") == ["kings", "2", "0", "+4", "+8"]
    assert len(visit.texts("#ranking tbody tr")) == len(visit.texts("#legal-moves button"))
    visit.check_access("light")
    visit.squares("c5", "d6")
    visit.until("#turn", "Black to move")
    board, address = visit.board(), visit.address()
    assert "versus=material" in address
    other = visit.another()
    other.visit(address)
    assert (other.board(), other.address()) == (board, address)
    assert other.text("nav [aria-current]") == "Heuristics"
    assert other.value("document.getElementById('heuristic').value") == "centre"


def test_bad_addresses_get_a_message(visit: AnalysisPage) -> None:
    visit.go()
    for state, words in [
        ({"mode": "watch"}, "watch"),  # only with --watch
        ({"game": "chess"}, "“chess”"),
        ({"text": "......../..x...../"}, "line 2, column 3: 'x' is not one of . r b R B"),
        ({"text": "Setup Wa9"}, "'Wa9' is not a pawn like Wa2 or Bh7"),
        ({"game": "checkers", "heuristic": "race"}, "“race”"),
        ({"text": RACE, "heuristic": "tuned"}, "“tuned”"),
        ({"game": "twoflags", "variant": "x"}, "“x”"),
        ({"colour": "blue"}, "“colour”"),
        ({"text": "r" * 5000}, "longer than 4096 characters"),
        ({"mode": "tree", "depth": "99"}, "“99”"),
        ({"mode": "puzzles", "puzzle": "no/such"}, "There is no puzzle 'no/such'"),
    ]:
        visit.change(**state)
        visit.until("#notices", words)
        assert visit.board() != EMPTY
        visit.click("#notices button")
        assert not visit.text("#notices")
    visit.page.goto(f"{visit.server.url}#text=%E0%A4%A")
    visit.until("#notices", "garbled")


def test_the_server_goes_and_comes_back(page: Page) -> None:
    with served() as server:
        visit = AnalysisPage(page, server)
        visit.go(text=RACE)
        assert not page.is_visible("#lost")
    visit.click(".search .main")  # with nothing to ask, it does not notice
    visit.wait("!document.getElementById('lost').hidden")
    assert visit.text("#lost")
    with served("--port", str(server.port)):
        visit.wait("document.getElementById('lost').hidden")
        assert visit.board() == RACE_BOARD
        visit.squares("a5", "a6")
        visit.until("#turn", "Black to move")


def test_phone_themes_and_keyboard(visit: AnalysisPage) -> None:
    visit.page.set_viewport_size({"width": PHONE, "height": 740})
    visit.go()
    for mode in MODES:
        visit.click(f"[data-mode={mode.lower()}]")
        visit.until("nav [aria-current]", mode)
        assert visit.texts("nav a") == MODES  # Watch needs --watch
        assert visit.value("document.documentElement.scrollWidth") <= PHONE
    colour = "getComputedStyle(document.body).backgroundColor"
    visit.page.emulate_media(color_scheme="light")
    light = visit.value(colour)
    visit.page.emulate_media(color_scheme="dark")
    dark = visit.value(colour)
    assert light != dark
    visit.click("#theme")
    assert visit.text("#theme") == "Dark"
    visit.page.emulate_media(color_scheme="light")
    visit.go(text=RACE)
    assert visit.value(colour) == dark  # it is remembered
    visit.press("Tab")
    assert visit.value("document.activeElement.id") == "skip"
    visit.press("Enter")
    assert visit.value("document.activeElement.id") == "panels"


@on_every_screen
def test_every_mode_keeps_nobody_out(request: pytest.FixtureRequest, visit: AnalysisPage) -> None:
    theme = request.node.callspec.params["visit"][2]

    def check() -> None:
        visit.check_access(theme)
        visit.check_fit()

    visit.go(text=BOARD)
    visit.click(".search .main", "#explain")
    visit.until(".badge", "proven")
    visit.until("#why-text", "Why c5-d6?")
    check()
    visit.click("#edit")
    check()
    visit.go(mode="play")
    check()
    visit.click("#play-start", "#legal-moves button")
    visit.until("#play-status", "Your move")
    check()
    visit.go(mode="heuristics", text=BOARD, versus="material")
    visit.wait("document.querySelectorAll('#tables table').length === 2")
    check()
    visit.go(mode="puzzles", puzzle="checkers/shot-in-nine")
    visit.until("#verdict", "Red to move and win")
    visit.click("#hint")
    visit.until("#why-text", "Think of a shot")
    check()
    assert visit.bottom("#board") <= visit.bottom("#verdict") <= visit.height
    visit.squares("d2", "e3")
    visit.until("#verdict", "Not the best way")
    check()
    visit.go(mode="tree", tree=HOMEWORK)
    visit.until("#step-number", "step 1 of")
    visit.click("#step-last", "#tree-settings summary")
    check()
    visit.change(mode="tree", text=BOARD, depth="2")
    visit.until("#turn", "Red to move")
    visit.click("#step-cut-on")
    check()


SAME_PAGE = settings(
    max_examples=10, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
GAMES = {
    "checkers": {"variants": [], "heuristics": {"tuned": ""}},
    "twoflags": {"variants": ["no-en-passant"], "heuristics": {"race": ""}},
}
FIELDS = ("mode", "game", "variant", "text", "heuristic", "versus", "puzzle", "tree", "depth")


def call(visit: AnalysisPage, module: str, expression: str, *values: Any) -> Any:
    """An expression in which `m` is a module of the page and `v` the values."""
    if visit.address() == "about:blank":
        visit.go()
    given = json.dumps(values)
    return visit.value(f"import('/{module}.js').then(m => (v => {expression})({given}))")


@SAME_PAGE
@given(
    state=st.fixed_dictionaries(
        {},
        optional={
            "mode": st.sampled_from(["analyse", "tree", "puzzles"]),
            "text": st.text(st.characters(codec="utf-8", exclude_characters="/")).map(str.strip),
            "tree": st.text(st.characters(codec="utf-8", exclude_characters="\n")).map(str.strip),
            "depth": st.sampled_from("12345678"),
            "variant": st.just("no-en-passant"),
        },
    ),
    garbage=st.text(st.characters(codec="utf-8"), max_size=80),
    score=st.integers(-999_999, 999_999),
    piece=st.integers(1, 1000),
)
def test_addresses_and_the_value_bar(
    visit: AnalysisPage,
    state: dict[str, str],
    garbage: str,
    score: int,
    piece: int,
) -> None:
    # JavaScript trims more kinds of blanks than Python.
    trimmed = call(visit, "app", "Object.entries(v[0]).map(([k, t]) => [k, t.trim()])", state)
    found = call(visit, "app", "m.readAddress(m.formatAddress(v[0]), v[1])", state, GAMES)
    assert found == {"state": {key: text for key, text in trimmed if text}, "faults": []}
    found = call(visit, "app", "m.readAddress('#' + v[0], v[1])", garbage, GAMES)
    assert set(found["state"]) <= set(FIELDS)
    bar = "[v[0], -v[0], v[0] + 1].map(score => m.share(score, v[1]))"
    share, other, more = call(visit, "analyse_mode", bar, score, piece)
    assert 0 <= share <= more <= 1
    assert share + other == pytest.approx(1)
    assert (share > 1 / 2) == (score > 0)


def test_what_a_later_move_of_a_puzzle_does(visit: AnalysisPage) -> None:
    for best, tried, kind in [
        ("win in 7", "win in 7", "good"),
        ("win in 7", "win in 9", "part"),
        ("win in at most 30", "win in at most 40", "good"),  # neither is known to be longer
        ("win in 7", "draw", "bad"),
        ("win in 7", "+12", "part"),
        ("draw", "draw", "good"),
        ("draw", "loss in at most 8", "bad"),
        ("loss in 8", "loss in 6", "part"),
        ("loss in 8", "loss in 8", "good"),
        ("+12", "-3", "good"),
    ]:
        found = call(visit, "puzzle_mode", "m.judgeValues(v[0], v[1])", best, tried)
        assert found == kind, (best, tried)


def test_draws_of_checkers(visit: AnalysisPage) -> None:
    step = {"progress": False}

    def find_draw(texts: list[str], **change: Any) -> str:
        plies = [{"position": {"text": text}, "move": step} for text in texts]
        plies[5]["move"] = {**step, **change}
        return str(call(visit, "play_mode", "m.findDraw(v[0])", plies))

    repeated = [*"abcdabcd"]
    assert find_draw(repeated) == ""
    assert "three times" in find_draw([*repeated, "a"])
    quiet = [str(ply) for ply in range(81)]
    assert find_draw(quiet).startswith("forty moves each")
    assert find_draw(quiet[:-1]) == find_draw(quiet, progress=True) == ""
