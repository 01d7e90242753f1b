"""Requests of the page that take longer: jobs, each of which sends messages until it is done.
Every search is a `python -m solver`, which a server runs in a process of its own, and a page
without a server in a worker of the browser (`solver/cli/site.py`)."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import sys
from asyncio.subprocess import PIPE, Process
from collections.abc import Awaitable, Callable
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryDirectory

from solver.errors import MOST_FAULTS, BoardError, UserError, did_you_mean
from solver.games import game_named
from solver.games.puzzle import Puzzle
from solver.games.twoflags.net.match import follow_log
from solver.games.twoflags.rules import NO_EN_PASSANT, Pawns
from solver.search.score import MAX_DEPTH
from solver.search.techniques import ALL, CACHES, ORDERINGS, REMOVABLE
from solver.web.answers import (
    ANSWERS,
    MOST_NAME,
    MOST_TEXT,
    Answer,
    PageRequest,
    PageSettings,
    describe_position,
    expected_file,
    parse_request,
    read_position,
    requested_position,
    requested_puzzle,
)

Send = Callable[[bytes], Awaitable[None]]  # takes a JSON object

# Runs `python -m NAME WORDS` with this standard input, sends every line that it writes, and returns
# its exit code; raises its error message if it failed, or took more than so many seconds.
Run = Callable[[str, list[str], str, Send, float | None], Awaitable[int]]
HOME = Path(__file__).parent.parent.parent  # where the packages are, for `python -m`
JUDGE = HOME / "grader"
NICENESS = 10  # the server and other programs come first
MOST_UNREAD = 1 << 20  # bytes, after which the child has to wait
MOST_SAID = 4096  # characters of an error message
MOST_LINES = 10
MOST_NODES = 10**12
MOST_SECONDS = 3600.0  # in case a tab is forgotten
WHY_SECONDS = 5
MEGABYTES = 100  # for each search: there may be many
MOST_TRACED = 100_000
DEEPEST_TRACE = 8
OPTIONS = ("depth", "nodes", "seconds", "ordering", "cache", "without")
PATIENCE = 60.0  # seconds for what shows no progress
ACCEPTED, REJECTED = 42, 43  # exit codes of a validator
GOOD = (0, ACCEPTED, REJECTED)
MESSAGE = "teammessage.txt"  # what a student may read: nothing about the right answer
CONNECTING = 5.0  # seconds
LONGEST_LINE = 1024  # bytes in the log of a Two Flags server
TWO_FLAGS = game_named("twoflags")


async def run_process(
    name: str, words: list[str], given: str, send: Send, patience: float | None
) -> int:
    environment = {key: value for key, value in os.environ.items() if key != "PYTHONSAFEPATH"}
    try:
        process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", name, *words),
            stdin=PIPE,
            stdout=PIPE,
            stderr=PIPE,
            limit=MOST_UNREAD,
            cwd=HOME,
            env=environment,
            start_new_session=True,  # Ctrl-C is for the server, which ends its children itself
        )
    except OSError as error:
        raise UserError(f"Cannot start a process: {error.strerror}.") from None
    try:
        with suppress(OSError):  # it may have ended already
            os.setpriority(os.PRIO_PROCESS, process.pid, NICENESS)
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(given.encode("utf-8", "replace"))
        process.stdin.write_eof()
        async with asyncio.timeout(patience):
            while line := await process.stdout.readline():
                await send(line.rstrip())
            _, said = await process.communicate()
    except TimeoutError:
        raise UserError(f"This takes more than {patience:g} seconds.") from None
    finally:
        await _kill(process)
    return check_ending(process.returncode, said.decode("utf-8", "replace"))


async def _kill(process: Process) -> None:
    """Wait until it is gone, even when cancelled.

    Not by asyncio's `kill`, which can reap the process before asyncio reads its exit code.
    """
    with suppress(ProcessLookupError):
        if process.returncode is None:
            os.kill(process.pid, signal.SIGKILL)
    ending = asyncio.ensure_future(process.communicate())  # `wait` hangs if output is unread
    cancelled = False
    while not ending.done():
        try:
            await asyncio.shield(ending)
        except asyncio.CancelledError:
            cancelled = True
    if cancelled:
        raise asyncio.CancelledError


def check_ending(code: int | None, said: str) -> int:
    """The exit code; raises the error message of a program that failed."""
    if code not in GOOD:
        rows = said.strip()[-MOST_SAID:].replace("standard input: ", "").split("\n")
        words = "\n".join(row.partition(": ")[2] or row for row in rows)
        raise UserError(words or f"The program ended with exit code {code}.")
    return code


def analyse_command(request: PageRequest) -> tuple[list[str], str]:
    """The words of `solver analyse` and its standard input."""
    puzzle = requested_position(request)
    options = request.group("options", OPTIONS)
    words = ["analyse", "-", "--json", *_board_words(request, puzzle)]
    words += ["--lines", str(request.whole("lines", 1, MOST_LINES, 1)), "--hash", str(MEGABYTES)]
    for name, most in (("depth", MAX_DEPTH), ("nodes", MOST_NODES)):
        if options.has(name):
            words += [f"--{name}", str(options.whole(name, 1, most))]
    seconds = options.amount("seconds", MOST_SECONDS) if options.has("seconds") else MOST_SECONDS
    words += ["--time", f"{seconds:f}", *_technique_words(options)]
    return words, puzzle.game.with_side(puzzle.position)


def why_command(request: PageRequest) -> tuple[list[str], str]:
    """The words of `solver analyse --why` and its standard input."""
    puzzle = requested_position(request)
    words = ["analyse", "-", "--why", "--json", "--time", f"{WHY_SECONDS}", "--notation", "squares"]
    if request.has("against"):
        words += [f"--against={request.text('against', MOST_NAME)}"]
    return [*words, *_board_words(request, puzzle)], puzzle.game.with_side(puzzle.position)


def trace_command(request: PageRequest) -> tuple[list[str], str]:
    """The words of `solver trace` and its standard input: a position, or a tree."""
    words = ["trace", "-", "--format", "json", *_technique_words(request)]
    words += ["--max-nodes", str(request.whole("max_nodes", 1, MOST_TRACED, MOST_TRACED))]
    if request.has("tree"):
        return [*words, "--tree"], request.text("tree", MOST_TEXT)
    puzzle = requested_position(request)
    if puzzle.result is not None:
        raise UserError(f"{puzzle.result}; there is nothing to search.")
    words += ["--depth", str(request.whole("depth", 1, DEEPEST_TRACE))]
    return [*words, *_board_words(request, puzzle)], puzzle.game.with_side(puzzle.position)


def _board_words(request: PageRequest, puzzle: Puzzle) -> list[str]:
    words = ["--game", puzzle.game.NAME]
    if request.variant:
        words += ["--variant", request.variant]
    if request.text("heuristic", MOST_NAME, ""):  # by name: a page must not run files
        words += ["--heuristic", request.one_of("heuristic", puzzle.game.heuristics())]
    return words


def _technique_words(options: PageRequest) -> list[str]:
    words: list[str] = []
    for name in ("with", "without"):
        names = options.some_of(name, [*REMOVABLE, ALL], len(REMOVABLE) + 1)
        words += [f"--{name}", ",".join(names)] if names else []
    for name, known in (("ordering", ORDERINGS), ("cache", CACHES)):
        if options.has(name):
            words += [f"--{name}", options.one_of(name, known)]
    return words


async def say_lines(command: tuple[list[str], str], run: Run, send: Send) -> Answer:
    """Send every line that a `solver` command writes."""
    await run("solver", *command, send, None)
    return {"stopped": False}


async def trace(request: PageRequest, settings: PageSettings, run: Run, send: Send) -> Answer:
    rows: list[bytes] = []

    async def keep(row: bytes) -> None:
        rows.append(row)

    await run("solver", *trace_command(request), keep, PATIENCE)
    await send(b'{"trace": %b}' % b"".join(rows))  # a message is one line
    return {}


async def judge(request: PageRequest, settings: PageSettings, run: Run, send: Send) -> Answer:
    """The grader's verdict about an answer to a puzzle, as contest systems call it."""
    name, file, puzzle = requested_puzzle(request, settings)
    answer = _normalise_answer(name, puzzle, request.text("answer", MOST_TEXT))
    expected = expected_file(name, file, ".txt")
    if not JUDGE.is_dir():
        raise UserError("There is no judge here: it needs the grader; on a site, --with-judge.")
    if not expected.is_file():
        raise UserError(f"No expected answer for {name}: there is no {expected}.")
    with TemporaryDirectory(prefix="checkmark-") as folder:
        words = ["validator", str(file), str(expected), folder]
        code = await run("grader", words, answer, send, PATIENCE)
        message = (Path(folder) / MESSAGE).read_text("utf-8").strip()
    label, _, reason = message.partition(": ")
    verdict = "slower" if label == "not the best way" else label
    return {"verdict": verdict, "reason": reason, "accepted": code == ACCEPTED}


