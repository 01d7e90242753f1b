"""Requests that take longer: each is a job that sends messages until it is done.

Every search is a `python -m solver` of its own, and is stopped by killing it.
"""

from __future__ import annotations

import asyncio
import json
import os
import signal
import sys
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from tempfile import TemporaryDirectory

from solver.errors import UserError
from solver.games import game_named
from solver.games.twoflags.net.match import LogReader
from solver.games.twoflags.rules import NO_EN_PASSANT, Pawns
from solver.search.score import MAX_DEPTH
from solver.search.techniques import ALL, CACHES, ORDERINGS, REMOVABLE
from solver.web.answers import (
    MOST_NAME,
    MOST_TEXT,
    Answer,
    AskedPosition,
    PageRequest,
    PageSettings,
    read_position,
    requested_position,
    requested_puzzle,
)

Send = Callable[[bytes], Awaitable[None]]  # takes a JSON object
HOME = Path(__file__).parent.parent.parent  # where the packages are, for `python -m`
NICENESS = 10  # the server and other programs come first
MOST_UNREAD = 1 << 20  # bytes, after which the child has to wait
MOST_OUTPUT = 64 << 20  # bytes in all
MOST_WORDS = 4096  # bytes of standard error
MOST_LINES = 10
MOST_NODES = 10**12
MOST_SECONDS = 3600.0  # in case a tab is forgotten
MEGABYTES = 100  # for each search: there may be many
MOST_TRACED = 100_000
DEEPEST_TRACE = 8
OPTIONS = ("depth", "nodes", "seconds", "ordering", "cache", "without")
PATIENCE = 60.0  # seconds for what shows no progress
ACCEPTED, REJECTED = 42, 43  # exit codes of a validator
MESSAGE = "teammessage.txt"  # what a student may read: nothing about the right answer
CONNECTING = 5.0  # seconds
LONGEST_LINE = 1024  # bytes in the log of a Two Flags server


