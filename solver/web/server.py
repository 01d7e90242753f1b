"""The server of the page: its files over HTTP, and a WebSocket for every tab.

Any page in a browser can call any port of this computer, but cannot forge the headers Host and
Origin: a foreign name that points here shows in the first, a foreign page in the second.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import AsyncExitStack, suppress
from http import HTTPStatus
from pathlib import Path

from solver.web import websocket
from solver.web.answers import PageSettings
from solver.web.listen import listen
from solver.web.tab import Tab
from solver.web.websocket import MOST_HEAD, HttpRequest, RefusedRequest, format_response, parse_head

FOLDER = Path(__file__).parent / "page"
KINDS = {
    ".html": "text/html; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".svg": "image/svg+xml",
}
LOCAL = ("localhost", "127.0.0.1", "::1")
SOCKET = "/socket"
PATIENCE = 10.0  # seconds for the head of a request
LINGER = 1.0  # seconds for a response to be read
MOST_TABS = 64
MOST_CONNECTIONS = 256


def check_host(request: HttpRequest, ours: tuple[str, ...], port: int) -> None:
    """Refuse a request for a name that is neither local nor one of ours."""
    host = request.header("host")
    name, colon, number = host.rpartition(":")
    if not colon or host.endswith("]"):
        name, number = host, "80"
    name = name.lower().removeprefix("[").removesuffix("]")
    if number != str(port) or name not in (*LOCAL, *(each.lower() for each in ours)):
        raise RefusedRequest(HTTPStatus.FORBIDDEN, "Host not allowed.")


def check_origin(request: HttpRequest) -> None:
    """Refuse requests from other pages, and from outside a browser."""
    if request.header("origin").lower() != f"http://{request.header('host').lower()}":
        raise RefusedRequest(HTTPStatus.FORBIDDEN, "Origin not allowed.")


class PageServer:
    """Serves the page until `ended` is set; `complain` gets internal errors."""

    def __init__(self, settings: PageSettings, complain: Callable[[str], None]) -> None:
        self.settings = settings
        self.complain = complain
        # A fixed list: no path is ever made from a request.
        self.files = {f"/{file.name}": file for file in FOLDER.iterdir() if file.suffix in KINDS}
        self.files["/"] = FOLDER / "index.html"
        self.connections: set[asyncio.Task[None]] = set()
        self.tabs = 0
        self.ended = asyncio.Event()

    async def run(self, on_open: Callable[[str, int], None]) -> None:
        """`on_open` gets host and port as soon as the server accepts connections."""
        host, port = self.settings.host, self.settings.port
        try:
            async with AsyncExitStack() as stack:
                on_open(*await listen(stack, self.welcome, host, port, "--port", MOST_HEAD))
                await self.ended.wait()
        finally:
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
        """One connection; its errors do not affect the others."""
        try:
            await self._respond(reader, writer)
        except (OSError, EOFError):
            pass
        except Exception as error:
            self.complain(f"{type(error).__name__}: {error}")
        finally:
            writer.transport.abort()

    async def _respond(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        address, port = writer.get_extra_info("sockname")[:2]
        try:
            request = parse_head(await _read_head(reader))
            check_host(request, (self.settings.host, address), port)
            if request.path == SOCKET:
                await self._open_tab(request, reader, writer)
            else:
                writer.write(self._format_file(request))
        except RefusedRequest as refusal:
            headers = {**refusal.headers, **_make_headers("text/plain; charset=utf-8")}
            writer.write(format_response(refusal.status, headers, f"{refusal}\n".encode()))
        await _linger(reader, writer)

    def _format_file(self, request: HttpRequest) -> bytes:
        if request.method not in ("GET", "HEAD"):
            reason = "Only GET and HEAD are allowed."
            raise RefusedRequest(HTTPStatus.METHOD_NOT_ALLOWED, reason, Allow="GET, HEAD")
        file = self.files.get(request.path)
        if file is None or not file.is_file():
            raise RefusedRequest(HTTPStatus.NOT_FOUND, "No such file. The page is at /.")
        headers, content = _make_headers(KINDS[file.suffix], request), file.read_bytes()
        response = format_response(HTTPStatus.OK, headers, content)
        return response.removesuffix(content) if request.method == "HEAD" else response

    async def _open_tab(
        self, request: HttpRequest, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> None:
        headers = websocket.accept_upgrade(request)
        check_origin(request)
        writer.write(format_response(HTTPStatus.SWITCHING_PROTOCOLS, headers))
        tab = Tab(reader, writer, self.settings, self.complain)
        self.tabs += 1
        try:
            if self.tabs <= MOST_TABS:
                await tab.run()
            else:
                reason = f"{MOST_TABS} tabs are already open; close one of them"
                tab.close(websocket.TRY_LATER, reason)
        finally:
            self.tabs -= 1


async def _read_head(reader: asyncio.StreamReader) -> bytes:
    try:
        async with asyncio.timeout(PATIENCE):
            return await reader.readuntil(b"\r\n\r\n")
    except asyncio.LimitOverrunError:
        reason = f"Request head of more than {MOST_HEAD} bytes."
        raise RefusedRequest(HTTPStatus.REQUEST_HEADER_FIELDS_TOO_LARGE, reason) from None
    except TimeoutError:
        reason = f"No complete request within {PATIENCE:g} seconds."
        raise RefusedRequest(HTTPStatus.REQUEST_TIMEOUT, reason) from None


def _make_headers(kind: str, request: HttpRequest | None = None) -> dict[str, str]:
    """With what the page may load: its own files, and a socket to its own server."""
    socket = f" ws://{request.header('host')}" if request else ""
    policy = (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
        f"connect-src 'self'{socket}; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    )
    return {
        "Content-Type": kind,
        "Content-Security-Policy": policy,
        "X-Content-Type-Options": "nosniff",
        "Referrer-Policy": "no-referrer",
        "X-Frame-Options": "DENY",
        "Cross-Origin-Resource-Policy": "same-origin",
        "Cache-Control": "no-cache",
    }


async def _linger(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    """Wait until the response is read: closing with unread input would discard it."""
    with suppress(TimeoutError, OSError):
        async with asyncio.timeout(LINGER):
            await writer.drain()
            if writer.can_write_eof() and not writer.is_closing():
                writer.write_eof()
            while await reader.read(MOST_HEAD):
                pass
