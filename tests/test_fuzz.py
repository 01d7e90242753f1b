"""Files and messages that are damaged somehow: a clear error or a result, never a traceback, never
half a file.

Every reader gets valid examples with random changes, always the same for the same seed.  By hand,
with more: `CHECKMARK_FUZZ=2000 pytest -m slow tests/test_fuzz.py` (changed examples per reader).
"""

from __future__ import annotations

import asyncio
import json
import os
import random
import re
import shlex
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

import pytest
from support.command import call
from support.console import ROOT
from support.endgame_files import content
from support.grader_command import OWN, grader, lay_out_mine
from support.net_host import hosted

from grader.cli.assign import read_roster
from grader.cli.options import read_csv
from grader.grading.records import Report, Worksheet
from grader.judge import judge
from grader.lab.match import read_openings
from grader.lab.match_results import Pair, PlayedGame, open_journal
from grader.puzzles.evidence import over
from grader.puzzles.find import PuzzleFiles, variant_of
from grader.puzzles.prove import PuzzleProof, differences
from grader.puzzles.settings import read_settings
from grader.puzzles.truth import read_truth
from grader.report.gradebook import fill_gradebook
from solver.errors import UserError
from solver.games import game_named
from solver.games.checkers.endgame.file import Archive
from solver.games.checkers.endgame.slices import all_slices
from solver.games.puzzle import read_puzzle, read_text
from solver.games.tree import parse
from solver.games.twoflags.net.conversation import Conversation
from solver.games.twoflags.net.match import follow_log
from solver.games.twoflags.net.protocol import Flood, Scanner
from solver.proof.checkpoint import sealed
from solver.web.answers import ANSWERS, PageSettings, parse_request
from solver.web.http import RefusedRequest, parse_head
from solver.web.server import PageServer

FEW = 25
REFUSED = (2, 3)  # exit codes
MANY = int(os.environ.get("CHECKMARK_FUZZ", "300"))
PAGE = PageSettings("1", compiled=False, puzzles=ROOT / "inputs")
JUNK = (
    *(
        b"\0",
        b"\xff\xfe",
        b"\xed\xa0\x80",
        b"\r",
        b"\n\n",
        b"\x1b[2J",
        b"\xef\xbb\xbf",
        b" ",
        b"\t",
    ),
    *(b"-1", b"0", b"9" * 25, b"9" * 5000, b"1e999", b"nan", b"[" * 3000, b'"', b"{", b"}", b","),
    *("٣".encode(), "²".encode(), "\u2028".encode(), "ﬁ".encode(), b"x" * 500, b"W", b"b", b":"),
)


def damage(chance: random.Random, data: bytes, others: list[bytes]) -> bytes:
    """Some of what disks, editors, networks and students do to a file."""
    for _ in range(chance.choice((1, 1, 2, 3))):
        at, length = chance.randrange(len(data) + 1), chance.choice((1, 1, 2, 8, 40))
        before, touched, after = data[:at], data[at : at + length], data[at + length :]
        lines = data.splitlines(keepends=True) or [b""]
        line = chance.randrange(len(lines))
        junk, other = chance.choice(JUNK), chance.choice(others)
        digits = chance.choice(list(re.finditer(rb"\d+", data + b"0")))
        data = chance.choice(
            (
                before + junk + touched + after,
                before + junk + after,
                before + after,
                before,
                before + touched * 3 + after,
                before + bytes(each ^ 1 << chance.randrange(8) for each in touched) + after,
                before + chance.randbytes(length) + after,
                b"".join([*lines[:line], lines[line], *lines[line:]]),
                b"".join([*lines[:line], *lines[line + 1 :]]),
                b"".join(chance.sample(lines, len(lines))),
                data[: digits.start()] + junk + data[digits.end() :],
                before + other[chance.randrange(len(other) + 1) :],
            )
        )
    return data


# --- the readers ---------------------------------------------------------------------------


class Reader(NamedTuple):
    """What reads a file with damaged content; a name decides what else it depends on."""

    examples: list[bytes]
    read: Callable[[Path], object]


def in_folder(pattern: str, most: int = 30) -> list[bytes]:
    return [path.read_bytes() for path in sorted(ROOT.glob(pattern))[:most]]


def read_board(path: Path) -> None:
    text = read_text(str(path), "board")
    for strict in (False, True):
        with suppress(UserError):
            puzzle = read_puzzle(text, "board", strict=strict)
            puzzle.moves()
            assert read_puzzle(puzzle.write(), "again", game_name=puzzle.game.NAME).form