class Child(asyncio.SubprocessProtocol):
    """A process: its output so far, and its exit code."""

    def __init__(self) -> None:
        self.output = bytearray()
        self.words = bytearray()  # the end of its standard error
        self.code: int | None = None
        self._process: asyncio.SubprocessTransport | None = None
        self._closed = asyncio.Event()  # the process is gone and its output was read
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
            self._set_reading(False)
        self._news.set()

    def process_exited(self) -> None:
        assert self._process is not None
        self.code = self._process.get_returncode()
        self._exited.set()

    def connection_lost(self, exc: Exception | None) -> None:
        self._closed.set()
        self._news.set()

    def _set_reading(self, on: bool) -> None:
        """Read more of its output, or let it wait."""
        assert self._process is not None
        pipe = self._process.get_pipe_transport(1)
        self._paused = not on
        if isinstance(pipe, asyncio.ReadTransport) and not pipe.is_closing():
            (pipe.resume_reading if on else pipe.pause_reading)()

    def send_input(self, content: bytes) -> None:
        assert self._process is not None
        pipe = self._process.get_pipe_transport(0)
        assert isinstance(pipe, asyncio.WriteTransport)
        pipe.write(content)
        pipe.write_eof()

    async def lines(self) -> AsyncIterator[bytes]:
        """Its output line by line, without line ends."""
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
        while await self._more():
            pass
        return bytes(self.output)

    async def _more(self) -> bool:
        """Wait for more output; False at the end."""
        if self._closed.is_set():
            return False
        if len(self.output) > MOST_OUTPUT:
            raise UserError("The output is too large to show.")
        if self._paused:
            self._set_reading(True)
        self._news.clear()
        await self._news.wait()
        return True

    async def end(self) -> None:
        """Kill it, if it still runs, and wait until it is gone, even when cancelled.

        Not by asyncio's `kill`, which can reap the process before asyncio reads its exit code.
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
        """Raise its error message if it failed."""
        if self.code:
            rows = self.words.decode("utf-8", "replace").strip().split("\n")
            words = "\n".join(row.partition(": ")[2] or row for row in rows)
            raise UserError(words or f"The search ended with exit code {self.code}.")


@asynccontextmanager
async def run_child(module: str, words: list[str], given: str) -> AsyncIterator[Child]:
    """`python -m MODULE WORDS` with this standard input; killed at the end of the block."""
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
        raise UserError(f"Cannot start a process: {error.strerror}.") from None
    try:
        process.send_input(given.encode("utf-8", "replace"))
        yield process
    finally:
        await process.end()


def analyse_command(request: PageRequest) -> tuple[list[str], str]:
    """The words of `solver analyse` and its standard input."""
    asked = requested_position(request)
    options = request.group("options", OPTIONS)
    words = ["analyse", "-", "--json", *_board_words(asked), *_heuristic_words(request, asked)]
    words += ["--lines", str(request.whole("lines", 1, MOST_LINES, 1)), "--hash", str(MEGABYTES)]
    for name, most in (("depth", MAX_DEPTH), ("nodes", MOST_NODES)):
        if options.has(name):
            words += [f"--{name}", str(options.whole(name, 1, most))]
    seconds = options.amount("seconds", MOST_SECONDS) if options.has("seconds") else MOST_SECONDS
    words += ["--time", f"{seconds:f}", *_technique_words(options)]
    return words, asked.text


def trace_command(request: PageRequest) -> tuple[list[str], str]:
    """The words of `solver trace` and its standard input: a position, or a tree."""
    words = ["trace", "-", "--format", "json"]
    words += [*_names_words(request, "with"), *_technique_words(request)]
    if request.has("max_nodes"):
        words += ["--max-nodes", str(request.whole("max_nodes", 1, MOST_TRACED))]
    if request.has("tree"):
        return [*words, "--tree"], request.text("tree", MOST_TEXT)
    asked = requested_position(request)
    outcome = asked.game.outcome(asked.position)
    if outcome is not None:
        raise UserError(f"{outcome}; there is nothing to search.")
    words += ["--depth", str(request.whole("depth", 1, DEEPEST_TRACE))]
    return [*words, *_board_words(asked), *_heuristic_words(request, asked)], asked.text


def _board_words(asked: AskedPosition) -> list[str]:
    variant = ["--variant", asked.variant] if asked.variant else []
    return ["--game", asked.game.NAME, "--notation", "pdn", *variant]


def _heuristic_words(request: PageRequest, asked: AskedPosition) -> list[str]:
    """By name only: a page must not run files of this computer."""
    if not request.text("heuristic", MOST_NAME, ""):
        return []
    return ["--heuristic", request.one_of("heuristic", asked.game.heuristics())]


def _technique_words(options: PageRequest) -> list[str]:
    words = _names_words(options, "without")
    for name, known in (("ordering", ORDERINGS), ("cache", CACHES)):
        if options.has(name):
            words += [f"--{name}", options.one_of(name, known)]
    return words


def _names_words(options: PageRequest, option: str) -> list[str]:
    names = options.some_of(option, [*REMOVABLE, ALL], len(REMOVABLE) + 1)
    return [f"--{option}", ",".join(names)] if names else []


async def analyse(request: PageRequest, settings: PageSettings, send: Send) -> Answer:
    words, text = analyse_command(request)
    async with run_child("solver", words, text) as process:
        async for line in process.lines():
            await send(line)
        process.check()
    return {"stopped": False}


async def trace(request: PageRequest, settings: PageSettings, send: Send) -> Answer:
    words, text = trace_command(request)
    async with _limit_time(), run_child("solver", words, text) as process:
        found = await process.whole()
        process.check()
    await send(b'{"trace": %b}' % found.strip())
    return {}


async def judge(request: PageRequest, settings: PageSettings, send: Send) -> Answer:
    """The grader's verdict about an answer to a puzzle, as contest systems call it."""
    name, file, puzzle = requested_puzzle(request, settings)
    answer = _normalise_answer(name, puzzle, request.text("answer", MOST_TEXT))
    expected = file.parent.parent.parent / "expected" / f"{name}.txt"
    if not expected.is_file():
        raise UserError(f"No expected answer for {name}: there is no {expected}.")
    with TemporaryDirectory(prefix="checkmark-") as folder:
        words = ["validator", str(file), str(expected), folder]
        async with _limit_time(), run_child("grader", words, answer) as process:
            await process.whole()
        if process.code not in (ACCEPTED, REJECTED):
            if b"No module named" in process.words:
                raise UserError("There is no judge here: install the package with its grader.")
            process.check()
            raise UserError("The judge returned no result.")
        message = (Path(folder) / MESSAGE).read_text("utf-8").strip()
    label, _, reason = message.partition(": ")
    verdict = "slower" if label == "not the best way" else label
    return {"verdict": verdict, "reason": reason, "accepted": process.code == ACCEPTED}


