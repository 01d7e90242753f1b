"""`solver comply`: good programs pass every check, and each bad one fails the one meant for it."""

from __future__ import annotations

import os
import shlex
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from command import solver

from solver.twoflags.moves import child_named, move_name
from solver.twoflags.net.comply.agent_checks import AGENT_CHECKS, check_agent
from solver.twoflags.net.comply.agent_trial import AgentUnderTest
from solver.twoflags.net.comply.checklist import Outcome, Verdict
from solver.twoflags.net.comply.mover import Mover, illegal_move, landing_game
from solver.twoflags.net.comply.server_checks import SERVER_CHECKS, check_server
from solver.twoflags.net.comply.server_trial import ServerUnderTest
from solver.twoflags.net.openings import start_opening
from solver.twoflags.rules import WHITE_LANDED_AT

DIALECTS = ("course", "tournament", "seed", "prompt")
SOLVER = f"{shlex.quote(sys.executable)} -m solver"
AGENT = (
    f"{SOLVER} agent --host {{host}} --port {{port}} --move-time 0.02 --no-ponder --dialect auto"
)
SERVER = f"{SOLVER} server --port {{port}} --spectator-port 0 --dialect {{dialect}}"
PATIENCE = 10.0  # for good programs, on a busy machine
IMPATIENCE = 2.0

# Keeps to the course's protocol or the tournament's, but for one fault.
FAULTY_AGENT = """
import socket, sys, time
from solver.twoflags import game
from solver.twoflags.moves import child_named, move_name
from solver.twoflags.rules import NO_EN_PASSANT
from solver.twoflags.text import parse_setup

port, fault, dialect = sys.argv[1:]
state = NO_EN_PASSANT if fault == "no en passant" else 0
position = parse_setup(game.start(), "", state)
line = socket.create_connection(("127.0.0.1", int(port)))
minutes = 1.0

def say(text):
    line.sendall((text + "\\n").encode())

def move():
    global position
    if minutes < 1 and fault == "slow":
        time.sleep(3.2)
    if not position.children():
        say("exit")
        return
    child = position.children()[0]
    say("h2h5" if fault == "illegal" else move_name(position, child))
    position = child
    if fault == "exit when won" and not child.children():
        say("exit")

def hear(text):
    global position, minutes
    word = text.split()[0]
    if word in ("Connected", "Setup", "Time") and fault != "silent":
        say("what?" if fault == "garbage" else "OK")
    if word == "Setup" and fault != "no setup":
        position = parse_setup(text, "", state)
    elif word == "Time":
        minutes = float(text.split()[1])
        if fault == "eager":
            say("e7e5")
    elif word == "Begin":
        move()
    elif word in ("exit", "GameOver"):
        sys.exit()
    elif word[1].isdigit():
        position = child_named(position, word if fault == "no suffix" else word[:4])
        if fault == "no suffix" and len(word) > 4:
            raise ValueError(word)
        move()

if dialect == "tournament":
    say("OK")
waiting = b""
while data := line.recv(1000):
    *lines, waiting = (waiting + data).split(b"\\n")
    if waiting and fault == "no joining":
        raise ValueError(waiting)
    for text in lines[: 1 if fault == "no splitting" else None]:
        hear(text.decode())
if fault == "traceback":
    raise ValueError("the end")
while fault == "immortal":
    time.sleep(1)
"""


