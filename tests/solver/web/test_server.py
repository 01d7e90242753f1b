"""Files over HTTP, what is refused, and limits of the server."""

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
    START,
    Served,
    answer,
    ask,
    asking,
    connected,
    exchange,
    get,
    post,
    served,
)

from solver.web import answers, jobs
from solver.web import server as server_module
from solver.web.answers import PageSettings
from solver.web.server import PageServer

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
    assert "connect-src 'self';" in policy
    assert "frame-ancestors 'none'" in policy
    assert headers["X-Content-Type-Options"] == "nosniff"
    assert headers["Referrer-Policy"] == "no-referrer"
    assert not any(name.lower().startswith("access-control") for name in headers)


async def test_statuses(server: Served) -> None:
    port = server.port
    outside = ("/nothing", "/../server.py", "/%2e%2e/server.py", "//index.html", "/page")
    asked: list[tuple[dict[str, str | None], int]] = [
        ({"Origin": "http://example.org"}, 403),
        ({"Origin": None}, 403),
        ({"Host": None}, 403),
        ({"Content_Length": "-1"}, 413),
        ({"Content_Length": "1e9"}, 413),
        ({"Content_Length": "9" * 5000}, 413),
    ]
    for request, status in [
        *((get(port, path), 404) for path in outside),
        *((get(port, "/", host=host), 403) for host in ("example.org", "localhost:1")),
        (get(port, "/", host=f"localhost:{port}"), 200),
        (get(port, "/", "POST"), 405),
        (b"\x16\x03\x01\0\r\n\r\n", 400),
        (b"GET /\r\n\r\n", 400),
        (b"GET / HTTP/1.1\r\n" + b"A: b\r\n" * 20_000, 431),
        *((post(port, "hello", b"{}", **changes), status) for changes, status in asked),
        (get(port, "/ask/hello"), 405),
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
        assert (await answer(server.port, "hello"))["version"]
        assert len(await ask(server.port, "analyse", text="W:WK6:BK15")) > 1


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


async def test_slow_and_too_many_clients(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(server_module, "PATIENCE", 0.05)
    async with hosted() as port:
        for sent in (b"GET / HTTP/1.1\r\n", post(port, "hello", b"{}")[:-1]):
            late = await read_until_closed(port, sent)
            assert late.startswith(b"HTTP/1.1 408 ")
    monkeypatch.setattr(server_module, "PATIENCE", 60)
    monkeypatch.setattr(server_module, "MOST_CONNECTIONS", 1)
    async with hosted() as port, asking(port, "analyse", text=START) as one:
        await one.next()
        assert await read_until_closed(port, b"") == b""
    async with hosted() as port, connected(port) as (reader, writer):
        writer.write(b"GET / HT")  # whose place is taken by the next
        assert (await answer(port, "hello"))["version"] == "1"
        with suppress(ConnectionError):
            assert await reader.read() == b""


async def test_limit_of_searches(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(server_module, "MOST_JOBS", 1)
    full = "1 searches are already running here. Stop one of them."
    async with hosted() as port:
        async with asking(port, "analyse", text=START) as one:
            await one.next()
            assert await answer(port, "analyse", text=START) == {"error": full}
            assert (await answer(port, "hello"))["version"] == "1"
        short = {"text": START, "options": {"depth": 1}}
        while (await answer(port, "analyse", **short)) == {"error": full}:
            await asyncio.sleep(0.05)  # the server needs a moment to notice


@pytest.mark.parametrize("kind", ["position", "analyse"])
async def test_internal_errors_are_reported_in_one_line(
    monkeypatch: pytest.MonkeyPatch, kind: str
) -> None:
    def fail(*_: object) -> None:
        raise ZeroDivisionError("by zero")

    monkeypatch.setitem(answers.ANSWERS, "position", fail)
    monkeypatch.setitem(jobs.JOBS, "analyse", fail)
    async with hosted(f"{kind}: ZeroDivisionError: by zero") as port:
        failure = await answer(port, kind, text=START)
        assert failure == {"error": "Internal error; see the server's output."}
        assert (await answer(port, "hello"))["version"] == "1"