def _normalise_answer(name: str, puzzle: str, answer: str) -> str:
    """The answer in the form of the puzzle, without a side to move if the puzzle has none.  What
    is not a board, or only with a warning, goes to the judge as it is."""
    game_name = name.partition("/")[0]
    try:
        asked = read_position(puzzle, game_name)
        given = read_position(answer, game_name)
        form = asked.form if given.form == "board" else given.form
        return answer if given.warnings else given.game.write(given.position, form) + "\n"
    except UserError:
        return answer


@asynccontextmanager
async def _limit_time() -> AsyncIterator[None]:
    try:
        async with asyncio.timeout(PATIENCE):
            yield
    except TimeoutError:
        raise UserError(f"This takes more than {PATIENCE:g} seconds.") from None


async def watch(request: PageRequest, settings: PageSettings, send: Send) -> Answer:
    """The games on a Two Flags server: every line of its log, and every new position."""
    reader, writer = await _connect(settings)
    try:
        game = WatchedGame()
        with suppress(OSError, ValueError):  # gone, or a line that never ends
            while line := await reader.readline():
                message = game.read_line(line.decode("utf-8", "replace"))
                await send(json.dumps(message).encode("ascii"))
    finally:
        writer.transport.abort()
    return {"stopped": False}


class WatchedGame:
    """The game that is being watched."""

    def __init__(self) -> None:
        self.log = LogReader()
        self.sent: Pawns | None = None

    def read_line(self, line: str) -> Answer:
        """The line, and the position after it if it is a new one."""
        line = line.rstrip()
        self.log.read(0, line)
        self.log.records.clear()  # a server may run for days
        self.log.faults.clear()
        here = self.log.position
        if here is None or here is self.sent:
            return {"line": line}
        self.sent = here
        variant = "no-en-passant" if here.state & NO_EN_PASSANT else ""
        position = AskedPosition(game_named("twoflags"), here, "board", variant, [])
        return {"line": line, "position": position.describe()}


async def _connect(settings: PageSettings) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    if settings.watch is None:
        raise UserError("There is nothing to watch. Name a server: solver serve --watch HOST:PORT.")
    host, port = settings.watch
    try:
        async with asyncio.timeout(CONNECTING):
            return await asyncio.open_connection(host, port, limit=LONGEST_LINE)
    except TimeoutError:
        reason = f"no answer within {CONNECTING:g} seconds"
    except ConnectionRefusedError:
        reason = "connection refused"
    except OSError as error:
        reason = error.strerror or "no such address"
    raise UserError(f"{host}:{port}: cannot connect: {reason}. Is a server running there?")


JOBS: dict[str, Callable[[PageRequest, PageSettings, Send], Awaitable[Answer]]] = {
    "analyse": analyse,
    "trace": trace,
    "judge": judge,
    "watch": watch,
}
