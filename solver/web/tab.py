"""One tab of a browser: reads its requests, answers them, and owns the jobs it has started."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from contextlib import suppress
from typing import Any

from solver.errors import MOST_FAULTS, BoardError, UserError, did_you_mean
from solver.web import websocket
from solver.web.answers import (
    ANSWERS,
    MOST_ID,
    BadRequest,
    PageRequest,
    PageSettings,
    parse_request,
)
from solver.web.jobs import JOBS
from solver.web.websocket import Frame, Receiver, Violation

PIECE = 16 * 1024  # bytes read at once
MOST_JOBS = 4
MOST_INVALID = 20  # messages, after which the connection is closed
PING_EVERY = 30.0  # seconds
KINDS = [*ANSWERS, *JOBS, "stop"]


class Tab:
    """`complain` gets internal errors; the tab gets a general message."""

    def __init__(
        self,
        reader: asyncio.StreamReader,
        writer: asyncio.StreamWriter,
        settings: PageSettings,
        complain: Callable[[str], None],
    ) -> None:
        self.reader = reader
        self.writer = writer
        self.settings = settings
        self.complain = complain
        self.jobs: dict[int, asyncio.Task[None]] = {}
        self.ending: set[asyncio.Task[None]] = set()  # jobs that were stopped
        self.invalid = 0
        self.silent = 0  # pings since its last message

    async def run(self) -> None:
        """Until either side closes the connection; its jobs end with it."""
        pinging = asyncio.create_task(self._ping())
        try:
            await self._listen()
        except Violation as violation:
            self.close(violation.code, str(violation))
        except asyncio.CancelledError:
            self.close(websocket.GOING_AWAY, "the server was stopped")
            raise
        finally:
            tasks = [pinging, *self.jobs.values(), *self.ending]
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)

    async def _listen(self) -> None:
        receiver = Receiver()
        with suppress(OSError):
            while data := await self.reader.read(PIECE):
                self.silent = 0
                for message in receiver.feed(data):
                    self._handle(message)
                    await self.writer.drain()

    async def _ping(self) -> None:
        """Detect a tab that is gone without closing the connection."""
        await asyncio.sleep(PING_EVERY)
        while self.silent < 2:
            self.silent += 1
            self._write(websocket.encode_frame(websocket.PING, b""))
            await asyncio.sleep(PING_EVERY)
        self.writer.transport.abort()

    def close(self, code: int, reason: str) -> None:
        """Send the closing frame; the caller ends the connection."""
        self._write(websocket.encode_close(code, reason))

    def _write(self, data: bytes) -> None:
        if not self.writer.is_closing():
            self.writer.write(data)

    def _handle(self, message: Frame) -> None:
        if message.kind == websocket.CLOSE:
            raise Violation(websocket.close_code(message.content), "")
        if message.kind == websocket.PING:
            self._write(websocket.encode_frame(websocket.PONG, message.content))
        elif message.kind != websocket.PONG:
            self._hear(message)

    def _hear(self, message: Frame) -> None:
        try:
            if message.kind == websocket.BINARY:
                raise BadRequest("A request is text, not binary.")
            request = parse_request(message.text())
        except BadRequest as error:
            self.invalid += 1
            self._say(error.number, error=str(error), done=True)
            if self.invalid > MOST_INVALID:
                raise Violation(websocket.NOT_ALLOWED, "too many invalid messages") from None
            return
        try:
            if request.kind in JOBS:
                self._begin(request)
            else:
                self._say(request.number, **self._answer(request), done=True)
        except Exception as error:
            self._fail(request, error)

    def _answer(self, request: PageRequest) -> dict[str, Any]:
        if request.kind == "stop":
            return {"stopped": self._stop(request.whole("job", 0, MOST_ID))}
        if request.kind not in ANSWERS:
            hint = did_you_mean(request.kind[:100], KINDS)
            raise UserError(f"Unknown request {request.kind[:100]!a}.{hint}")
        return ANSWERS[request.kind](request, self.settings)

    def _begin(self, request: PageRequest) -> None:
        if request.number in self.jobs:
            raise UserError(f"Job {request.number} is still running. Choose another id.")
        if len(self.jobs) >= MOST_JOBS:
            raise UserError(f"This tab already has {MOST_JOBS} jobs. Stop one of them.")
        self.jobs[request.number] = asyncio.create_task(self._work(request))

    async def _work(self, request: PageRequest) -> None:
        async def send(content: bytes) -> None:
            message = b'{"id": %d, ' % request.number + content[1:]
            self._write(websocket.encode_frame(websocket.TEXT, message))
            await self.writer.drain()

        try:
            last = await JOBS[request.kind](request, self.settings, send)
            self._say(request.number, **last, done=True)
        except Exception as error:
            self._fail(request, error)
        finally:
            if self.jobs.get(request.number) is asyncio.current_task():
                del self.jobs[request.number]

    def _stop(self, number: int) -> bool:
        """Answer at once; the job is taken down in the background."""
        job = self.jobs.pop(number, None)
        if job is None:
            return False
        job.cancel()
        self.ending.add(job)
        job.add_done_callback(self.ending.discard)
        self._say(number, stopped=True, done=True)
        return True

    def _fail(self, request: PageRequest, error: Exception) -> None:
        if isinstance(error, ConnectionError):  # the tab is gone
            return
        if not isinstance(error, UserError):
            self.complain(f"{request.kind}: {type(error).__name__}: {error}")
            error = UserError("Internal error; see the server's output.")
        failure: dict[str, Any] = {"error": str(error)}
        if isinstance(error, BoardError):
            failure["faults"] = [
                {"line": fault.line, "column": fault.column, "rule": fault.rule}
                for fault in error.faults[:MOST_FAULTS]
            ]
        self._say(request.number, **failure, done=True)

    def _say(self, number: int | None, **fields: Any) -> None:
        content = json.dumps({"id": number, **fields}).encode("ascii")
        self._write(websocket.encode_frame(websocket.TEXT, content))
