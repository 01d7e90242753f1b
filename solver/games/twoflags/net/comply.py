"""Checks of an agent for Two Flags: does it keep to the protocol and the rules?  A check is a
script of steps, until one fails.  Each starts the agent anew, as its server and its opponent."""

from __future__ import annotations

import os
import shlex
import signal
import socket
import subprocess
import tempfile
import time
from collections.abc import Callable, Collection, Iterator
from contextlib import ExitStack, suppress
from enum import StrEnum
from pathlib import Path
from random import Random
from typing import NamedTuple

from solver.errors import FileError, UserError
from solver.games.twoflags import game
from solver.games.twoflags.net import protocol
from solver.games.twoflags.net.match import Reason, Referee
from solver.games.twoflags.net.protocol import DIALECTS, GREETING_LINE, Message, Stream
from solver.games.twoflags.rules import NO_EN_PASSANT, WHITE_LANDED_AT, Pawns, other
from solver.games.twoflags.text import move_name, parse_setup

HOST = "127.0.0.1"
DEFAULT_PORT = 9999
RETRY = 0.05  # seconds between two looks at the agent, and between pieces of a message
SENDING = 5.0
QUIET = 0.4  # seconds in which nothing must be said
MOVES_LONGER = 3  # times the patience: thinking takes longer than saying OK
TO_TERMINATE = 1.0  # seconds for a program to end when it is asked to
LAST_BYTES = 4000  # of standard error, for the transcript
CRASHES = ("Traceback (most recent call last)", "Exception in thread", "Unhandled exception")
SETUPS = {
    "start": game.start(),
    "few-pawns": "Setup Wa4 Wb5 Bg5 Bh4",  # no move of the usual start is legal here
    "en-passant": "Setup Wd2 We3 Be4",  # after d2d4 Black has only e4d3
    "landing": "Setup Wa7 Bh6",  # White has only a7a8
}

Note = Callable[[str, str], None]  # takes a sign and a line of the transcript


class AgentUnderTest(NamedTuple):
    """How to start the agent, and how to talk to it."""

    command: str
    port: int = DEFAULT_PORT  # for a command without {port}
    dialect: str = "course"
    patience: float = 5.0


class Check(NamedTuple):
    number: int
    title: str
    why: str
    script: str  # names of a trial's methods, with their arguments


class CheckStatus(StrEnum):
    PASSED = "ok"
    FAILED = "FAILED"
    SKIPPED = "skipped"


class CheckResult(NamedTuple):
    """What has become of one check; the transcript only if it has failed."""

    check: Check
    status: CheckStatus
    reason: str = ""
    transcript: tuple[str, ...] = ()

    def __str__(self) -> str:
        end = f": {self.reason}" if self.reason else ""
        return f"{self.status} {self.check.number}  {self.check.title}{end}"


class Failed(Exception):
    """The agent did something else than it should."""

    def __init__(self, expected: str, got: str) -> None:
        super().__init__(f"expected {expected}, got {got}")


class Skipped(Exception):
    """This cannot be checked here; the message says why."""


def _read_checks() -> list[Check]:
    """Two lines each in `checks.txt`: title and reason, then the script."""
    rows = Path(__file__).with_name("checks.txt").read_text("utf-8").splitlines()
    pairs = enumerate(zip(rows[::2], rows[1::2], strict=True), 1)
    parts = ((number, row.partition(". "), script) for number, (row, script) in pairs)
    return [Check(number, title, why, script) for number, (title, _, why), script in parts]


BASIC_CHECKS = 3  # if one of the first fails, the rest would say nothing new
CHECKS = _read_checks()


def run_checks(agent: AgentUnderTest, only: Collection[int] = ()) -> Iterator[CheckResult]:
    blamed = 0
    passing = True  # whether we may capture en passant
    for check in CHECKS:
        if only and check.number not in only:
            continue
        if blamed:
            reason = f"could not be checked because check {blamed} failed"
            yield CheckResult(check, CheckStatus.SKIPPED, reason)
            continue
        result = _run_check(check, agent, passing)
        if result.status is CheckStatus.FAILED:
            blamed = check.number if check.number <= BASIC_CHECKS else 0
            passing = passing and "en-passant" not in check.script
        yield result


