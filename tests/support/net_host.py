"""A server in this process, for tests to play on."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import asynccontextmanager, suppress
from functools import wraps
from typing import Any, TypeVar

from solver.games.twoflags.net.match import GameRecord, Reason
from solver.games.twoflags.net.server import (
    Event,
    Listening,
    MatchFinished,
    Server,
    ServerSettings,
)
from solver.games.twoflags.rules import Pawns
from solver.games.twoflags.text import parse_setup

T = TypeVar("T")
AUTO = ("auto", "auto")


def run(test: Coroutine[Any, Any, T]) -> T:
    """Run a test that cannot hang."""

    async def bounded() -> T:
        async with asyncio.timeout(30):
            return await test

    return asyncio.run(bounded())


def in_loop(test: Callable[..., Coroutine[Any, Any, None]]) -> Callable[..., None]:
    """Let pytest call an asynchronous test."""

    @wraps(test)
    def call(*arguments: Any, **named: Any) -> None:
        run(test(*arguments, **named))

    return call


class Hosted:
    """A running server and what it has told so far."""

    def __init__(self) -> None:
        self.events: list[Event] = []
        self.stirred = asyncio.Event()
        self.task: asyncio.Task[None] | None = None

    def hear(self, event: Event) -> None:
        self.events.append(event)
        self.stirred.set()

    async def until(self, wanted: Callable[[list[Event]], bool]) -> None:
        """Wait until what has happened so far is as wanted."""
        while not wanted(self.events):
            self.stirred.clear()
            await self.stirred.wait()

    def notices(self, word: str) -> list[str]:
        """Notices with that word."""
        return [event for event in self.events if isinstance(event, str) and word in event]

    async def until_told(self, what: type[Event] | str, times: int = 1) -> None:
        """Until there were that many events of a kind, or notices with a word."""
        if isinstance(what, str):
            await self.until(lambda events: len(self.notices(what)) >= times)
        else:
            await self.until(lambda events: sum(isinstance(e, what) for e in events) >= times)

    @property
    def listening(self) -> Listening:
        event = self.events[0]
        assert isinstance(event, Listening)
        return event

    @property
    def port(self) -> int:
        return self.listening.port

    @property
    def records(self) -> list[GameRecord]:
        """Of the games that are over."""
        return [each for each in self.events if isinstance(each, GameRecord) and each.result]

    @property
    def score(self) -> dict[str, int]:
        return next(event.wins for event in self.events if isinstance(event, MatchFinished))

    async def finish(self) -> None:
        """Wait for the end of the match."""
        assert self.task is not None
        await self.task

    def ends(self) -> str:
        """Who has won each game, and why."""
        results = [record.result for record in self.records if record.result is not None]
        return ", ".join(f"{result.winner} {Reason(result.reason).word}" for result in results)


@asynccontextmanager
async def hosted(**options: Any) -> AsyncIterator[Hosted]:
    """A server on free ports, ended with the block."""
    host = Hosted()
    settings = {"port": 0, "spectator_port": 0, "dialects": ("course", "course"), **options}
    server = Server(ServerSettings(**settings), host.hear)
    host.task = asyncio.create_task(server.run())
    try:
        await host.until_told(Listening)
        yield host
    finally:
        host.task.cancel()
        with suppress(asyncio.CancelledError):
            await host.task


def openings(setup: str) -> Callable[[int], Pawns]:
    """The same opening for every game."""
    return lambda number: parse_setup(setup, "", 0)
