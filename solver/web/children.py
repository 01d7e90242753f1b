"""Child processes: whatever may take long is a command of its own, and ended by killing it."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from contextlib import asynccontextmanager, suppress
from pathlib import Path

from solver.errors import UserError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import AsyncIterator

HOME = Path(__file__).parent.parent.parent  # where the packages are, for `python -m`
NICENESS = 10  # the server itself, and whatever else runs here, comes first
MOST_UNREAD = 1 << 20  # bytes, after which the child has to wait
MOST_OUTPUT = 64 << 20  # bytes that are wanted at once
MOST_WORDS = 4096  # bytes of standard error


class Child(asyncio.SubprocessProtocol):
    """One process: what it has printed so far, and how it has ended."""

    def __init__(self) -> None:
        self.output = bytearray()
        self.words = bytearray()  # the last of its standard error
        self.code: int | None = None
        self._process: asyncio.SubprocessTransport | None = None
        self._closed = asyncio.Event()  # the process is gone and all it has printed was read
        self._exited = asyncio.Event()
        self._news = asyncio.Event()
        self._paused = False

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.SubprocessTransport)
        self._process = transport
        with suppress(OSError):  # it may have gone already
            os.setpriority(os.PRIO_PROCESS, transport.get_pid(), NICENESS)

    def pipe_data_received(self, fd: int, data: bytes) -> None:
        if fd == 2:
            self.words = (self.words + data)[-MOST_WORDS:]
            return
        self.output += data
        if len(self.output) > MOST_UNREAD and not self._paused:
            self._reading(False)
        self._news.set()

    def process_exited(self) -> None:
        assert self._process is not None
        self.code = self._process.get_returncode()
        self._exited.set()

    def connection_lost(self, exc: Exception | None) -> None:
        self._closed.set()
        self._news.set()

    def _reading(self, on: bool) -> None:
        """Take more of what it prints, or let it wait."""
        assert self._process is not None
        pipe = self._process.get_pipe_transport(1)
        self._paused = not on
        if isinstance(pipe, asyncio.ReadTransport) and not pipe.is_closing():
            (pipe.resume_reading if on else pipe.pause_reading)()

    def give(self, content: bytes) -> None:
        """Its standard input."""
        assert self._process is not None
        pipe = self._process.get_pipe_transport(0)
        assert isinstance(pipe, asyncio.WriteTransport)
        pipe.write(content)
        pipe.write_eof()

    async def lines(self) -> AsyncIterator[bytes]:
        """What it prints, line by line, without the ends of lines."""
        searched = 0
        while True:
            end = self.output.find(b"\n", searched)
            searched = 0 if end >= 0 else len(self.output)
            if end >= 0:
                line = bytes(self.output[:end])
                del self.output[: end + 1]
                yield line
            elif not await self._more():
                return

    async def whole(self) -> bytes:
        """All that it prints."""
        while await self._more():
            pass
        return bytes(self.output)

    async def _more(self) -> bool:
        """Wait for more; False if there will be none."""
        if self._closed.is_set():
            return False
        if len(self.output) > MOST_OUTPUT:
            raise UserError("This is too much to be shown.")
        if self._paused:
            self._reading(True)
        self._news.clear()
        await self._news.wait()
        return True

    async def end(self) -> None:
        """Kill it, if it is still there, and wait until it is gone.

        Not by `kill` of asyncio, which may take its exit code away before asyncio itself has
        read it and complain then.  Once killed it is gone soon: nobody need interrupt that.
        """
        assert self._process is not None
        interrupted = False
        with suppress(ProcessLookupError):
            if self.code is None:
                os.kill(self._process.get_pid(), signal.SIGKILL)
        while not self._exited.is_set():
            try:
                await self._exited.wait()
            except asyncio.CancelledError:
                interrupted = True
        self._process.close()
        if interrupted:
            raise asyncio.CancelledError

    def check(self) -> None:
        """Raise what it has complained about, if it has failed."""
        if self.code:
            rows = self.words.decode("utf-8", "replace").strip().split("\n")
            words = "\n".join(row.partition(": ")[2] or row for row in rows)
            raise UserError(words or f"The search has ended with exit code {self.code}.")


@asynccontextmanager
async def child(module: str, words: list[str], given: str) -> AsyncIterator[Child]:
    """`python -m MODULE WORDS`, which reads what is given; gone when the block is left."""
    loop = asyncio.get_running_loop()
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONSAFEPATH"}
    try:
        _, process = await loop.subprocess_exec(
            Child,
            *(sys.executable, "-m", module, *words),
            cwd=HOME,
            env=environment,
            start_new_session=True,  # Ctrl-C is for the server, which ends its children itself
        )
    except OSError as error:
        raise UserError(f"No process could be started: {error.strerror}.") from None
    try:
        process.give(given.encode("utf-8", "replace"))
        yield process
    finally:
        await process.end()
