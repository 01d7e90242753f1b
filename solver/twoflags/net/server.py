"""The server: opens both ports, seats two players, plays their match."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import AsyncExitStack

from solver.listening import listen
from solver.twoflags.net.events import Event, Listening
from solver.twoflags.net.lobby import Lobby
from solver.twoflags.net.match import Match
from solver.twoflags.net.settings import Settings
from solver.twoflags.net.spectators import Spectators
from solver.twoflags.net.visitor import Left


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
            host, port = await listen(stack, lobby.welcome, settings.host, settings.port, "--port")
            wanted = settings.spectator_port
            if wanted is None:
                wanted = port + 1 if 0 < settings.port < 65535 else 0
            _, watched = await listen(
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
