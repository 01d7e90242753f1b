"""`solver agent` and `solver server` as real processes, in every dialect."""

from __future__ import annotations

import re
import socket
import subprocess
import sys
from pathlib import Path

import pytest
from command import solver
from scripted_server import Line, ScriptedServer

QUICK = ("--move-time", "0.02")
DIALECTS = ["course", "tournament", "seed"]


def started(*words: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-m", "solver", *words],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def match(dialect: str, games: int, *agent_words: str) -> list[tuple[int, str, str]]:
    """Exit code, output and errors of a server and two agents that play there."""
    server = started(
        *("server", "--port", "0", "--dialect", dialect, "--games", str(games)),
        *("--time", "0.5", "--opening", "random:4", "-v"),
    )
    assert server.stdout is not None
    first = server.stdout.readline()
    port = first.rpartition(":")[2].strip()
    agents = [started("agent", "--port", port, *agent_words) for _ in range(2)]
    outputs = []
    for process in (server, *agents):
        output, errors = process.communicate(timeout=120)
        outputs.append((process.returncode, output, errors))
    return outputs


@pytest.mark.parametrize("dialect", DIALECTS)
def test_agents_play_in_every_dialect_and_find_out_which(dialect: str) -> None:
    server, *agents = match(dialect, 2, *QUICK)
    assert [code for code, _, _ in (server, *agents)] == [0, 0, 0]
    results = re.findall(r"has won: (.*?); plies", server[1])
    assert len(results) == 2
    assert set(results) <= {
        "a pawn has landed",
        "the last enemy pawn is taken",
        "the opponent has no legal move",
    }
    won = [int(re.findall(r"2 games, (\d) won", output)[0]) for _, output, _ in agents]
    assert sum(won) == 2
    for _, output, errors in agents:
        assert (
            len(re.findall(r"^game \d: (?:white|black), (?:won|lost)", output, re.MULTILINE)) == 2
        )
        assert "Traceback" not in errors
        assert re.search(
            r"^\d+\. (white|black) [a-h]\d[a-h]\d depth \d+ nodes \d+ score \S+ "
            r"time \d+\.\d\d left \d+\.\d ponder (hit|miss|-) ebf \d+\.\d\d$",
            errors,
            re.MULTILINE,
        )


def test_a_named_dialect_is_spoken_from_the_first_word() -> None:
    server, *agents = match("tournament", 1, "--dialect", "tournament", "--no-ponder", "-q", *QUICK)
    assert [code for code, _, _ in (server, *agents)] == [0, 0, 0]
    assert all("ponder hits 0 of 0" in output for _, output, _ in agents)
    assert all(errors == "" for _, _, errors in agents)


def script(line: Line) -> None:
    line.say("Connected to the server!\nSetup Wa5 Bh6\nTime 1\nBegin\n")
    line.lines(4)
    line.say("h6h5\n")
    line.lines(5)
    line.say("h5h4\n")
    line.lines(6)
    line.say("exit\n")


def test_the_report_says_what_a_course_asks_for(tmp_path: Path) -> None:
    path = tmp_path / "report.md"
    with ScriptedServer(script) as server:
        words = ("--port", str(server.port), "--move-time", "0.05")
        done = solver("agent", *words, "--name", "Ada", "--report", str(path))
    assert done.returncode == 0
    text = path.read_text()
    assert text.startswith("# Games of Ada\n")
    for row in ("least", "average", "most"):
        assert re.search(rf"^\| search depth, {row} \| [\d.]+ \|$", text, re.MULTILINE)
    for row in ("branching factor of the game", "effective branching factor", "ponder hits"):
        assert row in text
    assert "## Game 1: white, won" in text
    assert re.search(r"^\| 1 \| a5a6 \| \d+ \| \d+ \| win in 5 \|", text, re.MULTILINE)


def test_a_report_that_cannot_be_written_is_found_out_before_the_game() -> None:
    done = solver("agent", "--report", "/nowhere/report.md")
    assert done.returncode == 3
    assert "cannot write" in done.stderr


def test_nobody_there() -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = listener.getsockname()[1]
    done = solver("agent", "--port", str(port))
    assert (done.returncode, done.stdout) == (3, "")
    assert done.stderr == (
        f"solver: 127.0.0.1:{port}: cannot connect: Connection refused. Is a server there?\n"
    )


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ("Begin\n", "the server has closed the connection"),
        ("Connected to the server!\nSetup Wa2 Bh7\n", "the server has closed the connection"),
        ("", "the server has closed the connection"),
    ],
)
def test_a_server_that_breaks_off(said: str, told: str) -> None:
    with ScriptedServer(lambda line: line.say(said)) as server:
        done = solver("agent", "--port", str(server.port), "--move-time", "0.01")
    assert done.returncode == 4
    assert told in done.stderr
    assert "Traceback" not in done.stderr


def test_a_server_that_never_speaks() -> None:
    def silent(line: Line) -> None:
        while line.socket.recv(100):
            pass

    with ScriptedServer(silent) as server:
        done = solver("agent", "--port", str(server.port), "--patience", "1.2")
    assert done.returncode == 4
    assert "was silent for 1.2 s" in done.stderr


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["--dialect", "curse"], "Did you mean 'course'?"),
        (["--port", "0"], "'0' is not a whole number from 1 on"),
        (["--host", "x..y"], "'x..y' is not the name or number of a computer"),
        (["--host", ""], "'' is not the name or number of a computer"),
        (["--move-time", "-1"], "'-1' is not a number of seconds above 0"),
        (["--heuristic", "centre"], "There is no heuristic 'centre'."),
    ],
)
def test_mistakes(words: list[str], told: str) -> None:
    done = solver("agent", *words)
    assert done.returncode == 2
    assert told in done.stderr
