"""Values of positions: the puzzles in `inputs/` by plain minimax, and what each is a puzzle of; the
project's reference numbers; random positions by the slow twin."""

from __future__ import annotations

import json
import random
from collections import Counter
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from support import naive_twoflags as naive
from support.builds import times
from support.pawn_drawings import pawns, position_of, random_game

from solver.games.twoflags import game
from solver.games.twoflags.rules import WHITE_LANDED_AT, Pawns
from solver.proof.wins import WinProof
from solver.search.limits import Limits
from solver.search.position import count
from solver.search.score import describe, loss_in, win_in

ROOT = Path(__file__).parents[4]
INPUTS = sorted((ROOT / "inputs" / "twoflags").glob("*.txt"))
EXPECTED = ROOT / "expected" / "twoflags"


class Values:
    """Plain minimax over all that can still happen; every move goes forward, so it ends.

    It shares the rules with the solver and nothing else: no question about a number of plies,
    no cutoff, no order of moves.
    """

    def __init__(self) -> None:
        self.known: dict[Pawns, int] = {}

    def plies(self, position: Pawns) -> int:
        """How long best play lasts: an odd number if the mover wins, an even one if it loses."""
        if position not in self.known:
            ends = [self.plies(child) for child in position.children()]
            wins = [end for end in ends if end % 2 == 0]
            self.known[position] = 1 + (min(wins) if wins else max(ends, default=-1))
        return self.known[position]

    def best(self, position: Pawns) -> list[Pawns]:
        """The children that win soonest or lose latest."""
        plies = self.plies(position)
        return [child for child in position.children() if self.plies(child) == plies - 1]


def value(plies: int) -> str:
    return describe(win_in(plies) if plies % 2 else loss_in(plies))


GROUPS = ("race", "breakthrough", "blockade", "en-passant", "zugzwang", "probe")


def group_of(path: Path) -> str:
    return next(group for group in GROUPS if path.stem.startswith(group + "-"))


def read(path: Path) -> tuple[Pawns, str]:
    found = game.read(path.read_text(), path.name, True)
    return found.position, found.form


class Puzzle(NamedTuple):
    path: Path
    position: Pawns
    values: Values
    fields: dict[str, Any]  # of its JSON file


SLOW = {
    "breakthrough-on-the-left-wing",
    "breakthrough-against-a-wall",
    "race-shortest-of-five-wins",
}
PARAMS = [
    pytest.param(path, id=path.stem, marks=[pytest.mark.slow] if path.stem in SLOW else [])
    for path in INPUTS
]


@pytest.fixture(scope="module", params=PARAMS)
def puzzle(request: pytest.FixtureRequest) -> Puzzle:
    """One for all tests of a puzzle, because its values take the time."""
    position, _ = read(request.param)
    fields = json.loads((EXPECTED / f"{request.param.stem}.json").read_text())
    return Puzzle(request.param, position, Values(), fields)


def test_every_move_has_its_value(puzzle: Puzzle) -> None:
    position, values = puzzle.position, puzzle.values
    wanted = {
        "game": game.NAME,
        "variant": "",
        "mover": position.mover(),
        "value": value(values.plies(position)),
        "proven": "all",
        "best": [game.move_name(position, child) for child in values.best(position)],
        "moves": [
            {
                "move": game.move_name(position, child),
                "board": game.write(child, "board").split("\n"),
                "value": value(values.plies(child) + 1),
                "proof": "search",
            }
            for child in position.children()
        ],
    }
    assert {name: puzzle.fields[name] for name in wanted} == wanted


def test_the_expected_answer_is_one_of_the_best(puzzle: Puzzle) -> None:
    expected, _ = read(EXPECTED / puzzle.path.name)
    boards = {move["move"]: move["board"] for move in puzzle.fields["moves"]}
    answer = game.write(expected, "board").split("\n")
    assert answer in [boards[name] for name in puzzle.fields["best"]]


def test_it_is_a_puzzle_of_its_group(puzzle: Puzzle) -> None:
    fields, group = puzzle.fields, group_of(puzzle.path)
    wins = [move["move"] for move in fields["moves"] if move["value"].startswith("win")]
    if group == "breakthrough":  # the only move that wins offers a pawn
        assert [name[0] == name[2] for name in wins] == [True]
    end = puzzle.position  # of the line in which both sides play the first of their best
    while best := puzzle.values.best(end):
        end = best[0]
    has_landed = end.state >> WHITE_LANDED_AT != 0
    assert has_landed == (group != "blockade") or group in ("en-passant", "zugzwang", "probe")