def read_proof(path: Path) -> None:
    rules = game_named("checkers")
    board = ROOT / "inputs/checkers/shot-in-nine.txt"
    position = rules.read(board.read_text(), "", False).position
    with suppress(UserError):
        read_truth(path.read_bytes().decode("utf-8", "replace"), rules, position, "", "proof")
    case, _ = PuzzleFiles("shot", board, board.with_name("nothing"), path).read()
    assert differences(case, PuzzleProof(over(rules, position, "board"), 0, 0))
    variant_of(case)


def read_tables(path: Path) -> None:
    archive = Archive(str(path))
    for here in all_slices(2):
        archive.values(here)


def read_wire(path: Path) -> None:
    data = path.read_bytes()
    for dialect in ("auto", "course", "tournament", "seed"):
        scanner, conversation = Scanner(), Conversation(dialect)
        with suppress(Flood):
            for at in range(0, len(data), 7):
                for message in scanner.feed(data[at : at + 7]):
                    conversation.hear(message)
            for message in scanner.settle():
                conversation.hear(message)
        conversation.hear_silence()
    position = None
    for line in data.decode("utf-8", "replace").splitlines():
        position = follow_log(position, line)


def read_request(path: Path) -> None:
    head, end, body = path.read_bytes().partition(b"\r\n\r\n")
    with suppress(RefusedRequest):
        parse_head(head + end)
    for answer in ANSWERS.values():
        with suppress(UserError):
            json.dumps(answer(parse_request(body), PAGE)).encode("ascii")


def read_worksheet(path: Path) -> None:
    for form in ("canvas", "moodle"):
        with suppress(UserError):
            fill_gradebook(form, Report((), worksheet=Worksheet("sheet", read_csv(str(path)))))


def read_answer(path: Path) -> None:
    board = ROOT / "inputs/checkers/double-jump.txt"
    expected = ROOT / "expected/checkers/double-jump.txt"
    assert judge(board, path.read_bytes(), expected, nodes=100).reason is not None


def read_match(path: Path) -> None:
    with open_journal(path, {"match": "1"}):
        pass


def read_strategy(path: Path) -> None:
    """As it is, and with a seal that fits, as only somebody can make who means it."""
    data = path.read_bytes()
    for each in (data, sealed(data.partition(b"\n")[2])):
        path.write_bytes(each)
        assert call("proof", "check", str(path)).returncode in (0, 1, *REFUSED)


def read_checkpoint(path: Path) -> None:
    words = ("--game", "twoflags", "--files", "2", "--checkpoint", str(path))
    assert call("solve", *words, "--nodes", "200").returncode in (0, *REFUSED)


@cache
def proof_files() -> tuple[list[bytes], list[bytes]]:
    """A strategy and a checkpoint."""
    with TemporaryDirectory() as folder:
        strategy, checkpoint = Path(folder, "strategy"), Path(folder, "checkpoint")
        words = ("--game", "twoflags", "--files", "2", "--checkpoint", str(checkpoint))
        assert call("proof", "write", str(strategy), *words).returncode == 0
        return [strategy.read_bytes()], [checkpoint.read_bytes()]


@cache
def match_journal() -> list[bytes]:
    game = PlayedGame(("a", "b"), "B:W21-32:B1-12", (), "a", "why", final="B:W1:B2")
    with TemporaryDirectory() as folder:
        path = Path(folder) / "games.jsonl"
        with open_journal(path, {"match": "1"}) as journal:
            journal.add(0, Pair(1, (game, game)))
        return [path.read_bytes()]


SETTINGS = b"""\
points = 2
visibility = "hidden"
mode = "line"
slower = 0.25
call = "python3 {submission}/main.py {input} {output}"
[limits]
cpu = 5
memory = 512
[groups.basics]
puzzles = ["checkers/double-jump*", "*"]
points = 1.5
[puzzles."checkers/opening"]
visibility = "visible"
"""
REQUEST = b"""POST /ask/position HTTP/1.1\r\nHost: localhost:8017\r\nOrigin: http://localhost:8017\r
Content-Type: application/json\r\nContent-Length: 93\r\n\r
{"text": "B:W21-32:B1-12", "game": "checkers", "variant": "", "heuristics": ["centre"],
 "name": "checkers/opening", "options": {"depth": 3}}"""
