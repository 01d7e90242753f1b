"""Whoever has connected to the server: what they say, when they said it, and why they left.

Everything is bounded here, so that nobody upstairs has to think of hostile clients: a stream
is read in small pieces, and whoever sends more than a game could need is not read any more.
"""

from __future__ import annotations

import asyncio
from collections import deque
from contextlib import suppress
from typing import NamedTuple

from solver.twoflags.net import protocol as wire
from solver.twoflags.net.referee import Reason

PIECE = 1024  # bytes read at once
MOST_BYTES = 16_384  # bytes heard in a game; its moves have less than 500
LINGER = 0.5  # seconds to wait for a client to read our last words


class Left(Exception):
    """The visitor has gone, or has been given up."""


class Heard(NamedTuple):
    message: wire.Message
    at: float  # when its last byte came


async def news(bell: asyncio.Event, until: float | None) -> None:
    """Return when any visitor has said something or left, or at that time of the loop.

    Whoever waits looks first and clears the bell then, without a pause between: nothing that
    comes later can be missed.
    """
    bell.clear()
    with suppress(TimeoutError):
        async with asyncio.timeout_at(until):
            await bell.wait()


class Visitor:
    """One connection.  It rings the bell whenever there is something new."""

    def __init__(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, bell: asyncio.Event
    ) -> None:
        self.heard: deque[Heard] = deque()
        self.left: Reason | None = None
        self.left_at = 0.0
        self.played = False  # any game
        self.games_wanted = ""
        self.setup_wanted = ""
        self.bell = bell
        self._reader = reader
        self._writer = writer
        self._scanner = wire.Scanner()
        self._bytes_left = MOST_BYTES
        self._newline_heard = False
        self._settling: asyncio.TimerHandle | None = None
        self._loop = asyncio.get_running_loop()
        self._listening = asyncio.create_task(self._listen())

    @property
    def unsettled(self) -> bool:
        """Whether something was said that is not understood yet."""
        return bool(self._scanner.waiting)

    def new_game(self) -> None:
        """Another game, another measure of bytes."""
        self._bytes_left = MOST_BYTES

    async def _listen(self) -> None:
        left = Reason.DISCONNECTION
        try:
            while data := await self._reader.read(PIECE):
                self._take(data)
                await asyncio.sleep(0)  # others have their turn even in a flood
        except wire.Flood:
            left = Reason.FLOOD
        except OSError:
            pass
        self._settle(self._loop.time())
        self.left, self.left_at = left, self._loop.time()
        self.bell.set()

    def _take(self, data: bytes) -> None:
        self._bytes_left -= len(data)
        if self._bytes_left < 0:
            raise wire.Flood
        now = self._loop.time()
        self._newline_heard = self._newline_heard or b"\n" in data
        self._hear(self._scanner.feed(data), now)
        if self._settling is not None:
            self._settling.cancel()
        if self._scanner.waiting:
            settled = wire.CUT if self._newline_heard else wire.SETTLED
            self._settling = self._loop.call_later(settled, self._settle, now)

    def _settle(self, at: float) -> None:
        self._hear(self._scanner.settle(), at)

    def _hear(self, messages: list[wire.Message], at: float) -> None:
        for message in messages:
            if message.kind == wire.TOURNAMENT:
                self.games_wanted = message.value
            elif message.kind == wire.SETUP:
                self.setup_wanted = message.value
            self.heard.append(Heard(message, at))
        if messages:
            self.bell.set()

    async def answer(self, kinds: tuple[str, ...], seconds: float) -> wire.Message | None:
        """The next message of one of these kinds, or None after so many seconds.

        Anything else that came before it is dropped: it answers an older question.
        """
        until = self._loop.time() + seconds
        while True:
            while self.heard:
                message = self.heard.popleft().message
                if message.kind in kinds:
                    return message
                self._note_farewell(message)
            if self.left is not None:
                raise Left
            if self._loop.time() >= until:
                return None
            await news(self.bell, until)

    def has_left(self) -> bool:
        """Whether the visitor has gone, or has said so before its first game."""
        for heard in self.heard:
            self._note_farewell(heard.message)
        return self.left is not None

    def _note_farewell(self, message: wire.Message) -> None:
        """Before its first game whoever says `exit` wants none; later it is a loser's word."""
        if message.kind == wire.EXIT and not self.played and self.left is None:
            self.left, self.left_at = Reason.RESIGNATION, self._loop.time()

    def send(self, text: str) -> None:
        """All that is ever sent in a game fits into the buffers; nobody waits for a reader."""
        if not self._writer.is_closing():
            self._writer.write(text.encode("ascii"))

    async def linger(self) -> None:
        """End the stream and wait a little, so that our last words are read."""
        if not self._writer.is_closing():
            with suppress(OSError):
                self._writer.write_eof()
        await asyncio.wait([self._listening], timeout=LINGER)

    def close(self) -> None:
        self._listening.cancel()
        if self._settling is not None:
            self._settling.cancel()
        self._writer.transport.abort()