def test_the_collection_is_large_and_various() -> None:
    groups = Counter(group_of(path) for path in INPUTS)
    assert set(groups) == set(GROUPS)
    assert min(groups.values()) >= 8
    positions = [read(path) for path in INPUTS]
    assert sum(form == "setup" for _, form in positions) >= 6
    movers = Counter(position.mover() for position, _ in positions)
    assert min(movers.values()) >= len(INPUTS) // 3
    sizes = {count(position.own | position.enemy) for position, _ in positions}
    assert (min(sizes), max(sizes)) == (2, 12)
    records = [json.loads(path.read_text()) for path in EXPECTED.glob("*.json")]
    results = {fields["value"] for fields in records}
    assert {"win in 3", "win in 9", "win in 15", "loss in 4", "loss in 16"} <= results
    alone = sum(len(fields["best"]) == 1 for fields in records)
    assert len(records) * 3 // 4 < alone < len(records) - 4


def test_no_puzzle_is_another_one_mirrored() -> None:
    """Neither from left to right nor with the colours exchanged."""
    looks = set()
    for path in INPUTS:
        position, _ = read(path)
        rows = str(position).split("\n")
        if position.mover() == "black":
            rows = [row.translate(str.maketrans("wb", "bw")) for row in reversed(rows)]
        looks.add((position.passed > 0, *min(rows, [row[::-1] for row in rows])))
    assert len(looks) == len(INPUTS)


# --- reference numbers ---------------------------------------------------------------------

NO = "no-en-passant"
# Position, rule set, plies (odd: the mover wins) and all best moves.
KNOWN = [
    ("Bf6 Bf7 Bh6 Wf4 Wg4 BLACK", "", 5, ["f6f5"]),
    ("Bf6 Bf7 Bh6 Wf4 Wg4 BLACK", NO, 5, ["f6f5"]),
    ("Bf6 Bf7 Bh5 Wf4 Wg4 WHITE", "", 5, ["g4h5"]),
    ("Wa5 Wb5 Wc5 Ba7 Bb7 Bc7 WHITE", "", 9, ["b5b6"]),
    ("Wa5 Wb5 Wc5 Ba7 Bb7 Bc7 WHITE", NO, 9, ["b5b6"]),
    ("We5 Bd7 Bf7 BLACK", "", 6, None),
    ("We5 Bd7 Bf7 BLACK", NO, 3, ["d7d5", "f7f5"]),
    ("Wa4 Bb7 BLACK", "", 3, ["b7b6"]),
    ("Wa4 Bb7 BLACK", NO, 3, ["b7b6"]),
    ("Wb4 Wa3 Wc2 Wd4 Bg7 Bg6 Be7 WHITE", "", 7, ["b4b5"]),
    ("Wb4 Wa3 Wc2 Wd4 Bg7 Bg6 Be7 WHITE", NO, 7, ["b4b5"]),
]


@pytest.mark.parametrize(("text", "variant", "plies", "best"), KNOWN)
def test_known_value(text: str, variant: str, plies: int, best: list[str] | None) -> None:
    position = pawns(f"Setup {text}", variant)
    attempt = WinProof(Limits())
    result = attempt.run(position)
    assert result is not None
    assert result.depth == len(result.line) == plies
    children: list[Any] = attempt.best_children(position, plies)
    if best is not None:
        assert sorted(game.move_name(position, child) for child in children) == best


@pytest.mark.parametrize(("files", "with_it", "without"), [(1, 4, 4), (2, 8, 8), (3, 14, 16)])
def test_the_start_on_few_files_is_lost(files: int, with_it: int, without: int) -> None:
    for variant, plies in (("", with_it), (NO, without)):
        result = WinProof(Limits()).run(pawns(game.start(files), variant))
        assert result is not None
        assert (result.depth, result.score < 0) == (plies, True)


def test_the_length_of_best_play_is_that_of_the_slow_twin() -> None:
    """Every line of every position followed to its end, by code that shares nothing."""
    rng = random.Random(4)
    for number in range(times(120, 60)):
        start = random_game(rng, 2 + number % 3, number % 2 == 0)
        plies = naive.plies_to_end(start, {})
        result = WinProof(Limits()).run(position_of(start)) if plies else None
        assert plies == (result.depth if result is not None else 0), start
