"""The page's server as a real process, and tabs that talk to it as a browser does."""

from __future__ import annotations

import asyncio
import base64
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
TEXT, BINARY, CLOSE, PING, PONG = 1, 2, 8, 9, 10


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


class Tab:
    """One WebSocket."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.reader = reader
        self.writer = writer
        self.heard: list[dict[str, Any]] = []  # and not taken yet
        self.last = 0

    def send(self, kind: int, content: bytes, final: bool = True) -> None:
        self.writer.write(masked(kind, content, final))

    def ask(self, kind: str, **fields: Any) -> int:
        self.last += 1
        self.send(TEXT, json.dumps({"id": self.last, "ask": kind, **fields}).encode())
        return self.last

    async def frame(self) -> tuple[int, bytes]:
        first, size = await self.reader.readexactly(2)
        assert first & 0x80, "the server sends whole messages"
        if size >= 126:
            size = int.from_bytes(await self.reader.readexactly(2 if size == 126 else 8))
        return first & 0x0F, await self.reader.readexactly(size)

    async def hear(self) -> dict[str, Any]:
        while (answer := await self.frame())[0] == PING:
            self.send(PONG, answer[1])
        kind, content = answer
        assert kind == TEXT, answer
        message: dict[str, Any] = json.loads(content)
        return message

    async def next_of(self, number: int | None) -> dict[str, Any]:
        """The next message about that ask."""
        for at, message in enumerate(self.heard):
            if message["id"] == number:
                return self.heard.pop(at)
        while (message := await self.hear())["id"] != number:
            self.heard.append(message)
        return message

    async def all_of(self, number: int) -> list[dict[str, Any]]:
        """All messages about that ask, to the last."""
        found = [await self.next_of(number)]
        while not found[-1].get("done"):
            found.append(await self.next_of(number))
        return found

    async def answer(self, kind: str, **fields: Any) -> dict[str, Any]:
        """The last message about a new ask."""
        return (await self.all_of(self.ask(kind, **fields)))[-1]

    async def closing(self) -> tuple[int, str]:
        """Code and reason of the frame that ends it all."""
        while True:
            kind, content = await self.frame()
            if kind == CLOSE:
                assert await self.reader.read() == b""
                return int.from_bytes(content[:2]), content[2:].decode()


def masked(kind: int, content: bytes, final: bool = True) -> bytes:
    """A frame as a client sends it."""
    mask = os.urandom(4)
    size = len(content)
    head = bytes([0x80 * final | kind])
    if size < 126:
        head += bytes([0x80 | size])
    elif size < 65536:
        head += bytes([0x80 | 126]) + size.to_bytes(2)
    else:
        head += bytes([0x80 | 127]) + size.to_bytes(8)
    return head + mask + bytes(byte ^ mask[at % 4] for at, byte in enumerate(content))


def handshake(port: int, **changes: str | None) -> bytes:
    """The head of a request for a WebSocket; None leaves a header out."""
    headers: dict[str, str | None] = {
        "Host": f"127.0.0.1:{port}",
        "Origin": f"http://127.0.0.1:{port}",
        "Upgrade": "websocket",
        "Connection": "keep-alive, Upgrade",
        "Sec-WebSocket-Version": "13",
        "Sec-WebSocket-Key": base64.b64encode(os.urandom(16)).decode(),
        **{name.replace("_", "-"): value for name, value in changes.items()},
    }
    rows = [f"{name}: {value}" for name, value in headers.items() if value is not None]
    return "\r\n".join(["GET /socket HTTP/1.1", *rows, "", ""]).encode()


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
async def tab(port: int) -> AsyncIterator[Tab]:
    async with connected(port) as (reader, writer):
        writer.write(handshake(port))
        head = await reader.readuntil(b"\r\n\r\n")
        assert head.startswith(b"HTTP/1.1 101 "), head
        yield Tab(reader, writer)


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
