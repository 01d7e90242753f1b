"""`solver comply`: our agent passes every check, and each bad one fails the one meant for it.

The agents run in threads of this process; a few tests at the end start real ones.
"""

from __future__ import annotations

import asyncio
import os
import select
import shlex
import signal
import socket
import subprocess
import sys
import threading
import time
import traceback
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, suppress
from pathlib import Path

import pytest
from support.command import call
from support.net_players import Player, connected
from support.scripted_server import make_client

from solver.games.twoflags import game
from solver.games.twoflags.net import comply, protocol
from solver.games.twoflags.net.client import BrokenOff, Connection
from solver.games.twoflags.net.comply import (
    CHECKS,
    HOST,
    AgentUnderTest,
    CheckStatus,
    Process,
    run_checks,
)
from solver.games.twoflags.rules import NO_EN_PASSANT

DIALECTS = ("course", "tournament", "seed")
SOLVER = f"{shlex.quote(sys.executable)} -m solver"
PATIENCE = 10.0  # for good programs, on a busy machine
IMPATIENCE = 1.5

FAULTS = [
    ("silent", 2, "expected OK as answer to greeting, got nothing in 1.5 s"),
    ("garbage", 2, "expected OK as answer to greeting, got 'what?'"),
    ("eager", 3, "expected silence before White's first move, got move e7e5"),
    ("illegal", 4, "expected a legal move of white, got h2h5, which is illegal"),
    ("no setup", 6, "expected a legal move of white, got a2a4, which is illegal"),
    ("no en passant", 7, "expected a legal move of black, got exit, which gives the game up"),
    ("no splitting", 8, "expected OK as answer to time, got nothing in 1.5 s"),
    ("no joining", 9, "expected OK as answer to setup, got the end of the connection"),
    ("slow", 10, "expected moves in time, got "),
    ("exit when won", 13, "expected silence after the end of the game, got exit"),
    ("immortal", 15, "expected the program to end, got it still runs after 1.5 s"),
    ("traceback", 15, "expected no crash, got on standard error: ValueError: the end"),
]


class FaultyAgent(Player):
    """Keeps to the course's protocol or the tournament's, except for one fault."""

    def __init__(self, fault: str, dialect: str) -> None:
        super().__init__()
        self.fault = fault
        self.act = self.move_badly
        self.state = NO_EN_PASSANT if fault == "no en passant" else 0
        self.speaks_first = "OK" if dialect == "tournament" else ""

    async def play(self, port: int) -> None:
        waiting = b""
        async with connected(port) as self.line:
            if self.speaks_first:
                self.say(self.speaks_first)
            while data := await self.line.reader.read(1000):
                *lines, waiting = (waiting + data).split(b"\n")
                if waiting and self.fault == "no joining":
                    raise ValueError(waiting)
                for text in lines[: 1 if self.fault == "no splitting" else None]:
                    self.react(text.decode())
        if self.fault == "traceback":
            raise ValueError("the end")

    def react(self, message: str) -> None:
        self.heard.append(message)
        ignored = message.startswith("Setup") and self.fault == "no setup"
        super().react(game.start() if ignored else message)
        if message.startswith("Time") and self.fault == "eager":
            self.say("e7e5")
        ends = message[1:2].isdigit() or (message, self.fault) == ("Begin", "exit when won")
        if ends and not self.position.children():
            self.say("exit")

    def say(self, message: str) -> None:
        if message != "OK" or self.fault != "silent":
            super().say("what?" if message == "OK" and self.fault == "garbage" else message)

    def move_badly(self, player: Player) -> None:
        if "Time 0.005" in self.heard and self.fault == "slow":
            time.sleep(0.4)
        name = self.choose()
        self.say("h2h5" if self.fault == "illegal" else name)


class ThreadProcess(Process):
    """Runs our agent or a faulty one in a thread; the command names it."""

    def __init__(self, command: list[str]) -> None:
        self.written = ""
        self.ended = threading.Event()
        self.thread = threading.Thread(target=self.run, args=command, daemon=True)
        self.thread.start()

    def run(self, kind: str, port: str, dialect: str, fault: str) -> None:
        try:
            if kind == "faulty":
                asyncio.run(FaultyAgent(fault, dialect).play(int(port)))
                if fault == "immortal":
                    self.ended.wait()
            else:
                with suppress(BrokenOff), closing(Connection(HOST, int(port))) as connection:
                    make_client(connection, dialect=dialect).run()
        except Exception:
            self.written = traceback.format_exc()

    def wait(self, seconds: float) -> int | None:
        self.thread.join(seconds)
        return None if self.thread.is_alive() else 0

    def read_stderr(self) -> str:
        return self.written

    def close(self) -> str:
        """The connection is closed by now, which ends all others."""
        self.ended.set()
        self.thread.join(10)
        return self.written


