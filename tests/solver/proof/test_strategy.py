"""Strategies in files: written, checked, damaged."""

from __future__ import annotations

import json
import lzma
import random
from collections.abc import Callable
from pathlib import Path

import pytest
from support.command import call

from solver.errors import FileError
from solver.games import game_named, twoflags
from solver.proof import strategy
from solver.proof.checkpoint import sealed, unsealed
from solver.proof.strategy import (
    SEARCHED,
    Strategy,
    StrategyFault,
    Walk,
    Writer,
    search_wins,
    unpack_strategy,
)
from solver.proof.wins import WinProof
from solver.search.limits import Limits
from solver.search.position import Position

game = game_named("twoflags")
START = game.start(4)
NODES = 20  # few, so that the file holds many moves


def root_of(start: str = START, variant: str = "") -> Position:
    return game.read(start, "test", True, variant).position


@pytest.fixture(scope="module")
def content() -> bytes:
    proof = WinProof(Limits(), game.insight(), 16)
    proof.run(root_of())
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(strategy, "NODES", NODES)
        codes, book = Writer(proof, lambda done: None).write(root_of(), 21)
    head = {"game": "twoflags", "start": START, "variant": "", "plies": 21, "nodes": NODES}
    return Strategy(head, codes, book).pack()


def check(content: bytes) -> int:
    found = unpack_strategy(content, "test")
    root = root_of(found.head["start"], found.head["variant"])
    return found.check(root, game.insight(), lambda done: None)


def test_every_reply_is_answered(content: bytes) -> None:
    codes = unpack_strategy(content, "test").codes
    assert check(content) == len(codes)
    assert sum(code < SEARCHED for code in codes) > 10


def test_a_book_with_another_move_is_found(content: bytes) -> None:
    found = unpack_strategy(content, "test")
    place = len(found.book) * 8 // 10
    book = bytearray(found.book)
    book[place] += 1
    with pytest.raises(StrategyFault, match="book"):
        check(Strategy(found.head, found.codes, bytes(book)).pack())
    assert (
        found.book == Strategy(found.head, found.codes).open_book(root_of(), game.insight()).content
    )


def changed(content: bytes, codes: Callable[[bytearray], object], **head: object) -> bytes:
    """With other codes and another head, and again with a valid checksum."""
    line, _, packed = unsealed(content).partition(b"\n")
    numbers = bytearray(lzma.decompress(packed))
    codes(numbers)
    line = json.dumps(json.loads(line) | head).encode()
    return sealed(line + b"\n" + lzma.compress(bytes(numbers)))


def last_move(codes: bytearray) -> int:
    return max(place for place, code in enumerate(codes) if code < SEARCHED)


def keep(codes: bytearray) -> None:
    pass


def set_code(place: int, change: int) -> Callable[[bytearray], None]:
    def change_code(codes: bytearray) -> None:
        codes[place if place >= 0 else last_move(codes)] += change

    return change_code


CHANGES: dict[str, tuple[Callable[[bytearray], object], dict[str, object]]] = {
    "a faster win is claimed": (keep, {"plies": 19}),
    "the searches are smaller": (keep, {"nodes": 1}),
    "another start": (keep, {"start": game.start(5)}),
    "the first move is another": (set_code(0, 1), {}),
    "a move is another": (set_code(-1, 1), {}),
    "no such move": (set_code(-1, 100), {}),
    "two codes are exchanged": (lambda codes: codes.insert(0, codes.pop(-1)), {}),
    "an answer is missing": (lambda codes: codes.pop(), {}),
    "an answer is not needed": (lambda codes: codes.append(SEARCHED), {}),
    "a search has too few plies": (lambda codes: codes.__setitem__(-1, SEARCHED), {}),
}


@pytest.mark.parametrize("name", CHANGES)
def test_a_wrong_strategy_is_found(content: bytes, name: str) -> None:
    codes, head = CHANGES[name]
    with pytest.raises(StrategyFault):
        check(changed(content, codes, **head))


@pytest.mark.parametrize("place", range(10))
def test_a_damaged_file_is_found(content: bytes, place: int) -> None:
    """A bit flipped, and cut off there."""
    index = place * (len(content) - 1) // 9
    flipped = bytearray(content)
    flipped[index] ^= 1 << place % 8
    for wrong in (bytes(flipped), content[:index]):
        with pytest.raises(FileError, match="damaged"):
            check(wrong)


@pytest.mark.slow
@pytest.mark.parametrize(("name", "plies"), [("start", 33), ("start-no-en-passant", 35)])
def test_the_shipped_strategies_win(name: str, plies: int) -> None:
    """Every reply is answered and every line ends in time; of the searches, 200 are repeated.
    `solver proof check` repeats all, which takes minutes."""
    content = Path(twoflags.__file__).with_name(f"{name}.proof").read_bytes()
    found = unpack_strategy(content, name)
    root = root_of(found.head["start"], found.head["variant"])
    assert root == root_of(game.start(8), "no-en-passant" if "no" in name else "")
    codes = iter(found.codes)
    leaves: list[tuple[Position, int]] = []

    def next_code(position: Position) -> int:
        code = next(codes)
        if code >= SEARCHED:
            leaves.append((position, 2 * (code - SEARCHED) + 1))
        return code

    walk = Walk(game.insight(), next_code)
    assert walk.run(root, plies) == plies
    assert next(codes, None) is None
    for position, within in random.Random(8).sample(leaves, 200):
        assert search_wins(position, game.insight(), within, found.head["nodes"])


def test_the_command_writes_and_checks(tmp_path: Path, content: bytes) -> None:
    file = tmp_path / "three.proof"
    options = ["--game", "twoflags", "--files", "3", "--variant", "no-en-passant"]
    written = call("proof", "write", str(file), *options)
    assert (written.returncode, "white: loss in 16;" in written.stdout) == (0, True)
    checked = call("proof", "check", str(file))
    assert (checked.returncode, "positions, 0 faults" in checked.stdout) == (0, True)
    file.write_bytes(changed(content, set_code(0, 1)))
    assert call("proof", "check", str(file)).returncode == 1
