"""One tab of a browser: reads what it asks, answers, and owns the jobs that it has begun."""

from __future__ import annotations

import asyncio
import json
from contextlib import suppress

from solver.errors import MOST_FAULTS, BoardError, UserError, did_you_mean
from solver.web import answers, websocket
from solver.web import puzzles as collection
from solver.web.answers import MOST_ID, BadAsk, parse_ask
from solver.web.jobs import JOBS
from solver.web.websocket import Message, Receiver, Violation

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from solver.web.answers import Ask
    from solver.web.server import Settings

PIECE = 16 * 1024  # bytes read at once
MOST_JOBS = 4
MOST_NONSENSE = 20  # messages that are no asks, before nobody listens any more
PING_EVERY = 30.0  # seconds
ANSWERS: dict[str, Callable[[Ask, Settings], dict[str, Any]]] = {
    "hello": lambda ask, settings: answers.hello(settings),
    "position": lambda ask, settings: answers.position(ask),
    "evaluate": lambda ask, settings: answers.evaluate(ask),
    "puzzles": lambda ask, settings: collection.puzzles(settings),
    "puzzle": collection.puzzle,
}
KINDS = [*ANSWERS, *JOBS, "stop"]


class Tab:
    """`complain` hears of what should not happen; to the tab it is a failure like any other."""

    def __init__(
        self,
        reader: asyncio.StreamReader,
        writer: asyncio.StreamWriter,
        settings: Settings,
        complain: Callable[[str], None],
    ) -> None:
        self.reader = reader
        self.writer = writer
        self.settings = settings
        self.complain = complain
        self.jobs: dict[int, asyncio.Task[None]] = {}
        self.ending: set[asyncio.Task[None]] = set()  # jobs that were stopped
        self.nonsense = 0
        self.silent = 0  # pings since it was last heard

    async def run(self) -> None:
        """Until either side closes the connection; its jobs end with it."""
        pinging = asyncio.create_task(self._ping())
        try:
            await self._listen()
        except Violation as violation:
            self.close(violation.code, str(violation))
        except asyncio.CancelledError:
            self.close(websocket.GOING_AWAY, "the server has ended")
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
                    self._take(message)
                    await self.writer.drain()

    async def _ping(self) -> None:
        """Find out about a tab that has gone without a word."""
        await asyncio.sleep(PING_EVERY)
        while self.silent < 2:
            self.silent += 1
            self._write(websocket.frame(websocket.PING, b""))
            await asyncio.sleep(PING_EVERY)
        self.writer.transport.abort()

    def close(self, code: int, reason: str) -> None:
        """The last word; the connection is ended by whoever has opened it."""
        self._write(websocket.closing_frame(code, reason))

    def _write(self, data: bytes) -> None:
        if not self.writer.is_closing():
            self.writer.write(data)

    def _take(self, message: Message) -> None:
        if message.kind == websocket.CLOSE:
            raise Violation(websocket.close_code(message.content), "")
        if message.kind == websocket.PING:
            self._write(websocket.frame(websocket.PONG, message.content))
        elif message.kind == websocket.BINARY:
            self._refuse(BadAsk("An ask is a text and not binary."))
        elif message.kind == websocket.TEXT:
            self._hear(message.text())

    def _hear(self, text: str) -> None:
        try:
            ask = parse_ask(text)
        except BadAsk as error:
            self._refuse(error)
            return
        try:
            if ask.kind in JOBS:
                self._begin(ask)
            else:
                self._say(ask.number, **self._answer(ask), done=True)
        except Exception as error:
            self._fail(ask, error)

    def _refuse(self, error: BadAsk) -> None:
        self.nonsense += 1
        self._say(error.number, error=str(error), done=True)
        if self.nonsense > MOST_NONSENSE:
            raise Violation(websocket.NOT_ALLOWED, "too many messages that make no sense")

    def _answer(self, ask: Ask) -> dict[str, Any]:
        if ask.kind == "stop":
            return {"stopped": self._stop(ask.whole("job", 0, MOST_ID))}
        if ask.kind not in ANSWERS:
            hint = did_you_mean(ask.kind[:100], KINDS)
            raise UserError(f"Nobody can answer {ask.kind[:100]!a}.{hint}")
        return ANSWERS[ask.kind](ask, self.settings)

    def _begin(self, ask: Ask) -> None:
        if ask.number in self.jobs:
            raise UserError(f"Job {ask.number} is still going on. Choose another id.")
        if len(self.jobs) >= MOST_JOBS:
            raise UserError(f"This tab has {MOST_JOBS} jobs already. Stop one of them.")
        job = asyncio.create_task(self._work(ask))
        self.jobs[ask.number] = job

    async def _work(self, ask: Ask) -> None:
        async def tell(content: bytes) -> None:
            self._write(websocket.frame(websocket.TEXT, b'{"id": %d, ' % ask.number + content[1:]))
            await self.writer.drain()

        try:
            last = await JOBS[ask.kind](ask, self.settings, tell)
            self._say(ask.number, **last, done=True)
        except Exception as error:
            self._fail(ask, error)
        finally:
            if self.jobs.get(ask.number) is asyncio.current_task():
                del self.jobs[ask.number]

    def _stop(self, number: int) -> bool:
        """End a job at once; what it costs to take it down is nobody's waiting time."""
        job = self.jobs.pop(number, None)
        if job is None:
            return False
        job.cancel()
        self.ending.add(job)
        job.add_done_callback(self.ending.discard)
        self._say(number, stopped=True, done=True)
        return True

    def _fail(self, ask: Ask, error: Exception) -> None:
        if isinstance(error, ConnectionError):  # the tab has gone
            return
        if not isinstance(error, UserError):
            self.complain(f"{ask.kind}: {type(error).__name__}: {error}")
            error = UserError("Something has gone wrong here; the server says what.")
        self._say(ask.number, **_failure(error), done=True)

    def _say(self, number: int | None, **fields: Any) -> None:
        content = json.dumps({"id": number, **fields}).encode("ascii")
        self._write(websocket.frame(websocket.TEXT, content))


def _failure(error: UserError) -> dict[str, Any]:
    failure: dict[str, Any] = {"error": str(error)}
    if isinstance(error, BoardError):
        failure["faults"] = [
            {"line": fault.line, "column": fault.column, "rule": fault.rule}
            for fault in error.faults[:MOST_FAULTS]
        ]
    return failure