FAULTS = [
    ("none", "", ""),
    (
        "silent",
        "answers the greeting with OK",
        "expected OK as answer to Connected, got nothing in 2 s",
    ),
    (
        "garbage",
        "answers the greeting with OK",
        "expected OK as answer to Connected, got 'what?'",
    ),
    (
        "illegal",
        "as White, begins with a legal move",
        "expected a legal move of white, got h2h5, which is illegal",
    ),
    (
        "eager",
        "as Black, waits for White's first move",
        "expected silence before White's first move, got move e7e5",
    ),
    (
        "no setup",
        "plays from the position of Setup",
        "expected a legal move of white, got a2a4, which is illegal",
    ),
    (
        "no en passant",
        "takes en passant when nothing else is legal",
        "expected a legal move of black, got exit, which gives the game up",
    ),
    (
        "no splitting",
        "understands two messages in one piece",
        "expected OK as answer to Time, got nothing in 2 s",
    ),
    (
        "no joining",
        "understands a message that comes in two pieces",
        "expected OK as answer to Setup, got the end of the connection",
    ),
    ("slow", "plays a whole game in three seconds", "expected a game in 3 s, got "),
    (
        "no suffix",
        "understands a landing with a promotion, a7a8q",
        "expected no crash, got on standard error: ValueError: a7a8q",
    ),
    (
        "immortal",
        "ends in order when the server is gone",
        "expected the program to end, got it still runs after 2 s",
    ),
    (
        "traceback",
        "ends in order when the server is gone",
        "expected no crash, got on standard error: ValueError: the end",
    ),
    (
        "exit when won",
        "notices that it has won",
        "expected no move and no false claim after the game is won, got exit",
    ),
]
HANGING = ("silent", "immortal", "no splitting")


def failures(verdicts: list[Verdict]) -> dict[str, str]:
    return {
        verdict.title: verdict.reason for verdict in verdicts if verdict.outcome is Outcome.FAILED
    }


def told(verdicts: list[Verdict]) -> str:
    """For the message of a failed test."""
    return "\n".join("\n    ".join([str(verdict), *verdict.transcript]) for verdict in verdicts)


def up_to_a_failure(checks: Iterator[Verdict]) -> list[Verdict]:
    """Every check is a process or two; none is needed after the one that has to fail."""
    verdicts = []
    for verdict in checks:
        verdicts.append(verdict)
        if verdict.outcome is Outcome.FAILED:
            break
    return verdicts


def skipped(verdicts: list[Verdict]) -> list[int]:
    return [verdict.number for verdict in verdicts if verdict.outcome is Outcome.SKIPPED]


class Runs:
    """All the programs that are checked as a whole, at once: most of the time is waiting."""

    def __init__(self, pool: ThreadPoolExecutor, folder: Path) -> None:
        self.pool = pool
        self.script = folder / "agent.py"
        self.script.write_text(FAULTY_AGENT)
        self.agents = {dialect: pool.submit(self._agent, dialect) for dialect in DIALECTS}
        self.servers = {dialect: pool.submit(self._server, dialect) for dialect in DIALECTS}
        self.faults = {fault: pool.submit(self._faulty, fault) for fault, _, _ in FAULTS}

    def _agent(self, dialect: str) -> list[Verdict]:
        return list(check_agent(AgentUnderTest(AGENT, dialect, PATIENCE)))

    def _server(self, dialect: str) -> list[Verdict]:
        command = f"{SERVER} --time 0.05"
        subject = ServerUnderTest(command=command, dialect=dialect, patience=PATIENCE)
        return list(check_server(subject))

    def _faulty(self, fault: str) -> list[Verdict]:
        dialect = "tournament" if fault == "exit when won" else "course"
        run = f"exec(compile(open({str(self.script)!r}).read(), 'agent.py', 'exec'))"
        command = shlex.join([sys.executable, "-c", run, "{port}", fault, dialect])
        patience = IMPATIENCE if fault in HANGING else PATIENCE
        return up_to_a_failure(check_agent(AgentUnderTest(command, dialect, patience)))


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Runs]:
    with ThreadPoolExecutor(6) as pool:
        yield Runs(pool, tmp_path_factory.mktemp("agents"))


@pytest.mark.parametrize("dialect", DIALECTS)
def test_our_agent_passes(runs: Runs, dialect: str) -> None:
    verdicts = runs.agents[dialect].result()
    assert not failures(verdicts), told(verdicts)
    assert len(verdicts) == len(AGENT_CHECKS.checks)
    not_checked = {"course": [], "seed": [9, 10]}
    assert skipped(verdicts) == not_checked.get(dialect, [9])


@pytest.mark.parametrize("dialect", DIALECTS)
def test_our_server_passes(runs: Runs, dialect: str) -> None:
    verdicts = runs.servers[dialect].result()
    assert not failures(verdicts), told(verdicts)
    assert skipped(verdicts) == ([2] if dialect == "tournament" else [])


