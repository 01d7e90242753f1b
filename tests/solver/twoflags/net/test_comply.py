"""`solver comply`: good programs pass every check, and each bad one fails the one meant for it.

The programs run in threads of this process; a few tests at the end start real ones.
"""

from __future__ import annotations

import asyncio
import os
import shlex
import signal
import socket
import subprocess
import sys
import threading
import time
import traceback
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import Any

import pytest
from support.command import solver
from support.scripted_server import agent_settings

from solver.games.twoflags import game
from solver.games.twoflags.moves import child_named, move_name
from solver.games.twoflags.net import comply, trials
from solver.games.twoflags.net.client import Agent, BrokenOff, Connection
from solver.games.twoflags.net.comply import AGENT_CHECKS, SERVER_CHECKS, CheckResult, CheckStatus
from solver.games.twoflags.net.program import Process, Subject, reserve_port
from solver.games.twoflags.net.server import Server, ServerSettings
from solver.games.twoflags.rules import NO_EN_PASSANT
from solver.games.twoflags.text import parse_setup

DIALECTS = ("course", "tournament", "seed")
SOLVER = f"{shlex.quote(sys.executable)} -m solver"
PATIENCE = 10.0  # for good programs, on a busy machine
IMPATIENCE = 0.5

FAULTS = [
    ("none", 0, ""),
    ("silent", 2, "expected OK as answer to Connected, got nothing in 0.5 s"),
    ("garbage", 2, "expected OK as answer to Connected, got 'what?'"),
    ("eager", 5, "expected silence before White's first move, got move e7e5"),
    ("illegal", 6, "expected a legal move of white, got h2h5, which is illegal"),
    ("no setup", 8, "expected a legal move of white, got a2a4, which is illegal"),
    ("no en passant", 10, "expected a legal move of black, got exit, which gives the game up"),
    ("no splitting", 11, "expected OK as answer to Time, got nothing in 0.5 s"),
    ("no joining", 12, "expected OK as answer to Setup, got the end of the connection"),
    ("slow", 15, "expected moves in time, got "),
    ("no suffix", 17, "expected no crash, got on standard error: ValueError: a7a8q"),
    ("exit when won", 18, "expected no move and no false claim after the game is won, got exit"),
    ("immortal", 20, "expected the program to end, got it still runs after 0.5 s"),
    ("traceback", 20, "expected no crash, got on standard error: ValueError: the end"),
]


class FaultyAgent:
    """Keeps to the course's protocol or the tournament's, except for one fault."""

    def __init__(self, port: int, fault: str, dialect: str, ended: threading.Event) -> None:
        self.fault = fault
        self.state = NO_EN_PASSANT if fault == "no en passant" else 0
        self.position = parse_setup(game.start(), "", self.state)
        self.minutes = 1.0
        with socket.create_connection(("127.0.0.1", port)) as self.line:
            if dialect == "tournament":
                self.say("OK")
            with suppress(EOFError):
                self.listen(ended)

    def listen(self, ended: threading.Event) -> None:
        waiting = b""
        while data := self.line.recv(1000):
            *lines, waiting = (waiting + data).split(b"\n")
            if waiting and self.fault == "no joining":
                raise ValueError(waiting)
            for text in lines[: 1 if self.fault == "no splitting" else None]:
                self.hear(text.decode())
        if self.fault == "traceback":
            raise ValueError("the end")
        if self.fault == "immortal":
            ended.wait()

    def say(self, text: str) -> None:
        self.line.sendall(f"{text}\n".encode())

    def move(self) -> None:
        if self.minutes < 1 and self.fault == "slow":
            time.sleep(3.1)
        if not self.position.children():
            self.say("exit")
            return
        child = self.position.children()[0]
        self.say("h2h5" if self.fault == "illegal" else move_name(self.position, child))
        self.position = child
        if self.fault == "exit when won" and not child.children():
            self.say("exit")

    def hear(self, text: str) -> None:
        word = text.split()[0]
        if word in ("Connected", "Setup", "Time") and self.fault != "silent":
            self.say("what?" if self.fault == "garbage" else "OK")
        if word == "Setup" and self.fault != "no setup":
            self.position = parse_setup(text, "", self.state)
        elif word == "Time":
            self.minutes = float(text.split()[1])
            if self.fault == "eager":
                self.say("e7e5")
        elif word == "Begin":
            self.move()
        elif word in ("exit", "GameOver"):
            raise EOFError
        elif word[1].isdigit():
            if self.fault == "no suffix" and len(word) > 4:
                raise ValueError(word)
            self.position = child_named(self.position, word) or self.position
            self.move()


