"""Tabs and their jobs, over real sockets, with real searches."""

from __future__ import annotations

import asyncio
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
    BINARY,
    CLOSE,
    PING,
    PONG,
    START,
    TEXT,
    Served,
    connected,
    is_gone,
    served,
    tab,
)

from solver.errors import UserError
from solver.web import jobs
from solver.web.answers import PageRequest, PageSettings

PUZZLE = "checkers/draw-first-position"


async def test_analysis_depth_by_depth(server: Served) -> None:
    options = {"depth": 4, "ordering": "static"}
    fields: dict[str, Any] = {"text": START, "lines": 3, "heuristic": "material"}
    async with tab(server.port) as one:
        *depths, last = await one.all_of(one.ask("analyse", **fields, options=options))
        assert [message["depth"] for message in depths] == [1, 2, 3, 4]
        assert all(len(message["lines"]) == 3 for message in depths)
        assert last == {"id": 1, "stopped": False, "done": True}
        *_, found, last = await one.all_of(one.ask("analyse", text=SHOT))
        assert (found["proof"], found["lines"][0]["value"]) == (True, "win in 9")
        assert len(found["lines"][0]["texts"]) == 9


async def test_traces(server: Served) -> None:
    async with tab(server.port) as one:
        fields: dict[str, Any] = {"text": START, "depth": 2, "heuristic": "material"}
        found, last = await one.all_of(one.ask("trace", **fields))
        trace = found["trace"]
        assert (trace["game"], trace["mover"], trace["depth"]) == ("checkers", "red", 2)
        assert (trace["nodes"][0]["parent"], last) == (None, {"id": 1, "done": True})
        found, _ = await one.all_of(one.ask("trace", tree="((3 12 8) (2 4 6) (14 5 2))"))
        assert (found["trace"]["game"], found["trace"]["value"]) == ("tree", 3)
        assert "line 1" in (await one.answer("trace", tree="((3 12"))["error"]


async def test_a_closed_tab_ends_its_own_searches_only(server: Served) -> None:
    async with tab(server.port) as other:
        kept = other.ask("analyse", text=START)
        await other.next_of(kept)
        (other_search,) = server.children()
        async with tab(server.port) as one:
            await one.next_of(one.ask("analyse", text=START))
            assert len(server.children()) == 2
        assert await server.until_children(lambda count: count == 1) == [other_search]
        assert (await other.next_of(kept))["depth"] > 1
        assert (await other.answer("position", text=START))["mover"] == "red"
        other.send(CLOSE, (1001).to_bytes(2) + b"leaving")
        assert await other.closing() == (1001, "")
    await server.until_children(lambda count: count == 0)


async def test_four_jobs_at_most_and_ids_only_once(server: Served) -> None:
    async with tab(server.port) as one:
        numbers = [one.ask("analyse", text=START, lines=3) for _ in range(4)]
        fifth = await one.answer("analyse", text=START)
        assert fifth["error"] == "This tab already has 4 jobs. Stop one of them."
        for number in numbers:  # all of them search
            assert "depth" in await one.next_of(number)
        assert (await one.answer("stop", job=numbers[2]))["stopped"] is True
        assert (await one.all_of(numbers[2]))[-1]["stopped"] is True
        assert (await one.answer("stop", job=numbers[2]))["stopped"] is False
        await server.until_children(lambda count: count == 3)
        one.last = 0
        one.ask("analyse", text=START)
        while "error" not in (message := await one.hear()):
            pass
        assert message["error"] == "Job 1 is still running. Choose another id."
    await server.until_children(lambda count: count == 0)


BAD_MESSAGES = [
    ("hello", "Not JSON"),
    ("[" * 100_000, "Not JSON"),
    ("9" * 100_000, "Not JSON"),
    ('{"id": NaN, "ask": "hello"}', "A request needs an id"),
    ("[1]", "A request is an object"),
    ('{"ask": "hello"}', "A request needs an id"),
    ('{"id": true, "ask": "hello"}', "A request needs an id"),
    ('{"id": -1, "ask": "hello"}', "A request needs an id"),
    ('{"id": 3}', "A request needs a kind"),
    ('{"id": 3, "ask": "helo"}', "Unknown request 'helo'. Did you mean 'hello'?"),
    ('{"id": 3, "ask": "position"}', "text is missing."),
    ('{"id": 3, "ask": "position", "text": 5}', "text must be a text."),
    ('{"id": 3, "ask": "stop", "job": "1"}', "job must be a whole number"),
    ('{"id": 3, "ask": "analyse", "text": "........"}', "position: line 2, column 1"),
    ('{"id": 3, "ask": "judge", "name": "../x", "answer": ""}', "There is no puzzle '../x'."),
    ('{"id": 3, "ask": "watch"}', "There is nothing to watch."),
]


async def test_bad_messages(server: Served) -> None:
    """Each is refused, and the tab still works."""
    for text, error in BAD_MESSAGES:
        async with tab(server.port) as one:
            one.send(TEXT, text.encode())
            message = await one.hear()
            assert message["error"].startswith(error)
            assert message["done"] is True
            assert (await one.answer("hello"))["version"]


