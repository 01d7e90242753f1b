"""Searches, traces, the judge and watched games, over real sockets."""

from __future__ import annotations

import asyncio
import json
import shutil
import signal
from pathlib import Path
from typing import Any

import pytest
from support.command import SHOT
from support.import_walk import ROOT
from support.net_host import hosted, openings
from support.net_players import Player, play_match
from support.web_host import (
    START,
    Served,
    answer,
    ask,
    asking,
    connected,
    exchange,
    is_gone,
    post,
    served,
)

from solver.errors import UserError
from solver.games.twoflags.net.match import follow_log
from solver.web import jobs
from solver.web.answers import PageRequest, PageSettings

PUZZLE = "checkers/draw-first-position"


async def test_analysis_depth_by_depth(server: Served) -> None:
    options = {"depth": 4, "ordering": "static"}
    fields: dict[str, Any] = {"text": START, "lines": 3, "heuristic": "material"}
    *depths, last = await ask(server.port, "analyse", **fields, options=options)
    assert [message["depth"] for message in depths] == [1, 2, 3, 4]
    assert all(len(message["lines"]) == 3 for message in depths)
    assert last == {"stopped": False, "done": True}
    *_, found, last = await ask(server.port, "analyse", text=SHOT)
    assert (found["proof"], found["lines"][0]["value"]) == (True, "win in 9")
    assert len(found["lines"][0]["texts"]) == 9


async def test_reasons_and_hints(server: Served) -> None:
    found, last = await ask(server.port, "why", text=SHOT, against="d2-e3")
    assert found["head"].startswith("Why c5-d6? It wins by force in 9 plies")
    assert [row["name"] for row in found["story"]] == found["lines"][0]["names"]
    assert found["lines"][1]["names"][0] == "d2-e3"
    assert "The other move: d2-e3" in found["notes"][1]
    assert [len(level) for level in found["hints"]] == [2, 1, 1]
    assert last["done"]
    wrong = await answer(server.port, "why", text=SHOT, against="--help")
    assert wrong["error"].startswith("There is no move '--help'. Known: c5-d6")


async def test_traces(server: Served) -> None:
    fields: dict[str, Any] = {"text": START, "depth": 2, "heuristic": "material"}
    found, last = await ask(server.port, "trace", **fields)
    trace = found["trace"]
    assert (trace["game"], trace["mover"], trace["depth"]) == ("checkers", "red", 2)
    assert (trace["nodes"][0]["parent"], last) == (None, {"done": True})
    found, _ = await ask(server.port, "trace", tree="((3 12 8) (2 4 6) (14 5 2))")
    assert (found["trace"]["game"], found["trace"]["value"]) == ("tree", 3)
    assert "line 1" in (await answer(server.port, "trace", tree="((3 12"))["error"]


async def test_a_closed_connection_ends_its_own_search_only(server: Served) -> None:
    async with asking(server.port, "analyse", text=START) as other:
        await other.next()
        (other_search,) = server.children()
        async with asking(server.port, "analyse", text=START) as one:
            await one.next()
            assert len(server.children()) == 2
        assert await server.until_children(lambda count: count == 1) == [other_search]
        assert (await other.next())["depth"] > 1
        assert (await answer(server.port, "position", text=START))["mover"] == "red"
    await server.until_children(lambda count: count == 0)


BAD_REQUESTS = [
    ("hello", b"hello", "Not JSON"),
    ("hello", b"", "Not JSON"),
    ("hello", b"\xff", "Not JSON"),
    ("hello", b"[" * 60_000, "Not JSON"),
    ("hello", b"9" * 60_000, "Not JSON"),
    ("hello", b"[1]", "A request is an object"),
    ("helo", b"{}", "Unknown request 'helo'. Did you mean 'hello'?"),
    ("position", b"{}", "text is missing."),
    ("position", b'{"text": 5}', "text must be a text."),
    ("analyse", b'{"text": "........"}', "position: line 2, column 1"),
    ("judge", b'{"name": "../x", "answer": ""}', "There is no puzzle '../x'."),
    ("watch", b"{}", "There is nothing to watch."),
]


async def test_bad_requests(server: Served) -> None:
    for kind, body, error in BAD_REQUESTS:
        status, _, content = await exchange(server.port, post(server.port, kind, body))
        message = json.loads(content)
        assert (status, message["done"]) == (200, True)
        assert message["error"].startswith(error)


async def test_vanishing_clients_do_not_affect_the_others(server: Served) -> None:
    request = post(server.port, "position", b'{"text": "B:W21-32:B1-12"}')
    for cut in range(0, len(request) + 20, 20):
        async with connected(server.port) as (_, writer):
            writer.write(request[:cut])
    assert (await answer(server.port, "hello"))["version"]