WIRE = b"""Connected to the server!\nSetup Wa2 Wb2 Bh7 Bg7 BLACK\nTime 5\nBegin\ne2e4\nRole White\n\
TournamentAccepted 3\na7a8Q\nGameOver WHITE plies=3\nReset\nexit\n"""
LOG = b"# GAME 1 WHITE=a BLACK=b\n# SETUP Wa2 Bh7 WHITE\n# VARIANT no-en-passant\n1 W a2a4 # 0.1s\n"
CANVAS = b"""\
Student,ID,SIS Login ID,Section,Homework 1 (123)\nPoints Possible,,,,10\n"Turing, A",1,at,S,\n"""
MOODLE = b"Identifier,Full name,Email address,Grade,Feedback comments\nParticipant 7,A,a@b.c,,\n"
OPENINGS = b"# few\n11-15 23-19 8-11\nB:W21-32:B1-12\nW:W21-32:B1-12 # one more\n9-14\n"
READERS = {
    "boards": Reader(in_folder("inputs/*/*.txt", 250), read_board),
    "lines": Reader(
        [
            *(b"B:W21-32:B1-12", b"W:WK19,K23:B12,K28.", b'[FEN "B:W18,24,K9:B1,K2"]', b"B:W:B1"),
            *(b"Setup Wa2 Wb2 Bh7 BLACK", b"Setup Wb5 Bc7 Bh5 BLACK", b"setup We5\nBd7 white"),
        ],
        read_board,
    ),
    "trees": Reader(
        in_folder("inputs/trees/*"), lambda path: parse(read_text(str(path), "tree"), "tree")
    ),
    "proofs": Reader(in_folder("expected/checkers/sh*.json"), read_proof),
    "tables": Reader([content(2)], read_tables),
    "settings": Reader([SETTINGS], read_settings),
    "openings": Reader([OPENINGS], lambda path: read_openings(game_named("checkers"), path)),
    "matches": Reader(match_journal(), read_match),
    "wire": Reader([WIRE, LOG, WIRE + LOG], read_wire),
    "requests": Reader([REQUEST], read_request),
    "rosters": Reader([CANVAS, MOODLE, b"id,name\n1,Ada\n2,Bo\n", b"ada\nbo\n"], read_roster),
    "worksheets": Reader([CANVAS, MOODLE, MOODLE.replace(b",", b";")], read_worksheet),
    "strategies": Reader(proof_files()[0], read_strategy),
    "checkpoints": Reader(proof_files()[1], read_checkpoint),
    "answers": Reader(in_folder("expected/checkers/[a-d]*.txt"), read_answer),
}


def damaged(name: str, number: int, seed: str) -> Iterator[bytes]:
    chance = random.Random(f"{seed}/{name}")
    examples = READERS[name].examples
    for _ in range(number):
        yield damage(chance, chance.choice(examples), examples)


def check_reader(name: str, number: int, path: Path, seed: str) -> None:
    for data in damaged(name, number, seed):
        path.write_bytes(data)
        try:
            READERS[name].read(path)
        except UserError:
            pass
        except Exception as error:
            pytest.fail(f"{name}: {type(error).__name__}: {error}\n{data!r}"[:3000])


@pytest.mark.parametrize("name", READERS)
def test_a_damaged_input_is_refused_in_words(name: str, tmp_path: Path) -> None:
    check_reader(name, FEW, tmp_path / "input", "few")


@pytest.mark.slow
@pytest.mark.parametrize("name", READERS)
def test_many_damaged_inputs(name: str, tmp_path: Path) -> None:
    check_reader(name, MANY, tmp_path / "input", "many")


# --- the commands --------------------------------------------------------------------------

BOARD = str(ROOT / "inputs/checkers/double-jump.txt")
QUICK = ("--nodes", "30", "--depth", "2")
MATCH = ("grader", "match", "centre", "material", "--pairs", "1", "--depth", "1", "-j", "1")
# What a command makes of a damaged FILE; it may write OUT and nothing else.
COMMANDS = {
    "boards": ("solver", "FILE", "OUT", *QUICK),
    "lines": ("solver", "solve", "FILE", "OUT", "--line", *QUICK),
    "trees": ("solver", "trace", "FILE", "--format", "json"),
    "tables": ("solver", "solve", BOARD, "OUT", "--tables", "FILE", *QUICK),
    "settings": ("grader", "prove", "--settings", "FILE", "-q", "take-one", "--nodes", "9"),
    "openings": (*MATCH, "--openings", "FILE", "--journal", "OUT.journal", "-o", "json:OUT"),
    "worksheets": ("grader", "export", "canvas:OUT", "--worksheet", "FILE"),
    "journals": ("grader", "export", "records:OUT", "--journal", "FILE"),
    "matches": (*MATCH, "--journal", "FILE"),
}