@pytest.fixture(autouse=True)
def in_threads(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    if "real" not in request.node.name:
        monkeypatch.setattr(comply, "Process", ThreadProcess)
        monkeypatch.setattr(comply, "QUIET", 0.2)
        monkeypatch.setattr(protocol, "SETTLED", 5.0)  # a busy machine cuts messages, too


@pytest.mark.parametrize("dialect", DIALECTS)
def test_our_agent_passes(dialect: str) -> None:
    """All checks at once, because most of the time is waiting."""
    agent = AgentUnderTest(f"agent {{port}} {dialect} -", 0, dialect, PATIENCE)
    with ThreadPoolExecutor(6) as pool:
        results = list(pool.map(lambda check: next(run_checks(agent, [check.number])), CHECKS))
    failed = [result for result in results if result.status is CheckStatus.FAILED]
    assert not failed, "\n".join(line for result in failed for line in result.transcript)
    skipped = [result.check.number for result in results if result.status is CheckStatus.SKIPPED]
    assert skipped == ([7] if dialect == "seed" else [])


@pytest.mark.parametrize(("fault", "number", "reason"), FAULTS)
def test_a_fault_fails_the_check_that_is_meant_for_it(
    monkeypatch: pytest.MonkeyPatch, fault: str, number: int, reason: str
) -> None:
    hasty = [each._replace(script=each.script.replace("0.05", "0.005")) for each in CHECKS]
    monkeypatch.setattr(comply, "CHECKS", hasty)
    dialect = "tournament" if fault == "exit when won" else "course"
    hangs = fault in ("silent", "immortal", "no splitting")
    patience = IMPATIENCE if hangs else PATIENCE
    command = f"faulty {{port}} {dialect} {fault!r}"
    (result,) = run_checks(AgentUnderTest(command, 0, dialect, patience), [number])
    assert result.status is CheckStatus.FAILED
    assert result.reason.startswith(reason)
    if fault == "no joining":  # the evidence is kept
        said = [line.split(maxsplit=2)[-1] for line in result.transcript]
        assert {"Connected to the server!\\n", "OK\\n", "Se"} <= set(said)
        assert said[-1] == "standard error: ValueError: b'Se'"


def test_a_program_without_en_passant_still_plays_whole_games() -> None:
    agent = AgentUnderTest("faulty {port} course 'no en passant'", 0, "course", PATIENCE)
    statuses = [result.status for result in run_checks(agent, (7, 10, 11))]
    assert statuses == [CheckStatus.FAILED, CheckStatus.PASSED, CheckStatus.PASSED]


# --- the command, and real processes -------------------------------------------------------


def test_a_real_agent_is_checked() -> None:
    agent = f"{SOLVER} agent --host {{host}} --port {{port}} --move-time 0.02 --no-ponder"
    done = call("comply", "--agent", agent, "--only", "15", "--patience", "20")
    assert (done.returncode, done.stderr) == (0, ""), done.stdout
    assert done.stdout.endswith("\n1 passed, 0 failed, 0 skipped\n")


def test_a_real_failure_is_printed_with_its_transcript_and_skips_what_needs_it() -> None:
    talker = "import socket, sys; socket.create_connection(('127.0.0.1', int(sys.argv[1])))"
    agent = shlex.join([sys.executable, "-c", f"{talker}.sendall(b'hi')", "{port}"])
    done = call("comply", "--agent", agent, "--only", "2,3")
    lines = done.stdout.splitlines()
    assert done.returncode == 1
    assert lines[0].startswith("FAILED 2  answers the greeting, Setup and Time with OK: expected")
    assert lines[1] == "    The server goes on only after each OK."
    shown = [line.split(maxsplit=1)[-1] for line in lines]
    assert {"> Connected to the server!\\n", "< hi"} <= set(shown)
    assert lines[-2].endswith(": could not be checked because check 2 failed")
    assert lines[-1] == "0 passed, 1 failed, 1 skipped"


def test_a_port_that_is_taken() -> None:
    with socket.create_server((HOST, 0)) as taken:
        port = str(taken.getsockname()[1])
        done = call("comply", "--agent", "true", "--port", port)
    assert done.returncode == 3
    assert "Put {port} into the command" in done.stderr


STUBBORN = """
import os, signal, socket, sys, time
signal.signal(signal.SIGTERM, signal.SIG_IGN)
pipe = os.open(sys.argv[1], os.O_WRONLY)
if os.fork():
    os.write(pipe, b"x")
    connection = socket.create_connection(("127.0.0.1", int(sys.argv[2])))
time.sleep(60)
"""


@pytest.mark.parametrize("interrupted", [False, True])
def test_nothing_real_is_left_running(tmp_path: Path, interrupted: bool) -> None:
    """Neither a program that does not want to end nor what it has started: the pipe ends when
    its last writer has gone."""
    os.mkfifo(tmp_path / "pipe")
    pipe = os.open(tmp_path / "pipe", os.O_RDONLY | os.O_NONBLOCK)
    agent = shlex.join([sys.executable, "-c", STUBBORN, str(tmp_path / "pipe"), "{port}"])
    check = "2" if interrupted else "1"  # which waits for OK, or passes
    words = [*shlex.split(SOLVER), "comply", "--agent", agent, "--patience", "60", "--only", check]
    with subprocess.Popen(words, stdout=subprocess.DEVNULL) as process:
        assert select.select([pipe], [], [], 60)[0]
        assert os.read(pipe, 1) == b"x"
        if interrupted:
            process.send_signal(signal.SIGINT)
        assert process.wait(60) == (130 if interrupted else 0)
    assert select.select([pipe], [], [], 30)[0]
    os.close(pipe)
