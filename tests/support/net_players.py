"""Scripted players for each of the server's dialects.

They share the rules with the solver, but not the reading of messages: they read lines.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress

from solver.games.twoflags.rules import NO_EN_PASSANT, Pawns
from solver.games.twoflags.text import child_named, move_name, parse_setup
from support.net_host import Hosted

SEATED = " has come and speaks "


class Line:
    """A raw connection to a server."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.reader = reader
        self.writer = writer

    def say(self, text: str) -> None:
        self.writer.write(text.encode())

    async def hear(self) -> str:
        """The next line without its end; empty at the end of the stream."""
        with suppress(OSError):
            return (await self.reader.readline()).decode().rstrip("\n")
        return ""

    async def hear_until(self, beginning: str) -> None:
        """Leave out everything before the next line that begins so."""
        while not (line := await self.hear()).startswith(beginning):
            assert line


@asynccontextmanager
async def connected(port: int) -> AsyncIterator[Line]:
    line = Line(*await asyncio.open_connection("127.0.0.1", port))
    try:
        yield line
    finally:
        line.writer.close()
        with suppress(OSError):
            await line.writer.wait_closed()


class Player:
    """Speaks the course's dialect until the stream or the match ends; when it is to move, it
    plays the first legal move, or does what `act` does."""

    state = 0
    speaks_first = ""

    def __init__(self, act: Callable[[Player], object] | None = None) -> None:
        self.act = act or Player.move
        self.heard: list[str] = []
        self.setup = ""
        self.position = Pawns(0, 0, 0, 0)

    async def play(self, port: int) -> None:
        async with connected(port) as self.line:
            if self.speaks_first:
                self.say(self.speaks_first)
            while message := await self.line.hear():
                self.heard.append(message)
                self.react(message)
                if message == "exit":
                    break

    def say(self, message: str) -> None:
        self.line.say(f"{message}\n")

    def react(self, message: str) -> None:
        word = message.split()[0]
        if word == "Setup":
            self.setup = message
        if word in ("Setup", "Reset"):
            self.position = parse_setup(self.setup, "", self.state)
        if word in ("Connected", "Setup", "Time"):
            self.say("OK")
        elif word == "Reset":
            self.say("Ready")
        elif word == "Begin":
            self.act(self)
        elif len(word) == 4 and word[1].isdigit():
            self.advance(word)
            if self.position.children():
                self.act(self)

    def advance(self, name: str) -> None:
        child = child_named(self.position, name)
        assert child is not None, name
        self.position = child

    def choose(self) -> str:
        """Make the first move on our own board: a landing or a capture if there is one."""
        name = move_name(self.position, self.position.children()[0])
        self.advance(name)
        return name

    def move(self) -> None:
        self.say(self.choose())


class TournamentPlayer(Player):
    speaks_first = "OK"


class SeedPlayer(Player):
    state = NO_EN_PASSANT

    def react(self, message: str) -> None:
        if message.replace(".", "").isdigit():
            self.say("OK")
        elif message == "Role White":
            self.act(self)
        else:
            super().react(message)


class LockstepPlayer(SeedPlayer):
    """Answers three lines with `OK`, whatever they say, drops one, and waits for its role, as the
    agent of the seed does."""

    def react(self, message: str) -> None:
        if len(self.heard) < 4:
            super().react(message if message.startswith("Setup") else "Time")
        elif len(self.heard) > 4:
            assert message.startswith("Role") or len(self.heard) > 5
            super().react(message)


class SetupPlayer(SeedPlayer):
    """A seed client that brings its own setup."""

    speaks_first = "Setup Wa5 Bh7"


async def play_match(host: Hosted, first: Player, second: Player) -> None:
    """Both players and the server to the end of the match; the first one is seated first."""
    seated = len(host.notices(SEATED))
    playing = [asyncio.create_task(first.play(host.port))]
    await host.until_told(SEATED, seated + 1)
    playing.append(asyncio.create_task(second.play(host.port)))
    await host.finish()
    await asyncio.gather(*playing)
