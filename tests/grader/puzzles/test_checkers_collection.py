"""The checkers puzzles in `inputs/`: what `expected/` says about them, and what each is about."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import pytest
from support.judging import read_truth

from grader.puzzles.find import find_cases
from grader.puzzles.truth import JudgedMove, Truth, Value
from solver.games.checkers import game
from solver.games.checkers.mixed import TwoBoards
from solver.games.checkers.rules import Board
from solver.search.alphabeta import Search
from solver.search.limits import Limits
from solver.search.techniques import Techniques

ROOT = Path(__file__).parent.parent.parent.parent
INPUTS = sorted((ROOT / "inputs" / "checkers").glob("*.txt"))
PROBES = [path for path in INPUTS if path.stem.startswith("probe-")]  # tested with the diagnosis
EXPECTED = ROOT / "expected" / "checkers"


@dataclass(frozen=True)
class Puzzle:
    """A puzzle as its files tell it."""

    name: str
    rows: list[str]
    truth: Truth

    @cached_property
    def position(self) -> Board | TwoBoards:
        return game.read("\n".join(self.rows), self.name, True).position

    def child(self, move: JudgedMove) -> Board | TwoBoards:
        """The position after a move."""
        return next(c for c in self.position.children() if str(c) == move.board)

    @property
    def best(self) -> JudgedMove:
        return next(move for move in self.truth.moves if move.board == self.truth.board)

    def worth(self, result: str) -> int:
        """How many moves have the value `win`, `draw` or `loss`."""
        return sum(str(move.value).startswith(result) for move in self.truth.moves)

    def count(self, pieces: str) -> int:
        return sum(row.count(piece) for row in self.rows for piece in pieces)

    def material(self) -> str:
        """`RRvBb`: kings first."""
        return "v".join("".join(p * self.count(p) for p in side) for side in ("Rr", "Bb"))

    def colours(self) -> set[int]:
        """Of the squares with pieces: 0 for light ones, 1 for dark ones."""
        squares = [(row, column) for row in range(8) for column in range(8)]
        return {(row + column) % 2 for row, column in squares if self.rows[row][column] != "."}


@pytest.fixture(scope="module")
def puzzles() -> dict[str, Puzzle]:
    found = {}
    for path in sorted({*INPUTS} - {*PROBES}):
        expected = EXPECTED / path.name
        proof, text = expected.with_suffix(".json").read_text(), path.read_text()
        truth = read_truth(proof, "checkers", text, expected.read_text(), path.stem)
        found[path.stem] = Puzzle(path.stem, text.split(), truth)
    return found


def taken(move: JudgedMove) -> int:
    return move.name.count("x")


def is_crowning(puzzle: Puzzle, move: JudgedMove) -> bool:
    start, *_, end = re.split("[-x]", move.name)
    return puzzle.rows[8 - int(start[1])]["abcdefgh".index(start[0])] == "r" and end[1] == "8"


def only_one_draws(puzzle: Puzzle) -> bool:
    """And all others lose."""
    return puzzle.worth("draw") == 1 and puzzle.worth("loss") == len(puzzle.truth.moves) - 1 > 0


def kings(*wanted: str) -> Callable[[Puzzle], bool]:
    return lambda p: p.worth("win") > 0 and p.material() in wanted


# The longest key that a puzzle's name begins with says what must be true of it.
PROMISES: dict[str, Callable[[Puzzle], bool]] = {
    "blocked": lambda p: not p.truth.moves and p.count("rR") > 0 < p.count("bB"),
    "both-colours": lambda p: p.colours() == {0, 1},
    "choice-of-jumps": lambda p: len(p.truth.moves) > 1 and taken(p.best) > 0,
    "choice-of-jumps-one-draws": only_one_draws,
    "compulsory-jump": lambda p: len(p.truth.moves) == 1 and taken(p.best) > 0,
    "crown": lambda p: p.worth("win") == 1 and is_crowning(p, p.best),
    "crowning-ends-the-jump": lambda p: any(is_crowning(p, each) for each in p.truth.moves),
    "defence": lambda p: p.worth("loss") == len(p.truth.moves) > 1,
    "double-jump": lambda p: taken(p.best) == 2,
    "draw": only_one_draws,
    "ending": lambda p: p.worth("win") > 0 and len(p.truth.best) == 1 and p.count("rRbB") < 5,
    "equally-good": lambda p: len(p.truth.best) > 1,
    "exchange": lambda p: p.worth("win") > 0,
    "jump-in-a-circle": lambda p: p.best.name[:2] == p.best.name[-2:],
    "king": lambda p: p.count("R") > 0 and len(p.truth.best) == 1,
    "light-squares": lambda p: p.colours() == {0},
    "long": lambda p: ((p.truth.value and p.truth.value.plies) or 0) >= 13,
    "men-jump-forward-only": lambda p: p.count("r") > 0,
    "middle-game": lambda p: 14 <= p.count("rRbB") <= 21,
    "opening": lambda p: p.count("rRbB") >= 22,
    "opposition": lambda p: p.worth("win") > 0 and p.count("rRbB") <= 4,
    "over": lambda p: not p.truth.moves and not p.truth.best,
    "quadruple-jump": lambda p: taken(p.best) == 4,
    "sacrifice": lambda p: p.worth("win") > 0 and taken(p.best) == 0,
    "shortest-of-many-wins": lambda p: len(p.truth.best) == 1 and p.worth("win") >= 5,
    "shot": lambda p: p.worth("win") > 0 and taken(p.best) == 0,
    "three-kings-against-two": kings("RRRvBB"),
    "trap": lambda p: 0 < p.worth("win") < len(p.truth.moves),
    "trap-all-others-lose": lambda p: p.worth("win") == 1 and p.worth("loss") >= 4,
    "triple-jump": lambda p: taken(p.best) == 3,
    "two-kings-against-one": kings("RRvB"),
    "win-by": lambda p: p.worth("win") > 0,
}

DEEPEST = 10  # plies that alpha-beta looks through without tables


def test_the_best_moves_are_the_best(puzzles: dict[str, Puzzle]) -> None:
    for puzzle in puzzles.values():
        truth = puzzle.truth
        scores = {move.name: move.value.score for move in truth.moves}
        if scores:
            best = {name for name in scores if scores[name] == max(scores.values())}
            assert best == set(truth.best), puzzle.name
            assert puzzle.best.name == truth.best[0], puzzle.name
            assert truth.value == puzzle.best.value, puzzle.name


def test_short_wins_and_losses_are_found_by_alpha_beta_too(puzzles: dict[str, Puzzle]) -> None:
    """It shares the rules with the proofs and nothing else: no tables either."""
    for puzzle in puzzles.values():
        search = Search(game.evaluator("material", puzzle.position), Techniques("tables"))
        for move in puzzle.truth.moves:
            plies = move.value.plies
            if plies is not None and 1 < plies <= DEEPEST:
                found = search.run(puzzle.child(move), Limits(depth=plies - 1))
                assert found.proven, puzzle.name
                assert Value(found.score).after_a_ply() == move.value, puzzle.name


@pytest.mark.slow
def test_whatever_alpha_beta_proves_with_tables_is_what_is_expected(
    puzzles: dict[str, Puzzle],
) -> None:
    """Draws and long wins too; it shares rules and tables with the proofs, and no more."""
    agreed = 0
    for puzzle in puzzles.values():
        evaluate = game.evaluator("material", puzzle.position)
        search = Search(evaluate, Techniques(), game.tables())
        for move in puzzle.truth.moves:
            if move.value.plies == 1:
                continue
            result = search.run(puzzle.child(move), Limits(depth=4))
            if result.proven:
                assert Value(result.score).after_a_ply() == move.value, puzzle.name
                agreed += 1
    assert agreed >= 300


def promise_of(name: str) -> str:
    return max((start for start in PROMISES if name.startswith(start)), key=len)


def test_it_is_a_puzzle_of_what_its_name_says(puzzles: dict[str, Puzzle]) -> None:
    for name, puzzle in puzzles.items():
        assert PROMISES[promise_of(name)](puzzle), name


def test_the_collection_is_large_and_various(puzzles: dict[str, Puzzle]) -> None:
    assert len(puzzles) >= 120
    assert {promise_of(name) for name in puzzles} == set(PROMISES)
    proven = Counter(puzzle.truth.proven.value for puzzle in puzzles.values())
    assert proven["all"] + proven["best"] >= 100
    assert proven["none"] <= len(puzzles) * 0.15
    values = {str(puzzle.truth.value) for puzzle in puzzles.values()}
    assert {"win in 1", "win in 13", "win in 61", "win in 109", "loss in 86", "draw"} <= values
    alone = sum(len(puzzle.truth.best) == 1 for puzzle in puzzles.values())
    assert alone >= 100


def test_there_are_puzzles_of_every_difficulty() -> None:
    proofs = [json.loads(path.read_text()) for path in EXPECTED.glob("*.json")]
    stars = Counter(proof["difficulty"]["stars"] for proof in proofs if proof["difficulty"])
    assert set(stars) == {1, 2, 3, 4, 5}
    assert min(stars.values()) >= 8


def test_no_puzzle_is_another_one_mirrored(puzzles: dict[str, Puzzle]) -> None:
    boards = [min(each.rows, [row[::-1] for row in each.rows]) for each in puzzles.values()]
    assert len({tuple(board) for board in boards}) == len(boards)


def test_the_grader_finds_them_all() -> None:
    cases, warnings = find_cases(ROOT / "inputs")
    ours = [case for case in cases if case.game == "checkers"]
    assert warnings == []
    assert {case.name for case in ours} == {f"checkers/{path.stem}" for path in INPUTS}
    assert all(case.proof and case.expected for case in cases)
    assert len(list(EXPECTED.iterdir())) == 2 * len(INPUTS)
    assert {case.input_path for case in ours if not case.points} == {*PROBES}
    groups = Counter(case.group for case in ours)
    wanted = {"choice-of-jumps", "compulsory-jump", "draw", "ending", "middle-game", "shot"}
    assert wanted <= {group for group, count in groups.items() if count >= 5}
