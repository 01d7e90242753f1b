"""The agent against servers that follow a script, well or badly."""

from __future__ import annotations

import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scripted_server import Line, played

from solver.twoflags.net.client import BrokenOff, GamesSummary, MovePlayed

# White wins by running; Black is too late.
RACE = "Setup Wa5 Bh6"
HANDSHAKE = f"Connected to the server!\n{RACE}\nTime 1\nBegin\n"


def win_the_race(line: Line, sizes: list[int] | None = None) -> None:
    line.say(HANDSHAKE, sizes)
    assert line.lines(4) == ["OK", "OK", "OK", "a5a6"]
    line.say("h6h5\n")
    assert line.lines(5)[4] == "a6a7"
    line.say("h5h4\n")
    assert line.lines(6)[5] == "a7a8"
    line.say("exit\n")


def test_a_whole_game_as_white() -> None:
    agent, told = played(win_the_race)
    (game,) = agent.games
    assert game.won
    assert [move.name for move in game.moves] == ["a5a6", "a6a7", "a7a8"]
    assert str(game.ending) == "white has won: a white pawn has reached the last rank"
    assert sum(isinstance(event, MovePlayed) for event in told) == 3


@settings(max_examples=25, deadline=None)
@given(st.lists(st.integers(1, 30), max_size=30))
def test_a_handshake_cut_and_glued_at_random(sizes: list[int]) -> None:
    agent, _ = played(lambda line: win_the_race(line, sizes))
    assert agent.games[0].won


def test_after_a_silent_second_it_speaks_first() -> None:
    def script(line: Line) -> None:
        assert line.lines(1) == ["OK"]
        line.say(f"{RACE}\n")
        assert line.lines(2)[1] == "OK"
        line.say("Begin\n")
        assert line.lines(3)[2] == "a5a6"
        line.say("GameOver WHITE plies=1\n")

    agent, _ = played(script)
    assert agent.games[0].dialect == "tournament"
    assert agent.games[0].won


def test_several_games_on_one_connection() -> None:
    def script(line: Line) -> None:
        line.say(HANDSHAKE)
        assert line.lines(4)[3] == "a5a6"
        line.say("h6h5\n")
        line.lines(5)
        line.say("h5h4\n")
        line.lines(6)
        line.say("Setup Wa5 Bh4\n")
        line.lines(7)
        line.say("a5a6\n")
        assert line.lines(8)[7] == "h4h3"
        line.say("exit\n")

    agent, _ = played(script)
    assert [(game.colour, game.won) for game in agent.games] == [("white", True), ("black", True)]
    assert GamesSummary(agent.games).won == 2


def test_a_game_given_up_in_silence_is_a_game_of_its_own() -> None:
    def script(line: Line) -> None:
        line.say(HANDSHAKE)
        line.lines(4)
        line.say(f"{RACE}\n")  # the opponent has resigned
        line.lines(5)
        line.say("Begin\n")
        assert line.lines(6)[5] == "a5a6"
        line.say("exit\n")

    agent, _ = played(script)
    assert [(game.won, len(game.moves)) for game in agent.games] == [(True, 1), (True, 1)]


def test_a_game_that_is_over_at_once_is_reported() -> None:
    agent, told = played(lambda line: line.say("Setup Wa2 Wb2\nBegin\nexit\n"), dialect="course")
    assert [(game.won, game.moves) for game in agent.games] == [(True, [])]
    assert "white has won: black has no pawn left" in map(str, told)


def test_a_colour_learned_late_is_the_one_that_counts() -> None:
    def script(line: Line) -> None:
        line.say("Connected to the server!\nBegin\n")
        line.lines(1)
        time.sleep(0.5)
        line.say("Role Black\nwin: Black\nexit\n")

    agent, _ = played(script, move_seconds=20.0)
    assert [(game.colour, game.won) for game in agent.games] == [("black", True)]


def test_a_role_heard_while_thinking_stops_it() -> None:
    """Begin alone says we are White; the role that follows knows better."""

    def script(line: Line) -> None:
        line.say(f"Connected to the server!\n{RACE}\nBEGIN\n")
        line.lines(2)
        line.say("Role Black\n")
        line.say("a5a6\n")
        assert line.lines(3) == ["OK", "OK", "h6h5"]
        line.say("exit\n")

    agent, _ = played(script, move_seconds=0.5)
    assert agent.games[0].colour == "black"


def test_the_end_of_the_game_stops_thinking_at_once() -> None:
    def script(line: Line) -> None:
        line.say("Connected to the server!\n")
        line.lines(1)
        line.say("Begin\n")
        line.say("exit\n")

    began = time.monotonic()
    agent, _ = played(script, move_seconds=30.0, dialect="course")
    assert time.monotonic() - began < 10
    assert agent.conversation.finished


def test_an_only_move_is_played_at_once() -> None:
    def script(line: Line) -> None:
        line.say("Setup Wa2 Wb3 Ba3\nBegin\n")
        line.lines(2)
        line.say("exit\n")

    began = time.monotonic()
    agent, _ = played(script, move_seconds=30.0, dialect="course")
    assert agent.games[0].moves[0].name == "b3b4"
    assert time.monotonic() - began < 10


def test_pondering_is_counted() -> None:
    """Black has one reply only, so the guess is right."""

    def script(line: Line) -> None:
        line.say("Setup Wa2 Wb2 Wh2 Bh7 Bh6\nBegin\n")
        line.lines(2)
        time.sleep(0.3)
        line.say("h6h5\n")
        line.lines(3)
        line.say("exit\n")

    agent, _ = played(script, ponders=True, dialect="course", move_seconds=0.05)
    first, second = agent.games[0].moves
    assert (first.ponder_hit, second.ponder_hit) == (None, True)
    assert second.ponder_nodes > 0


# --- servers that misbehave ------------------------------------------------------------------


def test_a_connection_that_is_lost() -> None:
    def script(line: Line) -> None:
        line.say(HANDSHAKE)
        line.lines(4)

    with pytest.raises(BrokenOff, match="the server has closed the connection"):
        played(script)


def test_a_server_that_falls_silent() -> None:
    def script(line: Line) -> None:
        line.say(HANDSHAKE)
        line.lines(4)
        while line.socket.recv(4096):
            pass

    with pytest.raises(BrokenOff, match=r"the server was silent for 1\.5 s"):
        played(script, patience=1.5)


@pytest.mark.parametrize("word", ["x" * 100, "12.", "Setup" + " Wa2" * 1000])
def test_a_server_that_floods(word: str) -> None:
    def script(line: Line) -> None:
        line.say(HANDSHAKE)
        try:
            for _ in range(10_000):
                line.say(word * 100)
        except OSError:
            return

    with pytest.raises(BrokenOff):
        played(script, patience=3.0)


def test_garbage_does_not_disturb_a_game() -> None:
    def script(line: Line) -> None:
        line.socket.sendall(b"\x00\xff\xfe hello \r\n\r\n")
        win_the_race(line)

    agent, told = played(script)
    assert agent.games[0].won
    assert any("hello" in str(event) for event in told)
