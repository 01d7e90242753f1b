"""A server under test: two scripted clients play on it, each told apart in the transcript."""

from __future__ import annotations

import errno
import random
import socket
import time
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass
from typing import Self

from solver.errors import BoardError, UserError
from solver.twoflags import game
from solver.twoflags.moves import child_named
from solver.twoflags.net import wire
from solver.twoflags.net.comply.checklist import Failed, Skipped
from solver.twoflags.net.comply.client import Client
from solver.twoflags.net.comply.mover import quiet_move
from solver.twoflags.net.comply.peer import Peer
from solver.twoflags.net.comply.process import Process, filled
from solver.twoflags.net.comply.transcript import Transcript
from solver.twoflags.net.dialects import DIALECTS
from solver.twoflags.rules import NO_EN_PASSANT, Pawns, other
from solver.twoflags.text import parse_setup

TICK = 0.01  # seconds to listen to one client before the other has its turn
RETRY = 0.05  # seconds between two attempts to connect


@dataclass(frozen=True)
class ServerUnderTest:
    """Where it is, or how to start it anew for every check."""

    host: str = "127.0.0.1"
    port: int = 9999
    command: str = ""
    dialect: str = "course"
    patience: float = 5.0
    newlines: bool | None = None  # None: as is usual in the dialect
    relay: bool = False  # it passes moves on unchecked, and that is right


