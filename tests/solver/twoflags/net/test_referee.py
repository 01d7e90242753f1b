"""The referee: every way in which a game can end, without a socket and without a clock."""

from __future__ import annotations

import pytest

from solver.twoflags.net.referee import GameResult, Reason, Referee, Relay, TimedMove
from solver.twoflags.rules import other
from solver.twoflags.text import parse_setup


def referee(setup: str, seconds: float | None = None) -> Referee:
    return Referee(parse_setup(f"Setup {setup}", "", 0), seconds)


@pytest.mark.parametrize(
    ("setup", "move", "expected"),
    [
        ("Wa7 Bh7", "a7a8", GameResult("white", Reason.LANDED)),
        ("Bh2 Wa2 BLACK", "h2h1", GameResult("black", Reason.LANDED)),
        ("Wd4 Be5", "d4e5", GameResult("white", Reason.LAST_PAWN)),
        ("Wa4 Ba6", "a4a5", GameResult("white", Reason.BLOCKED)),
        ("Wa4 Bh6", "a4a5", None),
        ("Wa4 Bh6", "a4a6", GameResult("black", Reason.ILLEGAL)),
        ("Wa4 Bh6", "h6h5", GameResult("black", Reason.ILLEGAL)),
        ("Wa4 Bh6", "z9z9", GameResult("black", Reason.ILLEGAL)),
        ("Wa4 Bh6", "", GameResult("black", Reason.ILLEGAL)),
    ],
)
def test_a_move_ends_the_game_or_not(setup: str, move: str, expected: GameResult | None) -> None:
    game = referee(setup)
    stands = game.play(game.mover, move, 0.0)
    assert game.result == expected
    assert stands == (expected is None or expected.reason != Reason.ILLEGAL)


def test_moves_that_stand_are_kept_and_the_refused_one_apart() -> None:
    game = referee("Wa4 Bh6")
    assert game.play("white", "A4A5", 1.5)
    assert not game.play("black", "h6h4", 0.5)
    assert game.moves == [TimedMove("white", "a4a5", 1.5)]
    assert game.refused == "B h6h4"


def test_en_passant_is_legal_for_one_turn_only() -> None:
    game = referee("Wa5 Wg2 Bb7 Bh7 BLACK")
    for side, name in (("black", "b7b5"), ("white", "g2g3"), ("black", "h7h6")):
        assert game.play(side, name, 0.0)
    assert not game.play("white", "a5b6", 0.0)
    assert game.result == GameResult("black", Reason.ILLEGAL)


def test_whoever_moves_out_of_turn_loses() -> None:
    game = referee("Wa4 Bh6")
    assert not game.play("black", "h6h5", 0.0)
    assert game.result == GameResult("white", Reason.OUT_OF_TURN)


def test_only_the_movers_clock_runs() -> None:
    game = referee("Wa4 Bh6", seconds=10.0)
    assert game.play("white", "a4a5", 3.0)
    assert game.play("black", "h6h5", 1.0)
    assert game.clocks == {"white": 7.0, "black": 9.0}


@pytest.mark.parametrize("seconds", [10.0, 11.0])
def test_a_move_after_the_flag_has_fallen_does_not_stand(seconds: float) -> None:
    game = referee("Wa7 Bh6", seconds=10.0)
    assert not game.play("white", "a7a8", seconds)
    assert game.result == GameResult("black", Reason.TIME)
    assert game.clocks == {"white": 0.0, "black": 10.0}


def test_time_adds_up_over_moves() -> None:
    game = referee("Wa2 Bh7", seconds=10.0)
    assert game.play("white", "a2a3", 6.0)
    assert game.play("black", "h7h6", 9.9)
    assert not game.play("white", "a3a4", 6.0)
    assert game.result == GameResult("black", Reason.TIME)


def test_who_never_moves_loses_by_time_or_by_silence() -> None:
    with_clocks = referee("Wa4 Bh6", seconds=10.0)
    with_clocks.run_out()
    assert with_clocks.result == GameResult("black", Reason.TIME)
    without = referee("Wa4 Bh6")
    without.run_out()
    assert without.result == GameResult("black", Reason.SILENCE)


def test_the_first_result_stays() -> None:
    game = referee("Wa7 Bh6")
    game.play("white", "a7a8", 0.0)
    game.lose("white", Reason.RESIGNATION)
    game.claim("black", "black")
    assert not game.play("black", "h6h5", 0.0)
    assert game.result == GameResult("white", Reason.LANDED)


def test_a_claim_while_the_game_is_on_is_false_or_a_resignation() -> None:
    game = referee("Wa4 Bh6")
    game.claim("white", "white")
    assert game.result == GameResult("black", Reason.FALSE_CLAIM)
    game = referee("Wa4 Bh6")
    game.claim("white", "black")
    assert game.result == GameResult("black", Reason.RESIGNATION)


def test_a_relay_passes_on_whatever_it_gets() -> None:
    relay = Relay(parse_setup("Setup Wa7 Bh6", "", 0))
    assert relay.play("white", "a7a8", 0.0)
    assert relay.play("black", "h6a1", 99.0)
    assert relay.mover == "white"
    assert relay.result is None
    relay.lose("white", Reason.RESIGNATION)
    assert relay.result == GameResult("black", Reason.RESIGNATION)
    assert not relay.play("black", "h6h5", 0.0)


def test_a_relay_believes_a_claim() -> None:
    relay = Relay(parse_setup("Setup Wa4 Bh6", "", 0))
    relay.claim("white", "white")
    assert relay.result == GameResult("white", Reason.CLAIM)
    relay = Relay(parse_setup("Setup Wa4 Bh6", "", 0))
    relay.claim("white", "black")
    assert relay.result == GameResult("black", Reason.RESIGNATION)


def test_every_reason_can_be_said() -> None:
    for reason in Reason:
        assert str(GameResult("white", reason)) != f"white has won: {reason}"
    assert str(GameResult("white", "adjudication")) == "white has won: adjudication"


def test_there_are_two_sides() -> None:
    assert other("white") == "black"
    assert other("black") == "white"
