"""`grader match`: openings, games, journals, and the same result whatever happens."""

from __future__ import annotations

import json
import random
import signal
import time
from collections.abc import Collection
from dataclasses import replace
from pathlib import Path

import pytest
from support.grader_command import grader, started

from grader.lab.match import Course, MatchPlan, play_game, play_pair, read_openings
from grader.lab.match_results import Pair, PlayedGame, PlayedMove, open_journal
from grader.lab.players import make_agent, make_searcher
from grader.lab.stats import Decision, Sprt
from grader.lab.variants import variant_named
from solver.errors import FileError, UserError
from solver.games import game_named
from solver.play.game import GameInProgress
from solver.search.position import Position

CHECKERS = game_named("checkers")
QUICK = ("match", "centre", "material", "safe-mobile", "--depth", "1", "--openings", "few.txt")
FEW = """\
B:W17,21,22,30:B1,5,9,10
W:W18,23,27,31:B2,6,7,11
B:W20,24,28,32:B3,8,12,K25
W:W13,14,26,K4:B15,16,19,1
"""
GAMES = "games.pdn"

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


def played(folder: Path) -> str:
    return (folder / GAMES).read_text()


def with_openings(folder: Path) -> Path:
    (folder / "few.txt").write_text(FEW)
    return folder


@pytest.fixture(scope="module")
def wanted(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A round robin without interruption."""
    folder = with_openings(tmp_path_factory.mktemp("wanted"))
    done = grader(*QUICK, "-o", GAMES, "-j", "1", cwd=folder)
    assert done.returncode == 0, done.stderr
    assert "checkers: 24 games, depth 1 a move, 4 openings of few.txt, seed 1" in done.stdout
    return folder


def test_killed_and_resumed_by_the_same_command(wanted: Path, tmp_path: Path) -> None:
    process = started(*QUICK, "-o", GAMES, "-j", "2", cwd=with_openings(tmp_path))
    lines = [b""]
    while process.poll() is None and len(lines) < 5:
        time.sleep(0.005)
        lines = [
            line for path in tmp_path.glob("*.jsonl") for line in path.read_bytes().split(b"\n")
        ]
    process.send_signal(signal.SIGKILL)
    _, stderr = process.communicate()
    assert "run the same command again" in stderr
    assert not (tmp_path / GAMES).exists()
    (journal,) = tmp_path.glob("*.jsonl")
    before = journal.read_bytes()
    with journal.open("ab") as file:
        file.write(b'{"pairing": 0, "pa')  # a line that was being written
    done = grader(*QUICK, "-o", GAMES, "-j", "1", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    # Of two processes the one with a later pair may have been first: such a pair counts later.
    kept = [json.loads(line) for line in before.split(b"\n")[1:-1]]
    numbers = {(each["pairing"], each["pair"]["number"]) for each in kept}
    rows = [next(n for n in range(5) if (at, n + 1) not in numbers) for at in range(3)]
    assert not any(rows) or f"played before: {sum(rows)} of 12 pairs" in done.stderr
    assert played(tmp_path) == played(wanted)
    assert journal.read_bytes().startswith(before[: before.rindex(b"\n") + 1])


@pytest.mark.parametrize("key", ["seed", "source", "contestants"])
def test_a_journal_of_another_match_is_refused(key: str, tmp_path: Path) -> None:
    path = tmp_path / "match.jsonl"
    header = {"match": 1, "seed": 1, "source": "e" * 64, "contestants": [{"name": "a", "depth": 1}]}
    with open_journal(path, header):
        kept = path.read_bytes()
    with (
        pytest.raises(UserError, match=f"this is another match, of other {key}"),
        open_journal(path, {**header, key: []}),
    ):
        pass
    assert path.read_bytes() == kept


@pytest.mark.parametrize(
    "text",
    ["my diary", "my diary\n", '{"my": "diary"}\n', '{"match": "0.0", "contestants": [1]}\n'],
)
def test_a_file_that_is_not_a_journal_is_left_alone(text: str, tmp_path: Path) -> None:
    path = tmp_path / "mine"
    path.write_text(text)
    header = {"match": "1.0", "contestants": [{"name": "a"}]}
    with pytest.raises(UserError, match="or remove this one"), open_journal(path, header):
        pass
    assert path.read_text() == text


def test_more_pairs_continue_from_those_played(wanted: Path, tmp_path: Path) -> None:
    fewer = grader(*QUICK, "--pairs", "2", "-o", GAMES, "-j", "1", cwd=with_openings(tmp_path))
    assert fewer.returncode == 0, fewer.stderr
    assert played(tmp_path) != played(wanted)
    done = grader(*QUICK, "-o", GAMES, "-j", "1", cwd=tmp_path)
    assert "played before: 6 of 12 pairs" in done.stderr
    assert played(tmp_path) == played(wanted)


def test_a_test_stops_at_the_same_pair_for_any_number_of_processes(tmp_path: Path) -> None:
    (tmp_path / "my.py").write_text("def evaluate(position):\n    raise ValueError('no idea')\n")
    words = (
        "match",
        "material",
        "my.py:evaluate",
        "--depth",
        "1",
        "--sprt",
        "0",
        "20",
        "-o",
        GAMES,
    )
    files = []
    for jobs in ("1", "2"):
        done = grader(*words, "-j", jobs, "--journal", f"{jobs}.jsonl", cwd=tmp_path)
        assert done.returncode == 0, done.stderr
        assert "174 openings" in done.stdout
        assert "accepted: stronger by more than 0 nElo" in done.stdout
        files.append(played(tmp_path))
    assert files[0] == files[1]
    assert 2 < files[0].count("[Round ") < 100


def test_files_are_written_even_if_nobody_reads_the_table(tmp_path: Path) -> None:
    words = ("match", "material", "centre", "--depth", "1", "--pairs", "1", "-o", "pdn:m.pdn")
    with started(*words, cwd=tmp_path) as process:
        assert process.stdout is not None
        process.stdout.close()  # as `head` does when it has seen enough
    assert (tmp_path / "m.pdn").read_bytes().count(b"[Result ") == 2


def test_an_engine_plays_either_side(tmp_path: Path) -> None:
    """It sees the board as red, whichever side it plays; after a jump the tables take over."""
    (tmp_path / "mine.py").write_text(STEPPING)
    (tmp_path / "open.txt").write_text("B:W10,29,30:B1,7\nW:W19,29:B1,2,15\n")
    words = ("match", "material", "--engine", "mine=python3 -S mine.py {input} {output}")
    more = ("--depth", "1", "--openings", "open.txt", "-j", "1", "-o", GAMES)
    done = grader(*words, *more, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert "not reproducible" in done.stdout
    found = played(tmp_path)
    for tags, moves in (
        ('[Black "mine"]\n[White "material"]', "1. 7x14 {by the tables"),
        ('[Black "material"]\n[White "mine"]', "1... 19x10 {by the tables"),
        ('[Black "material"]\n[White "mine"]', "1. 7x14 {depth 1, "),
    ):
        assert any(tags in game and moves in game for game in found.split("[Event ")), moves
    again = grader(*words, *more, cwd=tmp_path)  # its folder holds results by now
    assert "played before: 2 of 2 pairs" in again.stderr


def pair(number: int, half_points: int) -> Pair:
    """Two games in which I score this number of half points."""
    points = (half_points // 2, half_points - half_points // 2)
    winners = [("you", "", "me")[each] for each in points]
    games = tuple(PlayedGame(("me", "you"), "", (), winner, "") for winner in winners)
    return Pair(number, games)


@pytest.mark.parametrize("seed", range(5))
def test_the_test_decides_on_the_same_pairs_in_any_order(seed: int) -> None:
    chance = random.Random(seed)
    pairs = [pair(at + 1, chance.choice((1, 2, 2, 3, 4, 4))) for at in range(60)]
    in_order, mixed = Course(60, Sprt(0, 100)), Course(60, Sprt(0, 100))
    for each in pairs:
        in_order.add(each, "me")
    for each in chance.sample(pairs, 60):
        mixed.add(each, "me")
    assert mixed.pairs == in_order.pairs == pairs[: len(in_order.pairs)]
    assert mixed.verdict == in_order.verdict
    assert in_order.verdict is not None
    if len(in_order.pairs) < 60:
        assert in_order.verdict.decision is not Decision.UNDECIDED


def test_the_plan_pairs_everybody_and_shuffles_openings_by_its_seed() -> None:
    names = ("centre", "material", "race", "default")
    openings = tuple(map(str, range(20)))
    plan = MatchPlan(
        "checkers", tuple(make_searcher(variant_named(name)) for name in names), openings, 5, 1
    )
    everybody = [(first.name, second.name) for first, second in plan.pairings]
    assert len(everybody) == len({frozenset(each) for each in everybody}) == 6
    assert plan.order == replace(plan, pairs=7).order != replace(plan, seed=2).order
    assert sorted(plan.order) == sorted(openings) != plan.order


def test_one_match_at_a_time_writes_to_a_journal(tmp_path: Path) -> None:
    path = tmp_path / "match.jsonl"
    with open_journal(path, {"match": 1}) as journal:
        journal.add(0, pair(1, 3))
        with (
            pytest.raises(UserError, match="another match is using this file"),
            open_journal(path, {"match": 1}),
        ):
            pass
    with open_journal(path, {"match": 1}) as journal:
        assert journal.pairs == {(0, 1): pair(1, 3)}
    with (
        pytest.raises(FileError, match="/dev/null: not a regular file"),
        open_journal(Path("/dev/null"), {"match": 1}),
    ):
        pass


def test_a_changed_line_of_a_journal_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "match.jsonl"
    with open_journal(path, {"match": 1}) as journal:
        journal.add(0, pair(1, 3))
    content = path.read_bytes()
    for written, changed in (
        *((b'"pairing": 0', b'"pairing": 7'), (b'"number": 1', b'"number": 2')),
        *((b'"winner": "me"', b'"winner": "you"'), (b'"games": [', b'"games": [[], ')),
        *((b'"sha256"', b'"sha255"'), (b'{"pairing"', b"[" * 100_000)),
    ):
        assert written in content
        path.write_bytes(content.replace(written, changed))
        with pytest.raises(UserError, match="line 2 is"), open_journal(path, {"match": 1}):
            pass


def test_a_list_of_openings_in_a_file(tmp_path: Path) -> None:
    path = tmp_path / "mine.txt"
    path.write_text("\ufeff# mine\n11-15 23-19  # a classic\n\nB:W18:B1\r\n11-15 23-19\n")
    found = read_openings(CHECKERS, path)
    assert found[1:] == ["B:W18:B1"]
    assert found[0].startswith("B:W19,21,22,24,")
    path.write_text("a2a4 h7h5\nSetup Wa2 Bh7 BLACK\n")
    assert read_openings(game_named("twoflags"), path)[1] == "Setup Wa2 Bh7 BLACK"


def choose(fen: str, occurred: Collection[Position] = ()) -> tuple[Position, PlayedMove]:
    game = GameInProgress(CHECKERS, CHECKERS.read(fen, "the test", False).position)
    game.times.update(dict.fromkeys(occurred, 1))
    return make_searcher(variant_named("material+depth=3+without=tables")).begin(CHECKERS)(game)


def test_the_side_that_is_ahead_avoids_repetition() -> None:
    ahead, behind = "B:WK32:BK1,K5,K9", "W:WK32:BK1,K5,K9"
    best, move = choose(ahead)
    other, second = choose(ahead, [best])
    assert best != other
    assert (second.nodes or 0) > (move.nodes or 0) > 0  # it has searched twice
    best, _ = choose(behind)
    assert choose(behind, [best])[0] == best


def test_the_games_of_a_pair_swap_sides() -> None:
    names = ("material+depth=2", "centre+depth=1")
    first, second = (make_searcher(variant_named(name)) for name in names)
    both = play_pair("checkers", (first, second), "B:W21-32:B1-12", 1)
    there, back = both.games
    assert there.players == ("material+depth=2", "centre+depth=1") == back.players[::-1]
    assert {move.depth for move in there.moves[::2]} == {2}
    assert {move.depth for move in back.moves[::2]} == {1}
    assert sum(map(both.half_points, there.players)) == 4


AGENTS = """
import os, solver
class Good(solver.Agent):
    def choose(self, position, clock):
        return position.moves()[0]
class Crashing(solver.Agent):
    def choose(self, position, clock):
        return {}[position.mover]
class Illegal(solver.Agent):
    def choose(self, position, clock):
        return "a1a8"
class Silent(solver.Agent):
    def choose(self, position, clock):
        while True:
            pass
class Ending(solver.Agent):
    def choose(self, position, clock):
        os._exit(7)
"""
REASONS = {
    "Crashing": "line 8: KeyError: 'white'",
    "Illegal": "a1a8 is not a legal move",
    "Silent": "no answer before its 4 s were up",
    "Ending": "its process ended, exit code 7",
}


@pytest.mark.parametrize("name", REASONS)
def test_an_agent_that_fails_loses_that_game_with_its_reason(tmp_path: Path, name: str) -> None:
    path = tmp_path / "my.py"
    path.write_text(AGENTS)
    setup = "Setup " + " ".join(f"W{file}2 B{file}7" for file in "abcdefgh")
    agents = [
        make_agent(variant_named(f"{path}:{each}"), seconds)
        for each, seconds in ((name, 4.0), ("Good", 100.0))
    ]
    game = play_game(game_named("twoflags"), agents, setup)
    assert (game.forfeit, game.winner) == (True, agents[1].name)
    assert REASONS[name] in game.reason


@pytest.mark.parametrize("game", ["checkers", "twoflags"])
def test_agents_play_whole_games(tmp_path: Path, game: str) -> None:
    (tmp_path / "my.py").write_text(AGENTS)
    words = ("my.py:Good", "default", "--nodes", "50", "--pairs", "1", "--game", game, "-j", "1")
    done = grader("match", *words, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert "my.py:Good against default" in done.stdout
    assert "Lost by" not in done.stdout
