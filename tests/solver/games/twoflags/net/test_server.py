"""The server on real sockets: games, matches and spectators in every dialect.  Whatever a client
does, the other player gets the right result and the server lives on."""

from __future__ import annotations

import asyncio
import random
import re
import socket
import struct
from collections.abc import Callable
from contextlib import AsyncExitStack, suppress
from typing import Any

import pytest
from support.net_host import AUTO, hosted, in_loop, openings
from support.net_players import (
    SEATED,
    LockstepPlayer,
    Player,
    SeedPlayer,
    SetupPlayer,
    TournamentPlayer,
    connected,
    play_match,
)

from solver.games.twoflags.net import protocol, server
from solver.games.twoflags.net.match import GameRecord, TimedMove
from solver.games.twoflags.net.server import MoveMade, Spectators
from solver.games.twoflags.rules import NO_EN_PASSANT

PLAYERS = {"course": Player, "tournament": TournamentPlayer, "seed": SeedPlayer}
QUICK = openings("Setup Wa5 Bh7")  # White wins after five plies
HUGE = b"x" * 10_000_000
FLOODS = {
    "one huge line": HUGE,
    "newlines only": b"\n" * 1_000_000,
    "acknowledgements": b"OK\n" * 300_000,
    "pawns": b"Setup" + b" Wa2" * 250_000,
    "bytes that are no text": random.Random(1).randbytes(1_000_000),
}

# --- one game ------------------------------------------------------------------------------

SPOKEN = {
    "course": (
        "Connected to the server!|Setup Wa6 Bh7|Time 0.5|Begin|h7h5|exit",
        "Connected to the server!|Setup Wa6 Bh7|Time 0.5|a6a7|a7a8|exit",
    ),
    "tournament": (
        "Setup Wa6 Bh7|Time 0.5|Begin|h7h5|GameOver WHITE plies=3",
        "Setup Wa6 Bh7|Time 0.5|a6a7|a7a8|GameOver WHITE plies=3",
    ),
    "seed": (
        "Connected to the server!|Setup Wa6 Bh7|0.5|BEGIN|Role White|h7h5",
        "Connected to the server!|Setup Wa6 Bh7|0.5|BEGIN|Role Black|a6a7|a7a8",
    ),
}


@pytest.mark.parametrize("dialect", SPOKEN)
@in_loop
async def test_what_each_dialect_says(dialect: str) -> None:
    white, black = PLAYERS[dialect](), PLAYERS[dialect]()
    opening = openings("Setup Wa6 Bh7")
    async with hosted(dialects=(dialect, dialect), openings=opening, minutes=0.5) as host:
        await play_match(host, white, black)
    assert ("|".join(white.heard), "|".join(black.heard)) == SPOKEN[dialect]
    assert bool(host.records[0].start.state & NO_EN_PASSANT) == (dialect == "seed")


@pytest.mark.parametrize(
    ("first", "second"), [("course", "tournament"), ("tournament", "seed"), ("seed", "course")]
)
@in_loop
async def test_a_whole_game_in_two_dialects(first: str, second: str) -> None:
    white, black = PLAYERS[first](), PLAYERS[second]()
    white.state = black.state = NO_EN_PASSANT
    async with hosted(dialects=(first, second), variant="no-en-passant") as host:
        await play_match(host, white, black)
    (record,) = host.records
    assert host.ends().endswith("landed")
    for side, player in (("white", black), ("black", white)):
        moves = [move.name for move in record.moves if move.side == side]
        assert [word for word in player.heard if word in moves] == moves


@pytest.mark.parametrize(
    ("player", "dialect"),
    [(TournamentPlayer, "tournament"), (SetupPlayer, "seed"), (Player, "course")],
)
@in_loop
async def test_a_dialect_is_known_by_how_a_client_behaves(
    player: type[Player], dialect: str
) -> None:
    async with hosted(dialects=AUTO) as host:
        playing = asyncio.create_task(player().play(host.port))
        await host.until_told(SEATED)
        assert host.notices(f"player-1 has come and speaks {dialect}")
    await playing