def _normalise_answer(name: str, puzzle: str, answer: str) -> str:
    """The answer in the form of the puzzle, without a side to move if the puzzle has none.  What
    is not a board, or only with a warning, goes to the judge as it is."""
    game_name = name.partition("/")[0]
    try:
        asked, given = read_position(puzzle, game_name), read_position(answer, game_name)
        form = asked.form if given.form == "board" else given.form
        return answer if given.warnings else given.write(form) + "\n"
    except UserError:
        return answer


async def watch(request: PageRequest, settings: PageSettings, run: Run, send: Send) -> Answer:
    """The games on a Two Flags server: every line of its log, and every new position."""
    reader, writer = await _connect(settings)
    try:
        position: Pawns | None = None
        with suppress(OSError, ValueError):  # gone, or a line that never ends
            while content := await reader.readline():
                line = content.decode("utf-8", "replace").rstrip()
                before, position = position, follow_log(position, line)
                message = describe_line(line, None if position is before else position)
                await send(json.dumps(message).encode("ascii"))
    finally:
        writer.transport.abort()
    return {"stopped": False}


def describe_line(line: str, position: Pawns | None) -> Answer:
    """A line of a log, and the position after it if it is a new one."""
    if position is None:
        return {"line": line}
    variant = "no-en-passant" if position.state & NO_EN_PASSANT else ""
    return {"line": line, "position": describe_position(Puzzle(TWO_FLAGS, position), variant)}


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


