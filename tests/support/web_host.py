"""The page's server as a real process, and requests to it as a browser sends them."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import AsyncIterator, Callable, Coroutine, Iterator
from contextlib import asynccontextmanager, contextmanager
from typing import Any, TypeVar

T = TypeVar("T")
START = "B:W21-32:B1-12"


def run(test: Coroutine[Any, Any, T]) -> T:
    """Run a test that cannot hang."""

    async def bounded() -> T:
        async with asyncio.timeout(120):
            return await test

    return asyncio.run(bounded())


class Served:
    """A running `solver serve`."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        self.process = process
        assert process.stdout is not None
        self.url = process.stdout.readline().strip()
        self.port = int(self.url.rstrip("/").rpartition(":")[2])

    def children(self) -> list[int]:
        """The processes it has started and not ended."""
        listed = subprocess.run(
            ["ps", "-A", "-o", "pid=,ppid=,stat="], capture_output=True, text=True, check=True
        )
        rows = [row.split() for row in listed.stdout.splitlines()]
        mine = str(self.process.pid)
        return [int(pid) for pid, parent, state in rows if parent == mine and state[0] != "Z"]

    async def until_children(self, wanted: Callable[[int], bool]) -> list[int]:
        """Wait until their number is as wanted."""
        while not wanted(len(found := self.children())):
            await asyncio.sleep(0.05)
        return found

    def end(self, number: int = signal.SIGTERM) -> tuple[int, str]:
        """The exit code, and everything it has said on standard error."""
        self.process.send_signal(number)
        _, words = self.process.communicate(timeout=60)
        return self.process.returncode, words


@contextmanager
def served(
    *words: str, python: tuple[str, ...] = (sys.executable,), **environment: str
) -> Iterator[Served]:
    """A server on a free port; it must end as it should, and never have complained."""
    process = subprocess.Popen(
        [*python, "-m", "solver", "serve", "--port", "0", *words],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, **environment},
    )
    try:
        server = Served(process)
        yield server
        if process.poll() is None:
            assert server.end() == (0, "")
    finally:
        process.kill()
        process.communicate()


class Asked:
    """A request that is being answered."""

    def __init__(self, reader: asyncio.StreamReader) -> None:
        self.reader = reader

    async def next(self) -> dict[str, Any]:
        message: dict[str, Any] = json.loads(await self.reader.readline())
        return message

    async def rest(self) -> list[dict[str, Any]]:
        """All messages to the last, after which the connection ends."""
        found = [json.loads(line) for line in (await self.reader.read()).splitlines()]
        assert [message.get("done", False) for message in found[-2:]] == [False, True][
            -len(found) :
        ]
        return found


def post(port: int, kind: str, body: bytes, **changes: str | None) -> bytes:
    """A request of the page; None leaves a header out."""
    headers: dict[str, str | None] = {
        "Host": f"127.0.0.1:{port}",
        "Origin": f"http://127.0.0.1:{port}",
        "Content-Length": str(len(body)),
        **{name.replace("_", "-"): value for name, value in changes.items()},
    }
    rows = [f"{name}: {value}" for name, value in headers.items() if value is not None]
    return "\r\n".join([f"POST /ask/{kind} HTTP/1.1", *rows, "", ""]).encode() + body


@asynccontextmanager
async def connected(
    port: int,
) -> AsyncIterator[tuple[asyncio.StreamReader, asyncio.StreamWriter]]:
    """A plain connection, broken off with the block."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    try:
        yield reader, writer
    finally:
        writer.transport.abort()


@asynccontextmanager
async def asking(port: int, kind: str, **fields: Any) -> AsyncIterator[Asked]:
    async with connected(port) as (reader, writer):
        writer.write(post(port, kind, json.dumps(fields).encode()))
        head = await reader.readuntil(b"\r\n\r\n")
        assert head.startswith(b"HTTP/1.1 200 "), head
        yield Asked(reader)


async def ask(port: int, kind: str, **fields: Any) -> list[dict[str, Any]]:
    """Everything that is answered."""
    async with asking(port, kind, **fields) as asked:
        return await asked.rest()


async def answer(port: int, kind: str, **fields: Any) -> dict[str, Any]:
    """The last message, without its mark."""
    last = (await ask(port, kind, **fields))[-1]
    return {name: value for name, value in last.items() if name != "done"}


async def exchange(port: int, request: bytes) -> tuple[int, dict[str, str], bytes]:
    """What the server answers to these bytes: status, headers, body."""
    async with connected(port) as (reader, writer):
        writer.write(request)
        head, _, body = (await reader.read()).partition(b"\r\n\r\n")
    first, *rows = head.decode("latin-1").split("\r\n")
    headers = dict(row.split(": ", 1) for row in rows)
    return int(first.split()[1]), headers, body


def get(port: int, path: str, method: str = "GET", host: str | None = None) -> bytes:
    return f"{method} {path} HTTP/1.1\r\nHost: {host or f'127.0.0.1:{port}'}\r\n\r\n".encode()


def is_gone(pid: int) -> bool:
    """Whether a process is gone, or will be in a moment."""
    until = time.monotonic() + 60
    while time.monotonic() < until:
        try:
            os.kill(pid, 0)
        except ProcessLookupError:
            return True
        time.sleep(0.05)
    return False
