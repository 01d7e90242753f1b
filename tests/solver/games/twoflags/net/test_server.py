"""The server on real sockets: games, matches and spectators in every dialect."""

from __future__ import annotations

import asyncio
from contextlib import AsyncExitStack

import pytest
from support.net_host import AUTO, hosted, in_loop, openings
from support.net_players import (
    SEATED,
    Leaving,
    Line,
    Player,
    Saying,
    SeedPlayer,
    SetupPlayer,
    Sleeping,
    TournamentPlayer,
    connected,
    first_move,
    play_match,
)

from solver.games.twoflags.net import server
from solver.games.twoflags.net.match import GameRecord, TimedMove, parse_records
from solver.games.twoflags.net.server import GameStarted, MatchFinished, MoveMade, Spectators
from solver.games.twoflags.rules import NO_EN_PASSANT

PLAYERS = {"course": Player, "tournament": TournamentPlayer, "seed": SeedPlayer}
QUICK = openings("Setup Wa5 Bh7")  # White wins after five plies

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
    ("first", "second"),
    [("course", "tournament"), ("tournament", "seed"), ("seed", "course")],
)
@in_loop
async def test_a_whole_game_in_two_dialects(first: str, second: str) -> None:
    white, black = PLAYERS[first](), PLAYERS[second]()
    white.state = black.state = NO_EN_PASSANT
    async with hosted(dialects=(first, second), variant="no-en-passant") as host:
        await play_match(host, white, black)
    (record,) = host.records
    assert host.ends()[0][1] == "landed"
    assert parse_records(str(record), "log")
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
async def test_a_client_may_bring_its_own_setup() -> None:
    white = SetupPlayer()
    async with hosted(dialects=("auto", "seed")) as host:
        await play_match(host, white, SeedPlayer())
    assert white.heard[:2] == ["SETUP-ACK", "Setup Wa5 Bh7"]
    assert host.ends() == [("white", "landed")]


@pytest.mark.parametrize(
    ("word", "reason"),
    [
        ("a2a5", "illegal-move"),
        ("a2a9", "illegal-move"),
        ("exit", "resignation"),
        ("win: White", "false-claim"),
        ("win: Black", "resignation"),
        ("a2a4\nb2b4", "out-of-turn"),
    ],
)
@in_loop
async def test_a_wrong_word_loses_the_game(word: str, reason: str) -> None:
    black = Player()
    async with hosted() as host:
        await play_match(host, Saying(word), black)
    assert host.ends() == [("black", reason)]
    assert black.heard[-1] == "exit"


@in_loop
async def test_chatter_is_ignored() -> None:
    class Chatting(Player):
        def move(self) -> None:
            if self.position.children():
                name = first_move(self.position)
                self.take_move(name)
                self.say(f"OK\nthinking about it\n{name.upper()}q")

    async with hosted(openings=openings("Setup Wa2 Bh7")) as host:
        await play_match(host, Chatting(), Player())
    assert host.ends() == [("white", "landed")]


@in_loop
async def test_without_clocks_patience_has_an_end() -> None:
    """The silent client has not even answered the greeting."""
    async with hosted(minutes=0, patience=0.2) as host, connected(host.port):
        await host.until_told(SEATED)
        black = Player()
        playing = asyncio.create_task(black.play(host.port))
        await host.finish()
        await playing
    assert host.ends() == [("black", "silence")]
    assert not any(line.startswith("Time") for line in black.heard)


@pytest.mark.parametrize("dialect", PLAYERS)
@in_loop
async def test_a_disconnection_in_the_middle_of_a_game_loses(dialect: str) -> None:
    black = PLAYERS[dialect]()
    async with hosted(dialects=("course", dialect), variant="no-en-passant") as host:
        await play_match(host, Leaving(), black)
    assert host.ends() == [("black", "disconnection")]
    assert black.heard[-1] == ("a2a4" if dialect == "seed" else "exit")


@in_loop
async def test_a_player_who_leaves_in_the_handshake_leaves_the_other_seated() -> None:
    first, third = Player(), Player()
    async with hosted(openings=QUICK) as host:
        playing = asyncio.create_task(first.play(host.port))
        await host.until_told(SEATED)
        async with connected(host.port) as second:
            await second.hear_until("Connected")
            second.say("OK\n")
            await second.hear_until("Setup")
        await host.until_told(" has gone: ")
        assert not any(isinstance(event, GameStarted) for event in host.events)
        await third.play(host.port)
        await host.finish()
        await playing
    assert host.records[0].black == "player-3"
    assert first.heard.count("Begin") == 1