@pytest.mark.parametrize(("fault", "title", "reason"), FAULTS)
def test_a_fault_fails_the_check_that_is_meant_for_it(
    runs: Runs, fault: str, title: str, reason: str
) -> None:
    verdicts = runs.faults[fault].result()
    assert list(failures(verdicts)) == ([title] if title else []), told(verdicts)
    assert "".join(failures(verdicts).values()).startswith(reason)


def test_the_evidence_is_kept(runs: Runs) -> None:
    verdicts = runs.faults["no joining"].result()
    (failed,) = [verdict for verdict in verdicts if verdict.outcome is Outcome.FAILED]
    said = [line.split(maxsplit=2)[-1] for line in failed.transcript]
    assert {"Connected to the server!\\n", "OK\\n", "Set"} <= set(said)
    assert said[-1] == "standard error: ValueError: b'Set'"


def test_what_builds_on_a_failure_is_not_tried() -> None:
    verdicts = list(check_agent(AgentUnderTest(f"{shlex.quote(sys.executable)} -c pass {{port}}")))
    assert failures(verdicts) == {
        "connects": "expected a connection, got the program ended, exit code 0"
    }
    assert {verdict.reason for verdict in verdicts[1:]} == {
        "could not be checked because check 1 failed"
    }


# --- servers -------------------------------------------------------------------------------


def test_a_server_that_passes_everything_on_is_caught() -> None:
    subject = ServerUnderTest(command=f"{SERVER} --relay", patience=PATIENCE)
    verdicts = list(check_server(subject))
    assert set(failures(verdicts)) == {
        "does not pass an illegal move on",
        "does not pass a move out of turn on",
    }, told(verdicts)
    assert skipped(verdicts) == [15]
    subject = ServerUnderTest(command=f"{SERVER} --relay", relay=True)
    assert skipped(list(check_server(subject, only=(11, 12, 15)))) == [11, 12, 15]


def test_a_server_that_says_nothing_is_caught() -> None:
    silent = "import socket, sys, time; s = socket.create_server(('', int(sys.argv[1])))"
    command = shlex.join([sys.executable, "-c", f"{silent}; time.sleep(60)", "{port}"])
    verdicts = list(check_server(ServerUnderTest(command=command, patience=IMPATIENCE)))
    assert failures(verdicts) == {
        "greets the players": "expected a greeting for player 1, got nothing of the kind in 2 s"
    }


def test_a_running_server_is_checked_as_far_as_one_match_goes() -> None:
    words = [*shlex.split(SOLVER), "server", "--port", "0", "--spectator-port", "0"]
    with subprocess.Popen(words, stdout=subprocess.PIPE, text=True) as server:
        assert server.stdout is not None
        address = server.stdout.readline().split()[-1]
        done = solver("comply", "--server", address)
        assert server.wait(20) == 0
    *lines, last = done.stdout.splitlines()
    assert (done.returncode, done.stderr) == (0, ""), done.stdout
    assert last == "9 passed, 0 failed, 6 skipped"
    assert lines[0] == "ok 1  accepts two players"
    assert lines[-1].endswith(": needs a match of its own; give the server as --server-cmd")


# --- the command ---------------------------------------------------------------------------


def test_a_failure_is_told_with_its_transcript() -> None:
    with socket.create_server(("127.0.0.1", 0)) as nobody:
        port = nobody.getsockname()[1]
    done = solver("comply", "--server", f"127.0.0.1:{port}", "--patience", "0.1", "--only", "1")
    assert done.returncode == 1
    assert done.stdout.splitlines() == [
        "FAILED 1  accepts two players: expected a connection for player 1, got Connection refused",
        "    A game has two.",
        "0 passed, 1 failed, 0 skipped",
    ]
    talker = "import socket, sys; socket.create_connection(('127.0.0.1', int(sys.argv[1])))"
    agent = shlex.join([sys.executable, "-c", f"{talker}.sendall(b'hi')", "{port}"])
    done = solver("comply", "--agent", agent, "--only", "1,2")
    lines = [line.split(maxsplit=1)[-1] for line in done.stdout.splitlines()]
    assert done.returncode == 1
    assert "> Connected to the server!\\n" in lines
    assert "< hi" in lines
    assert lines[-1] == "passed, 1 failed, 0 skipped"