class ThreadProcess(Process):
    """Runs an agent, a faulty agent or a server in a thread; its command names one of them."""

    def __init__(self, command: list[str], note: Callable[[str, str], None]) -> None:
        self.note = note
        self.written = ""
        self.ended = threading.Event()
        self.ready = threading.Event()
        self.stop: Callable[[], object] = self.ended.set
        kind, port, *rest = command
        works = {"agent": self.play, "faulty": self.play_badly, "server": self.serve}
        self.thread = threading.Thread(target=self.run, args=[works[kind], int(port), *rest])
        self.thread.daemon = True
        self.thread.start()
        self.ready.wait(10)

    def run(self, work: Callable[..., None], *arguments: Any) -> None:
        try:
            work(*arguments)
        except Exception:
            self.written = traceback.format_exc()

    def play(self, port: int, dialect: str) -> None:
        self.ready.set()
        connection = Connection("127.0.0.1", port)
        with suppress(BrokenOff):
            Agent(connection, agent_settings(dialect=dialect), lambda event: None).run()
        connection.close()

    def play_badly(self, port: int, fault: str, dialect: str) -> None:
        self.ready.set()
        FaultyAgent(port, fault, dialect, self.ended)

    def serve(self, port: int, dialect: str, minutes: str, relay: str = "") -> None:
        settings = ServerSettings(
            port=port,
            spectator_port=0,
            dialects=(dialect, dialect),
            minutes=float(minutes),
            relay=bool(relay),
        )
        asyncio.run(self.serve_until_stopped(settings))

    async def serve_until_stopped(self, settings: ServerSettings) -> None:
        task = asyncio.create_task(Server(settings, lambda event: None).run())
        loop = asyncio.get_running_loop()
        self.stop = lambda: loop.call_soon_threadsafe(task.cancel)
        self.ready.set()
        with suppress(asyncio.CancelledError):
            await task

    def exit_code(self) -> int | None:
        return None if self.thread.is_alive() else 0

    def ends_within(self, seconds: float) -> bool:
        self.thread.join(seconds)
        return not self.thread.is_alive()

    def read_stderr(self) -> str:
        return self.written

    def close(self) -> None:
        with suppress(RuntimeError):  # the loop has ended by itself
            self.stop()
        self.thread.join(10)
        self.note("-", self.written)


def failures(results: list[CheckResult]) -> list[int]:
    return [result.check.number for result in results if result.status is CheckStatus.FAILED]


def skipped(results: list[CheckResult]) -> list[int]:
    return [result.check.number for result in results if result.status is CheckStatus.SKIPPED]


def render(results: list[CheckResult]) -> str:
    """For the message of a failed test."""
    return "\n".join("\n    ".join([str(result), *result.transcript]) for result in results)


def check_good_agent(dialect: str) -> list[CheckResult]:
    subject = Subject(f"agent {{port}} {dialect}", dialect=dialect, patience=PATIENCE)
    return list(comply.check_agent(subject))


def check_good_server(dialect: str) -> list[CheckResult]:
    """Time is short only where it must run out: a busy machine would lose games by it."""
    long, short = (
        Subject(f"server {{port}} {dialect} {minutes}", dialect=dialect, patience=PATIENCE)
        for minutes in (5, 0.01)
    )
    return [*comply.check_server(long), *comply.check_server(short, only=[15])]


def check_faulty_agent(fault: str) -> list[CheckResult]:
    """Up to the first failure."""
    dialect = "tournament" if fault == "exit when won" else "course"
    hangs = fault in ("silent", "immortal", "no splitting")
    subject = Subject(
        f"faulty {{port}} {fault!r} {dialect}",
        dialect=dialect,
        patience=IMPATIENCE if hangs else PATIENCE,
    )
    results = []
    for result in comply.check_agent(subject):
        results.append(result)
        if result.status is CheckStatus.FAILED:
            break
    return results


