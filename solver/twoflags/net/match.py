"""A match: two players, games with alternating colours, one rating step at the end."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import replace

from solver.errors import BoardError
from solver.twoflags.net import elo
from solver.twoflags.net.events import Event, GameFinished, GameStarted, MatchFinished
from solver.twoflags.net.hosting import HostedGame
from solver.twoflags.net.openings import (
    Openings,
    fault_of,
    listed_openings,
    setup_message,
    start_opening,
    without_en_passant,
)
from solver.twoflags.net.record import Record
from solver.twoflags.net.referee import Reason, Referee, Relay, Result
from solver.twoflags.net.seats import Ending, Invitation, Seat
from solver.twoflags.net.settings import Settings
from solver.twoflags.net.visitor import Left
from solver.twoflags.rules import Pawns
from solver.twoflags.text import parse_setup

MOST_GAMES = 1000  # that a client may ask for


class Match:
    """The games of two players, who keep their seats from game to game."""

    def __init__(
        self,
        players: tuple[Seat, Seat],
        settings: Settings,
        bell: asyncio.Event,
        listener: Callable[[Event], None],
    ) -> None:
        self.players = players
        self.settings = settings
        self.bell = bell
        self.listener = listener
        self.games = settings.games or 1
        self.accepted = False
        self.wins = dict.fromkeys((seat.name for seat in players), 0)
        self.openings = settings.openings or proposed_openings(players)

    async def play(self) -> None:
        """Play all games; raises `Left` if a player has gone before the first one began."""
        number = 1
        self.grant_games()
        while not await self._play_game(number):
            number += 1
        first, second = (seat.name for seat in self.players)
        wins = (self.wins[first], self.wins[second])
        change = elo.change(wins[0], sum(wins))
        ratings = (elo.START + change, elo.START - change)
        self.listener(MatchFinished((first, second), wins, ratings))

    def grant_games(self) -> None:
        """The first player may ask for more games, once, and both are told how many."""
        wanted = self.players[0].visitor.games_wanted
        if self.accepted or not wanted:
            return
        self.accepted = True
        if self.settings.games is None:
            self.games = max(1, min(int(wanted[:9]), MOST_GAMES))
        for seat in self.players:
            seat.accept_games(self.games)

    async def _play_game(self, number: int) -> bool:
        """Whether it was the last game."""
        white, black = self.players if number % 2 else reversed(self.players)
        seats = {"white": white, "black": black}
        start, minutes = self._start(number), self.settings.minutes
        setup = setup_message(start)
        invitations = {
            side: Invitation(number, side, start.mover(), setup, minutes) for side in seats
        }
        referee = self._referee(start)
        await self._invite(seats, invitations, referee)
        record = Record(number, white.name, black.name, start, minutes)
        self.listener(GameStarted(record))
        game = HostedGame(seats, referee, self.settings.patience, self.bell, self.listener)
        result = await game.play(invitations, self.grant_games)
        return self._finish(record, seats, referee, result)

    def _start(self, number: int) -> Pawns:
        position = self.openings(number)
        variant = self.settings.variant
        usual = all(seat.dialect.variant == "no-en-passant" for seat in self.players)
        if variant == "no-en-passant" or (variant is None and usual):
            return without_en_passant(position)
        return position

    def _referee(self, start: Pawns) -> Referee:
        if self.settings.relay:
            return Relay(start)
        return Referee(start, self.settings.minutes * 60 or None)

    async def _invite(
        self, seats: dict[str, Seat], invitations: dict[str, Invitation], referee: Referee
    ) -> None:
        """First the first player, then the second; who leaves the match now has lost a game,
        but before the first one nobody can lose."""
        for player in self.players:
            side = "white" if seats["white"] is player else "black"
            player.visitor.new_game()
            try:
                await player.invite(invitations[side])
            except Left:
                if invitations[side].number == 1:
                    raise
                referee.lose(side, player.visitor.left or Reason.DISCONNECTION)
        left = any(player.visitor.has_left() for player in self.players)
        if left and invitations["white"].number == 1:
            raise Left
        for player in self.players:
            player.visitor.played = True
            player.visitor.heard.clear()  # nothing said so far can be about this game

    def _finish(
        self, record: Record, seats: dict[str, Seat], referee: Referee, result: Result
    ) -> bool:
        """Tell everybody; whether it was the last game, as it is if nobody is left to play."""
        self.wins[seats[result.winner].name] += 1
        moves = tuple(referee.moves)
        left = any(seat.visitor.left for seat in self.players)
        last = left or record.number >= self.games
        for side, seat in seats.items():
            seat.finish(Ending(result, side == result.winner, len(moves), last))
        finished = replace(record, moves=moves, result=result, refused=referee.refused)
        self.listener(GameFinished(finished))
        return last


def proposed_openings(players: tuple[Seat, Seat]) -> Openings:
    """The position that a player has asked for, if a game can begin there; else the start."""
    for seat in players:
        if seat.visitor.setup_wanted:
            try:
                position = parse_setup(seat.visitor.setup_wanted, seat.name, 0)
            except BoardError:
                continue
            if fault_of(position) is None:
                return listed_openings([position])
    return start_opening
