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


# --- on a server ---------------------------------------------------------------------------


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

    def wait_for_the_game(self) -> None:
        """Who comes first is White."""
        assert self.person.stdout is not None
        assert self.person.stdout.readline() == "you are white\n"

    def type(self, text: str) -> tuple[str, str]:
        """Everything the person types; what is told on the way."""
        assert self.person.stdin is not None
        with self.person.stdin:
            self.person.stdin.write(text)
        told = "".join(self.person.stdout or []), "".join(self.person.stderr or [])
        assert self.person.wait(20) == 0
        return told

    def play_first_moves(self) -> list[str]:
        """Ask for the legal moves, play the first of them, and so on to the end."""
        assert self.person.stdin is not None
        assert self.person.stdout is not None
        self.person.stdin.write("moves\n")
        lines = []
        for line in self.person.stdout:
            lines.append(line.rstrip("\n"))
            if line.startswith("legal: "):
                self.person.stdin.write(f"{line.split()[1]}\nmoves\n")
        assert self.person.wait(20) == 0
        return lines


@contextmanager
def table(dialect: str, spoken: str = "auto") -> Iterator[Table]:
    with ExitStack() as stack:
        yield Table(stack, dialect, spoken)


@pytest.mark.parametrize("dialect", ["course", "tournament", "seed"])
def test_a_whole_game_on_a_server(dialect: str) -> None:
    with table(dialect, spoken=dialect) as seats:
        seats.wait_for_the_game()
        lines = seats.play_first_moves()
        out, _ = seats.agent.communicate(timeout=120)
        assert seats.agent.returncode == 0
    moves = [line.split()[0] for line in lines if " plays " in line]
    assert moves == [("white", "black")[ply % 2] for ply in range(len(moves))]
    (result,) = [line for line in lines if " has won: " in line]
    assert f"black, {'lost' if result.startswith('white') else 'won'}; " in out


def test_the_dialect_is_found_out() -> None:
    with table("course") as seats:
        assert any(" has won: " in line for line in seats.play_first_moves())


def test_questions_are_answered_on_a_server_too_and_end_of_input_resigns() -> None:
    with table("course") as seats:
        seats.wait_for_the_game()
        out, words = seats.type("undo\nhint\ne9\n")
    assert "\nhint: " in out
    assert out.splitlines()[-1] == "black has won: resignation"
    assert words.startswith("Moves cannot be taken back on a server.\n'e9' is not a legal move.")


def test_an_opponent_who_is_gone_ends_the_game() -> None:
    """On our turn: whether by our fault or the opponent's, this dialect does not tell."""
    with table("course") as seats:
        seats.wait_for_the_game()
        seats.agent.kill()
        out = "".join(seats.person.stdout or [])
        assert seats.person.wait(20) == 0
    assert "the server has ended the game on our turn\n" in out


def test_a_server_that_dies_in_mid_game_is_told() -> None:
    with table("course") as seats:
        seats.wait_for_the_game()
        seats.server.kill()
        assert seats.person.wait(20) == 4
        assert seats.person.stderr is not None
        assert seats.person.stderr.read().startswith(f"solver: {seats.address}: ")
