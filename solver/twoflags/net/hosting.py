"""One game between two seats: carries moves from one to the other, watched by the referee."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable

from solver.twoflags.net import protocol as wire
from solver.twoflags.net.events import Event, Moved
from solver.twoflags.net.referee import Reason, Referee, Result
from solver.twoflags.net.seats import Invitation, Seat
from solver.twoflags.net.visitor import news
from solver.twoflags.rules import other

# A move may have come in time and not be understood before it has settled.
GRACE = 2 * wire.SETTLED
LIKE_A_MOVE = re.compile(r"[a-z]\d{1,2}-?[a-z]\d{1,2}[a-z]?", re.IGNORECASE)


class HostedGame:
    """A game that is being played; whoever has waited too long loses it."""

    def __init__(
        self,
        seats: dict[str, Seat],
        referee: Referee,
        patience: float,
        bell: asyncio.Event,
        listener: Callable[[Event], None],
    ) -> None:
        self.seats = seats
        self.referee = referee
        self.patience = patience
        self.bell = bell
        self.listener = listener
        self.asked_at = 0.0
        self._loop = asyncio.get_running_loop()

    async def play(self, invitations: dict[str, Invitation], aside: Callable[[], None]) -> Result:
        """The result; `aside` looks after whatever else players may have said."""
        if self.referee.result is None:
            for side, seat in self.seats.items():
                seat.begin(invitations[side])
            self._turn()
        while self.referee.result is None:
            if not self._listen():
                await self._wait()
            aside()
        return self.referee.result

    def _turn(self) -> None:
        self.asked_at = self._loop.time()

    def _listen(self) -> bool:
        """Take what was said first, or else who left first; False if nothing is new."""
        heard = [
            (seat.visitor.heard[0].at, side)
            for side, seat in self.seats.items()
            if seat.visitor.heard
        ]
        if heard:
            at, side = min(heard)
            self._take(side, self.seats[side].visitor.heard.popleft().message, at)
            return True
        left = [
            (seat.visitor.left_at, side, seat.visitor.left)
            for side, seat in self.seats.items()
            if seat.visitor.left is not None
        ]
        if left:
            _, side, reason = min(left)
            self.referee.lose(side, reason)
        return bool(left)

    async def _wait(self) -> None:
        """Until there is news or the mover has had all its time."""
        clocks = self.referee.clocks
        allowed = self.patience if clocks is None else clocks[self.referee.mover]
        unsettled = self.seats[self.referee.mover].visitor.unsettled
        until = self.asked_at + allowed + (2 * wire.CUT if unsettled else GRACE)
        if self._loop.time() < until:
            await news(self.bell, until)
        else:
            self.referee.run_out()

    def _take(self, side: str, message: wire.Message, at: float) -> None:
        kind, value = message
        if kind == wire.MOVE or (kind == wire.UNKNOWN and LIKE_A_MOVE.fullmatch(value)):
            self._move(side, value, max(0.0, at - self.asked_at))
        elif kind == wire.EXIT:
            self.referee.lose(side, Reason.RESIGNATION)
        elif kind == wire.WINNER:
            self.referee.claim(side, value)

    def _move(self, side: str, name: str, seconds: float) -> None:
        referee = self.referee
        if not referee.play(side, name, seconds):
            return
        clocks = None if referee.clocks is None else dict(referee.clocks)
        self.listener(Moved(len(referee.moves), referee.moves[-1], clocks))
        self.seats[other(side)].tell_move(referee.moves[-1].name)
        if referee.result is None:
            self._turn()
