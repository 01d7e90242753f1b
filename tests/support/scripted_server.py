"""A server that follows a script, on a real socket, for one client."""

from __future__ import annotations

import re
import socket
import threading
from collections.abc import Callable
from typing import Any

from solver.games import game_named
from solver.games.twoflags.net.client import Agent, Connection
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

    def wait_for(self, wanted: Callable[[str], bool]) -> str:
        """All that was heard, as soon as it is what was wanted."""
        while not wanted(self.heard):
            data = self.socket.recv(4096)
            assert data, f"the client has left after {self.heard!r}"
            self.heard += data.decode()
        return self.heard

    def lines(self, count: int) -> list[str]:
        """That many lines, as soon as they are there."""
        return self.wait_for(lambda heard: heard.count("\n") >= count).split("\n")[:count]


class ScriptedServer:
    """Runs the script in a thread; an assertion that fails there fails the test."""

    def __init__(self, script: Callable[[Line], None]) -> None:
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.listener.settimeout(PATIENCE)
        self.port: int = self.listener.getsockname()[1]
        self.script = script
        self.error: BaseException | None = None
        self.thread = threading.Thread(target=self._run)

    def _run(self) -> None:
        try:
            with self.listener.accept()[0] as connection:
                self.script(Line(connection))
        except BaseException as error:
            self.error = error

    def __enter__(self) -> ScriptedServer:
        self.thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.thread.join(PATIENCE)
        self.listener.close()
        if self.error is not None:
            raise self.error


def make_thinker() -> Ponderer:
    game = game_named("twoflags")
    start = game.read(game.start(), "start", True).position
    return Ponderer(game.evaluator("race", start), Techniques())


def make_agent(
    connection: Connection,
    told: Callable[[object], None] = lambda event: None,
    dialect: str = "auto",
    **options: Any,
) -> Agent:
    """An agent that does not think for long."""
    options = {"move_seconds": 0.01, "ponders": False, "patience": 5.0} | options
    return Agent(connection, Conversation(dialect), make_thinker, told, **options)


def played(script: Callable[[Line], None], **options: Any) -> tuple[Agent, list[object]]:
    """The agent after it has met that server, and what it has told."""
    told: list[object] = []
    with ScriptedServer(script) as server:
        connection = Connection("127.0.0.1", server.port)
        try:
            agent = make_agent(connection, told.append, **options)
            agent.run()
        finally:
            connection.close()
    return agent, told
