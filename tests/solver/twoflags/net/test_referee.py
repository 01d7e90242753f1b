"""The referee and the openings: every way in which a game can begin and end, without sockets."""

from __future__ import annotations

import pytest

from solver.errors import BoardError, UserError
from solver.games.twoflags import game
from solver.games.twoflags.net.referee import (
    GameResult,
    Reason,
    Referee,
    Relay,
    TimedMove,
    find_fault,
    listed_openings,
    parse_openings,
    random_openings,
    setup_message,
    start_opening,
    without_en_passant,
)
from solver.games.twoflags.text import parse_setup

BOARD = "........\n......b.\n........\n........\n........\n........\nw.......\n........\n"


def referee(setup: str, seconds: float | None = None) -> Referee:
    return Referee(parse_setup(f"Setup {setup}", "", 0), seconds)


@pytest.mark.parametrize(
    ("setup", "moves", "result"),
    [
        ("Wa7 Bh7", "a7a8", ("white", Reason.LANDED)),
        ("Bh2 Wa2 BLACK", "h2h1", ("black", Reason.LANDED)),
        ("Wd4 Be5", "d4e5", ("white", Reason.LAST_PAWN)),
        ("Wa4 Ba6", "a4a5", ("white", Reason.BLOCKED)),
        ("Wa4 Bh6", "a4a5", None),
        ("Wa4 Bh6", "a4a6", ("black", Reason.ILLEGAL)),
        ("Wa4 Bh6", "h6h5", ("black", Reason.ILLEGAL)),
        ("Wa4 Bh6", "z9z9", ("black", Reason.ILLEGAL)),
        ("Wa5 Wg2 Bb7 Bh7 BLACK", "b7b5 a5b6 h7h6", None),
        ("Wa5 Wg2 Bb7 Bh7 BLACK", "b7b5 g2g3 h7h6 a5b6", ("black", Reason.ILLEGAL)),
        ("Wa7 Bh6", "a7a8 h6h5", ("white", Reason.LANDED)),
    ],
)
def test_moves_end_the_game_or_not(
    setup: str, moves: str, result: tuple[str, Reason] | None
) -> None:
    """En passant is legal for one turn only; nothing counts after the end."""
    here = referee(setup)
    for name in moves.split():
        here.play(here.mover, name, 0.0)
    assert here.result == (None if result is None else GameResult(*result))


def test_moves_that_stand_are_kept_and_the_refused_one_apart() -> None:
    here = referee("Wa4 Bh6")
    assert here.play("white", "A4A5", 1.5)
    assert not here.play("black", "h6h4", 0.5)
    assert here.moves == [TimedMove("white", "a4a5", 1.5)]
    assert here.refused == "B h6h4"


def test_a_move_out_of_turn_loses() -> None:
    here = referee("Wa4 Bh6")
    assert not here.play("black", "h6h5", 0.0)
    assert here.result == GameResult("white", Reason.OUT_OF_TURN)


def test_only_the_movers_clock_runs_and_a_move_after_it_does_not_stand() -> None:
    here = referee("Wa6 Bh6", seconds=10.0)
    assert here.play("white", "a6a7", 3.0)
    assert here.play("black", "h6h5", 9.9)
    assert here.clocks is not None
    assert here.clocks["white"] == 7.0
    assert not here.play("white", "a7a8", 7.0)
    assert here.result == GameResult("black", Reason.TIME)
    assert here.clocks["white"] == 0.0


@pytest.mark.parametrize(("seconds", "reason"), [(10.0, Reason.TIME), (None, Reason.SILENCE)])
def test_a_player_who_never_moves_loses(seconds: float | None, reason: Reason) -> None:
    here = referee("Wa4 Bh6", seconds)
    here.run_out()
    here.lose("black", Reason.RESIGNATION)  # too late
    assert here.result == GameResult("black", reason)


