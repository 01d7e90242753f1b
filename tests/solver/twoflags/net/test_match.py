"""Several games: colours alternate, openings come in pairs, one rating step at the end."""

from __future__ import annotations

import pytest
from net_host import AUTO, hosted, openings, run
from net_players import (
    Leaving,
    Player,
    Saying,
    SeedPlayer,
    Sleeping,
    TournamentPlayer,
    play_match,
)

from solver.twoflags.net.referee import random_openings
from solver.twoflags.net.server import MatchFinished, MoveMade, Seated

QUICK = openings("Setup Wa5 Bh7")  # White wins


@pytest.mark.parametrize(
    ("dialect", "player", "games"),
    [
        ("course", Player, 4),
        ("tournament", TournamentPlayer, 4),
        ("seed", SeedPlayer, 4),
    ],
)
def test_colours_alternate_in_every_dialect(dialect: str, player: type[Player], games: int) -> None:
    async def test() -> None:
        async with hosted(dialects=(dialect, dialect), games=games, openings=QUICK) as host:
            await play_match(host, player(), player())
        assert [record.number for record in host.records] == list(range(1, games + 1))
        assert [record.white for record in host.records] == ["player-1", "player-2"] * (games // 2)
        assert host.ends() == [("white", "landed")] * games
        half = games // 2
        assert host.score == MatchFinished(("player-1", "player-2"), (half, half), (1500.0, 1500.0))

    run(test())


def test_ratings_change_once_by_the_score() -> None:
    async def test() -> None:
        async with hosted(games=4) as host:
            await play_match(host, Saying("exit"), Player())
        assert host.ends() == [
            ("black", "resignation"),
            ("white", "resignation"),
            ("black", "resignation"),
            ("white", "resignation"),
        ]
        assert host.score.wins == (0, 4)
        assert host.score.ratings == (1484.0, 1516.0)

    run(test())


def test_between_the_games_of_a_tournament_players_are_asked_to_reset() -> None:
    async def test() -> None:
        first, second = TournamentPlayer(), TournamentPlayer()
        async with hosted(dialects=AUTO, games=2, openings=QUICK) as host:
            await play_match(host, first, second)
        over = "GameOver WHITE plies=5"
        start = ["Setup Wa5 Bh7", "Time 5"]
        assert first.heard[:3] == [*start, "Begin"]
        assert [line for line in first.heard if line[0].isupper()] == [
            *[*start, "Begin", over],
            *["Reset", over],
        ]
        assert [line for line in second.heard if line[0].isupper()] == [
            *[*start, over],
            *["Reset", "Begin", over],
        ]

    run(test())


@pytest.mark.parametrize(("games", "accepted"), [(None, 3), (2, 2)])
def test_the_first_client_may_ask_for_a_tournament(games: int | None, accepted: int) -> None:
    async def test() -> None:
        first, second = TournamentPlayer(), TournamentPlayer()
        first.speaks_first = "OK\nTOURNAMENT 3"
        second.speaks_first = "OK\nTOURNAMENT 9"
        async with hosted(dialects=AUTO, games=games, openings=QUICK) as host:
            await play_match(host, first, second)
        assert len(host.records) == accepted
        for player in (first, second):
            told = [line for line in player.heard if line.startswith("Tournament")]
            assert told == [f"TournamentAccepted {accepted}"]

    run(test())


def test_a_tournament_may_be_asked_for_in_the_middle_of_a_game() -> None:
    async def test() -> None:
        class Asking(TournamentPlayer):
            def move(self) -> None:
                self.say("TOURNAMENT 2")
                super().move()

        async with hosted(dialects=AUTO, openings=QUICK) as host:
            await play_match(host, Asking(), TournamentPlayer())
        assert len(host.records) == 2

    run(test())


def test_a_pair_of_games_has_the_same_random_opening() -> None:
    async def test() -> None:
        async with hosted(dialects=AUTO, games=4, openings=random_openings(4, seed=7)) as host:
            await play_match(host, TournamentPlayer(), Player())
        starts = [record.start for record in host.records]
        assert starts[0] == starts[1] != starts[2] == starts[3]

    run(test())


def test_an_opening_may_begin_with_black() -> None:
    async def test() -> None:
        first, second = Player(), Player()
        async with hosted(games=2, openings=openings("Setup Wa2 Bh4 BLACK")) as host:
            await play_match(host, first, second)
        assert [record.moves[0].side for record in host.records] == ["black", "black"]
        assert host.ends() == [("black", "landed")] * 2

    run(test())


def test_a_lost_game_is_not_a_lost_match() -> None:
    async def test() -> None:
        async with hosted(games=2, minutes=0.003) as host:
            await play_match(host, Sleeping(), Saying("a2a5"))
        assert host.ends() == [("black", "time"), ("black", "illegal-move")]

    run(test())


def test_a_match_ends_when_a_player_leaves() -> None:
    async def test() -> None:
        second = Player()
        async with hosted(games=5) as host:
            await play_match(host, Leaving(), second)
        assert host.ends() == [("black", "disconnection")]
        assert host.score.wins == (0, 1)
        assert second.heard[-1] == "exit"

    run(test())


def test_who_leaves_between_two_games_has_lost_the_next() -> None:
    async def test() -> None:
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
        assert host.score.wins == (1, 1)
        assert second.heard[-2:] == ["Reset", "exit"]

    run(test())


def test_the_server_may_go_on_for_ever() -> None:
    async def test() -> None:
        async with hosted(dialects=AUTO, openings=QUICK, forever=True) as host:
            for match in range(1, 4):
                first, second = TournamentPlayer(), TournamentPlayer()
                await play_match(host, first, second, ends=False)
                await host.until_told(MatchFinished, match)
            assert len([event for event in host.events if isinstance(event, Seated)]) == 6
        assert [record.white for record in host.records] == ["player-1", "player-3", "player-5"]

    run(test())


def test_every_move_is_told_with_its_clocks() -> None:
    async def test() -> None:
        async with hosted(dialects=AUTO, openings=QUICK) as host:
            await play_match(host, TournamentPlayer(), TournamentPlayer())
        moved = [event for event in host.events if isinstance(event, MoveMade)]
        assert [event.ply for event in moved] == [1, 2, 3, 4, 5]
        for event in moved:
            assert event.clocks is not None
            assert all(299 < seconds <= 300 for seconds in event.clocks.values())

    run(test())
