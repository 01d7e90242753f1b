"""Listen on a port: in a module of its own for the page's server and the Two Flags server."""

from __future__ import annotations

import asyncio
import errno
import logging
from collections.abc import Callable
from contextlib import AsyncExitStack

from solver.errors import FileError

Welcome = Callable[[asyncio.StreamReader, asyncio.StreamWriter], None]
AT_ONCE = 16  # connections accepted before any is looked at
RESERVED = 3 * AT_ONCE  # open files for two ports, for players, and for all else


def most_connections(wanted: int) -> int:
    """As many as the limit of open files (`ulimit -n`) allows: at the limit nobody gets in."""
    try:
        import resource
    except ImportError:  # Windows has no such limit
        return wanted
    allowed = resource.getrlimit(resource.RLIMIT_NOFILE)[0]
    return wanted if allowed < 0 else max(1, min(wanted, allowed - RESERVED))


def report_errors(report: Callable[[str], None]) -> None:
    """Errors of the loop that runs, in one line; asyncio itself would print whole tracebacks."""
    loop = asyncio.get_running_loop()
    loop.set_exception_handler(lambda _, about: report(str(about["message"])))
    logging.getLogger("asyncio").disabled = True


async def listen(
    stack: AsyncExitStack,
    welcome: Welcome,
    host: str,
    port: int,
    option: str,
    most_unread: int = 1 << 16,
) -> tuple[str, int]:
    """Listen until the stack is closed, on any free port for 0; returns host and port."""
    try:
        server = await asyncio.start_server(welcome, host, port, limit=most_unread, backlog=AT_ONCE)
    except OSError as error:
        hint = f" Try {option} 0 for any free one." if error.errno == errno.EADDRINUSE else ""
        reason = error.strerror or "no such address"
        raise FileError(f"{host}:{port}: cannot listen there: {reason}.{hint}") from None
    stack.callback(server.close)
    address = server.sockets[0].getsockname()
    return address[0], address[1]
