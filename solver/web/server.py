"""The server of the page: its files over HTTP, and a WebSocket for every tab."""

from __future__ import annotations

import asyncio
from contextlib import AsyncExitStack, suppress
from dataclasses import dataclass
from http import HTTPStatus
from pathlib import Path

from solver.web import websocket
from solver.web import websocket as http
from solver.web.listen import listen
from solver.web.tab import Tab
from solver.web.websocket import Refused, Request

TYPE_CHECKING = False

if TYPE_CHECKING:
    from collections.abc import Callable

    from solver.web.websocket import Request


# The files of the page: a fixed list, found when the server starts.


FOLDER = Path(__file__).parent / "page"
KINDS = {
    ".html": "text/html; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".svg": "image/svg+xml",
}


class PageFiles:
    """Files by the paths they are asked for; no path is ever made from a request."""

    def __init__(self, folder: Path = FOLDER) -> None:
        self.files = {
            f"/{file.relative_to(folder).as_posix()}": file
            for file in sorted(folder.rglob("*"))
            if file.suffix in KINDS
        }
        self.files["/"] = folder / "index.html"

    def read(self, path: str) -> tuple[bytes, str]:
        """The content of a file and its kind."""
        file = self.files.get(path)
        try:
            if file is not None:
                return file.read_bytes(), KINDS[file.suffix]
        except OSError:
            pass
        raise Refused(HTTPStatus.NOT_FOUND, "There is no such file. The page is at /.")


# Who may come in: a page of ours and nobody else's, under a name that is ours.
#
# Any page in a browser can call any port of this computer.  It cannot forge the headers Host and
# Origin, though: a name that somebody else has pointed here shows in the one, a page from elsewhere
# in the other.


LOCAL = ("localhost", "127.0.0.1", "::1")


def check_host(request: Request, ours: tuple[str, ...], port: int) -> None:
    """Refuse a request for a name that is neither local nor another one of ours."""
    name, wanted = _split(request.header("host"))
    if wanted != port or name not in (*LOCAL, *(each.lower() for each in ours)):
        raise Refused(HTTPStatus.FORBIDDEN, "This is not the name of the page here.")


def check_origin(request: Request) -> None:
    """Refuse what a page from elsewhere, or no page at all, asks for."""
    if request.header("origin").lower() != f"http://{request.header('host').lower()}":
        raise Refused(HTTPStatus.FORBIDDEN, "Only the page that is served here may ask.")


def _split(host: str) -> tuple[str, int]:
    """Name and port of a Host header, -1 for a port that is none."""
    name, colon, port = host.rpartition(":")
    if not colon or host.endswith("]"):
        name, port = host, "80"
    valid = port.isascii() and port.isdigit() and len(port) <= 5
    return name.lower().removeprefix("[").removesuffix("]"), int(port) if valid else -1


SOCKET = "/socket"
PATIENCE = 10.0  # seconds for the head of a request
LINGER = 1.0  # seconds for an answer to be read
MOST_TABS = 64
MOST_CONNECTIONS = 256


