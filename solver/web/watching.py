"""Games on a Two Flags server, as its spectators see them."""

from __future__ import annotations

import asyncio

from solver.errors import UserError
from solver.games import game_named
from solver.games.twoflags.net.match import LogReader
from solver.games.twoflags.rules import NO_EN_PASSANT
from solver.web.answers import Place, described

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import AsyncGenerator
    from typing import Any

    from solver.games.twoflags.rules import Pawns
    from solver.web.server import Settings

CONNECTING = 5.0  # seconds
MOST_LINE = 1024  # bytes
GAME = "twoflags"


async def watched(settings: Settings) -> AsyncGenerator[dict[str, Any], None]:
    """Every line, and the position after it if it is another one."""
    reader, writer = await _connected(settings)
    try:
        scene = Scene()
        while line := await _line(reader):
            yield scene.after(line)
    finally:
        writer.transport.abort()


class Scene:
    """The game that is being watched."""

    def __init__(self) -> None:
        self.reading = LogReader()
        self.shown: Pawns | None = None

    def after(self, row: str) -> dict[str, Any]:
        reading, row = self.reading, row.rstrip()
        reading.read(0, row)
        reading.records.clear()  # they may play for days
        reading.faults.clear()
        here = reading.position
        if here is None or here is self.shown:
            return {"line": row}
        self.shown = here
        variant = "no-en-passant" if here.state & NO_EN_PASSANT else ""
        place = Place(game_named(GAME), here, "board", variant)
        return {"line": row, "position": described(place, [])}


async def _connected(settings: Settings) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    if settings.watch is None:
        raise UserError("There is nothing to watch. Name a server: solver serve --watch HOST:PORT.")
    host, port = settings.watch
    try:
        async with asyncio.timeout(CONNECTING):
            return await asyncio.open_connection(host, port, limit=MOST_LINE)
    except TimeoutError:
        reason = f"no answer within {CONNECTING:g} seconds"
    except ConnectionRefusedError:
        reason = "nobody listens there"
    except OSError as error:
        reason = error.strerror or "no such address"
    raise UserError(f"{host}:{port}: cannot connect: {reason}. Is a server there?")


async def _line(reader: asyncio.StreamReader) -> str:
    """The next line; empty at the end."""
    try:
        return (await reader.readline()).decode("utf-8", "replace")
    except (OSError, ValueError):  # a line without an end is no log of games
        return ""