@pytest.fixture(scope="module")
def check_all() -> Iterator[Callable[[Callable[[str], list[CheckResult]], str], list[CheckResult]]]:
    """Everything is checked at once, because most of the time is waiting."""
    with pytest.MonkeyPatch.context() as patch, ThreadPoolExecutor(8) as pool:
        patch.setattr(trials, "Process", ThreadProcess)
        patch.setattr(trials, "QUIET", 0.2)
        futures: dict[tuple[Any, str], Future[list[CheckResult]]] = {
            (check, name): pool.submit(check, name)
            for check, names in (
                (check_good_agent, DIALECTS),
                (check_good_server, DIALECTS),
                (check_faulty_agent, [fault for fault, _, _ in FAULTS]),
            )
            for name in names
        }
        yield lambda check, name: futures[check, name].result()


@pytest.mark.parametrize("dialect", DIALECTS)
def test_our_agent_passes(check_all: Callable[..., list[CheckResult]], dialect: str) -> None:
    results = check_all(check_good_agent, dialect)
    assert not failures(results), render(results)
    assert len(results) == len(AGENT_CHECKS)
    assert skipped(results) == {"course": [], "tournament": [9], "seed": [9, 10]}[dialect]


@pytest.mark.parametrize("dialect", DIALECTS)
def test_our_server_passes(check_all: Callable[..., list[CheckResult]], dialect: str) -> None:
    results = check_all(check_good_server, dialect)
    assert not failures(results), render(results)
    assert skipped(results) == ([2, 15] if dialect == "tournament" else [15])
    assert results[-1].status is CheckStatus.PASSED


@pytest.mark.parametrize(("fault", "number", "reason"), FAULTS)
def test_a_fault_fails_the_check_that_is_meant_for_it(
    check_all: Callable[..., list[CheckResult]], fault: str, number: int, reason: str
) -> None:
    results = check_all(check_faulty_agent, fault)
    assert failures(results) == ([number] if number else []), render(results)
    assert results[-1].reason.startswith(reason)
    if fault == "no joining":  # the evidence is kept
        said = [line.split(maxsplit=2)[-1] for line in results[-1].transcript]
        assert {"Connected to the server!\\n", "OK\\n", "Set"} <= set(said)
        assert said[-1].endswith("ValueError: b'Set'\n")


def test_a_relay_is_caught_unless_it_should_be_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(trials, "Process", ThreadProcess)
    subject = Subject("server {port} course 5 relay", patience=PATIENCE)
    assert failures(list(comply.check_server(subject, only=[1, 11, 12]))) == [11, 12]
    subject = Subject("server {port} course 5 relay", patience=PATIENCE, relay=True)
    assert skipped(list(comply.check_server(subject, only=[1, 11, 12, 15]))) == [11, 12, 15]


def test_every_step_of_every_script_exists() -> None:
    for checks, trial in ((AGENT_CHECKS, trials.AgentTrial), (SERVER_CHECKS, trials.ServerTrial)):
        assert [check.number for check in checks] == list(range(1, len(checks) + 1))
        for check in checks:
            assert all(hasattr(trial, step.split()[0]) for step in check.script.split(";"))
            assert all(need < check.number for need in check.needs)


def test_a_reserved_port_is_given_to_nobody_else() -> None:
    """Two checks at the same time once started their servers on one port."""
    with ExitStack() as stack:
        ports = [reserve_port("127.0.0.1", stack) for _ in range(400)]
        assert len(set(ports)) == 400
        socket.create_server(("127.0.0.1", ports[0])).close()  # free for the server


# --- the command, and real processes -------------------------------------------------------


