"""What takes longer than a moment: jobs, each of which tells messages until it is done."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import sys
from contextlib import aclosing, asynccontextmanager, suppress
from pathlib import Path

from solver.errors import UserError
from solver.search.score import MAX_DEPTH
from solver.search.techniques import ALL, CACHES, ORDERINGS, REMOVABLE
from solver.web.answers import MOST_NAME, MOST_TEXT, read_place
from solver.web.puzzles import judged
from solver.web.watching import watched

TYPE_CHECKING = False

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Awaitable, Callable
    from typing import Any

    from solver.web.answers import Ask, Place
    from solver.web.server import Settings


# Child processes: whatever may take long is a command of its own, and ended by killing it.


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


# Asks for a search, as words of the command line: every search is a `solver` of its own.


MOST_LINES = 10
MOST_NODES = 10**12
MOST_SECONDS = 3600.0  # somebody may have forgotten a tab
MEGABYTES = 100  # for each search: there may be many
MOST_TRACED = 100_000
DEEPEST_TRACE = 8
OPTIONS = ("depth", "nodes", "seconds", "ordering", "cache", "without")


def analysis(ask: Ask) -> tuple[list[str], str]:
    """The words of `solver analyse` and what it reads."""
    place, _ = read_place(ask)
    options = ask.group("options", OPTIONS)
    words = ["analyse", "-", "--json", *_board(place), *_heuristic(ask, place)]
    words += ["--lines", str(ask.whole("lines", 1, MOST_LINES, 1)), "--hash", str(MEGABYTES)]
    for name, most in (("depth", MAX_DEPTH), ("nodes", MOST_NODES)):
        if options.has(name):
            words += [f"--{name}", str(options.whole(name, 1, most))]
    seconds = options.amount("seconds", MOST_SECONDS) if options.has("seconds") else MOST_SECONDS
    words += ["--time", f"{seconds:f}", *_choices(options)]
    return words, place.text


def searches_trace(ask: Ask) -> tuple[list[str], str]:
    """The words of `solver trace` and what it reads: a position, or a tree."""
    words = ["trace", "-", "--format", "json", *_names(ask, "with"), *_choices(ask)]
    if ask.has("max_nodes"):
        words += ["--max-nodes", str(ask.whole("max_nodes", 1, MOST_TRACED))]
    if ask.has("tree"):
        return [*words, "--tree"], ask.text("tree", MOST_TEXT)
    place, _ = read_place(ask)
    if place.outcome() is not None:
        raise UserError(f"{place.outcome()}; there is nothing to search.")
    depth = ask.whole("depth", 1, DEEPEST_TRACE)
    return [*words, "--depth", str(depth), *_board(place), *_heuristic(ask, place)], place.text


def _board(place: Place) -> list[str]:
    variant = ["--variant", place.variant] if place.variant else []
    return ["--game", place.game.NAME, *variant]


def _heuristic(ask: Ask, place: Place) -> list[str]:
    """By name only: a page may not have files of this computer run."""
    if not ask.text("heuristic", MOST_NAME, ""):
        return []
    return ["--heuristic", ask.one_of("heuristic", place.game.heuristics())]


def _choices(options: Ask) -> list[str]:
    words = _names(options, "without")
    for name, known in (("ordering", ORDERINGS), ("cache", CACHES)):
        if options.has(name):
            words += [f"--{name}", options.one_of(name, known)]
    return words


def _names(options: Ask, option: str) -> list[str]:
    names = options.some_of(option, [*REMOVABLE, ALL], len(REMOVABLE) + 1)
    return [f"--{option}", ",".join(names)] if names else []


if TYPE_CHECKING:
    Tell = Callable[[bytes], Awaitable[None]]  # takes an object of JSON

PATIENCE = 60.0  # seconds for what is not shown while it goes on


async def analyse(ask: Ask, settings: Settings, tell: Tell) -> dict[str, Any]:
    words, text = analysis(ask)
    async with child("solver", words, text) as process:
        async for line in process.lines():
            await tell(line)
        process.check()
    return {"stopped": False}


async def trace(ask: Ask, settings: Settings, tell: Tell) -> dict[str, Any]:
    words, text = searches_trace(ask)
    async with _in_time(), child("solver", words, text) as process:
        found = await process.whole()
        process.check()
    await tell(b'{"trace": %b}' % found.strip())
    return {}


async def judge(ask: Ask, settings: Settings, tell: Tell) -> dict[str, Any]:
    async with _in_time():
        return await judged(ask, settings)


async def watch(ask: Ask, settings: Settings, tell: Tell) -> dict[str, Any]:
    async with aclosing(watched(settings)) as news:
        async for message in news:
            await tell(json.dumps(message).encode("ascii"))
    return {"stopped": False}


@asynccontextmanager
async def _in_time() -> AsyncIterator[None]:
    try:
        async with asyncio.timeout(PATIENCE):
            yield
    except TimeoutError:
        raise UserError(f"This takes more than {PATIENCE:g} seconds.") from None


JOBS: dict[str, Callable[[Ask, Settings, Tell], Awaitable[dict[str, Any]]]] = {
    "analyse": analyse,
    "trace": trace,
    "judge": judge,
    "watch": watch,
}
