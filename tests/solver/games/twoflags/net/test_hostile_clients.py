"""Whatever a client does, the other player gets the right result and the server lives on."""

from __future__ import annotations

import asyncio
import random
import socket
import struct
from contextlib import suppress

import pytest
from support.net_host import hosted, in_loop, openings
from support.net_players import SEATED, Player, Sleeping, connected, play_match

from solver.games.twoflags.net.server import GameStarted, MoveMade

QUICK = openings("Setup Wa5 Bh7")
HUGE = b"x" * 10_000_000
FLOODS = {
    "one huge line": HUGE,
    "newlines only": b"\n" * 1_000_000,
    "acknowledgements": b"OK\n" * 300_000,
    "pawns": b"Setup" + b" Wa2" * 250_000,
    "bytes that are no text": random.Random(1).randbytes(1_000_000),
}


class Flooding(Player):
    """Sends a flood in place of its first move, and reads nothing more."""

    def __init__(self, flood: bytes) -> None:
        super().__init__()
        self.flood = flood

    def move(self) -> None:
        self.line.writer.write(self.flood)


async def shut(port: int, data: bytes) -> None:
    """Send something, and see that the server hangs up."""
    async with connected(port) as line:
        line.writer.write(data)
        with suppress(OSError):
            while await line.reader.read(65536):
                pass


@pytest.mark.parametrize("flood", FLOODS.values(), ids=FLOODS)
@in_loop
async def test_a_flood_loses_the_game(flood: bytes) -> None:
    black = Player()
    async with hosted() as host:
        await play_match(host, Flooding(flood), black)
    assert host.ends() == [("black", "flood")]
    assert black.heard[-1] == "exit"


@pytest.mark.parametrize("flood", FLOODS.values(), ids=FLOODS)
@in_loop
async def test_a_flood_before_the_game_frees_the_seat(flood: bytes) -> None:
    async with hosted(openings=QUICK) as host:
        await shut(host.port, flood)
        assert host.notices("player-1 has gone: flood")
        await play_match(host, Player(), Player())
    assert host.ends() == [("white", "landed")]


@in_loop
async def test_a_flood_of_legal_messages_in_the_opponents_turn_loses() -> None:
    class Talking(Player):
        def react(self, message: str) -> None:
            super().react(message)
            if message.startswith("Time"):
                self.line.writer.write(b"Time 5\n" * 20_000)

    async with hosted() as host:
        await play_match(host, Sleeping(), Talking())
    assert host.ends() == [("white", "flood")]


@in_loop
async def test_a_third_client_is_turned_away_and_disturbs_nobody() -> None:
    async def disturb(port: int) -> str:
        async with connected(port) as line:
            line.writer.write(HUGE)
            return await line.hear()

    class Waiting(Player):
        def move(self) -> None:
            self.moving = asyncio.create_task(self.move_later())

        async def move_later(self) -> None:
            await host.until_told("turned away", 5)
            super().move()

    async with hosted(openings=QUICK) as host:
        playing = asyncio.create_task(play_match(host, Waiting(), Player()))
        await host.until_told(GameStarted)
        for _ in range(4):
            await disturb(host.port)
        async with connected(host.port) as polite:
            assert "two players are at the board already" in await polite.hear()
        await playing
    assert host.ends() == [("white", "landed")]


@in_loop
async def test_a_client_that_never_answers_does_not_hold_up_the_handshake() -> None:
    async with hosted(minutes=0.003, patience=0.2) as host, connected(host.port) as silent:
        await host.until_told(SEATED)
        black = Player()
        playing = asyncio.create_task(black.play(host.port))
        await host.finish()
        await playing
        assert (await silent.reader.read()).endswith(b"Begin\nexit\n")
    assert host.ends() == [("black", "time")]


@in_loop
async def test_a_client_that_never_reads_does_not_hold_up_the_game() -> None:
    async with hosted(minutes=0.01) as host, connected(host.port) as deaf:
        deaf.say("OK\n" * 4)
        deaf.writer.transport.pause_reading()  # type: ignore[attr-defined]
        await host.until_told(SEATED)
        await Player().play(host.port)
        await host.finish()
    assert host.ends() == [("black", "time")]


@in_loop
async def test_a_connection_may_be_reset_in_mid_game() -> None:
    class Resetting(Player):
        def move(self) -> None:
            plug = self.line.writer.get_extra_info("socket")
            plug.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            self.line.writer.transport.abort()

    async with hosted() as host:
        await play_match(host, Resetting(), Player())
    assert host.ends() == [("black", "disconnection")]


@in_loop
async def test_many_who_come_and_go_leave_the_seats_free() -> None:
    async with hosted(openings=QUICK) as host:
        for _ in range(20):
            _, writer = await asyncio.open_connection("127.0.0.1", host.port)
            writer.transport.abort()
        await host.until(lambda _: len(host.notices("gone") + host.notices("turned")) == 20)
        await play_match(host, Player(), Player())
    assert host.ends() == [("white", "landed")]


@in_loop
async def test_a_landing_counts_even_if_the_player_hangs_up_at_once() -> None:
    class Hasty(Player):
        def move(self) -> None:
            super().move()
            if not self.position.children():
                self.line.writer.close()

    async with hosted(openings=QUICK) as host:
        await play_match(host, Hasty(), Player())
    assert host.ends() == [("white", "landed")]
    assert sum(isinstance(event, MoveMade) for event in host.events) == 5


@in_loop
async def test_exit_before_the_first_game_frees_the_seat() -> None:
    """Nobody waits for the whole clock of a player who wants no game."""
    async with hosted(openings=QUICK) as host, connected(host.port) as leaver:
        leaver.say("OK\nexit\n")
        await host.until_told(" has gone: ")
        await play_match(host, Player(), Player())
    assert host.ends() == [("white", "landed")]


@in_loop
async def test_a_move_that_comes_byte_by_byte_counts() -> None:
    class Slow(Player):
        def say(self, message: str) -> None:
            if message == "OK":
                super().say(message)
            else:
                self.spelling = asyncio.create_task(self.spell(message))

        async def spell(self, message: str) -> None:
            for letter in message[:-1]:
                self.line.say(letter)
                await asyncio.sleep(0.15)
            self.line.say(f"{message[-1]}\n")

    async with hosted(openings=QUICK) as host:
        await play_match(host, Slow(), Player())
    assert host.ends() == [("white", "landed")]