@in_loop
async def test_the_agent_of_the_seed_is_told_its_role_when_it_waits_for_it() -> None:
    white, black = LockstepPlayer(), LockstepPlayer()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(server, "ROLE_AT_MOST", 0.5)
        async with hosted(dialects=AUTO, openings=QUICK) as host:
            await play_match(host, white, black)
    assert host.ends() == "white landed"
    told = "Connected to the server!|Setup Wa5 Bh7|Time 5|"
    assert "|".join(white.heard) == told + "Begin|Role White|h7h5|h5h4|exit"
    assert "|".join(black.heard) == told + "a5a6|Role Black|a5a6|a6a7|a7a8|exit"


@in_loop
async def test_a_client_may_begin_with_a_setup() -> None:
    white = SetupPlayer()
    async with hosted(dialects=("auto", "seed"), openings=QUICK) as host:
        await play_match(host, white, SeedPlayer())
    assert white.heard[:2] == ["SETUP-ACK", "Setup Wa5 Bh7"]
    assert host.ends() == "white landed"


def say(text: str) -> Callable[[Player], None]:
    return lambda player: player.say(text)


def flood(data: bytes) -> Callable[[Player], None]:
    return lambda player: player.line.writer.write(data)


def leave(player: Player) -> None:
    player.move()
    player.line.writer.close()


def reset(player: Player) -> None:
    plug = player.line.writer.get_extra_info("socket")
    plug.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    player.line.writer.transport.abort()


@pytest.mark.parametrize(
    ("act", "end"),
    [
        (say("a2a5"), "black illegal-move"),
        (say("a2a9"), "black illegal-move"),
        (say("exit"), "black resignation"),
        (say("win: White"), "black false-claim"),
        (say("win: Black"), "black resignation"),
        (say("a2a4\nb2b4"), "black out-of-turn"),
        (leave, "black disconnection"),
        (reset, "black disconnection"),
        *((flood(data), "black flood") for data in FLOODS.values()),
    ],
)
@in_loop
async def test_what_loses_the_game(act: Callable[[Player], None], end: str) -> None:
    black = Player()
    async with hosted() as host:
        await play_match(host, Player(act), black)
    assert host.ends() == end
    assert black.heard[-1] == "exit"


def chat(player: Player) -> None:
    player.say(f"OK\nthinking about it\n{player.choose().upper()}q")


def hang_up_when_won(player: Player) -> None:
    player.move()
    if not player.position.children():
        player.line.writer.close()


def spell(player: Player) -> None:
    async def send(name: str) -> None:
        for piece in (*name[:3], f"{name[3]}\n"):
            await asyncio.sleep(0.05)
            player.line.say(piece)

    player.spelling = asyncio.create_task(send(player.choose()))  # type: ignore[attr-defined]


@pytest.mark.parametrize("act", [chat, hang_up_when_won, spell])
@in_loop
async def test_what_does_not(act: Callable[[Player], None]) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(protocol, "CUT", 10.0)  # a busy machine spells more slowly
        async with hosted(openings=QUICK) as host:
            await play_match(host, Player(act), Player())
    assert host.ends() == "white landed"
    assert sum(isinstance(event, MoveMade) for event in host.events) == 5


@pytest.mark.parametrize(
    ("options", "said", "end"),
    [
        ({"minutes": 0, "patience": 0.2}, "", "black silence"),
        ({"minutes": 0.003, "patience": 0.2}, "", "black time"),
        ({"minutes": 0.003}, "OK\n" * 4, "black time"),
    ],
)
@in_loop
async def test_a_client_that_is_silent_or_deaf_holds_up_nobody(
    options: dict[str, Any], said: str, end: str
) -> None:
    """The first two have not even answered the greeting."""
    black = Player()
    async with hosted(**options) as host, connected(host.port) as silent:
        silent.say(said)
        silent.writer.transport.pause_reading()  # type: ignore[attr-defined]
        await host.until_told(SEATED)
        await black.play(host.port)
        await host.finish()
    assert host.ends() == end
    assert any(line.startswith("Time") for line in black.heard) == bool(options["minutes"])


@pytest.mark.parametrize("dialect", ["tournament", "seed"])
@in_loop
async def test_the_last_word_to_who_is_left_alone(dialect: str) -> None:
    black = PLAYERS[dialect]()
    async with hosted(dialects=("course", dialect), variant="no-en-passant") as host:
        await play_match(host, Player(leave), black)
    assert host.ends() == "black disconnection"
    assert black.heard[-1] == ("a2a4" if dialect == "seed" else "exit")


