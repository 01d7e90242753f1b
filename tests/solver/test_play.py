"""`solver play` as a real process, driven through pipes as by a person who types ahead."""

from __future__ import annotations

import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager

import pytest

SOLVER = [sys.executable, "-m", "solver"]


def test_an_interrupt_is_130() -> None:
    with subprocess.Popen(
        [*SOLVER, "play", "--game", "twoflags"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "8  . . . . . . . .\n"
        process.send_signal(signal.SIGINT)
        _, words = process.communicate(timeout=120)
    assert (process.returncode, words) == (130, "solver: interrupted\n")


@contextmanager
def running(*words: str) -> Iterator[subprocess.Popen[str]]:
    process = subprocess.Popen(
        [*SOLVER, *words],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        bufsize=1,
    )
    with process:
        try:
            yield process
        finally:
            process.kill()


class Table:
    """A server, a person who comes first, and the solver's agent."""

    def __init__(self, stack: ExitStack, dialect: str, spoken: str) -> None:
        options = ["--port", "0", "--spectator-port", "0", "--dialect", dialect, "-v"]
        self.server = stack.enter_context(running("server", *options))
        assert self.server.stdout is not None
        self.address = self.server.stdout.readline().split()[-1]
        port = self.address.rpartition(":")[2]
        self.person = stack.enter_context(
            running("play", "--server", self.address, "--dialect", spoken, "--nodes", "100")
        )
        assert self.server.stderr is not None
        assert self.server.stderr.readline().startswith("player-1 has come ")
        thinking = ["--move-time", "0.02", "--no-ponder", "-q"]
        self.agent = stack.enter_context(
            running("agent", "--port", port, "--dialect", spoken, *thinking)
        )

    def type(self, text: str, rest: str = "") -> tuple[str, str]:
        """Type a text; after every list of legal moves the first of them, and the rest.  What is
        told on the way."""
        assert self.person.stdin is not None
        assert self.person.stdout is not None
        self.person.stdin.write(text)
        if not rest:
            self.person.stdin.close()
        told = ""
        for line in self.person.stdout:
            told += line
            if line.startswith("legal: "):
                self.person.stdin.write(f"{line.split()[1]}\n{rest}")
        assert self.person.wait(120) == 0
        return told, "".join(self.person.stderr or [])


@contextmanager
def table(dialect: str, spoken: str = "auto") -> Iterator[Table]:
    with ExitStack() as stack:
        yield Table(stack, dialect, spoken)


@pytest.mark.parametrize(
    ("dialect", "spoken"),
    [
        ("course", "auto"),
        *(pytest.param(name, name, marks=pytest.mark.slow) for name in ("tournament", "seed")),
    ],
)
def test_a_whole_game_on_a_server(dialect: str, spoken: str) -> None:
    """Questions are answered there, too."""
    with table(dialect, spoken) as seats:
        told, words = seats.type("undo\nhint\ne9\nmoves\n", "moves\n")
        out, _ = seats.agent.communicate(timeout=120)
        assert seats.agent.returncode == 0
    assert words.startswith("Moves cannot be taken back on a server.\n'e9' is not a legal move.")
    assert "\nhint: " in told
    moves = [line.split()[0] for line in told.splitlines() if " plays " in line]
    assert moves == [("white", "black")[ply % 2] for ply in range(len(moves))]
    (result,) = [line for line in told.splitlines() if " has won: " in line]
    assert f"black, {'lost' if result.startswith('white') else 'won'}; " in out


def test_the_end_of_input_resigns() -> None:
    with table("course") as seats:
        assert seats.type("")[0].splitlines()[-1] == "black has won: resignation"


@pytest.mark.parametrize(
    ("who", "code", "told"),
    [
        # Whether by our fault or the opponent's, this dialect does not tell.
        ("agent", 0, "the server has ended the game on our turn\n"),
        ("server", 4, "solver: 127.0.0.1:"),
    ],
)
def test_whoever_is_gone_ends_the_game(who: str, code: int, told: str) -> None:
    with table("course") as seats:
        assert seats.person.stdout is not None
        assert seats.person.stdout.readline() == "you are white\n"  # who comes first
        getattr(seats, who).kill()
        assert seats.person.wait(120) == code
        out = "".join([*seats.person.stdout, *(seats.person.stderr or [])])
    assert told in out
