"""A server that follows a script, on a real socket, for one client."""

from __future__ import annotations

import re
import socket
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager
from functools import partial
from typing import Any

from solver.games import game_named
from solver.games.agent import SearchingAgent
from solver.games.twoflags.net.client import Client, Connection
from solver.games.twoflags.net.conversation import Conversation
from solver.play.ponderer import Ponderer
from solver.search.techniques import Techniques

PATIENCE = 20.0


def read_scripts(text: str) -> list[tuple[str, str]]:
    """The heads, and the indented lines below each."""
    blocks = re.split(r"\n(?=\S)", text.strip())
    return [(head, script) for head, _, script in (block.partition("\n") for block in blocks)]


class Line:
    """The server's end of the connection."""

    def __init__(self, connection: socket.socket) -> None:
        self.socket = connection
        self.socket.settimeout(PATIENCE)
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.heard = ""

    def say(self, text: str, sizes: list[int] | None = None) -> None:
        """Send a text, in pieces of these sizes and the rest at once."""
        for size in sizes or []:
            self.socket.sendall(text[:size].encode())
            text = text[size:]
        self.socket.sendall(text.encode())

    def lines(self, count: int) -> list[str]:
        """That many lines, as soon as they are there."""
        while self.heard.count("\n") < count:
            data = self.socket.recv(4096)
            assert data, f"the client has left after {self.heard!r}"
            self.heard += data.decode()
        return self.heard.split("\n")[:count]


@contextmanager
def scripted_server(script: Callable[[Line], None]) -> Iterator[int]:
    """Runs the script in a thread, on this port; an assertion that fails there fails the test."""
    with socket.create_server(("127.0.0.1", 0)) as listener, ThreadPoolExecutor(1) as pool:
        listener.settimeout(PATIENCE)

        def run() -> None:
            with listener.accept()[0] as connection:
                script(Line(connection))

        running = pool.submit(run)
        try:
            yield listener.getsockname()[1]
        finally:
            running.result(PATIENCE)


def make_thinker(ponders: bool) -> SearchingAgent:
    game = game_named("twoflags")
    start = game.read(game.start(), "start", True).position
    return SearchingAgent(Ponderer(game.evaluator("race", start), Techniques()), ponders)


def make_client(
    connection: Connection,
    told: Callable[[object], None] = lambda event: None,
    dialect: str = "auto",
    **options: Any,
) -> Client:
    """A client whose agent does not think for long."""
    options = {"move_seconds": 0.01, "patience": 5.0} | options
    thinker = partial(make_thinker, options.pop("ponders", False))
    return Client(connection, Conversation(dialect), thinker, told, **options)


def played(
    script: Callable[[Line], None], framed: bool = True, **options: Any
) -> tuple[Client, list[object]]:
    """The client after it has met that server, and what it has told."""
    told: list[object] = []
    with (
        scripted_server(script) as port,
        closing(Connection("127.0.0.1", port, framed)) as connection,
    ):
        client = make_client(connection, told.append, **options)
        client.run()
    return client, told
