"""Games of a Two Flags server, seen on the page."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from support.net_host import hosted, openings
from support.net_players import Player, play_match
from support.web_host import run, served, tab

from solver.web.watching import Scene

QUICK = openings("Setup Wa5 Bh7")


def test_a_game_is_seen_move_by_move() -> None:
    async def test() -> list[dict[str, Any]]:
        async with hosted(openings=QUICK) as host:
            with served("--watch", f"127.0.0.1:{host.listening.spectator_port}") as server:
                async with tab(server.port) as one:
                    assert (await one.answer("hello"))["watch"] is True
                    number = one.ask("watch")
                    seen = [await one.next_of(number)]
                    await play_match(host, Player(), Player())
                    await host.finish()
                    return seen + await one.all_of(number)

    waiting, game, *lines, last = run(test())
    assert waiting == {"id": 2, "line": "# waiting for two players"}
    assert game["line"].startswith("# GAME 1 WHITE=player-1")
    positions = [line["position"] for line in lines if "position" in line]
    moves = [line["line"].split()[2] for line in lines if line["line"][0].isdigit()]
    assert positions[0]["setup"] == "Setup Wa5 Bh7 WHITE"
    for before, name, after in zip(positions, moves, positions[1:], strict=False):
        (played,) = [move for move in before["moves"] if move["name"] == name]
        assert played["text"] == after["text"]
    assert len(positions) == len(moves) + 1
    assert positions[-1]["outcome"]["winner"] == "white"
    assert last == {"id": 2, "stopped": False, "done": True}


def test_watching_can_be_stopped() -> None:
    async def test() -> None:
        async with hosted(openings=QUICK) as host:
            with served("--watch", f"127.0.0.1:{host.listening.spectator_port}") as server:
                async with tab(server.port) as one:
                    number = one.ask("watch")
                    await one.next_of(number)
                    assert (await one.answer("stop", job=number))["stopped"] is True
                    assert (await one.next_of(number))["stopped"] is True

    run(test())


def test_a_server_that_is_not_there() -> None:
    async def test() -> str:
        listening = await asyncio.start_server(lambda *_: None, "127.0.0.1", 0)
        port = listening.sockets[0].getsockname()[1]
        listening.close()
        await listening.wait_closed()
        with served("--watch", str(port)) as server:
            async with tab(server.port) as one:
                error: str = (await one.answer("watch"))["error"]
                return error.replace(str(port), "PORT")

    assert run(test()) == (
        "127.0.0.1:PORT: cannot connect: nobody listens there. Is a server there?"
    )


def test_a_server_that_talks_nonsense_ends_the_watching() -> None:
    async def test() -> list[dict[str, Any]]:
        writers: list[asyncio.StreamWriter] = []

        def welcome(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            writer.write(b"\xff hello\n1 W e2e4\n" + b"x" * 100_000)
            writers.append(writer)

        async with await asyncio.start_server(welcome, "127.0.0.1", 0) as talking:
            port = talking.sockets[0].getsockname()[1]
            with served("--watch", str(port)) as server:
                async with tab(server.port) as one:
                    seen = await one.all_of(one.ask("watch"))
            writers[0].transport.abort()
            return seen

    first, second, last = run(test())
    assert first["line"] == "\ufffd hello"
    assert "position" not in second
    assert last["done"]


@pytest.mark.parametrize("variant", ["", "no-en-passant"])
def test_the_rules_of_a_game_are_told(variant: str) -> None:
    scene = Scene()
    rows = ["# GAME 1 WHITE=a BLACK=b", "# SETUP Wb5 Bc7 BLACK"]
    rows += ["# VARIANT no-en-passant"] if variant else []
    told = [scene.after(row) for row in [*rows, "1 B c7c5 # 0.10s"]]
    assert told[-1]["position"]["variant"] == variant
    assert any(move["taken"] for move in told[-1]["position"]["moves"]) == (not variant)
