"""The server: every way in which a game can end, and players who come and go."""

from __future__ import annotations

import asyncio

import pytest
from net_host import AUTO, hosted, openings, run
from net_players import (
    Leaving,
    Player,
    Saying,
    SeedPlayer,
    Sleeping,
    TournamentPlayer,
    connected,
    first_move,
    play_match,
)

from solver.twoflags.moves import move_name
from solver.twoflags.net.server import Departed, GameStarted, Seated

PLAYERS = {
    "course": Player,
    "tournament": TournamentPlayer,
    "seed": SeedPlayer,
}


@pytest.mark.parametrize(
    ("setup", "expected"),
    [
        ("Setup Wa7 Bh7", ("white", "landed")),
        ("Setup Wd4 Be5", ("white", "last-pawn-taken")),
        ("Setup Wa4 Ba6", ("white", "no-legal-move")),
        ("Setup Wa2 Bh2 BLACK", ("black", "landed")),
    ],
)
def test_a_game_ends_as_the_board_shows(setup: str, expected: tuple[str, str]) -> None:
    async def test() -> None:
        async with hosted(openings=openings(setup)) as host:
            await play_match(host, Player(), Player())
        assert host.ends() == [expected]

    run(test())


@pytest.mark.parametrize(
    ("word", "reason"),
    [
        ("a2a5", "illegal-move"),
        ("h7h5", "illegal-move"),
        ("a2a9", "illegal-move"),
        ("exit", "resignation"),
        ("win: White", "false-claim"),
        ("win: Black", "resignation"),
        ("a2a4\nb2b4", "out-of-turn"),
    ],
)
def test_a_wrong_word_loses_the_game(word: str, reason: str) -> None:
    async def test() -> None:
        black = Player()
        async with hosted() as host:
            await play_match(host, Saying(word), black)
        assert host.ends() == [("black", reason)]
        assert black.heard[-1] == "exit"

    run(test())


def test_chatter_is_ignored() -> None:
    async def test() -> None:
        class Chatting(Player):
            def move(self) -> None:
                if self.position.children():
                    name = first_move(self.position)
                    self.take_move(name)
                    self.say(f"OK\nthinking about it\n{name.upper()}q")

        async with hosted(openings=openings("Setup Wa2 Bh7")) as host:
            await play_match(host, Chatting(), Player())
        assert host.ends() == [("white", "landed")]

    run(test())


def test_a_flag_falls() -> None:
    async def test() -> None:
        black = TournamentPlayer()
        async with hosted(dialects=AUTO, minutes=0.003) as host:
            await play_match(host, Sleeping(), black)
        assert host.ends() == [("black", "time")]
        assert black.heard[-1] == "GameOver BLACK plies=0"

    run(test())


def test_without_clocks_patience_has_an_end() -> None:
    async def test() -> None:
        async with (
            hosted(minutes=0, patience=0.2) as host,
            connected(host.port) as silent,
        ):
            await host.until_told(Seated)
            black = Player()
            playing = asyncio.create_task(black.play(host.port))
            await host.finish()
            await playing
            assert (await silent.reader.read()).startswith(b"Connected")
        assert host.ends() == [("black", "silence")]
        assert not any(line.startswith("Time") for line in black.heard)

    run(test())


@pytest.mark.parametrize("dialect", PLAYERS)
def test_a_disconnection_in_the_middle_of_a_game_loses(dialect: str) -> None:
    async def test() -> None:
        black = PLAYERS[dialect]()
        async with hosted(dialects=("course", dialect), variant="no-en-passant") as host:
            await play_match(host, Leaving(), black)
        assert host.ends() == [("black", "disconnection")]
        assert black.heard[-1] == ("a2a4" if dialect == "seed" else "exit")

    run(test())


def test_who_leaves_before_the_game_frees_the_seat() -> None:
    async def test() -> None:
        async with hosted() as host:
            async with connected(host.port) as line:
                await line.hear_until("Connected")
            await host.until_told(Departed)
            await play_match(host, Player(), Player())
            assert host.records[0].white == "player-2"

    run(test())


def test_who_leaves_in_the_handshake_leaves_the_other_seated() -> None:
    async def test() -> None:
        first, third = Player(), Player()
        async with hosted() as host:
            playing = asyncio.create_task(first.play(host.port))
            await host.until_told(Seated)
            async with connected(host.port) as second:
                await second.hear_until("Connected")
                second.say("OK\n")
                await second.hear_until("Setup")
            await host.until_told(Departed)
            assert not any(isinstance(event, GameStarted) for event in host.events)
            await third.play(host.port)
            await host.finish()
            await playing
        assert host.records[0].black == "player-3"
        assert first.heard.count("Begin") == 1

    run(test())


def test_a_relay_passes_illegal_moves_on_until_somebody_says_exit() -> None:
    async def test() -> None:
        async with (
            hosted(relay=True, dialects=("tournament", "tournament")) as host,
            connected(host.port) as white,
        ):
            white.say("OK\n")
            await host.until_told(Seated)
            async with connected(host.port) as black:
                black.say("OK\n")
                for line in (white, black):
                    for word in ("Setup", "Time"):
                        await line.hear_until(word)
                        line.say("OK\n")
                await white.hear_until("Begin")
                white.say("a2a8\n")
                assert await black.hear() == "a2a8"
                black.say("h7a1\n")
                assert await white.hear() == "h7a1"
                white.say("exit\n")
                assert await white.hear() == "GameOver BLACK plies=2"
                assert await black.hear() == "GameOver BLACK plies=2"
        assert host.ends() == [("black", "resignation")]

    run(test())


def test_a_move_may_come_in_pieces_and_without_a_newline() -> None:
    async def test() -> None:
        class Slow(Player):
            end = ""

            def move(self) -> None:
                if self.position.children():
                    name = move_name(self.position, self.position.children()[0])
                    self.take_move(name)
                    self.sending = asyncio.create_task(self.send(name))

            async def send(self, name: str) -> None:
                for letter in name:
                    self.line.say(letter)
                    await self.line.writer.drain()
                    await asyncio.sleep(0.01)

        async with hosted(openings=openings("Setup Wa5 Bh5")) as host:
            await play_match(host, Slow(), Player())
        assert host.ends() == [("white", "landed")]

    run(test())


def test_a_client_without_newlines_and_without_oks_can_play() -> None:
    async def test() -> None:
        async with (
            hosted(openings=openings("Setup Wa6 Bh7"), patience=0.2) as host,
            connected(host.port) as white,
        ):
            await host.until_told(Seated)
            playing = asyncio.create_task(Player().play(host.port))
            await white.hear_until("Begin")
            white.say("a6a7")
            await white.hear_until("h7h5")
            white.say("a7a8q")
            assert await white.hear_until("exit")
            await host.finish()
            await playing
        assert host.ends() == [("white", "landed")]

    run(test())