# --- matches -------------------------------------------------------------------------------


@pytest.mark.parametrize("dialect", PLAYERS)
@in_loop
async def test_colours_alternate_in_every_dialect(dialect: str) -> None:
    async with hosted(dialects=(dialect, dialect), games=4, openings=QUICK) as host:
        await play_match(host, PLAYERS[dialect](), PLAYERS[dialect]())
    assert [record.white for record in host.records] == ["player-1", "player-2"] * 2
    assert host.ends() == [("white", "landed")] * 4
    assert host.score == {"player-1": 2, "player-2": 2}


@in_loop
async def test_the_score_counts_every_game() -> None:
    async with hosted(games=4) as host:
        await play_match(host, Saying("exit"), Player())
    assert [winner for winner, _ in host.ends()] == ["black", "white"] * 2
    assert host.score == {"player-1": 0, "player-2": 4}


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
        await play_match(host, Sleeping(), Saying("a2a5"))
    assert host.ends() == [("black", "time"), ("black", "illegal-move")]


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
    assert host.ends() == [("white", "landed"), ("white", "disconnection")]
    assert second.heard[-2:] == ["Reset", "exit"]


@in_loop
async def test_the_server_may_go_on_for_ever() -> None:
    async with hosted(dialects=AUTO, openings=QUICK, forever=True) as host:
        for match in range(1, 4):
            await play_match(host, TournamentPlayer(), TournamentPlayer(), ends=False)
            await host.until_told(MatchFinished, match)
    assert [record.white for record in host.records] == ["player-1", "player-3", "player-5"]


# --- spectators ----------------------------------------------------------------------------


@in_loop
async def test_many_spectators_see_the_same_game_though_some_never_read() -> None:
    async def read_all(line: Line) -> str:
        return (await line.reader.read()).decode()

    async with hosted(dialects=AUTO, openings=QUICK, games=2) as host, AsyncExitStack() as stack:
        port = host.listening.spectator_port
        lines = [await stack.enter_async_context(connected(port)) for _ in range(12)]
        for line in lines[8:]:
            line.writer.transport.pause_reading()  # type: ignore[attr-defined]
        for line in lines[:8]:
            assert await line.hear() == "# waiting for two players"
        watching = [asyncio.create_task(read_all(line)) for line in lines[:8]]
        await play_match(host, TournamentPlayer(), Player())
        seen = await asyncio.gather(*watching)
    assert len(set(seen)) == 1
    games = parse_records(seen[0], "seen")
    assert [game.result for game in games] == [record.result for record in host.records]
    assert seen[0].endswith("# SCORE player-1=1 player-2=1\n")
    assert " white 300.00s" in seen[0] or " white 299." in seen[0]


@in_loop
async def test_a_spectator_who_comes_late_sees_the_game_from_its_beginning() -> None:
    class Waiting(Player):
        def move(self) -> None:
            if len(self.heard) < 5:
                super().move()

    async with hosted(openings=QUICK, minutes=0) as host:
        playing = asyncio.create_task(play_match(host, Waiting(), Player()))
        await host.until_told(MoveMade, 2)
        async with connected(host.listening.spectator_port) as late:
            seen = [(await late.hear()).split(" # ")[0] for _ in range(4)]
        playing.cancel()
    game = "# GAME 1 WHITE=player-1 BLACK=player-2"
    assert seen == [game, "# SETUP Wa5 Bh7 WHITE", "1 W a5a6", "2 B h7h5"]


@in_loop
async def test_spectators_may_talk_and_too_many_are_turned_away() -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(server, "MOST_SPECTATORS", 3)
        async with hosted(openings=QUICK) as host, AsyncExitStack() as stack:
            port = host.listening.spectator_port
            lines = [await stack.enter_async_context(connected(port)) for _ in range(4)]
            heard = [await line.hear() for line in lines]
            lines[0].writer.write(b"x" * 10_000_000)  # nobody reads it
            await play_match(host, Player(), Player())
            assert "RESULT" in (await lines[1].reader.read()).decode()
            lines[0].writer.transport.abort()
    assert heard == [*["# waiting for two players"] * 3, "Error: too many spectators."]


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
        for _ in range(1000):
            spectators.so_far = ""
            spectators.hear(event)
            await asyncio.sleep(0)
            if not spectators.watching:
                break
        assert not spectators.watching
        record = GameRecord(2, "ann", "bob", QUICK(1))
        spectators.hear(GameStarted(record))
        assert spectators.so_far == str(record)  # a new game is told from its beginning
        spectators.close()