@in_loop
async def test_a_flood_of_legal_messages_in_the_opponents_turn_loses() -> None:
    class Talking(Player):
        def react(self, message: str) -> None:
            super().react(message)
            if message.startswith("Time"):
                self.line.writer.write(b"Time 5\n" * 20_000)

    async with hosted() as host:
        await play_match(host, Player(lambda player: None), Talking())
    assert host.ends() == "white flood"


# --- seats ---------------------------------------------------------------------------------


@in_loop
async def test_a_player_who_leaves_in_the_handshake_leaves_the_other_seated() -> None:
    first = Player()
    async with hosted(openings=QUICK) as host:
        playing = asyncio.create_task(first.play(host.port))
        await host.until_told(SEATED)
        async with connected(host.port) as second:
            await second.hear_until("Connected")
            second.say("OK\n")
            await second.hear_until("Setup")
        await host.until_told(" has gone: ")
        assert not any(isinstance(event, GameRecord) for event in host.events)
        await Player().play(host.port)
        await host.finish()
        await playing
    assert host.records[0].black == "player-3"
    assert first.heard.count("Begin") == 1


@pytest.mark.parametrize("said", [*FLOODS.values(), b"OK\nexit\n"], ids=[*FLOODS, "exit"])
@in_loop
async def test_a_flood_or_exit_before_the_game_frees_the_seat(said: bytes) -> None:
    async with hosted(openings=QUICK) as host:
        async with connected(host.port) as line:
            line.writer.write(said)
            with suppress(OSError):
                while await line.reader.read(65536):
                    pass
        reason = "resignation" if b"exit" in said else "flood"
        assert host.notices(f"player-1 has gone: {reason}")
        await play_match(host, Player(), Player())
    assert host.ends() == "white landed"


@in_loop
async def test_two_who_say_nothing_do_not_keep_their_seats() -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(server, "SILENT", 0.1)
        async with (
            hosted(openings=QUICK) as host,
            connected(host.port) as silent,
            connected(host.port),
        ):
            await silent.hear_until("Time")
            await host.until_told("gone: silence", 2)
            patch.undo()
            await play_match(host, Player(), Player())
    assert host.ends() == "white landed"


@in_loop
async def test_many_who_come_and_go_leave_the_seats_free() -> None:
    async with hosted(openings=QUICK) as host:
        for _ in range(20):
            _, writer = await asyncio.open_connection("127.0.0.1", host.port)
            writer.transport.abort()
        await host.until(lambda _: len(host.notices("gone") + host.notices("turned")) == 20)
        await play_match(host, Player(), Player())
    assert host.ends() == "white landed"


@in_loop
async def test_a_third_client_is_turned_away_and_disturbs_nobody() -> None:
    async def move_later(player: Player) -> None:
        await host.until_told("turned away", 3)
        player.move()

    tasks = []
    waiting = Player(lambda player: tasks.append(asyncio.create_task(move_later(player))))
    async with hosted(openings=QUICK) as host:
        playing = asyncio.create_task(play_match(host, waiting, Player()))
        await host.until_told(GameRecord)
        for said in (HUGE, HUGE, b""):
            async with connected(host.port) as line:
                line.writer.write(said)
                answer = await line.hear()
        assert "two players are at the board already" in answer
        await playing
    assert host.ends() == "white landed"


# --- matches -------------------------------------------------------------------------------


@pytest.mark.parametrize("dialect", PLAYERS)
@in_loop
async def test_colours_alternate_in_every_dialect(dialect: str) -> None:
    async with hosted(dialects=(dialect, dialect), games=4, openings=QUICK) as host:
        await play_match(host, PLAYERS[dialect](), PLAYERS[dialect]())
    assert [record.white for record in host.records] == ["player-1", "player-2"] * 2
    assert host.ends() == ", ".join(["white landed"] * 4)
    assert host.score == {"player-1": 2, "player-2": 2}


@in_loop
async def test_between_the_games_of_a_tournament_players_are_asked_to_reset() -> None:
    first, second = TournamentPlayer(), TournamentPlayer()
    async with hosted(dialects=AUTO, games=2, openings=QUICK) as host:
        await play_match(host, first, second)
    start, over = "Setup Wa5 Bh7|Time 5", "GameOver WHITE plies=5"
    told = ["|".join(word for word in p.heard if word[0].isupper()) for p in (first, second)]
    assert told == [f"{start}|Begin|{over}|Reset|{over}", f"{start}|{over}|Reset|Begin|{over}"]


