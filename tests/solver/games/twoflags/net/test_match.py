"""Games without sockets: how they begin and end, and their log, written and followed."""

from __future__ import annotations

from functools import reduce

import pytest
from hypothesis import given
from hypothesis import strategies as st

from solver.errors import UserError
from solver.games.twoflags import game
from solver.games.twoflags.net.match import (
    GameRecord,
    Reason,
    Referee,
    TimedMove,
    find_fault,
    follow_log,
    move_line,
    random_openings,
    setup_message,
    start_opening,
    without_en_passant,
)
from solver.games.twoflags.rules import Pawns
from solver.games.twoflags.text import move_name, parse_setup
from solver.play.game import GameResult


def referee(setup: str, seconds: float | None = None) -> Referee:
    return Referee(parse_setup(f"Setup {setup}", "", 0), seconds)


@pytest.mark.parametrize(
    ("setup", "moves", "end"),
    [
        ("Wa7 Bh7", "a7a8", "white landed"),
        ("Bh2 Wa2 BLACK", "h2h1", "black landed"),
        ("Wd4 Be5", "d4e5", "white last-pawn-taken"),
        ("Wa4 Ba6", "a4a5", "white no-legal-move"),
        ("Wa4 Bh6", "a4a5", ""),
        ("Wa4 Bh6", "a4a6", "black illegal-move"),
        ("Wa4 Bh6", "z9z9", "black illegal-move"),
        ("Wa4 Bh6", "A4A5 b:h6h4", "white illegal-move"),
        ("Wa4 Bh6", "b:h6h5", "white out-of-turn"),
        ("Wa5 Wg2 Bb7 Bh7 BLACK", "b7b5 a5b6 h7h6", ""),  # en passant is legal for one turn
        ("Wa5 Wg2 Bb7 Bh7 BLACK", "b7b5 g2g3 h7h6 a5b6", "black illegal-move"),
        ("Wa7 Bh6", "a7a8 h6h5", "white landed"),  # nothing counts after the end
        ("Wa4 Bh6", "claim:white", "black false-claim"),
        ("Wa4 Bh6", "claim:black", "black resignation"),
        ("Wa4 Bh6", "silent b:exit", "black silence"),
    ],
)
def test_how_a_game_ends(setup: str, moves: str, end: str) -> None:
    here = referee(setup)
    for word in moves.split():
        side, _, name = word.rpartition(":")
        if side == "claim":
            here.claim("white", name)
        elif name == "silent":
            here.run_out()
        elif name == "exit":
            here.lose("black", Reason.RESIGNATION)
        else:
            here.play({"b": "black"}.get(side, here.mover), name, 0.0)
    result = here.result
    assert (f"{result.winner} {Reason(result.reason).word}" if result else "") == end


def test_only_the_movers_clock_runs_and_a_late_move_does_not_stand() -> None:
    here = referee("Wa6 Bh6", seconds=10.0)
    assert here.play("white", "a6a7", 3.0)
    assert here.play("black", "h6h5", 9.9)
    assert here.moves == [TimedMove("white", "a6a7", 3.0), TimedMove("black", "h6h5", 9.9)]
    assert here.clocks is not None
    assert here.clocks["white"] == 7.0
    assert not here.play("white", "a7a8", 7.0)
    assert str(here.result) == "black has won: the opponent's time is up"
    assert here.clocks["white"] == 0.0


# --- openings ------------------------------------------------------------------------------


def test_random_openings_come_in_pairs_and_again_with_the_same_seed() -> None:
    for plies in (0, 1, 6, 20):
        positions = [random_openings(plies, seed=1)(number) for number in range(1, 21)]
        assert positions[0::2] == positions[1::2]
        assert len(set(positions)) > 1 or plies == 0
        for position in positions:
            assert find_fault(position) is None
            assert position.mover() == ("black" if plies % 2 else "white")


def test_too_many_random_plies_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("solver.games.twoflags.net.match.TRIES", 10)
    with pytest.raises(UserError, match="no open game after 95"):
        random_openings(95, seed=0)(1)


def test_players_hear_of_the_side_to_move_only_if_it_is_black() -> None:
    assert setup_message(start_opening(1)) == game.start()
    setup = "Setup Wb2 Bh7 BLACK"
    assert setup_message(parse_setup(setup, "", 0)) == setup


# --- the log -------------------------------------------------------------------------------

LOG = """\
# GAME 1 WHITE=ann BLACK=bob
# SETUP Wa6 Bh7 WHITE
# TIME 0.5
1 W a6a7 # 0.12s
2 B h7h5 # 1.00s
3 W a7a8 # 0.25s
RESULT WHITE reason=landed plies=3
"""


def follow(text: str) -> Pawns | None:
    return reduce(follow_log, text.split("\n"), None)


def test_a_log_reads_as_it_is_documented() -> None:
    moves = (("white", "a6a7", 0.12), ("black", "h7h5", 1.0), ("white", "a7a8", 0.25))
    timed = tuple(TimedMove(*move) for move in moves)
    result = GameResult("white", Reason.LANDED)
    record = GameRecord(1, "ann", "bob", referee("Wa6 Bh7").position, 0.5, timed, result)
    assert str(record) == LOG
    clocks = "7 W a6a7 # 0.12s white 29.88s black 30.00s"  # which spectators see too
    assert move_line(7, timed[0], {"white": 29.88, "black": 30.0}) == clocks
    refused = GameRecord(1, "a", "b", start_opening(1), refused="W e2e5")
    assert "# REFUSED W e2e5\n" in str(refused)
    assert follow(str(refused)) == start_opening(1)


@given(st.lists(st.integers(0, 99), max_size=95), st.booleans())
def test_every_game_can_be_followed_as_it_was_written(choices: list[int], en_passant: bool) -> None:
    start = start_opening(1) if en_passant else without_en_passant(start_opening(1))
    here = Referee(start)
    for choice in choices:
        children = here.position.children()
        if not children:
            break
        name = move_name(here.position, children[choice % len(children)])
        here.play(here.mover, name, choice / 100)
    record = GameRecord(3, "a", "b", start, 0.5, tuple(here.moves), here.result)
    assert follow(LOG + str(record)) == here.position


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("1 W a6a7", "1 W a6a8"),
        ("1 W a6a7", "1 B h7h6"),
        ("Wa6", "Wz6"),
        ("# GAME 1", "# GAMES"),
        ("RESULT", "4 B h5h4\nRESULT"),
    ],
)
def test_after_a_fault_the_position_is_unknown_until_the_next_game(old: str, new: str) -> None:
    faulty = LOG.replace(old, new)
    assert follow(faulty) is None
    assert follow(faulty + LOG) == follow(LOG)
