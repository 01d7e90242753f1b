"""Values of the start of Two Flags: against plain minimax, other programs, and after a kill."""

from __future__ import annotations

import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from solver.errors import FileError
from solver.games import game_named, twoflags
from solver.proof.checkpoint import pack, unpack
from solver.proof.wins import WinProof
from solver.search.cache import BoundTable
from solver.search.limits import Limits
from solver.search.position import LOST, Position
from solver.search.score import loss_in, win_in

game = game_named("twoflags")
NO = "no-en-passant"
slow = pytest.mark.slow
README = Path(twoflags.__file__).with_name("README.md")
STARTS: dict[tuple[int, str], int] = {}  # plies, of a win if positive; other programs agree
NODES: dict[tuple[int, str], str] = {}  # the same in both builds
for words in map(str.split, README.with_name("values.txt").read_text().splitlines()):
    if words[0] != "#":
        STARTS |= {(int(words[0]), ""): int(words[1]), (int(words[0]), NO): int(words[3])}
        NODES |= {(int(words[0]), ""): words[2], (int(words[0]), NO): words[4]}
ALL = [
    pytest.param(files, variant, marks=[slow] if files > 4 else [])
    for files, variant in STARTS
    if files < 7
]


def start(files: int, variant: str = "") -> Position:
    return game.read(game.start(files), "start", True, variant).position


def prove(limits: Limits, megabytes: int = 16) -> WinProof:
    return WinProof(limits, game.insight(), megabytes)


@pytest.mark.parametrize(("files", "variant"), ALL)
def test_value_of_the_start(files: int, variant: str) -> None:
    plies = STARTS[files, variant]
    root = start(files, variant)
    result = prove(Limits(), 1200).run(root)
    assert result is not None
    assert result.score == (win_in(plies) if plies > 0 else loss_in(-plies))
    assert str(result.counters.expanded) == NODES[files, variant]
    assert len(result.line) == abs(plies)
    for step in result.line:
        assert step in root.children()
        root = step
    assert root.status() == LOST


def test_the_readme_has_these_values() -> None:
    text = README.read_text()
    for files in range(1, 9):
        row = f"| {files} "
        for key in ((files, ""), (files, NO)):
            result = "wins" if STARTS[key] > 0 else "loses"
            row += f"| {result} in {abs(STARTS[key])} | {int(NODES[key]):,} "
        assert row in text


@pytest.mark.parametrize("files", [1, 2, pytest.param(3, marks=slow), pytest.param(4, marks=slow)])
def test_plain_minimax_agrees(files: int) -> None:
    """Who wins, and how fast, by the rules alone."""

    def wins(position: Position, plies: int) -> bool:
        key = (position, plies)
        if key not in known:
            known[key] = plies > 0 and any(loses(c, plies - 1) for c in position.children())
        return known[key]

    def loses(position: Position, plies: int) -> bool:
        children = position.children()
        return not children or (plies > 1 and all(wins(child, plies - 1) for child in children))

    for variant in ("", NO):
        known: dict[tuple[Position, int], bool] = {}
        plies = STARTS[files, variant]
        asked = wins if plies > 0 else loses
        assert asked(start(files, variant), abs(plies))
        assert not asked(start(files, variant), abs(plies) - 2)


@pytest.mark.slow
def test_a_small_table_forgets_but_does_not_err() -> None:
    proof = prove(Limits(), 1)
    assert isinstance(proof.table, BoundTable)
    proof.table.pairs = 50
    result = proof.run(start(4))
    assert result is not None
    assert result.score == win_in(21)
    assert result.counters.expanded > int(NODES[4, ""])


def test_stopped_at_ten_moments_and_continued_it_finds_the_same() -> None:
    rng = random.Random(10)
    root = start(4, NO)
    content, nodes = b"", 0
    for _ in range(10):
        nodes += rng.randrange(1, 6000)
        proof = prove(Limits(nodes=nodes))
        if content:
            unpack(proof, root, content, "test")
        proof.run(root)
        content = pack(proof, root)
    proof = prove(Limits())
    unpack(proof, root, content, "test")
    assert proof.costly
    result = proof.run(root)
    assert result is not None
    assert result.score == win_in(21)
    with pytest.raises(FileError, match="another proof"):
        unpack(prove(Limits()), start(4), content, "test")
    for wrong in (b"", b"{}\n", content[:-1], content.replace(b'"nodes": ', b'"nodes": 1')):
        with pytest.raises(FileError, match="damaged"):
            unpack(prove(Limits()), root, wrong, "test")


@slow
def test_killed_at_ten_moments_and_continued_it_prints_the_same(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "solver", "solve", "--game", "twoflags", "--files", "5"]
    command += ["--hash", "64", "--checkpoint", str(tmp_path / "proof.bin")]
    expected = subprocess.run(command[:-2], capture_output=True, check=True).stdout
    rng = random.Random(4)
    for _ in range(10):
        process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
        time.sleep(rng.uniform(0.2, 2.5))
        process.send_signal(signal.SIGKILL)
        process.wait()
    assert subprocess.run(command, capture_output=True, check=True).stdout == expected
