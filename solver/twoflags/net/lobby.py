"""Where players arrive: two seats, greeted as they come; whoever comes third is told so."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass

from solver.twoflags.net.events import Departed, Event, Seated, TurnedAway
from solver.twoflags.net.referee import Reason
from solver.twoflags.net.seats import Seat, take_seat
from solver.twoflags.net.settings import Settings
from solver.twoflags.net.visitor import Left, Visitor, news

FULL = "Error: two players are at the board already; come back later.\n"


@dataclass
class Place:
    """One of the two places at the board, and who has taken it."""

    name: str
    visitor: Visitor
    greeting: asyncio.Task[None] | None = None
    seat: Seat | None = None


class Lobby:
    """Keeps the two places; players are numbered in the order in which they come."""

    def __init__(
        self, settings: Settings, bell: asyncio.Event, listener: Callable[[Event], None]
    ) -> None:
        self.settings = settings
        self.bell = bell
        self.listener = listener
        self.places: list[Place | None] = [None, None]
        self.leaving: dict[asyncio.Task[None], Visitor] = {}
        self.players = 0

    def welcome(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Somebody has connected to the port of the players."""
        if None not in self.places:
            self.listener(TurnedAway(str(writer.get_extra_info("peername"))))
            writer.write(FULL.encode("ascii"))
            writer.transport.abort()
            return
        free = self.places.index(None)
        self.players += 1
        place = Place(f"player-{self.players}", Visitor(reader, writer, self.bell))
        self.places[free] = place
        place.greeting = asyncio.create_task(self._greet(place, self.settings.dialects[free]))

    async def _greet(self, place: Place, dialect: str) -> None:
        try:
            seat = await take_seat(place.name, place.visitor, dialect, self.settings.patience)
        except Left:
            return
        place.seat = seat
        self.listener(Seated(seat.name, seat.dialect.name))
        self.bell.set()

    async def pair(self) -> tuple[Seat, Seat]:
        """Two players who have been greeted and are still here."""
        while True:
            self._free_places()
            seats = [place.seat for place in self.places if place and place.seat]
            if len(seats) == 2:
                return seats[0], seats[1]
            await news(self.bell, None)

    def _free_places(self) -> None:
        for index, place in enumerate(self.places):
            if place is not None and place.visitor.has_left():
                self._close(place)
                self.places[index] = None
                self.listener(Departed(place.name, place.visitor.left or Reason.DISCONNECTION))

    def part(self) -> None:
        """Free both places; whoever had them may take a moment to read our last words."""
        for place in self.places:
            if place is not None:
                task = asyncio.create_task(place.visitor.linger())
                self.leaving[task] = place.visitor
                task.add_done_callback(self._see_off)
        self.places = [None, None]

    def _see_off(self, task: asyncio.Task[None]) -> None:
        self.leaving.pop(task).close()

    async def farewell(self) -> None:
        """Wait until everybody has left."""
        await asyncio.gather(*self.leaving)

    def close(self) -> None:
        for place in self.places:
            if place is not None:
                self._close(place)
        for task in self.leaving:
            task.cancel()

    def _close(self, place: Place) -> None:
        if place.greeting is not None:
            place.greeting.cancel()
        place.visitor.close()