def _run_check(check: Check, agent: AgentUnderTest, passing: bool) -> CheckResult:
    transcript: list[str] = []
    try:
        with ExitStack() as stack:
            trial = AgentTrial(agent, stack, transcript, passing)
            for step in check.script.split(";"):
                name, *arguments = step.split()
                getattr(trial, name)(*arguments)
    except Failed as failure:
        return CheckResult(check, CheckStatus.FAILED, str(failure), tuple(transcript))
    except Skipped as skipped:
        return CheckResult(check, CheckStatus.SKIPPED, str(skipped))
    return CheckResult(check, CheckStatus.PASSED)


class Process:
    """The program, started without a shell and ended with all processes it has started."""

    def __init__(self, words: list[str]) -> None:
        self.stderr = tempfile.TemporaryFile()  # noqa: SIM115, closed with the process
        quiet = subprocess.DEVNULL
        try:
            self.popen = subprocess.Popen(
                words, stdin=quiet, stdout=quiet, stderr=self.stderr, start_new_session=True
            )
        except OSError as error:
            self.stderr.close()
            raise UserError(f"{words[0]}: cannot be started: {error.strerror}") from None

    def close(self) -> str:
        """End it; what it has written on standard error at last."""
        for name in ("SIGTERM", "SIGKILL"):  # the second for what it has left behind, too
            if hasattr(os, "killpg"):
                with suppress(ProcessLookupError, PermissionError):
                    os.killpg(self.popen.pid, signal.Signals[name])
            else:
                self.popen.kill()
            self.wait(TO_TERMINATE)
        self.popen.wait()
        with self.stderr:
            return self.read_stderr()

    def wait(self, seconds: float) -> int | None:
        """The exit code, None if it still runs after that time."""
        with suppress(subprocess.TimeoutExpired):
            self.popen.wait(seconds)
        return self.popen.poll()

    def read_stderr(self) -> str:
        size = self.stderr.seek(0, os.SEEK_END)
        self.stderr.seek(max(0, size - LAST_BYTES))
        return self.stderr.read().decode("utf-8", "replace")


class Peer(Stream):
    """A connection to the agent; everything goes into the transcript."""

    def __init__(self, connected: socket.socket, note: Note) -> None:
        super().__init__(connected, SENDING)
        connected.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.note = note

    def say(self, *messages: str, cut: int = 0) -> None:
        """All messages in one piece, or cut in two; a closed connection shows when we listen."""
        text = "".join(f"{message}\n" for message in messages)
        for piece in (text[:cut], text[cut:]):
            if piece:
                self.note(">", piece)
                with suppress(OSError):
                    self.socket.sendall(piece.encode("ascii"))
                time.sleep(RETRY if cut else 0)

    def hear(self, seconds: float) -> Message | None:
        """The next message; None if none comes in time, or if the connection is closed."""
        self.wait(seconds)
        return self.messages.popleft() if self.messages else None

    def read(self) -> bytes:
        data = super().read()
        if data:
            self.note("<", data.decode("ascii", "replace"))
        else:
            self.note("-", "it closed the connection")
        if self.flooded:
            raise Failed("short messages", "more text than any game needs")
        return data


