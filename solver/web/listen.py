"""Listen on a port: in a module of its own for the page's server and the Two Flags server."""

from __future__ import annotations

import asyncio
import errno
from collections.abc import Callable
from contextlib import AsyncExitStack

from solver.errors import FileError

Welcome = Callable[[asyncio.StreamReader, asyncio.StreamWriter], None]


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
        server = await asyncio.start_server(welcome, host, port, limit=most_unread)
    except OSError as error:
        hint = f" Try {option} 0 for any free one." if error.errno == errno.EADDRINUSE else ""
        reason = error.strerror or "no such address"
        raise FileError(f"{host}:{port}: cannot listen there: {reason}.{hint}") from None
    stack.callback(server.close)
    address = server.sockets[0].getsockname()
    return address[0], address[1]
