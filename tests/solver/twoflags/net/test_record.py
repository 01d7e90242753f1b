"""The log of a game: written, read back by `solver replay`, and what can be wrong with one."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.command import solver

from solver.errors import BoardError
from solver.games.twoflags.moves import move_name
from solver.games.twoflags.net.record import GameRecord, follow_moves, move_line, parse_records
from solver.games.twoflags.net.referee import (
    GameResult,
    Reason,
    Referee,
    TimedMove,
    start_opening,
    without_en_passant,
)
from solver.games.twoflags.text import parse_setup

LOG = """\
# GAME 1 WHITE=ann BLACK=bob
# SETUP Wa6 Bh7 WHITE
# TIME 0.5
1 W a6a7 # 0.12s
2 B h7h5 # 1.00s
3 W a7a8 # 0.25s
RESULT WHITE reason=landed plies=3
"""


def test_a_log_reads_as_it_is_documented() -> None:
    record = GameRecord(
        number=1,
        white="ann",
        black="bob",
        start=parse_setup("Setup Wa6 Bh7", "", 0),
        minutes=0.5,
        moves=(
            TimedMove("white", "a6a7", 0.12),
            TimedMove("black", "h7h5", 1.0),
            TimedMove("white", "a7a8", 0.25),
        ),
        result=GameResult("white", Reason.LANDED),
    )
    assert str(record) == LOG
    assert parse_records(LOG, "log") == [record]


def test_spectators_see_the_clocks_behind_the_same_line() -> None:
    line = move_line(7, TimedMove("white", "a6a7", 0.12), {"white": 29.88, "black": 30.0})
    assert line == "7 W a6a7 # 0.12s white 29.88s black 30.00s"
    with_clocks = LOG.replace("a6a7 # 0.12s", "a6a7 # 0.12s white 29.88s black 30.00s")
    assert parse_records(with_clocks, "log") == parse_records(LOG, "log")


def test_the_refused_move_is_a_comment() -> None:
    record = GameRecord(1, "a", "b", start_opening(1), refused="W e2e5")
    lines = str(record).split("\n")
    assert "# REFUSED W e2e5" in lines
    assert parse_records(str(record), "log")[0].refused == ""


@given(st.lists(st.integers(0, 99), max_size=95), st.booleans(), st.sampled_from([0.0, 0.5, 5.0]))
def test_every_game_is_read_back_as_it_was_written(
    choices: list[int], en_passant: bool, minutes: float
) -> None:
    start = start_opening(1) if en_passant else without_en_passant(start_opening(1))
    referee = Referee(start)
    for choice in choices:
        children = referee.position.children()
        if not children:
            break
        name = move_name(referee.position, children[choice % len(children)])
        referee.play(referee.mover, name, choice / 100)
    record = GameRecord(3, "a", "b", start, minutes, tuple(referee.moves), referee.result)
    assert parse_records(str(record) * 2, "log") == [record, record]
    followed = list(follow_moves(record))
    assert [move for move, _ in followed] == list(record.moves)
    assert [start, *(position for _, position in followed)][-1] == referee.position


def test_a_log_may_count_moves_of_both_sides() -> None:
    pairs = LOG.replace("\n2 B", "\n1 B").replace("\n3 W", "\n2 W")
    assert parse_records(pairs, "log") == parse_records(LOG, "log")


def test_a_bare_log_of_another_server_is_read() -> None:
    text = "# GAME 2 WHITE=x BLACK=y\n1 W e2e3\n2 B e7e5\nRESULT BLACK reason=resignation plies=2\n"
    (record,) = parse_records(text, "log")
    assert record.start == start_opening(1)
    assert record.moves == (TimedMove("white", "e2e3"), TimedMove("black", "e7e5"))
    assert record.result == GameResult("black", "resignation")


@pytest.mark.parametrize(
    ("old", "new", "fault"),
    [
        ("1 W a6a7", "1 W a6a8", "line 4, column 5: 'a6a8' is not legal"),
        ("1 W a6a7", "1 B h7h6", "line 4, column 3: black moves, but it is white's turn"),
        ("1 W a6a7", "8 W a6a7", "line 4, column 1: move 8, but it is ply 1 of the game"),
        ("1 W a6a7", "1. a6a7", "line 4, column 1: '1. a6a7 # 0.12s' is neither a move"),
        ("Wa6", "Wz6", "line 2, column 9: 'Wz6' is not a pawn"),
        ("plies=3", "plies=4", "line 7, column 1: plies=4, but the game has 3 moves"),
        ("WHITE reason", "BLACK reason", "line 7, column 1: the log says black has won"),
        ("=landed", "=no-legal-move", "line 7, column 1: the log says white has won: the opp"),
        ("# TIME 0.5", "# VARIANT chess", "line 3, column 1: there is no variant 'chess'"),
        ("# GAME 1", "# GAMES", "line 4, column 1: a move outside of a game"),
        ("RESULT", "4 B h5h4\nRESULT", "line 7, column 5: 'h5h4' after the end of the game"),
        ("RESULT", "# SETUP Wa2 Bb7\nRESULT", "line 7, column 1: a setup after the first move"),
    ],
)
def test_a_fault_is_told_by_its_line(old: str, new: str, fault: str) -> None:
    with pytest.raises(BoardError) as caught:
        parse_records(LOG.replace(old, new), "log")
    assert f"log: {fault}" in str(caught.value)


def test_all_faults_are_told_and_nothing_that_follows_from_them() -> None:
    broken = LOG.replace("1 W a6a7", "1 W a6a8") + LOG.replace("2 B h7h5", "2 B h7h4")
    with pytest.raises(BoardError) as caught:
        parse_records(broken, "log")
    assert [fault.line for fault in caught.value.faults] == [4, 12]


@pytest.mark.parametrize("text", ["", "\n\n", "# nothing\n"])
def test_a_log_without_a_game_is_a_fault(text: str) -> None:
    with pytest.raises(BoardError, match="no game in this log"):
        parse_records(text, "log")


@given(st.text(alphabet="# GAMEWHITBLCKSUPRV=123 abh678\n.", max_size=200))
def test_no_text_at_all_is_a_crash(noise: str) -> None:
    for text in (noise, LOG + noise, LOG[: len(noise)] + noise):
        with suppress(BoardError):
            assert parse_records(text, "log")


# --- the command ---------------------------------------------------------------------------

UNFINISHED = LOG.partition("3 W")[0]
RESIGNED = LOG.replace("WHITE reason=landed", "BLACK reason=resignation")


@pytest.mark.parametrize(
    ("words", "text", "printed"),
    [
        (
            [],
            LOG,
            "game 1: white ann, black bob, 0.5 minutes each\n"
            "  1  white  a6a7  0.12 s\n  2  black  h7h5  1.00 s\n  3  white  a7a8  0.25 s\n"
            "white has won: a pawn has landed; plies: 3\n",
        ),
        (["--boards"], LOG, "a7a8  0.25 s\nw.......\n........\n........\n.......b\n"),
        (["--check"], LOG * 3, "standard input: 3 games, 9 moves: all legal\n"),
        ([], UNFINISHED, "not finished; plies: 2\n"),
        (
            [],  # a server that checks nothing lets a player resign after having won
            RESIGNED,
            "black has won: the opponent has resigned; plies: 3\n"
            "but on the board white has won: a pawn has landed\n",
        ),
        ([], LOG.replace("ann", "\x1b[2J"), "white \\x1b[2J, black bob"),
    ],
)
def test_a_log_is_replayed(words: list[str], text: str, printed: str) -> None:
    done = solver("replay", "-", *words, text=text)
    assert (done.returncode, done.stderr) == (0, "")
    assert printed in done.stdout
    assert "\x1b" not in done.stdout


def test_a_log_may_be_longer_than_any_board_but_must_be_legal(tmp_path: Path) -> None:
    log = tmp_path / "games.txt"
    log.write_text(LOG * 1000)
    assert solver("replay", str(log), "--check").stdout.endswith("3000 moves: all legal\n")
    log.write_text(LOG.replace("h7h5", "h7h4"))
    done = solver("replay", str(log))
    assert (done.returncode, done.stdout) == (2, "")
    assert f"solver: {log}: line 5, column 5: 'h7h4' is not legal" in done.stderr
    assert solver("replay", str(tmp_path / "none.txt")).returncode == 3
