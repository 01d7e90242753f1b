"""The agent against servers that follow a script, well or badly, and as a command."""

from __future__ import annotations

import re
import socket
import time
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.command import call
from support.scripted_server import Line, played, read_scripts, scripted_server

from solver.games.twoflags.net import client, protocol
from solver.games.twoflags.net.client import BrokenOff, MovePlayed

RACE = "Setup Wa5 Bh6"  # White wins by running; Black is too late
HANDSHAKE = f"Connected to the server!\n{RACE}\nTime 1\nBegin\n"

# A story with the agent's options, and each game with our colour, whether we won, and the number
# of our moves; then the script: the server says `>`, the agent must say `<`.
SCRIPTS = """
after a silent second it speaks first (): white won 1
    < OK | > RACE | < OK | > Begin | < a5a6 | > GameOver WHITE plies=1
several games on one connection (): white won 3, black won 1
    > Connected to the server! | < OK | > RACE | < OK | > Begin | < a5a6 | > h6h5 | < a6a7
    | > h5h4 | < a7a8 | > Setup Wa5 Bh4 | < OK | > a5a6 | < h4h3 | > exit
a game given up in silence is a game of its own (dialect=course): white won 1, white won 1
    > RACE | < OK | > Begin | < a5a6 | > RACE | < OK | > Begin | < a5a6 | > exit
a game that is over at once (dialect=course): white won 0
    > Setup Wa2 Wb2 | > Begin | > exit
a colour learned late is the one that counts (move_seconds=20.0): black won 0
    > Connected to the server! | < OK | > Begin | pause | > Role Black | > win: Black | > exit
Begin alone says we are White; a role heard while thinking counts (move_seconds=0.5): black won 1
    > Connected to the server! | < OK | > RACE | < OK | > BEGIN | > Role Black | > a5a6 | < h6h5
    | > exit
the end of the game stops thinking at once (move_seconds=30.0 dialect=course): white lost 0
    > Connected to the server! | < OK | > Begin | > exit
an only move is played at once (move_seconds=30.0 dialect=course): white won 1
    > Setup Wa2 Wb3 Ba3 | < OK | > Begin | < b3b4 | > exit
"""


def follow(line: Line, script: str) -> None:
    heard = 0
    for step in script.split("|"):
        verb, _, value = step.strip().partition(" ")
        if verb == ">":
            line.say(f"{value.replace('RACE', RACE)}\n")
        elif verb == "<":
            heard += 1
            assert line.lines(heard)[-1] == value
        else:
            time.sleep(0.3)


@pytest.mark.parametrize(("head", "script"), read_scripts(SCRIPTS))
def test_the_agent_on_a_scripted_server(head: str, script: str) -> None:
    words, games = head.partition("(")[2].split("): ")
    options: dict[str, Any] = dict(word.split("=") for word in words.split())
    if "move_seconds" in options:
        options["move_seconds"] = float(options["move_seconds"])
    began = time.monotonic()
    agent, _ = played(lambda line: follow(line, script), **options)
    results = ("won" if game.won else "lost" for game in agent.games)
    told = [f"{g.colour} {r} {len(g.moves)}" for g, r in zip(agent.games, results, strict=True)]
    assert ", ".join(told) == games
    assert time.monotonic() - began < 50


@pytest.mark.parametrize("framed", [True, False])
def test_without_newlines_messages_keep_apart(framed: bool) -> None:
    """Whether the server uses none, or ours are not to end with one."""

    def serve(line: Line) -> None:
        end = "" if framed else "\n"
        line.say(
            f"Connected to the server!{end}OKOK{end}{RACE}{end}Time 1{end}ClassicYour turn{end}"
        )
        heard = ""
        while not heard.endswith("a5a6"):
            heard += line.socket.recv(4096).decode()
        assert heard == "OKOKOKa5a6"
        assert time.monotonic() - began > 3 * protocol.APART
        line.say("exit")

    began = time.monotonic()
    agent, _ = played(serve, framed)
    assert [len(game.moves) for game in agent.games] == [1]


def win_the_race(line: Line, sizes: list[int] | None = None) -> None:
    line.say(HANDSHAKE, sizes)
    assert line.lines(4) == ["OK", "OK", "OK", "a5a6"]
    line.say("h6h5\n")
    assert line.lines(5)[4] == "a6a7"
    line.say("h5h4\n")
    assert line.lines(6)[5] == "a7a8"
    line.say("exit\n")


@settings(max_examples=10, deadline=None)
@given(st.lists(st.integers(1, 30), max_size=30))
def test_a_handshake_cut_and_glued_at_random(sizes: list[int]) -> None:
    agent, told = played(lambda line: win_the_race(line, sizes))
    assert agent.games[0].won
    assert str(agent.games[0].ending) == "white has won: a white pawn has reached the last rank"
    assert sum(isinstance(event, MovePlayed) for event in told) == 3


