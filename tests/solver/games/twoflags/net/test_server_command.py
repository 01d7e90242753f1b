"""`solver server` as a real process: its words, its files, its exit codes."""

from __future__ import annotations

import asyncio
import os
import re
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pytest
from support.command import call
from support.net_host import run
from support.net_players import TournamentPlayer


@contextmanager
def server(*options: str, open_files: int = 0) -> Iterator[tuple[subprocess.Popen[str], int]]:
    """A server on free ports, and the one for players."""
    command = [sys.executable, "-m", "solver", "server", "--port", "0", *options]
    if open_files:
        command = ["sh", "-c", f'ulimit -n {open_files}; exec "$@"', "sh", *command]
    process = subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, bufsize=1
    )
    with process:
        try:
            assert process.stdout is not None
            first = process.stdout.readline()
            assert first.startswith("listening on 127.0.0.1:"), first
            assert process.stdout.readline().startswith("spectators on 127.0.0.1:")
            yield process, int(first.rpartition(":")[2])
        finally:
            process.kill()


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port: int = taken.getsockname()[1]
        return port


def play(port: int) -> None:
    """Play a match of two players to its end; either may connect first."""

    async def both() -> None:
        await asyncio.gather(*(TournamentPlayer().play(port) for _ in range(2)))

    run(both())


@pytest.fixture
def opening(tmp_path: Path) -> str:
    path = tmp_path / "opening.txt"
    path.write_text("Setup Wa5 Bh7\n")
    return str(path)


def test_a_match_is_told_and_logged(tmp_path: Path, opening: str) -> None:
    log = tmp_path / "games.txt"
    words = ("-v", "--games", "2", "--dialect", "course,tournament", "--opening", opening)
    with server(*words, "--log", str(log)) as (process, port):
        play(port)
        out, words_said = process.communicate(timeout=60)
    assert process.returncode == 0
    assert out == (
        "game 1: player-1 (white) - player-2 (black): "
        "white has won: a pawn has landed; plies: 5\n"
        "game 2: player-2 (white) - player-1 (black): "
        "white has won: a pawn has landed; plies: 5\n"
        "score: player-1 1, player-2 1\n"
    )
    assert "player-1 has come and speaks course\n" in words_said
    assert "player-2 has come and speaks tournament\n" in words_said
    assert len(re.findall(r"^\d [WB] \w{4} # ", words_said, re.MULTILINE)) == 10
    text = log.read_text()
    assert re.findall(r"^# GAME .*|^RESULT .*", text, re.MULTILINE) == [
        "# GAME 1 WHITE=player-1 BLACK=player-2",
        "RESULT WHITE reason=landed plies=5",
        "# GAME 2 WHITE=player-2 BLACK=player-1",
        "RESULT WHITE reason=landed plies=5",
    ]


def test_a_log_has_the_games_of_all_matches_until_interrupted(tmp_path: Path) -> None:
    log = tmp_path / "games.txt"
    words = ("--opening", "random:3", "--variant", "no-en-passant", "--forever")
    with server(*words, "--log", str(log)) as (process, port):
        for matches in (1, 2):
            play(port)
            assert log.read_text().count("RESULT ") == matches
        process.send_signal(signal.SIGINT)
        _, words_said = process.communicate(timeout=60)
    assert (process.returncode, words_said) == (130, "solver: interrupted\n")


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_game_in_progress_is_logged_when_the_server_is_stopped(
    tmp_path: Path, number: signal.Signals
) -> None:
    log = tmp_path / "games.txt"
    with server("-v", "--log", str(log), "--dialect", "course") as (process, port):
        players = [socket.create_connection(("127.0.0.1", port)) for _ in range(2)]
        for player in players:
            player.sendall(b"OK\n" * 4)
        assert process.stderr is not None
        while "is white" not in process.stderr.readline():
            pass
        players[0].sendall(b"e2e4\n")
        assert process.stderr.readline().startswith("1 W e2e4 ")
        process.send_signal(number)
        out, words_said = process.communicate(timeout=60)
    game = "game 1: player-1 (white) - player-2 (black)"
    assert (process.returncode, out) == (128 + number, f"{game}: interrupted; plies: 1\n")
    assert words_said == "solver: interrupted\n"
    assert log.read_text().splitlines()[-1] == "# INTERRUPTED plies=1"
    for player in players:
        player.close()


def test_few_open_files_keep_out_spectators_but_not_players(opening: str) -> None:
    words = ("--opening", opening, "--spectator-port", str(free_port()))
    with server(*words, open_files=64) as (process, port), ExitStack() as stack:
        for _ in range(150):
            spectator = socket.create_connection(("127.0.0.1", int(words[-1])))
            stack.enter_context(spectator)
        play(port)
        out, words_said = process.communicate(timeout=60)
    assert (process.returncode, words_said) == (0, "")
    assert out.endswith("score: player-1 1, player-2 0\n")


@pytest.mark.parametrize(
    ("options", "code", "message"),
    [
        (["--host", "256.1.1.1"], 3, "256.1.1.1:9999: cannot listen there: "),
        (["--log", "PIPE"], 2, "a pipe cannot hold a log"),  # it would stop the server
        (["--port", "TAKEN"], 3, "cannot listen there: "),
        (["--port", "0", "--spectator-port", "TAKEN"], 3, "Try --spectator-port 0"),
    ],
)
def test_a_mistake_is_reported_before_anybody_comes(
    tmp_path: Path, options: list[str], code: int, message: str
) -> None:
    """The other mistakes are in the transcripts."""
    os.mkfifo(tmp_path / "pipe")
    with socket.create_server(("127.0.0.1", 0)) as taken:
        places = {
            "PIPE": str(tmp_path / "pipe"),
            "TAKEN": str(taken.getsockname()[1]),
        }
        done = call("server", *(places.get(word, word) for word in options))
    assert (done.returncode, done.stdout) == (code, "")
    assert message in done.stderr


def test_neither_a_lost_log_nor_a_closed_pipe_ends_the_match(tmp_path: Path, opening: str) -> None:
    log = tmp_path / "gone" / "games.txt"
    log.parent.mkdir()
    with server("--opening", opening, "--log", str(log), "--games", "2") as (process, port):
        assert process.stdout is not None
        assert process.stderr is not None
        log.parent.rmdir()
        process.stdout.close()
        play(port)
        assert process.wait(60) == 3
        lost = f"solver: {log}: cannot write: No such file or directory\n"
        assert process.stderr.read() == lost * 3