class ServerTrial:
    """One match; the checks of a running server share it, so each finds it as far as it is."""

    def __init__(self, subject: ServerUnderTest) -> None:
        self.subject = subject
        self.dialect = DIALECTS[subject.dialect]
        newlines = self.dialect.newlines if subject.newlines is None else subject.newlines
        self.end = "\n" if newlines else ""
        self.transcript = Transcript()
        self.stack = ExitStack()
        self.process: Process | None = None
        self.port = subject.port
        self.clients: list[Client] = []
        self.begun = False
        self.plies = 0
        self.position = parse_setup(game.start(), "the check", self._state)

    @property
    def _state(self) -> int:
        return NO_EN_PASSANT if self.dialect.variant else 0

    def __enter__(self) -> Self:
        if self.subject.command:
            if "{port}" not in self.subject.command:
                raise UserError("--server-cmd needs {port}, where the number of the port goes.")
            self.port = free_port(self.subject.host)
            words = filled(self.subject.command, self.subject.host, self.port, self.subject.dialect)
            self.process = self.stack.enter_context(Process(words, self.transcript))
        return self

    def __exit__(self, *_: object) -> None:
        self.stack.close()

    # --- sitting down --------------------------------------------------------------------

    def connect(self) -> None:
        """Both players; a server that has just been started may take a moment."""
        while len(self.clients) < 2:
            number = str(len(self.clients) + 1)
            peer = Peer(self._connected(number), self.transcript, number)
            self.stack.callback(peer.close)
            self.clients.append(Client(peer, self.dialect, self.end))
            if number == "1":
                self.pump(lambda: bool(self.clients[0].heard), RETRY)

    def _connected(self, number: str) -> socket.socket:
        until = time.monotonic() + self.subject.patience
        while True:
            try:
                return socket.create_connection(
                    (self.subject.host, self.port), self.subject.patience
                )
            except OSError as error:
                ended = self.process is not None and not self.process.running
                if ended or time.monotonic() > until:
                    got = "the program ended" if ended else str(error.strerror or error)
                    raise Failed(f"a connection for player {number}", got) from None
            time.sleep(RETRY)

    def third(self) -> Peer:
        """Somebody who is too many."""
        peer = Peer(self._connected("3"), self.transcript, "3")
        self.stack.callback(peer.close)
        return peer

    def begin(self) -> None:
        """Wait until everybody knows the game and White may move."""
        self.connect()
        if self.begun:
            return
        self.expect(self._roles_are_told, "one player to be told to move first")
        self.begun = True
        self.position = self.announced()
        self._take_colours()
        for client in self.clients:
            client.look_away()

    def _roles_are_told(self) -> bool:
        if self.dialect.asks_turns:
            return any(client.has_heard(wire.YOUR_TURN) for client in self.clients)
        if self.dialect.tells_roles:
            return all(client.has_heard(wire.ROLE, wire.COLOUR) for client in self.clients)
        return any(client.has_heard(wire.BEGIN) for client in self.clients)

    def _take_colours(self) -> None:
        mover = self.position.mover()
        for client in self.clients:
            begins = client.has_heard(wire.BEGIN)
            client.colour = mover if begins else other(mover)
            if self.dialect.tells_roles:
                client.colour = client.value_of(wire.ROLE, wire.COLOUR) or ""
        colours = sorted(client.colour for client in self.clients)
        if colours != ["black", "white"]:
            raise Failed("one White and one Black", " and ".join(colours))

    def announced(self) -> Pawns:
        """The position that the players were told, the start if they were not."""
        setups = {client.value_of(wire.SETUP) for client in self.clients}
        if len(setups) > 1:
            raise Failed("the same Setup for both", "two that differ")
        setup = setups.pop()
        if setup is None:
            return self.position
        try:
            position = parse_setup(setup, "the server", self._state)
        except BoardError as error:
            raise Failed("a Setup that can be played", str(error).split("\n")[0]) from None
        if game.outcome(position) is not None:
            raise Failed("a Setup that can be played", f"{setup}: the game is over")
        return position

    def minutes(self) -> float | None:
        told = self.clients[0].value_of(wire.TIME, wire.NUMBER)
        return None if told is None else float(told)

    # --- talking -------------------------------------------------------------------------

    def pump(self, done: Callable[[], bool], seconds: float) -> bool:
        """Listen to both until that is so; False if it is not in so many seconds."""
        until = time.monotonic() + seconds
        while not done():
            if time.monotonic() > until or all(client.gone for client in self.clients):
                return False
            for client in self.clients:
                client.listen(TICK)
        return True

    def expect(self, done: Callable[[], bool], what: str, seconds: float | None = None) -> None:
        seconds = self.subject.patience if seconds is None else seconds
        if not self.pump(done, seconds):
            gone = [client.peer.who for client in self.clients if client.gone]
            end = f", player {' and '.join(gone)} disconnected" if gone else ""
            raise Failed(what, f"nothing of the kind in {seconds:g} s{end}")

    # --- playing -------------------------------------------------------------------------

    @property
    def mover(self) -> Client:
        return self.player(self.position.mover())

    @property
    def waiter(self) -> Client:
        return self.player(other(self.position.mover()))

    def player(self, colour: str) -> Client:
        return next(client for client in self.clients if client.colour == colour)

    def move(self, name: str, cut: bool = False) -> None:
        """The mover's move, which the other must hear."""
        child = child_named(self.position, name)
        assert child is not None, name
        mover, waiter = self.mover, self.waiter
        if cut:
            mover.peer.say_in_pieces(name + self.end, 2)
        else:
            mover.say(name)
        self.position = child
        self.plies += 1
        self.expect_passed_on(waiter, name[:4])
        if self.dialect.asks_turns and game.outcome(child) is None:
            self.expect(lambda: bool(waiter.new(wire.YOUR_TURN)), "Your turn after the move")
        mover.look_away()
        waiter.look_away()

    def quiet_move(self) -> str:
        name = quiet_move(self.position)
        if not name:
            raise Skipped("the server's position is too near the end of a game")
        return name

    def expect_passed_on(self, waiter: Client, name: str) -> None:
        what = f"{name} to be passed on to player {waiter.peer.who}"
        self.expect(lambda: bool(waiter.new(wire.MOVE)) or waiter.ended, what)
        moves = [message.value for message in waiter.new(wire.MOVE)]
        if moves != [name]:
            raise Failed(what, " ".join(moves) or "the end of the game")

    def expect_end(self, winner: str, seconds: float = 0.0, told: bool = True) -> None:
        """Everybody who is there hears that the game is over, and nobody anything wrong."""
        here = [client for client in self.clients if not client.hung_up]
        self.expect(
            lambda: all(client.ended for client in here),
            f"both to hear that the game is over, won by {winner}",
            seconds + self.subject.patience,
        )
        must_tell = told and self.dialect.name in ("tournament", "prompt")
        for client in here:
            if client.told_winner != winner and (must_tell or client.told_winner):
                got = client.told_winner or "the end without a word"
                raise Failed(f"player {client.peer.who} to hear that {winner} has won", got)


def free_port(host: str) -> int:
    """A port that nobody listens on, and that no client on its way out is given in the meantime:
    from below those that the system hands out by itself."""
    while True:
        port = random.randrange(20_000, 32_000)
        try:
            socket.create_server((host, port)).close()
        except OSError as error:
            if error.errno not in (errno.EADDRINUSE, errno.EACCES):
                raise
        else:
            return port
