"""`grader match` as a real process: the same file whatever happens to it."""

from __future__ import annotations

import json
import re
import signal
import time
from pathlib import Path
from typing import Any

import pytest
from support.grader_command import grader, started

from grader.cli import main
from solver.games import game_named

QUICK = ("match", "centre", "material", "safe-mobile", "--depth", "1", "--openings", "few.txt")
FEW = """\
B:W17,21,22,30:B1,5,9,10
W:W18,23,27,31:B2,6,7,11
B:W20,24,28,32:B3,8,12,K25
W:W13,14,26,K4:B15,16,19,1
"""
RESULTS = ("m.json", "m.pdn", "m.csv")
OUTPUTS = [word for name in RESULTS for word in ("-o", f"{name[2:]}:{name}")]

# Counts the pieces, and fails once there are few.
CRASHING = """\
def evaluate(position):
    pieces = bin(position.own | position.enemy).count("1")
    return 0 if pieces > 20 else 1 // 0
"""
# Makes the first jump or step that it sees, and never jumps on.
STEPPING = """\
import sys

board = [list(row) for row in open(sys.argv[1]).read().split()]


def moves():
    for far in (2, 1):
        for y in range(8):
            for x in range(8):
                for dy in {"r": (-1,), "R": (-1, 1)}.get(board[y][x], ()):
                    for dx in (-1, 1):
                        ty, tx = y + far * dy, x + far * dx
                        if 0 <= ty < 8 and 0 <= tx < 8 and board[ty][tx] == ".":
                            if far == 1 or board[y + dy][x + dx] in "bB":
                                yield y, x, ty, tx


y, x, ty, tx = next(moves())
piece, board[y][x] = board[y][x], "."
board[(y + ty) // 2][(x + tx) // 2] = "."
board[ty][tx] = "R" if ty == 0 else piece
open(sys.argv[2], "w").write("\\n".join(map("".join, board)))
"""


def played(folder: Path) -> list[bytes]:
    return [(folder / name).read_bytes() for name in RESULTS]


def result(folder: Path) -> Any:
    return json.loads((folder / "m.json").read_text())


def with_openings(folder: Path) -> Path:
    (folder / "few.txt").write_text(FEW)
    return folder


