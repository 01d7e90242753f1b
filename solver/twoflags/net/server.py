"""The server: opens both ports, seats two players, plays their match."""

from __future__ import annotations

import asyncio
import errno
from collections.abc import Callable
from contextlib import AsyncExitStack

from solver.errors import FileError
from solver.twoflags.net.events import Event, Listening
from solver.twoflags.net.lobby import Lobby
from solver.twoflags.net.match import Match
from solver.twoflags.net.settings import Settings
from solver.twoflags.net.spectators import Spectators
from solver.twoflags.net.visitor import Left

Welcome = Callable[[asyncio.StreamReader, asyncio.StreamWriter], None]


class Server:
    """Plays one match, or match after match; `listener` hears everything that happens."""

    def __init__(self, settings: Settings, listener: Callable[[Event], None]) -> None:
        self.settings = settings
        self.listener = listener
        self.spectators = Spectators()

    def tell(self, event: Event) -> None:
        self.spectators.hear(event)
        self.listener(event)

    async def run(self) -> None:
        settings = self.settings
        bell = asyncio.Event()
        lobby = Lobby(settings, bell, self.tell)
        async with AsyncExitStack() as stack:
            stack.callback(self.spectators.close)
            stack.callback(lobby.close)
            host, port = await _open(stack, lobby.welcome, settings.host, settings.port, "--port")
            wanted = settings.spectator_port
            if wanted is None:
                wanted = port + 1 if 0 < settings.port < 65535 else 0
            _, watched = await _open(
                stack, self.spectators.welcome, host, wanted, "--spectator-port"
            )
            self.tell(Listening(host, port, watched))
            await self._play(lobby, bell)

    async def _play(self, lobby: Lobby, bell: asyncio.Event) -> None:
        while True:
            players = await lobby.pair()
            try:
                await Match(players, self.settings, bell, self.tell).play()
            except Left:
                continue  # the other keeps the seat
            lobby.part()
            if not self.settings.forever:
                await lobby.farewell()
                return


async def _open(
    stack: AsyncExitStack, welcome: Welcome, host: str, port: int, option: str
) -> tuple[str, int]:
    """Listen; the address we have got, with any free port for 0."""
    try:
        server = await asyncio.start_server(welcome, host, port)
    except OSError as error:
        hint = f" Try {option} 0 for any free one." if error.errno == errno.EADDRINUSE else ""
        reason = error.strerror or "no such address"
        raise FileError(f"{host}:{port}: cannot listen there: {reason}.{hint}") from None
    stack.callback(server.close)
    address = server.sockets[0].getsockname()
    return address[0], address[1]