def test_a_reply_that_was_expected_is_a_hit() -> None:
    """Black has one reply only, so the guess is right."""
    script = "> Setup Wa2 Wb2 Wh2 Bh7 Bh6 | < OK | > Begin"

    def serve(line: Line) -> None:
        follow(line, script)
        for heard, reply in ((2, "h6h5"), (3, "exit")):
            line.lines(heard)
            line.say(f"{reply}\n")

    agent, _ = played(serve, ponders=True, dialect="course", move_seconds=0.05)
    pondered = [move.remark.split()[-1] for move in agent.games[0].moves]
    assert pondered == ["-", "hit"]


def test_garbage_does_not_disturb_a_game() -> None:
    def serve(line: Line) -> None:
        line.socket.sendall(b"\x00\xff\xfe hello \r\n\r\n")
        win_the_race(line)

    agent, told = played(serve)
    assert agent.games[0].won
    assert any("hello" in str(event) for event in told)


@pytest.mark.parametrize(
    ("flood", "end"),
    [
        ("", "the server has closed the connection"),
        ("x" * 100, "sends more than any game needs|has closed the connection"),
        ("Setup" + " Wa2" * 5000, "the server sends more than any game needs"),
        (None, r"the server was silent for 1\.2 s"),
    ],
)
def test_a_server_that_floods_closes_or_falls_silent(flood: str | None, end: str) -> None:
    def serve(line: Line) -> None:
        line.say(HANDSHAKE)
        line.lines(4)
        with suppress(OSError):
            while flood is None and line.socket.recv(4096):
                pass
            for _ in range(200 if flood else 0):
                line.say((flood or "") * 100)

    with pytest.raises(BrokenOff, match=end):
        played(serve, patience=1.2)


# --- the command ---------------------------------------------------------------------------


def test_the_command_tells_its_moves() -> None:
    with scripted_server(win_the_race) as port:
        done = call("agent", "--port", str(port), "--move-time", "0.05")
    assert done.returncode == 0
    move = r"1\. white a5a6 time \d+\.\d\d left \d+\.\d depth \d+ nodes \d+ score win-in-5 "
    assert re.match(move + r"ponder -\n", done.stderr)
    assert re.fullmatch(r"1 game, 1 won; 3 moves, \d+\.\d s\n", done.stdout)


def stay(line: Line) -> None:
    line.say(HANDSHAKE)
    while line.socket.recv(4096):
        pass


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ("return 1 / 0", "line 4: ZeroDivisionError: division by zero"),
        ("return 'a5a7'", "a5a7 is not a legal move. Legal from a5: a5a6."),
        ("return position", "it must return a move, such as 'a5a6'"),
        ("exit()", "line 4: SystemExit"),
    ],
)
def test_a_mistake_of_an_own_agent_is_told_in_one_line(
    tmp_path: Path, body: str, message: str
) -> None:
    path = tmp_path / "my.py"
    head = "import solver\nclass My(solver.Agent):\n    def choose(self, position, clock):\n"
    path.write_text(f"{head}        {body}\n")
    with scripted_server(stay) as port:
        done = call("agent", "--player", f"{path}:My", "--port", str(port))
    assert done.returncode == 2
    assert message in done.stderr
    assert "Traceback" not in done.stderr


OWN = """
import solver
class My(solver.Agent):
    def choose(self, position, clock):
        assert clock.left <= 60
        return position.moves()[-1]
    def opponent_moved(self, position, move):
        print(move, position.mover)
    def game_over(self, result):
        print(result)
"""


def test_an_own_agent_plays_and_hears_what_happens(tmp_path: Path) -> None:
    (tmp_path / "my.py").write_text(OWN)
    with scripted_server(win_the_race) as port:
        done = call("agent", "--player", f"{tmp_path}/my.py:My", "--port", str(port))
    heard = ["h6h5 white", "h5h4 white", "white has won: a white pawn has reached the last rank"]
    assert done.stdout.splitlines()[:3] == heard
    assert done.stdout.splitlines()[3].startswith("1 game, 1 won; 3 moves, ")


def test_a_server_that_is_not_there_or_breaks_off(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(client, "STARTING", 0.1)
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = listener.getsockname()[1]
    done = call("agent", "--port", str(port))
    refused = f"127.0.0.1:{port}: cannot connect: Connection refused. Is a server there?"
    assert (done.returncode, done.stderr) == (3, f"solver: {refused}\n")

    def close(line: Line) -> None:
        line.say(HANDSHAKE)
        line.lines(4)

    with scripted_server(close) as port:
        done = call("agent", "--port", str(port), "--move-time", "0.01")
    assert done.returncode == 4
    assert "the server has closed the connection" in done.stderr
