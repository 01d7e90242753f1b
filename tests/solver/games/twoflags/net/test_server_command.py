"""`solver server` as a real process: its words, its files, its exit codes."""

from __future__ import annotations

import asyncio
import os
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import AsyncExitStack, contextmanager
from pathlib import Path

import pytest
from support.command import call
from support.net_host import run
from support.net_players import Player, TournamentPlayer, connected

from solver.games.twoflags.net.match import parse_records


@contextmanager
def server(*options: str) -> Iterator[tuple[subprocess.Popen[str], int]]:
    """A server on free ports, and the one for players."""
    command = [sys.executable, "-m", "solver", "server", "--port", "0", *options]
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


async def both(port: int, first: Player, second: Player) -> None:
    """Both play to the end, whoever is seated first."""
    await asyncio.gather(first.play(port), second.play(port))


def finished(process: subprocess.Popen[str]) -> tuple[int, str, str]:
    out, words = process.communicate(timeout=30)
    return process.returncode, out, words


def test_a_match_is_told_and_logged(tmp_path: Path) -> None:
    opening, log = tmp_path / "opening.txt", tmp_path / "games.txt"
    opening.write_text("Setup Wa5 Bh7\n")
    with server("--games", "2", "--opening", str(opening), "--log", str(log)) as (process, port):
        run(both(port, TournamentPlayer(), TournamentPlayer()))
        code, out, words = finished(process)
    assert (code, words) == (0, "")
    assert out == (
        "game 1: player-1 (white) - player-2 (black): "
        "white has won: a pawn has landed; plies: 5\n"
        "game 2: player-2 (white) - player-1 (black): "
        "white has won: a pawn has landed; plies: 5\n"
        "score: player-1 1, player-2 1\n"
    )
    done = call("replay", str(log), "--check")
    assert done.stdout == f"{log}: 2 games, 10 moves: all legal\n"


def test_a_folder_gets_a_file_for_every_match(tmp_path: Path) -> None:
    with server("--log", str(tmp_path), "--forever", "--variant", "no-en-passant") as (_, port):
        for matches in (1, 2):
            run(both(port, TournamentPlayer(), TournamentPlayer()))
            files = sorted(tmp_path.iterdir())
            assert len(files) == matches
    for file in files:
        (record,) = parse_records(file.read_text(), file.name)
        assert record.result is not None


def test_moves_are_words() -> None:
    with server("-v", "--opening", "random:3", "--dialect", "course,tournament") as (process, port):
        run(both(port, TournamentPlayer(), TournamentPlayer()))
        code, out, words = finished(process)
    assert code == 0
    assert "player-1 has come and speaks course\n" in words
    assert "player-2 has come and speaks tournament\n" in words
    assert "\n1 B " in words
    assert "\n1 B " not in out


@pytest.mark.parametrize("players", [0, 2])
def test_an_interrupt_ends_it_cleanly(players: int) -> None:
    async def interrupt(process: subprocess.Popen[str], port: int) -> None:
        async with AsyncExitStack() as stack:
            for _ in range(players):
                line = await stack.enter_async_context(connected(port))
                await line.hear_until("Connected")
            process.send_signal(signal.SIGINT)
            await asyncio.to_thread(process.wait, 20)

    with server("--dialect", "course") as (process, port):
        run(interrupt(process, port))
        code, out, words = finished(process)
    assert (code, out, words) == (130, "", "solver: interrupted\n")


@pytest.mark.parametrize(
    ("options", "code", "message"),
    [
        (["--host", "256.1.1.1"], 3, "256.1.1.1:9999: cannot listen there: "),
        (["--log", "PIPE"], 2, "a pipe cannot hold a log"),  # it would stop the server
        (["--opening", "FAULTY"], 2, "line 2, column 11: 'Bx7' is not a pawn"),
        (["--port", "TAKEN"], 3, "cannot listen there: "),
        (["--port", "0", "--spectator-port", "TAKEN"], 3, "Try --spectator-port 0"),
    ],
)
def test_a_mistake_is_reported_before_anybody_comes(
    tmp_path: Path, options: list[str], code: int, message: str
) -> None:
    """The other mistakes are in the transcripts."""
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "faulty").write_text("Setup Wa2 Bh7\nSetup Wa2 Bx7\n")
    with socket.create_server(("127.0.0.1", 0)) as taken:
        places = {
            "PIPE": str(tmp_path / "pipe"),
            "FAULTY": str(tmp_path / "faulty"),
            "TAKEN": str(taken.getsockname()[1]),
        }
        done = call("server", *(places.get(word, word) for word in options))
    assert (done.returncode, done.stdout) == (code, "")
    assert message in done.stderr


def test_a_log_that_cannot_be_written_does_not_end_the_match(tmp_path: Path) -> None:
    folder = tmp_path / "gone"
    folder.mkdir()
    opening = tmp_path / "opening.txt"
    opening.write_text("Setup Wa5 Bh7\n")
    log = folder / "games.txt"
    with server("--opening", str(opening), "--log", str(log), "--games", "2") as (process, port):
        folder.rmdir()
        run(both(port, TournamentPlayer(), TournamentPlayer()))
        code, out, words = finished(process)
    assert code == 3
    assert "score: player-1 1, player-2 1" in out
    assert words.count(f"solver: {log}: cannot write: No such file or directory\n") == 3


def test_a_reader_who_leaves_does_not_end_the_match(tmp_path: Path) -> None:
    opening, log = tmp_path / "opening.txt", tmp_path / "games.txt"
    opening.write_text("Setup Wa5 Bh7\n")
    with server("--opening", str(opening), "--log", str(log), "--games", "3") as (process, port):
        assert process.stdout is not None
        process.stdout.close()
        run(both(port, TournamentPlayer(), TournamentPlayer()))
        assert process.wait(30) == 0
    assert len(parse_records(log.read_text(), "log")) == 3
