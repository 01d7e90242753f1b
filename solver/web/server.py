"""The server of the page, over plain HTTP.  A request is `POST /ask/KIND` with a JSON object; the
answer is a JSON object a line, the last with `done`.  Closing the connection stops a search.

Any page in a browser can call any port of this computer, but cannot forge the headers Host and
Origin: a foreign name that points here shows in the first, a foreign page in the second.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import AsyncExitStack, suppress
from http import HTTPStatus
from pathlib import Path

from solver.errors import UserError
from solver.web.answers import PageSettings
from solver.web.http import MOST_HEAD, HttpRequest, RefusedRequest, format_response, parse_head
from solver.web.jobs import Run, Send, respond, run_process
from solver.web.listen import listen, most_connections

FOLDER = Path(__file__).parent / "page"
KINDS = {
    ".html": "text/html; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
}
LINES = "application/x-ndjson"
WORDS = "text/plain; charset=utf-8"
LOCAL = ("localhost", "127.0.0.1", "::1")
ASK = "/ask/"
PATIENCE = 10.0  # seconds for a request to arrive
LINGER = 1.0  # seconds for a response to be read
MOST_BODY = 64 * 1024  # bytes
MOST_JOBS = 64
MOST_CONNECTIONS = 256
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
    "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)


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


def check_method(request: HttpRequest, *allowed: str) -> None:
    if request.method not in allowed:
        reason = f"Only {' and '.join(allowed)} allowed."
        raise RefusedRequest(HTTPStatus.METHOD_NOT_ALLOWED, reason, Allow=", ".join(allowed))


class PageServer:
    """Serves the page until `ended` is set; `complain` gets internal errors."""

    def __init__(self, settings: PageSettings, complain: Callable[[str], None]) -> None:
        self.settings = settings
        self.complain = complain
        # A fixed list: no path is ever made from a request.
        self.files = {f"/{file.name}": file for file in FOLDER.iterdir() if file.suffix in KINDS}
        self.files["/"] = FOLDER / "index.html"
        self.connections: set[asyncio.Task[None]] = set()
        self.unasked: dict[asyncio.StreamWriter, None] = {}  # without a request yet, oldest first
        self.most = most_connections(MOST_CONNECTIONS)
        self.jobs = 0
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
        """If all places are taken, the one that has sent no whole request for longest gives way."""
        if len(self.connections) >= self.most:
            oldest = next(iter(self.unasked), writer)
            self.unasked.pop(oldest, None)
            oldest.transport.abort()
            if oldest is writer:
                return
        self.unasked[writer] = None
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
            self.unasked.pop(writer, None)
            writer.transport.abort()

    async def _respond(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        address, port = writer.get_extra_info("sockname")[:2]
        try:
            request, body = await _read_request(reader)
            self.unasked.pop(writer, None)
            check_host(request, (self.settings.host, address), port)
            if request.path.startswith(ASK):
                check_method(request, "POST")
                check_origin(request)
                writer.write(format_response(HTTPStatus.OK, _make_headers(LINES)))
                await self._stream(request.path.removeprefix(ASK), body, reader, writer)
            else:
                writer.write(self._format_file(request))
        except RefusedRequest as refusal:
            headers = {**refusal.headers, **_make_headers(WORDS)}
            writer.write(format_response(refusal.status, headers, f"{refusal}\n".encode()))
        await _linger(reader, writer)

    def _format_file(self, request: HttpRequest) -> bytes:
        check_method(request, "GET", "HEAD")
        file = self.files.get(request.path)
        if file is None or not file.is_file():
            raise RefusedRequest(HTTPStatus.NOT_FOUND, "No such file. The page is at /.")
        content = file.read_bytes()
        response = format_response(HTTPStatus.OK, _make_headers(KINDS[file.suffix]), content)
        return response.removesuffix(content) if request.method == "HEAD" else response

    async def _stream(
        self, kind: str, body: bytes, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> None:
        """Answer until it is done, or until the client is gone."""

        async def send(content: bytes) -> None:
            writer.write(content + b"\n")
            await writer.drain()

        working = asyncio.create_task(self._work(kind, body, send))
        leaving = asyncio.create_task(reader.read(1))
        try:
            await asyncio.wait({working, leaving}, return_when=asyncio.FIRST_COMPLETED)
        finally:
            tasks = (working, leaving)
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)

    async def _work(self, kind: str, body: bytes, send: Send) -> None:
        run: Run = _refuse if self.jobs >= MOST_JOBS else run_process
        self.jobs += 1
        try:
            await respond(kind, body, self.settings, run, send, self.complain)
        finally:
            self.jobs -= 1


async def _refuse(*_: object) -> int:
    raise UserError(f"{MOST_JOBS} searches are already running here. Stop one of them.")


async def _read_request(reader: asyncio.StreamReader) -> tuple[HttpRequest, bytes]:
    """A request and its body."""
    try:
        async with asyncio.timeout(PATIENCE):
            request = parse_head(await reader.readuntil(b"\r\n\r\n"))
            length = request.header("content-length") or "0"
            if not length.isascii() or not length.isdigit() or int(length[:9]) > MOST_BODY:
                reason = f"A body has up to {MOST_BODY} bytes, and a Content-Length."
                raise RefusedRequest(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, reason)
            return request, await reader.readexactly(int(length))
    except asyncio.LimitOverrunError:
        reason = f"Request head of more than {MOST_HEAD} bytes."
        raise RefusedRequest(HTTPStatus.REQUEST_HEADER_FIELDS_TOO_LARGE, reason) from None
    except TimeoutError:
        reason = f"No complete request within {PATIENCE:g} seconds."
        raise RefusedRequest(HTTPStatus.REQUEST_TIMEOUT, reason) from None


def _make_headers(kind: str) -> dict[str, str]:
    """With what the page may load: its own files."""
    return {
        "Content-Type": kind,
        "Content-Security-Policy": POLICY,
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
