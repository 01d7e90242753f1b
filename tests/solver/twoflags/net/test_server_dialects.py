"""Whole games in every dialect, and what each of them says."""

from __future__ import annotations

import asyncio

import pytest
from net_host import AUTO, hosted, openings, run
from net_players import Player, SeedPlayer, SetupPlayer, TournamentPlayer, play_match

from solver.twoflags.net.record import parse_records
from solver.twoflags.net.server import Seated
from solver.twoflags.rules import NO_EN_PASSANT

PLAYERS = {
    "course": Player,
    "tournament": TournamentPlayer,
    "seed": SeedPlayer,
}


@pytest.mark.parametrize(
    ("first", "second"),
    [("course", "tournament"), ("tournament", "seed"), ("seed", "course")],
)
def test_a_whole_game_in_two_dialects(first: str, second: str) -> None:
    async def test() -> None:
        white, black = PLAYERS[first](), PLAYERS[second]()
        async with hosted(dialects=(first, second), variant="no-en-passant") as host:
            white.state = black.state = NO_EN_PASSANT
            await play_match(host, white, black)
        (record,) = host.records
        assert record.result is not None
        assert record.result.reason == "landed"
        assert parse_records(str(record), "log")
        told = [white.heard, black.heard]
        assert [move.name for move in record.moves if move.side == "white"] == moves(told[1])
        assert [move.name for move in record.moves if move.side == "black"] == moves(told[0])

    run(test())


def test_what_the_course_dialect_says() -> None:
    async def test() -> None:
        white, black = Player(), Player()
        async with hosted(openings=openings("Setup Wa6 Bh7"), minutes=0.5) as host:
            await play_match(host, white, black)
        start = ["Connected to the server!", "Setup Wa6 Bh7", "Time 0.5"]
        assert white.heard == [*start, "Begin", "h7h5", "exit"]
        assert black.heard == [*start, "a6a7", "a7a8", "exit"]

    run(test())


def test_what_the_tournament_dialect_says() -> None:
    async def test() -> None:
        white, black = TournamentPlayer(), TournamentPlayer()
        async with hosted(dialects=AUTO, openings=openings("Setup Wa6 Bh7")) as host:
            await play_match(host, white, black)
        start = ["Setup Wa6 Bh7", "Time 5"]
        assert white.heard == [*start, "Begin", "h7h5", "GameOver WHITE plies=3"]
        assert black.heard == [*start, "a6a7", "a7a8", "GameOver WHITE plies=3"]

    run(test())


def test_what_the_seed_dialect_says() -> None:
    async def test() -> None:
        white, black = SeedPlayer(), SeedPlayer()
        async with hosted(dialects=("seed", "seed"), openings=openings("Setup Wa6 Bh7")) as host:
            await play_match(host, white, black)
        start = ["Connected to the server!", "Setup Wa6 Bh7", "5", "BEGIN"]
        assert white.heard == [*start, "Role White", "h7h5"]
        assert black.heard == [*start, "Role Black", "a6a7", "a7a8"]
        assert host.records[0].start.state & NO_EN_PASSANT

    run(test())


def test_dialects_are_told_by_how_clients_behave() -> None:
    async def test() -> None:
        for player, dialect in (
            (TournamentPlayer(), "tournament"),
            (SetupPlayer(), "seed"),
            (Player(), "course"),
        ):
            async with hosted(dialects=AUTO) as host:
                playing = asyncio.create_task(player.play(host.port))
                await host.until_told(Seated)
                assert Seated("player-1", dialect) in host.events
            await playing

    run(test())


def test_a_client_may_bring_its_own_setup() -> None:
    async def test() -> None:
        white, black = SetupPlayer(), SeedPlayer()
        async with hosted(dialects=("auto", "seed")) as host:
            await play_match(host, white, black)
        assert white.heard[:2] == ["SETUP-ACK", "Setup Wa5 Bh7"]
        assert host.ends() == [("white", "landed")]

    run(test())


def moves(heard: list[str]) -> list[str]:
    return [word for word in heard if len(word) == 4 and word[1].isdigit() and word[3].isdigit()]
