"""Games and puzzles on the page: against the solver, for the judge, and on the network."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pytest
from support.analysis_page import AnalysisPage, analysis_page
from support.headless_browser import CHROMIUM

pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="there is no chromium on this machine")

WON = "Setup Wa5 Bh4 WHITE"
LOST = "Setup Wa3 Bh4 BLACK"
CAUGHT = "W:W29:BK22"
PUZZLE = "checkers/shot-in-nine"


def start(visit: AnalysisPage, side: str) -> None:
    visit.choose("#play-side", side)
    visit.choose("#play-time", "0.3")
    visit.click("#play-start")


def my_move(visit: AnalysisPage, *squares: str) -> None:
    visit.until("#play-status", "Your move")
    visit.squares(*squares)


def test_a_whole_game_of_two_flags_against_the_solver(visit: AnalysisPage) -> None:
    visit.go(mode="play", text=WON)
    start(visit, "white")
    my_move(visit, "a5", "a6")
    visit.until("#record-moves", "h4h3")
    my_move(visit, "a6", "a7")
    visit.until("#record-moves", "h3h2")
    my_move(visit, "a7", "a8")
    assert visit.until("#play-status", "White has won").startswith("White has won: ")
    assert visit.texts("#record-moves button") == ["a5a6", "h4h3", "a6a7", "h3h2", "a7a8"]
    assert visit.text("#turn").startswith("White has won")
    assert not visit.shown("#legal")


def test_take_back_returns_to_my_own_move(visit: AnalysisPage) -> None:
    visit.go(mode="play", text=WON)
    start(visit, "white")
    before = visit.board()
    my_move(visit, "a5", "a6")
    visit.until("#record-moves", "h4h3")
    visit.until("#play-status", "Your move")
    visit.click("#back")
    visit.until_board(before)
    visit.until("#play-status", "Your move")
    assert visit.page.value("document.getElementById('back').disabled")
    my_move(visit, "a5", "a6")
    visit.until("#record-moves", "h4h3")


def test_the_solver_begins_if_it_is_to_move(visit: AnalysisPage) -> None:
    visit.go(mode="play", text=LOST)
    start(visit, "white")
    visit.until("#record-moves", "h4h3")
    my_move(visit, "a3", "a4")
    visit.until("#record-moves", "h3h2")
    my_move(visit, "a4", "a5")
    visit.until("#play-status", "Black has won")


def test_whoever_plays_the_second_side_sees_the_board_from_there(visit: AnalysisPage) -> None:
    visit.go(mode="play")
    start(visit, "black")
    visit.until("#play-status", "Your move: you play black")
    assert len(visit.texts("#record-moves button")) == 1
    assert visit.board()[:2] == ".r"  # red is at the top now
    assert visit.attribute("#flip", "aria-pressed") == "true"
    visit.click("#play-end")
    assert visit.text("#play-status") == "Choose your side, then start."


def test_a_checkers_game_to_its_end(visit: AnalysisPage) -> None:
    """Black can only step in front of the king."""
    visit.go(mode="play", text=CAUGHT)
    start(visit, "red")
    visit.until("#record-moves", "29-25")
    my_move(visit, "f6", "h8")
    assert "black has no piece left" in visit.until("#play-status", "Red has won")


def test_move_now(visit: AnalysisPage) -> None:
    visit.go(mode="play", game="twoflags")
    visit.choose("#play-side", "black")
    visit.choose("#play-time", "20")
    visit.click("#play-start", "#play-now")
    visit.until("#play-status", "Your move")
    assert len(visit.texts("#record-moves button")) == 1


def open_puzzle(visit: AnalysisPage) -> None:
    visit.go(mode="puzzles", puzzle=PUZZLE)
    visit.page.wait(f"document.getElementById('puzzle-name').value === '{PUZZLE}'")
    visit.until("#puzzle-task", "Red is to move")


def test_solve_a_puzzle_and_get_the_verdict(visit: AnalysisPage) -> None:
    open_puzzle(visit)
    visit.squares("c5", "d6")
    assert "The expected move" in visit.until("#verdict", "Right: 19-23 (exact)")
    assert visit.text("#puzzle-name option:checked").startswith("✓")
    assert f"puzzle={PUZZLE}" in visit.address()
    visit.click("#puzzle-next")
    visit.page.wait(f"document.getElementById('puzzle-name').value !== '{PUZZLE}'")
    assert not visit.text("#verdict")


def test_a_wrong_move_is_told_why_and_can_be_tried_again(visit: AnalysisPage) -> None:
    open_puzzle(visit)
    board = visit.board()
    visit.squares("c5", "b4")
    words = visit.until("#verdict", "(worse)")
    assert words.startswith("Wrong: 19-16")
    assert len(words.splitlines()) > 1  # and a reason
    visit.click("#puzzle-again")
    visit.until_board(board)
    visit.squares("d2", "e3")
    assert "still ahead" in visit.until("#verdict", "Not the best: 7-10 (slower)").lower()
    visit.click("#puzzle-why")
    visit.until("nav [aria-current]", "Analyse")
    visit.click("#back")
    visit.until_board(board)


def test_a_puzzle_of_the_other_game(visit: AnalysisPage) -> None:
    open_puzzle(visit)
    groups = dict(
        zip(
            visit.texts("#puzzle-group option"),
            visit.page.value("[...document.getElementById('puzzle-group')].map(one => one.value)"),
            strict=True,
        )
    )
    visit.choose("#puzzle-group", groups["Two Flags: race"])
    visit.until("#puzzle-task", "is to move")
    visit.page.wait("location.hash.includes('puzzle=twoflags/race')")


def test_without_a_server_to_watch_there_is_no_such_mode(visit: AnalysisPage) -> None:
    visit.go(mode="watch")
    assert visit.text("nav [aria-current]") == "Analyse"
    assert "Watch" not in visit.texts("nav a")


@contextmanager
def game_server(opening: Path) -> Iterator[tuple[str, str]]:
    """A server of Two Flags: where its players go, and its spectators."""
    words = ["server", "--port", "0", "--opening", str(opening), "--time", "0.1"]
    command = [sys.executable, "-m", "solver", *words]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        try:
            ports = [re.findall(r":(\d+)", process.stdout.readline())[0] for _ in range(2)]
            yield ports[0], ports[1]
        finally:
            process.kill()


def test_watch_a_game_between_two_network_players(tmp_path: Path) -> None:
    opening = tmp_path / "opening.txt"
    opening.write_text(f"{WON}\n")
    with ExitStack() as stack:
        players, spectators = stack.enter_context(game_server(opening))
        words = ("--watch", f"127.0.0.1:{spectators}")
        visit = stack.enter_context(analysis_page(tmp_path / "profile", *words))
        visit.go(mode="watch")
        visit.until("#watch-log", "waiting for two players")
        command = [sys.executable, "-m", "solver", "agent", "-q", "--port", players]
        agents = [stack.enter_context(subprocess.Popen(command)) for _ in range(2)]
        assert "a7a8" in visit.until("#watch-log", "RESULT WHITE")
        assert "White has won after 5 plies" in visit.text("#watch-status")
        assert visit.board()[0] == "w"
        assert visit.text("#turn").startswith("White has won")
        visit.click("#watch-analyse")
        visit.until("nav [aria-current]", "Analyse")
        assert visit.board()[0] == "w"
        assert [agent.wait(60) for agent in agents] == [0, 0]
