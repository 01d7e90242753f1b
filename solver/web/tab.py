"""One tab of a browser: reads what it asks, answers, and owns the jobs that it has begun."""

from __future__ import annotations

import asyncio
import json

from solver.errors import BoardError, UserError, did_you_mean
from solver.web import answers, websocket
from solver.web.asking import BadAsk, parse_ask
from solver.web.websocket import Message, Receiver, Violation

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from solver.web.asking import Ask
    from solver.web.settings import Settings

PIECE = 16 * 1024  # bytes read at once
MOST_NONSENSE = 20  # messages that are no asks, before nobody listens any more
KINDS = ("hello", "position", "evaluate", "stop")


class Tab:
    def __init__(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, settings: Settings
    ) -> None:
        self.reader = reader
        self.writer = writer
        self.settings = settings
        self.receiver = Receiver()
        self.nonsense = 0

    async def run(self) -> None:
        """Until either side closes the connection."""
        try:
            while data := await self.reader.read(PIECE):
                for message in self.receiver.feed(data):
                    await self._take(message)
        except Violation as violation:
            self.close(violation.code, str(violation))

    def close(self, code: int, reason: str) -> None:
        if not self.writer.is_closing():
            self.writer.write(websocket.closing_frame(code, reason))
            self.writer.close()

    async def _take(self, message: Message) -> None:
        if message.kind == websocket.CLOSE:
            raise Violation(websocket.close_code(message.content), "")
        if message.kind == websocket.PING:
            self.writer.write(websocket.frame(websocket.PONG, message.content))
        elif message.kind == websocket.BINARY:
            self._refuse(BadAsk("An ask is a text and not binary."))
        elif message.kind == websocket.TEXT:
            self._hear(message.text())
        await self.writer.drain()

    def _hear(self, text: str) -> None:
        try:
            ask = parse_ask(text)
        except BadAsk as error:
            self._refuse(error)
            return
        try:
            self.say(ask.number, **self._answer(ask), done=True)
        except UserError as error:
            self.say(ask.number, **_failure(error), done=True)

    def _refuse(self, error: BadAsk) -> None:
        self.nonsense += 1
        self.say(error.number, error=str(error), done=True)
        if self.nonsense > MOST_NONSENSE:
            raise Violation(websocket.NOT_ALLOWED, "too many messages that make no sense")

    def _answer(self, ask: Ask) -> dict[str, Any]:
        if ask.kind == "hello":
            return answers.hello(self.settings)
        if ask.kind == "position":
            return answers.position(ask)
        if ask.kind == "evaluate":
            return answers.evaluate(ask)
        if ask.kind == "stop":
            return {"stopped": False}
        hint = did_you_mean(ask.kind[:100], list(KINDS))
        raise UserError(f"Nobody can answer {ask.kind[:100]!a}.{hint}")

    def say(self, number: int | None, **fields: Any) -> None:
        if not self.writer.is_closing():
            content = json.dumps({"id": number, **fields}).encode("ascii")
            self.writer.write(websocket.frame(websocket.TEXT, content))


def _failure(error: UserError) -> dict[str, Any]:
    failure: dict[str, Any] = {"error": str(error)}
    if isinstance(error, BoardError):
        failure["faults"] = [
            {"line": fault.line, "column": fault.column, "rule": fault.rule}
            for fault in error.faults
        ]
    return failure