@pytest.mark.parametrize(("games", "accepted"), [(None, 3), (2, 2)])
@in_loop
async def test_the_first_client_may_ask_for_a_tournament(games: int | None, accepted: int) -> None:
    first, second = TournamentPlayer(), TournamentPlayer()
    first.speaks_first = "OK\nTOURNAMENT 3"
    second.speaks_first = "OK\nTOURNAMENT 9"
    async with hosted(dialects=AUTO, games=games, openings=QUICK) as host:
        await play_match(host, first, second)
    assert len(host.records) == accepted
    for player in (first, second):
        assert player.heard.count(f"TournamentAccepted {accepted}") == 1


@in_loop
async def test_a_lost_game_is_not_a_lost_match() -> None:
    async with hosted(games=2, minutes=0.003) as host:
        await play_match(host, Player(lambda player: None), Player(say("a2a5")))
    assert host.ends() == "black time, black illegal-move"
    assert host.score == {"player-1": 1, "player-2": 1}


@in_loop
async def test_a_player_who_leaves_between_two_games_has_lost_the_next() -> None:
    class LeavingLater(TournamentPlayer):
        def react(self, message: str) -> None:
            if message == "Reset":
                self.line.writer.close()
            else:
                super().react(message)

    second = TournamentPlayer()
    async with hosted(dialects=AUTO, games=5, openings=QUICK) as host:
        await play_match(host, LeavingLater(), second)
    assert host.ends() == "white landed, white disconnection"
    assert second.heard[-2:] == ["Reset", "exit"]


# --- spectators ----------------------------------------------------------------------------


@in_loop
async def test_spectators_see_the_same_game_though_some_never_read_and_some_talk() -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(server, "MOST_SPECTATORS", 6)
        async with (
            hosted(dialects=AUTO, openings=QUICK, games=2) as host,
            AsyncExitStack() as stack,
        ):
            port = host.listening.spectator_port
            lines = [await stack.enter_async_context(connected(port)) for _ in range(7)]
            *heard, turned_away = [await line.hear() for line in lines]
            lines[0].writer.write(HUGE)  # nobody reads it
            lines[1].writer.transport.pause_reading()  # type: ignore[attr-defined]
            reading = [asyncio.create_task(line.reader.read()) for line in lines[2:6]]
            await play_match(host, TournamentPlayer(), Player())
            seen = {data.decode() for data in await asyncio.gather(*reading)}
            lines[0].writer.transport.abort()
    assert heard == ["# waiting for two players"] * 6
    assert turned_away == "Error: too many spectators."
    (text,) = seen
    games = "".join(map(str, host.records)) + "# SCORE player-1=1 player-2=1\n"
    assert re.sub(r" white .*s$", "", text, flags=re.MULTILINE) == games
    assert " white 300.00s" in text or " white 29" in text  # the clocks, which the log has not


@in_loop
async def test_a_spectator_who_comes_late_sees_the_game_from_its_beginning() -> None:
    def move_once(player: Player) -> None:
        if len(player.heard) < 5:
            player.move()

    async with hosted(openings=QUICK, minutes=0) as host:
        playing = asyncio.create_task(play_match(host, Player(move_once), Player()))
        await host.until_told(MoveMade, 2)
        async with connected(host.listening.spectator_port) as late:
            seen = [(await late.hear()).split(" # ")[0] for _ in range(4)]
        playing.cancel()
    game = "# GAME 1 WHITE=player-1 BLACK=player-2"
    assert seen == [game, "# SETUP Wa5 Bh7 WHITE", "1 W a5a6", "2 B h7h5"]


@in_loop
async def test_a_spectator_who_reads_nothing_is_dropped_at_last() -> None:
    """More than a match tells, so that every buffer on the way is full."""
    spectators = Spectators()
    listening = await asyncio.start_server(spectators.welcome, "127.0.0.1", 0)
    async with listening, connected(listening.sockets[0].getsockname()[1]) as deaf:
        deaf.writer.transport.pause_reading()  # type: ignore[attr-defined]
        while not spectators.watching:
            await asyncio.sleep(0.001)
        event = MoveMade(1, TimedMove("white", "a2a4" * 25_000, 0.1), None)
        while spectators.watching:
            spectators.so_far = ""
            spectators.hear(event)
            await asyncio.sleep(0)
        record = GameRecord(2, "ann", "bob", QUICK(1))
        spectators.hear(record)
        assert spectators.so_far == str(record)  # a new game is told from its beginning