async def test_hostile_frames_close_the_tab_with_a_reason(server: Served) -> None:
    for data, code in (
        (b"\x81\x05hello", 1002),  # not masked
        (b"\x81\xff" + (2_000_000).to_bytes(8) + b"\0" * 2_000_004, 1009),  # much left unread
        (b"\x88\x82\0\0\0\0\x03\xee", 1002),  # a code that must not be sent
        (b"\x82\x80\0\0\0\0" * 21, 1008),  # too many invalid messages
    ):
        async with tab(server.port) as one:
            one.writer.write(data)
            found, reason = await one.closing()
            assert (found, bool(reason)) == (code, True)


async def test_pings_and_fragments(server: Served) -> None:
    async with tab(server.port) as one:
        one.send(BINARY, b"\0")
        assert (await one.hear())["error"] == "A request is text, not binary."
        one.send(TEXT, b'{"id": 7, ', final=False)
        one.send(PING, b"still there?")
        one.send(0, b'"ask": "hello"}')
        assert await one.frame() == (PONG, b"still there?")
        assert (await one.hear())["id"] == 7


async def test_vanishing_clients_do_not_affect_the_others(server: Served) -> None:
    for cut in range(0, 200, 20):
        async with connected(server.port) as (_, writer):
            writer.write(b"GET /socket HTTP/1.1\r\nHost: x\r\n"[: cut or None])
    async with tab(server.port) as one:
        for _ in range(200):
            one.ask("position", text=START)
        one.writer.write(b"\x81\xfe\xff\xff")
    async with tab(server.port) as one:
        assert (await one.answer("hello"))["version"]


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
        async with tab(server.port) as one:
            await one.next_of(one.ask("analyse", text=START))
            (child,) = server.children()
            assert await asyncio.to_thread(server.end, number) == end
            assert await asyncio.to_thread(is_gone, child)
            if number != signal.SIGKILL:
                assert (await one.closing())[0] == 1001


@pytest.mark.parametrize("name", [PUZZLE, "twoflags/race-take-to-last-longer"])
async def test_the_judge_accepts_the_expected_answer(server: Served, name: str) -> None:
    """With a side to move, which the first puzzle has and the other has not."""
    expected = (ROOT / "expected" / f"{name}.txt").read_text()
    rows = "\n".join(expected.split("\n")[:8])
    async with tab(server.port) as one:
        puzzle = await one.answer("puzzle", name=name)
        (answer,) = [move["text"] for move in puzzle["moves"] if move["text"].startswith(rows)]
        verdict = await one.answer("judge", name=name, answer=answer)
        assert (verdict["verdict"], verdict["accepted"]) == ("exact", True)


async def test_the_judge_does_not_reveal_the_answer(server: Served, tmp_path: Path) -> None:
    async with tab(server.port) as one:
        puzzle = await one.answer("puzzle", name=PUZZLE)
        for answer, verdict in ((puzzle["moves"][1]["text"], "worse"), ("hello", "malformed")):
            found = await one.answer("judge", name=PUZZLE, answer=answer)
            assert (found["verdict"], found["accepted"]) == (verdict, False)
            assert "Best" not in str(found)
    folder = tmp_path / "inputs" / "checkers"
    folder.mkdir(parents=True)
    shutil.copy(ROOT / "inputs" / "checkers" / "opening.txt", folder)
    settings = PageSettings("1", compiled=False, puzzles=tmp_path / "inputs")
    request = PageRequest({"name": "checkers/opening", "answer": "x"})
    with pytest.raises(UserError, match="No expected answer for checkers/opening"):
        await jobs.judge(request, settings, send=lambda _: asyncio.sleep(0))


async def test_watch_a_game_move_by_move() -> None:
    async with hosted(openings=openings("Setup Wa5 Bh7")) as host:
        with served("--watch", f"127.0.0.1:{host.listening.spectator_port}") as server:
            async with tab(server.port) as one:
                assert (await one.answer("hello"))["watch"] is True
                stopped = one.ask("watch")
                await one.next_of(stopped)
                assert (await one.answer("stop", job=stopped))["stopped"] is True
                number = one.ask("watch")
                waiting = await one.next_of(number)
                await play_match(host, Player(), Player())
                await host.finish()
                game, *lines, last = await one.all_of(number)
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
        async with tab(server.port) as one:
            first, second, last = await one.all_of(one.ask("watch"))
            writers[0].transport.abort()
            talking.close()
            await talking.wait_closed()
            absent = await one.answer("watch")
    assert first["line"] == "\ufffd hello"
    assert "position" not in second
    assert last["done"]
    assert "cannot connect: connection refused" in absent["error"]


@pytest.mark.parametrize("variant", ["", "no-en-passant"])
def test_watched_games_keep_their_variant(variant: str) -> None:
    game = jobs.WatchedGame()
    rows = ["# GAME 1 WHITE=a BLACK=b", "# SETUP Wb5 Bc7 BLACK"]
    rows += ["# VARIANT no-en-passant"] if variant else []
    *_, last = (game.read_line(row) for row in [*rows, "1 B c7c5 # 0.10s"])
    assert last["position"]["variant"] == variant
    assert any(move["taken"] for move in last["position"]["moves"]) == (not variant)