@pytest.fixture(scope="module")
def wanted(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A round robin that nobody disturbs."""
    folder = with_openings(tmp_path_factory.mktemp("wanted"))
    done = grader(*QUICK, *OUTPUTS, "-j", "1", cwd=folder)
    assert done.returncode == 0, done.stderr
    assert "checkers: 24 games, depth 1 a move, 4 openings of few.txt, seed 1" in done.stdout
    assert "Elo against all others together." in done.stdout
    return folder


def test_two_processes_write_the_same_files(wanted: Path, tmp_path: Path) -> None:
    done = grader(*QUICK, *OUTPUTS, "-j", "2", cwd=with_openings(tmp_path))
    assert done.returncode == 0, done.stderr
    assert played(tmp_path) == played(wanted)


def test_killed_and_resumed_by_the_same_command(wanted: Path, tmp_path: Path) -> None:
    process = started(*QUICK, *OUTPUTS, "-j", "2", cwd=with_openings(tmp_path))
    while process.poll() is None and sum(map(lines, tmp_path.glob("*.jsonl"))) < 4:
        time.sleep(0.005)
    process.send_signal(signal.SIGKILL)
    _, said = process.communicate()
    assert not (tmp_path / "m.json").exists()
    (journal,) = tmp_path.glob("*.jsonl")
    before = journal.read_bytes()
    with journal.open("ab") as file:
        file.write(b'{"pairing": 0, "pa')  # a line that was being written
    assert "run the same command again" in said
    done = grader(*QUICK, *OUTPUTS, "-j", "2", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    # Of two processes the one with a later pair may have been first: such a pair counts later.
    kept = [json.loads(line) for line in before.split(b"\n")[1:-1]]
    numbers = {(each["pairing"], each["pair"]["number"]) for each in kept}
    rows = [next(n for n in range(5) if (at, n + 1) not in numbers) for at in range(3)]
    assert not any(rows) or f"played before: {sum(rows)} of 12 pairs" in done.stderr
    assert played(tmp_path) == played(wanted)
    assert journal.read_bytes().startswith(before[: before.rindex(b"\n") + 1])


def test_files_are_written_whether_or_not_somebody_reads_the_table(
    wanted: Path, tmp_path: Path
) -> None:
    with started(*QUICK, *OUTPUTS, "-j", "1", cwd=with_openings(tmp_path)) as process:
        assert process.stdout is not None
        process.stdout.close()  # as `head` does when it has seen enough
    assert played(tmp_path) == played(wanted)


def lines(path: Path) -> int:
    return path.read_bytes().count(b"\n")


def refused(*words: str, folder: Path, patch: pytest.MonkeyPatch) -> None:
    """In this process: what is wrong is found before anything is played."""
    patch.chdir(folder)
    assert main([*words]) in (2, 3)


def test_a_journal_of_another_match_is_refused(
    wanted: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    (journal,) = wanted.glob("*.jsonl")
    kept = journal.read_bytes()
    for option, told in (
        (("--seed", "2"), "other seed (1, not 2)"),
        (("--no-adjudication",), "other adjudication (True, not False)"),
    ):
        refused(*QUICK, *option, "--journal", journal.name, folder=wanted, patch=monkeypatch)
        assert told in capsys.readouterr().err
    assert journal.read_bytes() == kept


@pytest.mark.parametrize(
    "text", ["my diary", "my diary\n", '{"my": "diary"}\n', '{"match": "0.0"}\n']
)
def test_a_file_that_is_no_journal_is_left_alone(
    text: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "mine").write_text(text)
    words = ("match", "centre", "material", "--journal", "mine")
    refused(*words, folder=tmp_path, patch=monkeypatch)
    assert "Name another file with --journal, or remove this one." in capsys.readouterr().err
    assert (tmp_path / "mine").read_text() == text


def test_more_pairs_go_on_from_those_there_are(wanted: Path, tmp_path: Path) -> None:
    with_openings(tmp_path)
    fewer = grader(*QUICK, "--pairs", "2", *OUTPUTS, "-j", "1", cwd=tmp_path)
    assert fewer.returncode == 0, fewer.stderr
    assert played(tmp_path) != played(wanted)
    done = grader(*QUICK, *OUTPUTS, "-j", "1", cwd=tmp_path)
    assert "played before: 6 of 12 pairs" in done.stderr
    assert played(tmp_path) == played(wanted)


def test_a_gauntlet_takes_its_share_of_a_round_robin(wanted: Path, tmp_path: Path) -> None:
    (journal,) = wanted.glob("*.jsonl")
    (with_openings(tmp_path) / journal.name).write_bytes(journal.read_bytes())
    done = grader(*QUICK, "--gauntlet", *OUTPUTS, "-j", "1", cwd=tmp_path)
    assert "played before: 8 of 8 pairs" in done.stderr
    assert result(tmp_path)["pairings"] == result(wanted)["pairings"][:2]


def test_limits_are_printed(tmp_path: Path) -> None:
    (tmp_path / "few.0").write_text(FEW)
    words = ("match", "centre+nodes=9", "material", "--time", "0.010", "--openings", "few.0")
    done = grader(*words, "--pairs", "1", "-j", "1", "--journal", "1.0", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("checkers: 2 games, 9 nodes a move or 0.01 s a move, 4 openings")


def test_a_test_stops_at_the_same_pair_for_any_number_of_processes(tmp_path: Path) -> None:
    (tmp_path / "my.py").write_text("def evaluate(position):\n    raise ValueError('no idea')\n")
    words = ("match", "material", "my.py:evaluate", "--depth", "1", "--sprt", "0", "20", *OUTPUTS)
    files = []
    for jobs in ("1", "2"):
        done = grader(*words, "-j", jobs, "--journal", f"{jobs}.jsonl", cwd=tmp_path)
        assert done.returncode == 0, done.stderr
        assert "174 openings" in done.stdout
        assert "accepted: stronger by more than 0 nElo" in done.stdout
        files.append(played(tmp_path))
    assert files[0] == files[1]
    (pairing,) = result(tmp_path)["pairings"]
    assert 1 < len(pairing["pairs"]) < 50
    assert pairing["verdict"]["llr"] >= pairing["verdict"]["upper"]


def test_nobody_is_stronger_than_oneself(tmp_path: Path) -> None:
    """And a test that is not accepted is told by the exit code."""
    words = ("match", "centre", "centre", "--depth", "1", "--openings", "few.txt", *OUTPUTS)
    done = grader(*words, "--sprt", "0", "5", "-j", "1", cwd=with_openings(tmp_path))
    assert done.returncode == 1, done.stderr
    assert "undecided" in done.stdout
    (pairing,) = result(tmp_path)["pairings"]
    assert (pairing["first"], pairing["second"]) == ("centre", "centre#2")
    assert pairing["pentanomial"] == [0, 0, 4, 0, 0]
    assert pairing["elo_low"] < 0 < pairing["elo_high"]


def test_games_can_be_replayed_from_the_pdn(wanted: Path) -> None:
    game = game_named("checkers")
    games = (wanted / "m.pdn").read_text().split("[Event ")[1:]
    told = [each for pairing in result(wanted)["pairings"] for each in pairing["pairs"]]
    finals = [each["final"] for pair in told for each in pair["games"]]
    scores = {"1-0": 1, "0-1": 0}
    assert len(games) == len(finals) == 24
    for text, final in zip(games, finals, strict=True):
        tags = dict(re.findall(r'\[(\w+) "(.*)"\]', text))
        body = text.rpartition("]\n")[2]
        remarks = re.findall(r"\{depth\s1,\s\d+\snodes,\s[^}]+\}", body)
        *moves, score = re.sub(r"\{[^}]*\}|\d+\.+", " ", body).split()
        position = game.read(tags["FEN"], "the PDN", True).position
        for name in moves:
            children = {game.move_name(position, each): each for each in position.children()}
            position = children[name]
        assert len(remarks) == len(moves)
        assert game.write(position, "fen") == final
        assert score == tags["Result"]
        outcome = game.outcome(position)
        if outcome is not None:  # our red is PDN's Black
            assert scores[score] == (outcome.winner == "black")


def test_a_file_of_games_can_be_counted_again(
    wanted: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["match", "--from", str(wanted / "m.pdn"), "-o", f"json:{tmp_path / 'm.json'}"]
    assert main(words) == 0
    found, played_first = result(tmp_path), result(wanted)
    for pairing in (*found["pairings"], *played_first["pairings"]):
        for each in (game for pair in pairing["pairs"] for game in pair["games"]):
            del each["moves"]  # the remarks on them are not read
    assert found["pairings"] == played_first["pairings"]
    assert found["standings"] == played_first["standings"]
    assert capsys.readouterr().out.startswith(
        "checkers: 24 games, depth 1 a move, 4 openings, seed 1"
    )


def test_games_of_other_programs_are_counted(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    game = '[Event "cup"]\n[Black "a"]\n[White "b"]\n[Result "0-1"]\n\n1. 11-15 0-1\n'
    path = tmp_path / "cup.pdn"
    path.write_text("\n".join([game] * 21))
    assert main(["match", "--from", str(path), "--sprt", "0", "20"]) == 1
    told = capsys.readouterr()
    assert "+20 =0 -0" in told.out
    assert "the last game of a and b is left out" in told.err
    path.write_text(game.replace("0-1", "*"))
    assert main(["match", "--from", str(path)]) == 2
    assert "game 1: the result '*' is not 1-0, 0-1 or 1/2-1/2" in capsys.readouterr().err


def test_a_heuristic_that_crashes_forfeits(tmp_path: Path) -> None:
    (tmp_path / "my.py").write_text(CRASHING)
    words = ("match", "my.py:evaluate", "material", "--depth", "2", "--pairs", "1", "-j", "1")
    done = grader(*words, *OUTPUTS, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert "Lost by a crash or an illegal move: 2 of my.py:evaluate" in done.stdout
    assert "my.py: line 3: ZeroDivisionError" in done.stdout
    (pairing,) = result(tmp_path)["pairings"]
    games = pairing["pairs"][0]["games"]
    assert [game["winner"] for game in games] == ["material", "material"]
    assert all(game["forfeit"] and game["final"] in done.stdout for game in games)
    assert "rules infraction" in (tmp_path / "m.pdn").read_text()


def test_an_engine_plays_either_side(tmp_path: Path) -> None:
    """It sees the board as red, whichever side it plays; after a jump the tables take over."""
    (tmp_path / "mine.py").write_text(STEPPING)
    (tmp_path / "open.txt").write_text("B:W10,29,30:B1,7\nW:W19,29:B1,2,15\n")
    words = ("match", "material", "--engine", "mine=python3 -S mine.py {input} {output}")
    more = ("--depth", "1", "--openings", "open.txt", "-j", "1", *OUTPUTS)
    done = grader(*words, *more, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert "not reproducible" in done.stdout
    (pairing,) = result(tmp_path)["pairings"]
    games = [game for pair in pairing["pairs"] for game in pair["games"]]
    moves = {(game["opening"][0], *game["players"]): game["moves"] for game in games}
    unsaid = {"depth": None, "score": None, "nodes": None}
    assert moves["B", "mine", "material"] == [{"name": "7x14", **unsaid}]
    assert moves["W", "material", "mine"] == [{"name": "19x10", **unsaid}]
    assert moves["B", "material", "mine"][0]["depth"] == 1
    again = grader(*words, *more, cwd=tmp_path)  # its folder holds results by now
    assert "played before: 2 of 2 pairs" in again.stderr


def test_names_cannot_break_a_file_of_games(tmp_path: Path) -> None:
    file = '["a\\n\\u001b]\\""]\nbase = "centre"\n[b]\nbase = "material"\n'
    (tmp_path / "names.toml").write_text(file)
    words = ("match", "--variants", "names.toml", "--depth", "1", "--openings", "few.txt")
    done = grader(*words, "-j", "1", *OUTPUTS, cwd=with_openings(tmp_path))
    assert done.returncode == 0, done.stderr
    pdn = (tmp_path / "m.pdn").read_text()
    assert '[White "a \\\\x1b]\'"]\n' in pdn
    assert len(re.findall(r'^\[\w+ "[ -~]*"\]$', pdn, re.MULTILINE)) == 8 * 10