@pytest.mark.parametrize(
    ("kind", "winner", "result"),
    [
        (Referee, "white", ("black", Reason.FALSE_CLAIM)),
        (Referee, "black", ("black", Reason.RESIGNATION)),
        (Relay, "white", ("white", Reason.CLAIM)),
        (Relay, "black", ("black", Reason.RESIGNATION)),
    ],
)
def test_a_claim_of_white_while_the_game_is_on(
    kind: type[Referee], winner: str, result: tuple[str, Reason]
) -> None:
    here = kind(parse_setup("Setup Wa4 Bh6", "", 0))
    here.claim("white", winner)
    assert here.result == GameResult(*result)


def test_a_relay_passes_on_whatever_it_gets_until_a_player_ends_it() -> None:
    relay = Relay(parse_setup("Setup Wa7 Bh6", "", 0))
    assert relay.play("white", "a7a8", 0.0)
    assert relay.play("black", "h6a1", 99.0)
    assert (relay.mover, relay.result) == ("white", None)
    relay.lose("white", Reason.RESIGNATION)
    assert not relay.play("black", "h6h5", 0.0)


def test_every_reason_can_be_said() -> None:
    for reason in Reason:
        assert str(GameResult("white", reason)) != f"white has won: {reason}"
    assert str(GameResult("white", "adjudication")) == "white has won: adjudication"


# --- openings ------------------------------------------------------------------------------


def test_players_hear_the_usual_start_and_black_only_if_it_is_to_move() -> None:
    assert setup_message(start_opening(1)) == game.start()
    assert setup_message(parse_setup("Setup Wa2 Bh7 BLACK", "", 0)) == "Setup Wa2 Bh7 BLACK"


@pytest.mark.parametrize("plies", [0, 1, 6, 20])
def test_random_openings_come_in_pairs_and_again_with_the_same_seed(plies: int) -> None:
    openings = random_openings(plies, seed=1)
    positions = [openings(number) for number in range(1, 21)]
    assert positions[0::2] == positions[1::2]
    assert len(set(positions)) > 1 or plies == 0
    assert [random_openings(plies, seed=1)(number) for number in range(1, 21)] == positions
    for position in positions:
        assert find_fault(position) is None
        assert position.mover() == ("black" if plies % 2 else "white")


def test_too_many_random_plies_are_refused() -> None:
    with pytest.raises(UserError, match="no open game after 95"):
        random_openings(95, seed=0)(1)


def test_a_file_may_hold_a_board_or_a_setup_on_each_line() -> None:
    assert parse_openings(BOARD, "file") == [parse_setup("Setup Wa2 Bg7", "", 0)]
    first, second = "Setup Wa2 Bh7", "Setup Wb2 Bh7 BLACK"
    openings = listed_openings(parse_openings(f"{first}\n\n{second}\n", "file"))
    heard = [setup_message(openings(number)) for number in range(1, 7)]
    assert heard == [first, first, second, second, first, first]


@pytest.mark.parametrize(
    ("text", "faults"),
    [
        ("Setup Wa2 Bh7\nSetup Wa9", ["line 2, column 7: 'Wa9' is not a pawn"]),
        ("Setup Wa8 Bh7", ["line 1, column 1: the game is over, white has won"]),
        ("Setup Wa2", ["line 1, column 1: the game is over"]),
        ("Setup Wa5 Bb5 WHITE b6", ["line 1, column 1: a game cannot begin with a capture en"]),
        ("Setup Wa2 Bh7\nwhatever", ["line 2, column 1: a line that does not begin with 'Setup'"]),
        ("Setup Wx2 Bh7\nSetup Wa2 W", ["line 1, column 7", "line 2, column 11"]),
        (BOARD.replace("w", "x"), ["line 7, column 1: 'x' is not one of . w b"]),
        ("", ["line 1, column 1: the board ends after 0 rows"]),
    ],
)
def test_every_fault_of_a_file_is_reported(text: str, faults: list[str]) -> None:
    with pytest.raises(BoardError) as caught:
        parse_openings(text, "file")
    lines = str(caught.value).split("\n")
    for fault, line in zip(faults, lines, strict=False):
        assert line.startswith(f"file: {fault}")
    assert len(caught.value.faults) == len(faults)


def test_en_passant_can_be_taken_away() -> None:
    position = without_en_passant(parse_setup("Setup We5 Bd7 Bf7 BLACK", "", 0))
    assert all(child.passed == 0 for child in position.children())