class AgentTrial:
    """What a check is run on: the agent, the game so far, and what was said."""

    process: Process
    peer: Peer
    colour = ""

    def __init__(
        self, agent: AgentUnderTest, stack: ExitStack, transcript: list[str], passing: bool
    ) -> None:
        self.agent = agent
        self.passing = passing
        self.stack = stack
        self.transcript = transcript
        self.dialect = DIALECTS[agent.dialect]
        self.chance = Random(0)
        self.started = time.monotonic()
        self.referee = Referee(self._parse(game.start()))
        try:
            self.words = shlex.split(agent.command)
        except ValueError as error:
            raise UserError(f"{agent.command}: {error}") from None
        if not self.words:
            raise UserError("The command is empty.")

    def note(self, sign: str, text: str) -> None:
        """`>` we say, `<` it says, `-` a note; what was said is shown as on the wire."""
        text = text if sign == "-" else ascii(text)[1:-1]
        self.transcript.append(f"{time.monotonic() - self.started:7.3f} {sign} {text}")

    def _parse(self, setup: str) -> Pawns:
        return parse_setup(setup, "the check", NO_EN_PASSANT if self.dialect.variant else 0)

    def connect(self) -> None:
        """Start the agent and wait for its connection, which may take a moment."""
        listener = self._listen()  # first: the agent need not wait for us
        self._start_agent(listener.getsockname()[1])
        until = time.monotonic() + self.agent.patience
        while True:
            code = self.process.wait(0)  # before we accept: a last connection still counts
            with suppress(OSError):
                connected = listener.accept()[0]
                break
            if code is not None:
                raise Failed("a connection", f"the program ended, exit code {code}")
            if time.monotonic() > until:
                raise Failed("a connection", f"none in {self.agent.patience:g} s")
        self.peer = Peer(connected, self.note)
        self.stack.callback(self.peer.close)

    def _listen(self) -> socket.socket:
        port = 0 if "{port}" in self.agent.command else self.agent.port
        try:
            listener = self.stack.enter_context(socket.create_server((HOST, port)))
        except OSError as error:
            raise FileError(
                f"{HOST}:{port}: cannot listen there: {error.strerror}. "
                "Put {port} into the command, for any free one."
            ) from None
        listener.settimeout(RETRY)
        return listener

    def _start_agent(self, port: int) -> None:
        words = self.words
        places = {"{host}": HOST, "{port}": str(port), "{dialect}": self.agent.dialect}
        for name, value in places.items():
            words = [word.replace(name, value) for word in words]
        self.note("-", f"start {shlex.join(words)}")
        self.process = Process(words)
        self.stack.callback(self._close)

    def _close(self) -> None:
        code = self.process.wait(0)
        if code is not None:
            self.note("-", f"the program ended with exit code {code}")
        for line in self.process.close().splitlines():
            self.note("-", f"standard error: {line}")

    def greet(self) -> None:
        self.connect()
        if self.dialect.speaks_first:
            self._hear("OK without being asked", protocol.OK)
            return
        self.peer.say(GREETING_LINE)
        may_set_up = (protocol.SETUP,) if self.dialect.tells_roles else ()
        answer = self._hear("OK as answer to greeting", protocol.OK, *may_set_up)
        if answer.kind == protocol.SETUP:
            self.peer.say("SETUP-ACK")

    def start(self, colour: str, setup: str = "start", minutes: str = "1") -> None:
        """Everything before the first move."""
        if setup == "en-passant" and self.dialect.variant:
            raise Skipped(f"the {self.dialect.name} dialect has no en passant")
        self.greet()
        for word in (f"setup:{setup}", f"time:{minutes}", f"begin:{colour}"):
            self.say(word)

    def _hear(self, what: str, *kinds: str, times: int = 1) -> Message:
        seconds = self.agent.patience * times
        message = self.peer.hear(seconds)
        if message is None and self.peer.closed:
            self.process.wait(QUIET)  # so that its last words are in the transcript
            raise Failed(what, "the end of the connection")
        if message is None:
            raise Failed(what, f"nothing in {seconds:g} s")
        if message.kind not in kinds:
            shown = ascii(message.value) if message.kind == protocol.UNKNOWN else str(message)
            gives_up = ", which gives the game up" if message.kind == protocol.EXIT else ""
            raise Failed(what, shown + gives_up)
        return message

    def say(self, *words: str) -> None:
        """Say all of it in one piece, or after `cut` in two; what wants an `OK` must get it."""
        cut, words = (2, words[1:]) if words[0] == "cut" else (0, words)
        self.peer.say(*(line for word in words for line in self._lines(word)), cut=cut)
        for word in words:
            if word.startswith(("setup", "time")):
                self._hear(f"OK as answer to {word.partition(':')[0]}", protocol.OK)

    def _lines(self, word: str) -> list[str]:
        """What a word of a script is in this dialect; it moves the game on, too."""
        what, _, value = word.partition(":")
        match what:
            case "setup":
                self.referee = Referee(self._parse(SETUPS[value]))
                return [SETUPS[value]]
            case "time":
                self.referee = Referee(self.referee.position, float(value) * 60)
                return [self.dialect.time_line(float(value))]
            case "begin":
                self.colour = value
                return self.dialect.begin_lines(value, self.referee.mover)
            case "move":
                value = value or self._choose_move()
                self.referee.play(other(self.colour), value, 0.0)
                return [value]
        result, plies = self.referee.result, len(self.referee.moves)  # the end of the game
        winner = result.winner if result else self.colour
        line = self.dialect.last_word.format(winner=winner.upper(), plies=plies)
        return [line] if line else []

    def _choose_move(self) -> str:
        """A capture or a landing if there is one, en passant first, but not if the agent has shown
        that it does not know it: then the rest of a game is still checked.  Weak on purpose: an
        agent that gives up against it has not understood the game."""
        here = self.referee.position
        children = here.children()
        passing = [child for child in children if child.enemy & here.passed]
        others = [child for child in children if child not in passing]
        children = (passing or others) if self.passing else (others or passing)
        forcing = [c for c in children if c.own != here.enemy or c.state >> WHITE_LANDED_AT]
        return move_name(here, self.chance.choice(forcing or children))

    def expect_move(self) -> None:
        """The agent's move, which must be legal and within its time for the game."""
        what, asked = f"a legal move of {self.colour}", time.monotonic()
        name = self._hear(what, protocol.MOVE, times=MOVES_LONGER).value
        if self.referee.play(self.colour, name, time.monotonic() - asked):
            return
        result, plies = self.referee.result, len(self.referee.moves)
        if result is not None and result.reason == Reason.TIME:
            raise Failed("moves in time", f"{name} too late, after {plies} plies")
        for row in str(self.referee.position).split("\n"):
            self.note("-", row)
        raise Failed(what, f"{name}, which is illegal")

    def play_on(self) -> None:
        while self.referee.result is None:
            if self.referee.mover == self.colour:
                self.expect_move()
            else:
                self.say("move:")

    def expect_exit(self) -> None:
        """The loser of a tournament game must say so; elsewhere it may."""
        if self.dialect.resets:
            self._hear("exit, by which the loser ends the game", protocol.EXIT)

    def expect_quiet(self) -> None:
        """Nothing at all before the game; after it no move, no false claim, and no exit of a
        winner where that would lose the game."""
        result, stop = self.referee.result, time.monotonic() + QUIET
        winner = "" if result is None else result.winner
        while (left := stop - time.monotonic()) > 0 and (message := self.peer.hear(left)):
            kind, value = message
            exits = kind == protocol.EXIT and self.dialect.resets and winner == self.colour
            false = kind == protocol.WINNER and value != winner
            if not winner or kind == protocol.MOVE or exits or false:
                when = "after the end of the game" if winner else "before White's first move"
                raise Failed(f"silence {when}", str(message))
        self._check_no_crash()

    def expect_end(self, how: str = "") -> None:
        """The process must end by itself and in order, in the course at the server's word."""
        if how == "hang_up" or self.dialect.name != "course":
            self.note("-", "we close the connection")
            self.peer.close()
        if self.process.wait(self.agent.patience) is None:
            raise Failed("the program to end", f"it still runs after {self.agent.patience:g} s")
        self._check_no_crash()

    def _check_no_crash(self) -> None:
        code = self.process.wait(QUIET if self.peer.closed else 0)
        written = self.process.read_stderr()
        if any(crash in written for crash in CRASHES):
            raise Failed("no crash", f"on standard error: {written.strip().splitlines()[-1]}")
        if code is not None and code < 0:
            raise Failed("no crash", f"the program ended by {signal.strsignal(-code)}")