@pytest.mark.parametrize(
    ("number", "end"),
    [
        (signal.SIGTERM, (0, "")),
        (signal.SIGINT, (130, "solver: interrupted\n")),
        (signal.SIGKILL, (-signal.SIGKILL, "")),
    ],
)
async def test_searches_end_with_the_server(number: signal.Signals, end: tuple[int, str]) -> None:
    with served() as server:
        async with asking(server.port, "analyse", text=START) as one:
            await one.next()
            (child,) = server.children()
            assert await asyncio.to_thread(server.end, number) == end
            assert await asyncio.to_thread(is_gone, child)


@pytest.mark.parametrize("name", [PUZZLE, "twoflags/race-take-to-last-longer"])
async def test_the_judge_accepts_the_expected_answer(server: Served, name: str) -> None:
    """With a side to move, which the first puzzle has and the other has not."""
    expected = (ROOT / "expected" / f"{name}.txt").read_text()
    rows = "\n".join(expected.split("\n")[:8])
    puzzle = await answer(server.port, "puzzle", name=name)
    (text,) = [move["text"] for move in puzzle["moves"] if move["text"].startswith(rows)]
    verdict = await answer(server.port, "judge", name=name, answer=text)
    assert (verdict["verdict"], verdict["accepted"]) == ("exact", True)


async def test_the_judge_does_not_reveal_the_answer(server: Served, tmp_path: Path) -> None:
    puzzle = await answer(server.port, "puzzle", name=PUZZLE)
    for text, verdict in ((puzzle["moves"][1]["text"], "worse"), ("hello", "malformed")):
        found = await answer(server.port, "judge", name=PUZZLE, answer=text)
        assert (found["verdict"], found["accepted"]) == (verdict, False)
        assert "Best" not in str(found)
    folder = tmp_path / "inputs" / "checkers"
    folder.mkdir(parents=True)
    shutil.copy(ROOT / "inputs" / "checkers" / "opening.txt", folder)
    settings = PageSettings("1", compiled=False, puzzles=tmp_path / "inputs")
    request = PageRequest({"name": "checkers/opening", "answer": "x"})
    with pytest.raises(UserError, match="No expected answer for checkers/opening"):
        await jobs.judge(request, settings, jobs.run_process, lambda _: asyncio.sleep(0))


async def test_watch_a_game_move_by_move() -> None:
    async with hosted(openings=openings("Setup Wa5 Bh7")) as host:
        with served("--watch", f"127.0.0.1:{host.listening.spectator_port}") as server:
            assert (await answer(server.port, "hello"))["watch"] is True
            async with asking(server.port, "watch") as stopped:
                await stopped.next()
            async with asking(server.port, "watch") as one:
                waiting = await one.next()
                await play_match(host, Player(), Player())
                await host.finish()
                game, *lines, last = await one.rest()
    assert waiting["line"] == "# waiting for two players"
    assert game["line"].startswith("# GAME 1 WHITE=player-1")
    positions = [line["position"] for line in lines if "position" in line]
    moves = [line["line"].split()[2] for line in lines if line["line"][0].isdigit()]
    assert positions[0]["setup"] == "Setup Wa5 Bh7 WHITE"
    for before, name, after in zip(positions, moves, positions[1:], strict=False):
        (played,) = [move for move in before["moves"] if move["name"] == name]
        assert played["text"] == after["text"]
    assert len(positions) == len(moves) + 1
    assert positions[-1]["outcome"]["winner"] == "white"
    assert last["stopped"] is False


async def test_watch_servers_that_are_absent_or_hostile() -> None:
    writers: list[asyncio.StreamWriter] = []

    def welcome(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(b"\xff hello\n1 W e2e4\n" + b"x" * 100_000)
        writers.append(writer)

    talking = await asyncio.start_server(welcome, "127.0.0.1", 0)
    with served("--watch", str(talking.sockets[0].getsockname()[1])) as server:
        first, second, last = await ask(server.port, "watch")
        writers[0].transport.abort()
        talking.close()
        await talking.wait_closed()
        absent = await answer(server.port, "watch")
    assert first["line"] == "\ufffd hello"
    assert "position" not in second
    assert last["done"]
    assert "cannot connect: connection refused" in absent["error"]


@pytest.mark.parametrize("variant", ["", "no-en-passant"])
def test_watched_games_keep_their_variant(variant: str) -> None:
    position = None
    rows = ["# GAME 1 WHITE=a BLACK=b", "# SETUP Wb5 Bc7 BLACK"]
    rows += ["# VARIANT no-en-passant"] if variant else []
    for row in [*rows, "1 B c7c5 # 0.10s"]:
        position = follow_log(position, row)
    last = jobs.describe_line("1 B c7c5 # 0.10s", position)
    assert last["position"]["variant"] == variant
    assert any(move["taken"] for move in last["position"]["moves"]) == (not variant)