class PageServer:
    """Shows the page until it is ended; `complain` hears of what should not happen."""

    def __init__(self, settings: Settings, complain: Callable[[str], None]) -> None:
        self.settings = settings
        self.complain = complain
        self.files = PageFiles()
        self.connections: set[asyncio.Task[None]] = set()
        self.tabs = 0
        self.ended = asyncio.Event()

    async def run(self, opened: Callable[[str, int], None]) -> None:
        """`opened` is told host and port as soon as somebody may come."""
        async with AsyncExitStack() as stack:
            stack.push_async_callback(self._part)
            host, port = await listen(
                stack,
                self.welcome,
                self.settings.host,
                self.settings.port,
                "--port",
                most_unread=http.MOST_HEAD,
            )
            opened(host, port)
            await self.ended.wait()

    async def _part(self) -> None:
        for connection in self.connections:
            connection.cancel()
        await asyncio.gather(*self.connections, return_exceptions=True)

    def welcome(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        if len(self.connections) >= MOST_CONNECTIONS:
            writer.transport.abort()
            return
        task = asyncio.create_task(self._serve(reader, writer))
        self.connections.add(task)
        task.add_done_callback(self.connections.discard)

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """One connection; whoever breaks it off has only harmed itself."""
        try:
            await self._answer(reader, writer)
        except OSError:
            pass
        except Exception as error:
            self.complain(f"{type(error).__name__}: {error}")
        finally:
            writer.transport.abort()

    async def _answer(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        address, port = writer.get_extra_info("sockname")[:2]
        try:
            request = http.parse_head(await _head(reader))
            check_host(request, (self.settings.host, address), port)
            if request.path == SOCKET:
                await self._open_tab(request, reader, writer)
                return
            writer.write(self._file(request))
        except http.Refused as refusal:
            writer.write(_refusal(refusal))
        except EOFError:
            return
        await _linger(reader, writer)

    def _file(self, request: Request) -> bytes:
        if request.method not in ("GET", "HEAD"):
            reason = "The page can only be read."
            raise http.Refused(HTTPStatus.METHOD_NOT_ALLOWED, reason, Allow="GET, HEAD")
        content, kind = self.files.read(request.path)
        headers = _safety(request.header("host"))
        return http.answer(HTTPStatus.OK, content, kind, headers, request.method == "HEAD")

    async def _open_tab(
        self, request: Request, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> None:
        agreed = websocket.accepted(request)
        check_origin(request)
        writer.write(http.head(HTTPStatus.SWITCHING_PROTOCOLS, agreed))
        tab = Tab(reader, writer, self.settings, self.complain)
        self.tabs += 1
        try:
            if self.tabs <= MOST_TABS:
                await tab.run()
            else:
                reason = f"{MOST_TABS} tabs are open already; close one of them"
                tab.close(websocket.TRY_LATER, reason)
            await _linger(reader, writer)
        finally:
            self.tabs -= 1


async def _head(reader: asyncio.StreamReader) -> bytes:
    try:
        async with asyncio.timeout(PATIENCE):
            return await reader.readuntil(b"\r\n\r\n")
    except asyncio.LimitOverrunError:
        reason = f"The head of a request has at most {http.MOST_HEAD} bytes."
        raise http.Refused(HTTPStatus.REQUEST_HEADER_FIELDS_TOO_LARGE, reason) from None
    except TimeoutError:
        reason = f"No whole request within {PATIENCE:g} seconds."
        raise http.Refused(HTTPStatus.REQUEST_TIMEOUT, reason) from None


def _refusal(refusal: http.Refused) -> bytes:
    body = f"{refusal}\n".encode()
    kind = "text/plain; charset=utf-8"
    return http.answer(refusal.status, body, kind, {**refusal.headers, **_safety("")})


def _safety(host: str) -> dict[str, str]:
    """What the page may load: its own files, and a socket to where it came from."""
    policy = (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
        f"connect-src 'self'{f' ws://{host}' if host else ''}; base-uri 'none'; "
        "form-action 'none'; frame-ancestors 'none'"
    )
    return {
        "Content-Security-Policy": policy,
        "X-Content-Type-Options": "nosniff",
        "Referrer-Policy": "no-referrer",
        "X-Frame-Options": "DENY",
        "Cross-Origin-Resource-Policy": "same-origin",
        "Cache-Control": "no-cache",
    }


async def _linger(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    """Let our last words be read: to break off while something is unread would lose them."""
    with suppress(TimeoutError, OSError):
        async with asyncio.timeout(LINGER):
            await writer.drain()
            if writer.can_write_eof() and not writer.is_closing():
                writer.write_eof()
            while await reader.read(http.MOST_HEAD):
                pass


# What the page is to show, and where.


@dataclass(frozen=True)
class Settings:
    version: str
    compiled: bool
    host: str = "127.0.0.1"
    port: int = 0  # 0: any free one
    puzzles: Path | None = None  # a folder with GAME/NAME.txt
    watch: tuple[str, int] | None = None  # the port for spectators of a Two Flags server