JOBS: dict[str, Callable[[PageRequest, PageSettings, Run, Send], Awaitable[Answer]]] = {
    "analyse": lambda request, _, run, send: say_lines(analyse_command(request), run, send),
    "why": lambda request, _, run, send: say_lines(why_command(request), run, send),
    "trace": trace,
    "judge": judge,
    "watch": watch,
}


async def respond(
    kind: str,
    body: bytes,
    settings: PageSettings,
    run: Run,
    send: Send,
    complain: Callable[[str], None],
) -> None:
    """Answer a request; the last message is marked as `done`.  `complain` gets internal errors."""
    try:
        request = parse_request(body)
        if kind in ANSWERS:
            last = ANSWERS[kind](request, settings)
        elif kind in JOBS:
            last = await JOBS[kind](request, settings, run, send)
        else:
            hint = did_you_mean(kind[:100], [*ANSWERS, *JOBS])
            raise UserError(f"Unknown request {kind[:100]!a}.{hint}")
    except Exception as error:
        last = _describe_failure(kind, error, complain)
    await send(json.dumps({**last, "done": True}).encode("ascii"))


def _describe_failure(kind: str, error: Exception, complain: Callable[[str], None]) -> Answer:
    if not isinstance(error, UserError | ConnectionError):  # or the client is gone
        complain(f"{kind}: {type(error).__name__}: {error}")
        error = UserError("Internal error; see the server's output.")
    failure: Answer = {"error": str(error)}
    if isinstance(error, BoardError):
        failure["faults"] = [
            {"line": fault.line, "column": fault.column, "rule": fault.rule}
            for fault in error.faults[:MOST_FAULTS]
        ]
    return failure
