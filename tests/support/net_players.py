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

Choose = Callable[[Pawns], str]
SEATED = " has come and speaks "


class Line:
    """A raw connection to a server."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.reader = reader
        self.writer = writer
        self.heard: list[str] = []

    def say(self, text: str) -> None:
        self.writer.write(text.encode())

    async def hear(self) -> str:
        """The next line without its end; empty at the end of the stream."""
        try:
            line = (await self.reader.readline()).decode().rstrip("\n")
        except OSError:
            return ""
        self.heard.append(line)
        return line

    async def hear_until(self, beginning: str) -> str:
        """The next line that begins so; others before it are answered by nothing."""
        while not (line := await self.hear()).startswith(beginning):
            assert line, self.heard
        return line

    async def close(self) -> None:
        self.writer.close()
        with suppress(OSError):
            await self.writer.wait_closed()


@asynccontextmanager
async def connected(port: int) -> AsyncIterator[Line]:
    line = Line(*await asyncio.open_connection("127.0.0.1", port))
    try:
        yield line
    finally:
        await line.close()


def first_move(position: Pawns) -> str:
    """A landing or a capture if there is one."""
    return move_name(position, position.children()[0])


class Player:
    """Speaks the course's dialect until the stream or the match ends."""

    end = "\n"
    state = 0
    speaks_first = ""

    def __init__(self, choose: Choose = first_move) -> None:
        self.choose = choose
        self.heard: list[str] = []
        self.position = Pawns(0, 0, 0, 0)

    async def play(self, port: int) -> list[str]:
        """Everything that the server has said."""
        async with connected(port) as line:
            self.line = line
            if self.speaks_first:
                self.say(self.speaks_first)
            while message := await self.next_message():
                self.heard.append(message)
                self.react(message)
                if message == "exit":
                    break
        return self.heard

    async def next_message(self) -> str:
        return await self.line.hear()

    def say(self, message: str) -> None:
        self.line.say(message + self.end)

    def react(self, message: str) -> None:
        word = message.split()[0]
        if word == "Setup":
            self.position = parse_setup(message, "", self.state)
            self.say("OK")
        elif word in ("Connected", "Time"):
            self.say("OK")
        elif word == "Begin":
            self.move()
        elif len(word) == 4 and word[1].isdigit():
            self.take_move(word)
            self.move()

    def take_move(self, name: str) -> None:
        child = child_named(self.position, name)
        assert child is not None, name
        self.position = child

    def move(self) -> None:
        if not self.position.children():
            return
        name = self.choose(self.position)
        self.position = child_named(self.position, name) or self.position
        self.say(name)


class Saying(Player):
    """Says something else in place of every move."""

    def __init__(self, words: str) -> None:
        super().__init__()
        self.words = words

    def move(self) -> None:
        self.say(self.words)


class Sleeping(Player):
    """Knows how to begin, but never moves."""

    def move(self) -> None:
        """Think for ever."""


class Leaving(Player):
    """Leaves after its first move."""

    def move(self) -> None:
        super().move()
        self.line.writer.close()


class TournamentPlayer(Player):
    speaks_first = "OK"

    def __init__(self, choose: Choose = first_move) -> None:
        super().__init__(choose)
        self.setup = ""

    def react(self, message: str) -> None:
        if message.startswith("Setup"):
            self.setup = message
        if message == "Reset":
            self.position = parse_setup(self.setup, "", 0)
            self.say("Ready")
        super().react(message)


class SeedPlayer(Player):
    state = NO_EN_PASSANT

    def react(self, message: str) -> None:
        if message.replace(".", "").isdigit():
            self.say("OK")
        elif message == "Role White":
            self.move()
        else:
            super().react(message)


class SetupPlayer(SeedPlayer):
    """A seed client that brings its own setup."""

    speaks_first = "Setup Wa5 Bh7"


async def play_match(host: Hosted, first: Player, second: Player, ends: bool = True) -> None:
    """Both players to the end of the match, with which the server `ends` or not; the first
    one is seated first."""
    seated = len(host.notices(SEATED))
    playing = [asyncio.create_task(first.play(host.port))]
    await host.until_told(SEATED, seated + 1)
    playing.append(asyncio.create_task(second.play(host.port)))
    if ends:
        await host.finish()
    await asyncio.gather(*playing)