@pytest.fixture(scope="module")
def graded(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with puzzles and a journal."""
    folder = lay_out_mine(tmp_path_factory.mktemp("graded"))
    assert grader(*OWN, cwd=folder).returncode == 0
    READERS["journals"] = Reader([(folder / "grades.db").read_bytes()], Path.read_bytes)
    return folder


def check_command(name: str, data: bytes, folder: Path, real: bool = False) -> None:
    file, out = folder / "damaged", folder / "out"
    file.write_bytes(data)
    out.write_text("precious")
    before = set(folder.rglob("*"))
    words = [word.replace("FILE", str(file)).replace("OUT", str(out)) for word in COMMANDS[name]]
    if real:
        command = [sys.executable, "-m", *words]
        environment = {**os.environ, "PYTHONPATH": str(ROOT)}
        done = subprocess.run(
            command, cwd=folder, env=environment, capture_output=True, text=True, timeout=100
        )
    else:
        done = call(*words[1:]) if words[0] == "solver" else grader(*words[1:], cwd=folder)
    assert done.returncode in (0, 1, *REFUSED), (done, data)
    assert "Traceback" not in done.stderr, (done, data)
    if done.returncode in REFUSED:
        assert out.read_text() == "precious"
        assert re.match("(solver|grader): ", done.stderr), done
    for path in set(folder.rglob("*")) - before:
        assert path.suffix == ".journal" or path.name.endswith(("-wal", "-shm")), path
        path.unlink()


@pytest.mark.parametrize("name", COMMANDS)
def test_a_command_with_a_damaged_file(name: str, graded: Path) -> None:
    for data in damaged(name, 3, "command"):
        check_command(name, data, graded)


@pytest.mark.slow
@pytest.mark.parametrize("name", COMMANDS)
def test_many_commands(name: str, graded: Path) -> None:
    for data in damaged(name, MANY // 10, "commands"):
        check_command(name, data, graded)
    for data in damaged(name, 2, "processes"):
        check_command(name, data, graded, real=True)


# --- conversations -------------------------------------------------------------------------

PLAYER = b"OK\nTournament 2\nSetup Wa2 Bh7 WHITE\nOK\nOK\na2a4\nh7h5\na4a5\nh5h4\na5a6\n"
READERS["players"] = Reader([PLAYER, WIRE], Path.read_bytes)  # what a server hears
PAUSE = 0.005  # seconds
AGENT = """
import socket, sys
connection = socket.create_connection(("127.0.0.1", int(sys.argv[2])))
connection.sendall(open(sys.argv[1], "rb").read())
while connection.recv(1000): pass
"""


async def say(port: int, data: bytes) -> None:
    """Say that line by line, so that games begin meanwhile, and listen for a moment."""
    with suppress(OSError, TimeoutError):
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        try:
            for line in data.splitlines(keepends=True)[:40]:
                writer.write(line)
                await asyncio.sleep(PAUSE)
            writer.write_eof()
            async with asyncio.timeout(5):
                await reader.read()
        finally:
            writer.close()


async def talk_to_servers(number: int) -> None:
    """Nothing fails in the servers, and both still do their work."""
    complaints: list[str] = []
    page = PageServer(PAGE, complaints.append)
    opened: asyncio.Future[int] = asyncio.get_running_loop().create_future()
    serving = asyncio.create_task(page.run(lambda _, port: opened.set_result(port)))
    async with hosted(forever=True, patience=PAUSE) as host:
        said = [*damaged("players", number, "server")]
        for one, other in zip(said[::2], said[1::2], strict=True):
            await asyncio.gather(say(host.port, one), say(host.port, other))
        for data in damaged("requests", number, "server"):
            await say(await opened, data)
        assert host.notices("exception") == complaints == []
        assert host.task is not None
        assert not host.task.done()
        page.ended.set()
        await serving


def test_servers_hear_damaged_messages() -> None:
    asyncio.run(talk_to_servers(4))


@pytest.mark.slow
def test_servers_hear_many_damaged_messages(tmp_path: Path) -> None:
    asyncio.run(talk_to_servers(MANY // 4 * 2))
    for data in damaged("players", 3, "comply"):
        (tmp_path / "said").write_bytes(data)
        agent = shlex.join([sys.executable, "-c", AGENT, str(tmp_path / "said"), "{port}"])
        done = call("comply", "--agent", agent, "--patience", "0.2", "--only", "1,2,3,5")
        assert done.returncode in (0, 1), done
        assert "Traceback" not in done.stdout + done.stderr
