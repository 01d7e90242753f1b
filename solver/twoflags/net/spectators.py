"""Whoever watches: any number, each sees the log of the game as it grows.

Nobody is waited for.  What a spectator has not read yet is kept up to a measure, and one who
reads no more, or talks, is left behind.
"""

from __future__ import annotations

import asyncio
from contextlib import suppress

from solver.twoflags.net.events import Event, GameFinished, GameStarted, MatchFinished, Moved
from solver.twoflags.net.record import end_lines, head_lines, move_line

MOST_SPECTATORS = 500  # leaves files enough to the players
MOST_UNREAD = 65_536  # bytes; a game has less than 5000
MOST_SAID = 4096  # bytes; nobody asks a spectator
FULL = "Error: too many spectators.\n"


class Spectators:
    """Tells everybody who watches what happens, and newcomers what has happened so far."""

    def __init__(self) -> None:
        self.watching: dict[asyncio.StreamWriter, asyncio.Task[None]] = {}
        self.so_far = "# waiting for two players\n"

    def welcome(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        if len(self.watching) >= MOST_SPECTATORS:
            writer.write(FULL.encode("ascii"))
            writer.transport.abort()
            return
        task = asyncio.create_task(_watch(reader))
        task.add_done_callback(lambda _: self._drop(writer))
        self.watching[writer] = task
        writer.write(self.so_far.encode("ascii"))

    def _drop(self, writer: asyncio.StreamWriter) -> None:
        self.watching.pop(writer, None)
        writer.transport.abort()

    def hear(self, event: Event) -> None:
        """Pass an event of the game on, as the lines of its log."""
        if isinstance(event, GameStarted):
            self.so_far = ""
            self._say(head_lines(event.record))
        elif isinstance(event, Moved):
            self._say([move_line(event.ply, event.move, event.clocks)])
        elif isinstance(event, GameFinished):
            self._say(end_lines(event.record))
        elif isinstance(event, MatchFinished):
            pairs = zip(event.names, event.wins, strict=True)
            self._say([f"# SCORE {' '.join(f'{name}={wins}' for name, wins in pairs)}"])

    def _say(self, lines: list[str]) -> None:
        text = "".join(f"{line}\n" for line in lines)
        self.so_far += text
        for writer in list(self.watching):
            if writer.transport.get_write_buffer_size() > MOST_UNREAD:
                self.watching[writer].cancel()
            elif not writer.is_closing():
                writer.write(text.encode("ascii"))

    def close(self) -> None:
        for task in self.watching.values():
            task.cancel()


async def _watch(reader: asyncio.StreamReader) -> None:
    """Until the spectator leaves or has said too much."""
    with suppress(asyncio.IncompleteReadError, OSError):
        await reader.readexactly(MOST_SAID)
