"""Spectators: many at once, who see the log grow; whoever is slow is left behind."""

from __future__ import annotations

import asyncio
from contextlib import AsyncExitStack

import pytest
from net_host import AUTO, hosted, openings, run
from net_players import Line, Player, TournamentPlayer, connected, play_match

from solver.twoflags.net import server as spectators
from solver.twoflags.net.record import GameRecord, parse_records
from solver.twoflags.net.referee import TimedMove
from solver.twoflags.net.server import GameStarted, MoveMade

QUICK = openings("Setup Wa5 Bh7")


async def everything(line: Line) -> str:
    return (await line.reader.read()).decode()


def test_thirty_spectators_see_the_same_game_though_some_never_read() -> None:
    async def test() -> None:
        async with (
            hosted(dialects=AUTO, openings=QUICK, games=2) as host,
            AsyncExitStack() as stack,
        ):
            port = host.listening.spectator_port
            lines = [await stack.enter_async_context(connected(port)) for _ in range(30)]
            for line in lines[20:]:
                line.writer.transport.pause_reading()  # type: ignore[attr-defined]
            for line in lines[:20]:
                assert await line.hear() == "# waiting for two players"
            watching = [asyncio.create_task(everything(line)) for line in lines[:20]]
            await play_match(host, TournamentPlayer(), Player())
            seen = await asyncio.gather(*watching)
        assert len(set(seen)) == 1
        games = parse_records(seen[0], "seen")
        assert [game.result for game in games] == [record.result for record in host.records]
        assert seen[0].endswith("# SCORE player-1=1 player-2=1\n")
        assert " white 300.00s" in seen[0] or " white 299." in seen[0]

    run(test())


def test_who_comes_late_sees_the_game_from_its_beginning() -> None:
    async def test() -> None:
        class Waiting(Player):
            def move(self) -> None:
                if len(self.heard) < 5:
                    super().move()

        async with hosted(openings=QUICK, minutes=0) as host:
            playing = asyncio.create_task(play_match(host, Waiting(), Player()))
            await host.until_told(MoveMade, 2)
            async with connected(host.listening.spectator_port) as late:
                seen = [await late.hear() for _ in range(4)]
            playing.cancel()
        assert seen[0] == "# GAME 1 WHITE=player-1 BLACK=player-2"
        assert seen[1] == "# SETUP Wa5 Bh7 WHITE"
        assert seen[2].startswith("1 W a5a6 # ")
        assert seen[3].startswith("2 B h7h5 # ")

    run(test())


def test_spectators_who_talk_too_much_are_left_behind() -> None:
    async def test() -> None:
        async with hosted() as host, connected(host.listening.spectator_port) as talker:
            talker.writer.write(b"x" * 10_000_000)
            assert await talker.hear() in ("# waiting for two players", "")
            while await talker.hear():
                pass
            await play_match(host, Player(), Player())
        assert len(host.ends()) == 1

    run(test())


def test_a_spectator_who_reads_nothing_is_dropped_at_last() -> None:
    """More than a match tells, so that every buffer on the way is full."""

    async def test() -> None:
        watched = spectators.Spectators()
        server = await asyncio.start_server(watched.welcome, "127.0.0.1", 0)
        port = server.sockets[0].getsockname()[1]
        async with server, connected(port) as deaf:
            deaf.writer.transport.pause_reading()  # type: ignore[attr-defined]
            while not watched.watching:
                await asyncio.sleep(0.001)
            event = MoveMade(1, TimedMove("white", "a2a4" * 25_000, 0.1), None)
            for _ in range(1000):
                watched.so_far = ""
                watched.hear(event)
                await asyncio.sleep(0)
                if not watched.watching:
                    break
            assert not watched.watching
            watched.close()

    run(test())


def test_there_is_an_end_to_their_number(monkeypatch: pytest.MonkeyPatch) -> None:
    async def test() -> None:
        async with hosted() as host, AsyncExitStack() as stack:
            port = host.listening.spectator_port
            lines = [await stack.enter_async_context(connected(port)) for _ in range(4)]
            heard = [await line.hear() for line in lines]
        assert heard == [*["# waiting for two players"] * 3, "Error: too many spectators."]

    monkeypatch.setattr(spectators, "MOST_SPECTATORS", 3)
    run(test())


def test_a_new_game_is_told_from_its_beginning() -> None:
    async def test() -> None:
        watched = spectators.Spectators()
        record = GameRecord(2, "ann", "bob", QUICK(1))
        watched.hear(GameStarted(record))
        assert watched.so_far == str(record)

    run(test())