def test_an_agent_without_a_place_for_the_port_is_met_at_the_usual_one() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        done = solver("comply", "--agent", "true", "--port", str(port))
        assert (done.returncode, done.stdout) == (3, "")
        assert "Put {port} into the command" in done.stderr
    command = AGENT.replace("{port}", str(port))
    done = solver("comply", "--agent", command, "--port", str(port), "--only", "1,3")
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ([], "one of the arguments --agent --server-cmd --server --list is required."),
        (["--agent", "no-such-program {port}"], "no-such-program: cannot be started: "),
        (["--agent", "'"], "': No closing quotation"),
        (["--agent", ""], "The command is empty."),
        (["--server-cmd", "true"], "--server-cmd needs {port}"),
        (["--server", "x"], "'x' is not like 127.0.0.1:9999"),
        (["--agent", "x", "--dialect", "cuorse"], "Did you mean 'course'?"),
        (["--agent", "x", "--only", "99"], "--only: the checks are numbered from 1 to 20."),
    ],
)
def test_wrong_usage(words: list[str], said: str) -> None:
    done = solver("comply", *words)
    assert (done.returncode, done.stdout) == (2, "")
    assert said in done.stderr


def test_the_checks_are_listed() -> None:
    done = solver("comply", "--list")
    assert done.returncode == 0
    assert f"\n{len(AGENT_CHECKS.checks):4}  {AGENT_CHECKS.checks[-1].title}. " in done.stdout
    assert f"\n{len(SERVER_CHECKS.checks):4}  {SERVER_CHECKS.checks[-1].title}. " in done.stdout


def is_running(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    return Path(f"/proc/{process}/stat").read_text().split()[2] != "Z"


STUBBORN = """
import os, signal, sys, time
signal.signal(signal.SIGTERM, signal.SIG_IGN)
child = os.fork()
open(sys.argv[1], "a").write(f"{os.getpid()} ")
time.sleep(60)
"""


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="looks for processes in /proc")
@pytest.mark.parametrize("interrupted", [False, True])
def test_nothing_is_left_running(tmp_path: Path, interrupted: bool) -> None:
    """Neither a program that does not want to end nor what it has started."""
    numbers = tmp_path / "processes"
    numbers.touch()
    agent = shlex.join([sys.executable, "-c", STUBBORN, str(numbers), "{port}"])
    patience = "60" if interrupted else "2"
    words = [*shlex.split(SOLVER), "comply", "--agent", agent, "--patience", patience]
    with subprocess.Popen([*words, "--only", "1"], stdout=subprocess.PIPE, text=True) as comply:
        while interrupted and len(numbers.read_text().split()) < 2:
            assert comply.poll() is None
        if interrupted:
            comply.send_signal(signal.SIGINT)
        comply.communicate(timeout=30)
    assert comply.returncode == (130 if interrupted else 1)
    started = [int(number) for number in numbers.read_text().split()]
    assert len(started) == 2
    assert not any(is_running(process) for process in started)


# --- how the scripts move ------------------------------------------------------------------


def test_the_mover_is_legal_and_always_the_same() -> None:
    games = []
    for _ in range(2):
        position, mover, names = start_opening(1), Mover(), []
        while position.children():
            names.append(mover(position))
            child = child_named(position, names[-1])
            assert child is not None
            position = child
        games.append(names)
    assert games[0] == games[1]
    assert len(games[0]) > 10


def test_a_landing_game_is_legal_with_en_passant_and_lands() -> None:
    position = start_opening(1)
    for child in landing_game(position):
        found = child_named(position, move_name(position, child))
        assert found is not None
        position = found
    assert position.state >> WHITE_LANDED_AT
    assert landing_game(position) == []


def test_an_illegal_move_is_illegal_but_a_move() -> None:
    position = start_opening(1)
    while position.children():
        assert child_named(position, illegal_move(position)) is None
        position = position.children()[-1]
