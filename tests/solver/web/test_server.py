"""Files over HTTP, what is refused before a tab is open, and limits of the server."""

from __future__ import annotations

import asyncio
import re
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path

import pytest
from support.command import solver
from support.web_host import (
    PING,
    PONG,
    START,
    TEXT,
    Served,
    connected,
    exchange,
    get,
    handshake,
    served,
    tab,
)

from solver.web import answers, jobs
from solver.web import server as server_module
from solver.web import tab as tab_module
from solver.web.answers import PageSettings
from solver.web.server import PageServer
from solver.web.websocket import encode_frame

PAGE = Path(server_module.__file__).parent / "page"


async def test_files_of_the_page(server: Served) -> None:
    """Every file is served, and none of them names another server."""
    for path in sorted(PAGE.iterdir()):
        name = "" if path.name == "index.html" else path.name
        status, headers, body = await exchange(server.port, get(server.port, f"/{name}"))
        assert (status, body) == (200, path.read_bytes())
        assert headers["Content-Length"] == str(len(body))
        assert headers["Content-Type"].partition("/")[0] in ("text", "image")
        addresses = re.findall(rb"https?://[^\s'\"<>)]+", body)
        assert not [url for url in addresses if not url.startswith(b"http://www.w3.org/")], name


async def test_headers_of_the_page(server: Served) -> None:
    status, headers, body = await exchange(server.port, get(server.port, "/", "HEAD"))
    assert (status, body) == (200, b"")
    policy = headers["Content-Security-Policy"]
    assert policy.startswith("default-src 'none'; script-src 'self'; style-src 'self';")
    assert f"connect-src 'self' ws://127.0.0.1:{server.port};" in policy
    assert "frame-ancestors 'none'" in policy
    assert headers["X-Content-Type-Options"] == "nosniff"
    assert headers["Referrer-Policy"] == "no-referrer"
    assert not any(name.lower().startswith("access-control") for name in headers)


async def test_statuses(server: Served) -> None:
    port = server.port
    outside = ("/nothing", "/../server.py", "/%2e%2e/server.py", "//index.html", "/page")
    handshakes: list[tuple[dict[str, str | None], int]] = [
        ({"Origin": "http://example.org"}, 403),
        ({"Origin": None}, 403),
        ({"Host": None}, 403),
        ({"Upgrade": None}, 426),
        ({"Sec_WebSocket_Key": "short"}, 400),
    ]
    for request, status in [
        *((get(port, path), 404) for path in outside),
        *((get(port, "/", host=host), 403) for host in ("example.org", "localhost:1")),
        (get(port, "/", host=f"localhost:{port}"), 200),
        (get(port, "/", "POST"), 405),
        (b"\x16\x03\x01\0\r\n\r\n", 400),
        (b"GET /\r\n\r\n", 400),
        (b"GET / HTTP/1.1\r\n" + b"A: b\r\n" * 20_000, 431),
        *((handshake(port, **changes), status) for changes, status in handshakes),
    ]:
        found, _, body = await exchange(port, request)
        assert (found, bool(body)) == (status, True), request[:100]


async def test_silent_clients_block_nobody(server: Served) -> None:
    async with connected(server.port), connected(server.port) as (_, writer):
        writer.write(b"GET / HTTP/1.1\r\n")
        assert (await exchange(server.port, get(server.port, "/")))[0] == 200


async def test_standard_library_is_enough() -> None:
    with served(python=(sys.executable, "-S"), PYTHONPATH=str(PAGE.parents[2])) as server:
        assert server.url == f"http://127.0.0.1:{server.port}/"
        async with tab(server.port) as one:
            assert (await one.answer("hello"))["version"]
            *_, last = await one.all_of(one.ask("analyse", text="W:WK6:BK15"))
            assert last["done"]


async def test_open_host_gets_a_warning() -> None:
    with served("--host", "0.0.0.0") as server:
        assert server.url == f"http://localhost:{server.port}/"
        assert (await exchange(server.port, get(server.port, "/")))[0] == 200
        code, words = server.end()
    assert code == 0
    assert words.startswith("solver: warning: anyone who can reach this address")


def test_port_in_use(server: Served) -> None:
    result = solver("serve", "--port", str(server.port))
    assert result.returncode == 3
    assert "Try --port 0 for any free one." in result.stderr


@asynccontextmanager
async def hosted(*complaints: str) -> AsyncIterator[int]:
    """The port of a server in this process, and what it must complain about."""
    found: list[str] = []
    page = PageServer(PageSettings("1", compiled=False), found.append)
    port: asyncio.Future[int] = asyncio.get_running_loop().create_future()
    running = asyncio.create_task(page.run(lambda _, number: port.set_result(number)))
    try:
        yield await port
    finally:
        page.ended.set()
        await running
    assert found == list(complaints)


async def read_until_closed(port: int, sent: bytes) -> bytes:
    found = b""
    async with connected(port) as (reader, writer):
        writer.write(sent)
        with suppress(ConnectionError):
            while data := await reader.read(1000):
                found += data
    return found


async def test_a_tab_that_answers_no_pings_is_closed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tab_module, "PING_EVERY", 0.05)
    async with hosted() as port:
        async with tab(port) as one:
            for _ in range(6):
                kind, content = await one.frame()
                assert kind == PING
                one.send(PONG, content)
            assert (await one.answer("hello"))["version"] == "1"
        found = await read_until_closed(port, handshake(port))
        assert found.partition(b"\r\n\r\n")[2] == encode_frame(PING, b"") * 2


async def test_slow_and_too_many_clients(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(server_module, "PATIENCE", 0.05)
    async with hosted() as port:
        late = await read_until_closed(port, b"GET / HTTP/1.1\r\n")
        assert late.startswith(b"HTTP/1.1 408 ")
    monkeypatch.setattr(server_module, "PATIENCE", 60)
    monkeypatch.setattr(server_module, "MOST_CONNECTIONS", 1)
    async with hosted() as port, tab(port) as one:
        await one.answer("hello")
        assert await read_until_closed(port, b"") == b""


async def test_limit_of_tabs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(server_module, "MOST_TABS", 2)

    async def has_room(port: int) -> bool:
        async with tab(port) as one:
            one.ask("hello")
            return (await one.frame())[0] == TEXT

    async with hosted() as port:
        async with tab(port) as first, tab(port) as second:
            await second.answer("hello")
            async with tab(port) as third:
                assert await third.closing() == (
                    1013,
                    "2 tabs are already open; close one of them",
                )
            await first.answer("hello")
        while not await has_room(port):  # the server needs a moment to notice
            await asyncio.sleep(0.05)


@pytest.mark.parametrize("kind", ["position", "analyse"])
async def test_internal_errors_are_reported_in_one_line(
    monkeypatch: pytest.MonkeyPatch, kind: str
) -> None:
    def fail(*_: object) -> None:
        raise ZeroDivisionError("by zero")

    monkeypatch.setitem(answers.ANSWERS, "position", fail)
    monkeypatch.setitem(jobs.JOBS, "analyse", fail)
    async with hosted(f"{kind}: ZeroDivisionError: by zero") as port, tab(port) as one:
        answer = await one.answer(kind, text=START)
        assert answer["error"] == "Internal error; see the server's output."
        assert (await one.answer("hello"))["version"] == "1"