def test_real_programs_are_checked() -> None:
    agent = f"{SOLVER} agent --host {{host}} --port {{port}} --move-time 0.02 --no-ponder"
    done = solver("comply", "--agent", agent, "--only", "1,7,20", "--patience", "20")
    assert (done.returncode, done.stderr) == (0, ""), done.stdout
    assert done.stdout.endswith("\n3 passed, 0 failed, 0 skipped\n")
    words = [*shlex.split(SOLVER), "server", "--port", "0", "--spectator-port", "0"]
    with subprocess.Popen(words, stdout=subprocess.PIPE, text=True) as server:
        assert server.stdout is not None
        address = server.stdout.readline().split()[-1]
        done = solver("comply", "--server", address, "--patience", "20")
        assert server.wait(20) == 0
    *lines, last = done.stdout.splitlines()
    assert (done.returncode, done.stderr) == (0, ""), done.stdout
    assert last == "9 passed, 0 failed, 6 skipped"
    assert lines[0] == "ok 1  accepts two players"
    assert lines[-1].endswith(": needs a match of its own; give the server as --server-cmd")


def test_a_failure_is_printed_with_its_transcript_and_skips_what_needs_it() -> None:
    talker = "import socket, sys; socket.create_connection(('127.0.0.1', int(sys.argv[1])))"
    agent = shlex.join([sys.executable, "-c", f"{talker}.sendall(b'hi')", "{port}"])
    done = solver("comply", "--agent", agent, "--only", "1,2,3")
    lines = done.stdout.splitlines()
    assert done.returncode == 1
    assert lines[1].startswith("FAILED 2  answers the greeting with OK: expected OK as answer")
    assert lines[2] == "    The server goes on only after the OK."
    shown = [line.split(maxsplit=1)[-1] for line in lines]
    assert {"> Connected to the server!\\n", "< hi"} <= set(shown)
    assert lines[-2].endswith(": could not be checked because check 2 failed")
    assert lines[-1] == "1 passed, 1 failed, 1 skipped"


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        ([], 2, "one of the arguments --agent --server-cmd --server --list is required."),
        (["--agent", "no-such-program {port}"], 2, "no-such-program: cannot be started: "),
        (["--agent", "' {port}"], 2, "' {port}: No closing quotation"),
        (["--agent", ""], 2, "The command is empty."),
        (["--agent", "true", "--port", "{taken}"], 3, "Put {port} into the command"),
        (["--server-cmd", "true"], 2, "--server-cmd needs {port}"),
        (["--server", "x"], 2, "'x' is not like 127.0.0.1:9999"),
        (["--agent", "x", "--dialect", "cuorse"], 2, "Did you mean 'course'?"),
        (["--agent", "x", "--only", "99"], 2, "--only: the checks are numbered from 1 to 20."),
    ],
)
def test_wrong_usage(words: list[str], code: int, said: str) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        done = solver("comply", *(word.replace("{taken}", port) for word in words))
    assert (done.returncode, done.stdout) == (code, "")
    assert said in done.stderr


def is_running(process: int) -> bool:
    try:
        return Path(f"/proc/{process}/stat").read_text().split()[2] != "Z"
    except OSError:
        return False


STUBBORN = """
import os, signal, sys, time
signal.signal(signal.SIGTERM, signal.SIG_IGN)
child = os.fork()
open(sys.argv[1], "a").write(f"{os.getpid()} ")
time.sleep(60)
"""


@pytest.mark.skipif(not os.path.exists("/proc/self/stat"), reason="looks for processes in /proc")
@pytest.mark.parametrize("interrupted", [False, True])
def test_nothing_is_left_running(tmp_path: Path, interrupted: bool) -> None:
    """Neither a program that does not want to end nor what it has started."""
    numbers = tmp_path / "processes"
    numbers.touch()
    agent = shlex.join([sys.executable, "-c", STUBBORN, str(numbers), "{port}"])
    patience = "60" if interrupted else "1"
    words = [*shlex.split(SOLVER), "comply", "--agent", agent, "--patience", patience]
    with subprocess.Popen([*words, "--only", "1"], stdout=subprocess.PIPE, text=True) as process:
        while interrupted and len(numbers.read_text().split()) < 2:
            assert process.poll() is None
            time.sleep(0.02)
        if interrupted:
            process.send_signal(signal.SIGINT)
        process.communicate(timeout=30)
    assert process.returncode == (130 if interrupted else 1)
    started = [int(number) for number in numbers.read_text().split()]
    assert len(started) == 2
    assert not any(is_running(number) for number in started)
