"""A server within the test, whose patience is short, and whose faults are told."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress

import pytest
from support.web_host import PING, PONG, START, connected, run, tab

from solver.web import jobs, server
from solver.web import tab as tab_module
from solver.web.server import PageServer, Settings
from solver.web.websocket import frame


@asynccontextmanager
async def hosted(complaints: list[str] | None = None) -> AsyncIterator[int]:
    """The port of a server that must have no complaints, unless somebody listens to them."""
    told = [] if complaints is None else complaints
    page = PageServer(Settings("1", compiled=False), told.append)
    port: asyncio.Future[int] = asyncio.get_running_loop().create_future()
    running = asyncio.create_task(page.run(lambda _, number: port.set_result(number)))
    try:
        yield await port
    finally:
        page.ended.set()
        await running
    assert complaints is not None or not told


async def until_broken_off(reader: asyncio.StreamReader) -> bytes:
    """Everything that comes before the other side breaks the connection off."""
    heard = b""
    with suppress(ConnectionError):
        while data := await reader.read(100):
            heard += data
    return heard


def test_a_tab_that_answers_no_pings_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tab_module, "PING_EVERY", 0.05)

    async def test() -> bytes:
        async with hosted() as port, tab(port) as one:
            return await until_broken_off(one.reader)

    assert run(test()) == frame(PING, b"") * 2


def test_a_tab_that_answers_them_stays(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tab_module, "PING_EVERY", 0.05)

    async def test() -> None:
        async with hosted() as port, tab(port) as one:
            for _ in range(6):
                kind, content = await one.frame()
                assert kind == PING
                one.send(PONG, content)
            assert (await one.answer("hello"))["version"] == "1"

    run(test())


def test_a_request_must_come_to_an_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(server, "PATIENCE", 0.05)

    async def test() -> bytes:
        async with hosted() as port, connected(port) as (reader, writer):
            writer.write(b"GET / HTTP/1.1\r\n")
            return await reader.read()

    assert run(test()).startswith(b"HTTP/1.1 408 ")


def test_there_are_only_so_many_connections(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(server, "MOST_CONNECTIONS", 1)

    async def test() -> bytes:
        async with hosted() as port, tab(port) as one:
            await one.answer("hello")
            async with connected(port) as (reader, _):
                return await until_broken_off(reader)

    assert run(test()) == b""


@pytest.mark.parametrize("kind", ["position", "analyse"])
def test_a_fault_of_ours_is_told_in_one_line(monkeypatch: pytest.MonkeyPatch, kind: str) -> None:
    def fail(*_: object) -> None:
        raise ZeroDivisionError("by zero")

    monkeypatch.setitem(tab_module.ANSWERS, "position", fail)
    monkeypatch.setitem(jobs.JOBS, "analyse", fail)
    complaints: list[str] = []

    async def test() -> str:
        async with hosted(complaints) as port, tab(port) as one:
            error: str = (await one.answer(kind, text=START))["error"]
            assert (await one.answer("hello"))["version"] == "1"
            return error

    assert run(test()) == "Something has gone wrong here; the server says what."
    assert complaints == [f"{kind}: ZeroDivisionError: by zero"]
