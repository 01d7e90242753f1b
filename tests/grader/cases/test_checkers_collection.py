"""The checkers puzzles in `inputs/`: what `expected/` says about them, and what each is about.

`python tests/grader/cases/test_checkers_collection.py` writes `expected/checkers/` anew.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from grader.cases import find_cases
from grader.prove import as_json, prove
from grader.truth import Move, Truth, check_truth, read_truth
from grader.truth.values import parse_value
from solver.checkers import game
from solver.checkers.mixed import TwoBoards
from solver.checkers.rules import Board
from solver.limits import Limits
from solver.position import Position
from solver.score import describe
from solver.search import Search
from solver.shortest import ShortestWin
from solver.switches import Switches

ROOT = Path(__file__).parent.parent.parent.parent
INPUTS = sorted((ROOT / "inputs" / "checkers").glob("*.txt"))
EXPECTED = ROOT / "expected" / "checkers"
Checkers = Board | TwoBoards

# Proven again in every test run: all that takes a fraction of a second.
QUICK = [
    *("blocked", "over-black-has-no-piece", "over-red-has-no-piece", "compulsory-jump-into-a-loss"),
    *("defence-last-longest", "defence-last-longest-2"),
    *("choice-of-jumps-shorter", "equally-good-three", "triple-jump", "win-by-taking-the-last"),
]


@dataclass(frozen=True)
class Puzzle:
    """A puzzle as its files tell it."""

    name: str
    rows: list[str]
    truth: Truth

    @property
    def position(self) -> Checkers:
        return game.read("\n".join(self.rows), self.name, True)[0]

    @property
    def best(self) -> Move:
        return next(move for move in self.truth.moves if move.board == self.truth.board)

    @property
    def others(self) -> list[Move]:
        return [move for move in self.truth.moves if move.name not in self.truth.best]

    @property
    def winning(self) -> list[str]:
        return [move.name for move in self.truth.moves if move.value.startswith("win")]

    def piece(self, square: str) -> str:
        return self.rows[8 - int(square[1])]["abcdefgh".index(square[0])]


def read(path: Path) -> Puzzle:
    expected = EXPECTED / path.name
    proof = expected.with_suffix(".json")
    truth = read_truth(proof.read_text(), expected.read_text(), str(proof))
    return Puzzle(path.stem, path.read_text().split(), truth)


@pytest.fixture(scope="module")
def puzzles() -> dict[str, Puzzle]:
    return {path.stem: read(path) for path in INPUTS}


@pytest.mark.parametrize("path", INPUTS, ids=lambda path: path.stem)
def test_the_moves_are_the_legal_ones_and_the_best_are_best(path: Path) -> None:
    truth = read(path).truth
    check_truth(truth, path.read_text(), str(path))
    scores = {move.name: parse_value(move.value).score for move in truth.moves}
    if scores:
        assert {name for name in scores if scores[name] == max(scores.values())} == set(truth.best)
        assert read(path).best.name == truth.best[0]
        assert truth.value == read(path).best.value
    else:
        assert truth.board == path.read_text().strip()


@pytest.mark.parametrize("name", QUICK)
def test_every_value_can_be_proven_again(name: str) -> None:
    path = ROOT / "inputs" / "checkers" / f"{name}.txt"
    assert as_json(prove(path.read_text(), path.name)) == (EXPECTED / f"{name}.json").read_text()


@pytest.mark.parametrize("path", INPUTS, ids=lambda path: path.stem)
def test_short_wins_and_losses_are_found_by_alpha_beta_too(path: Path) -> None:
    """It shares the rules with the proofs and nothing else."""
    position = read(path).position
    search = Search(game.evaluator("material", position), Switches())
    children: list[Position] = [] if game.outcome(position) else [*position.children()]
    for move, child in zip(read(path).truth.moves, children, strict=True):
        plies = parse_value(move.value).plies
        if plies is not None and 1 < plies <= 10:
            finding = search.run(child, Limits(depth=plies - 1))
            result = "loss" if move.value.startswith("win") else "win"
            assert (finding.proven, describe(finding.score)) == (True, f"{result} in {plies - 1}")


def taken(move: Move) -> int:
    return move.name.count("x")


def rank(square: str) -> int:
    return int(square[1])


def takes_fewer(puzzle: Puzzle) -> bool:
    """Whoever takes more loses."""
    losing = [move for move in puzzle.others if move.value.startswith("loss")]
    return wins(puzzle) and taken(puzzle.best) < max(map(taken, losing), default=0)


def takes_most(puzzle: Puzzle) -> bool:
    return len(puzzle.winning) == 1 and taken(puzzle.best) > max(map(taken, puzzle.others))


def king_goes_back(puzzle: Puzzle) -> bool:
    first, last = puzzle.best.name[:2], puzzle.best.name[-2:]
    return puzzle.piece(first) == "R" and rank(last) < rank(first) and len(puzzle.truth.best) == 1


def is_crowned_and_stops(puzzle: Puzzle) -> bool:
    """Another black piece beside the new king could be jumped if the move went on."""
    first, last = puzzle.best.name[:2], puzzle.best.name[-2:]
    rows = puzzle.best.board.split("\n")
    column = "abcdefgh".index(last[0])
    beside = [(column + step, column + 2 * step) for step in (-1, 1)]
    onward = any(
        0 <= over < 8 and 0 <= to < 8 and rows[1][over] in "bB" and rows[2][to] == "."
        for over, to in beside
    )
    return puzzle.piece(first) == "r" and rank(last) == 8 and onward


def has_blacks_behind(puzzle: Puzzle) -> bool:
    """A man could jump backwards if men could."""
    return not taken(puzzle.best) and any(
        puzzle.rows[row][column] == "r"
        and puzzle.rows[row + 1][column + step] in "bB"
        and puzzle.rows[row + 2][column + 2 * step] == "."
        for row in range(6)
        for column in range(8)
        for step in (-1, 1)
        if 0 <= column + 2 * step < 8
    )


def gives_to_take(given: int, back: int) -> Callable[[Puzzle], bool]:
    """The only winning move lets black take so often, each time by force; then red takes more
    at once."""

    def check(puzzle: Puzzle) -> bool:
        position = puzzle.position
        (step,) = [child for child in position.children() if str(child) == puzzle.truth.board]
        return len(puzzle.winning) == 1 and is_shot(position, step, given, back)

    return check


def is_shot(position: Checkers, step: Checkers, given: int, back: int) -> bool:
    replies = step.children()
    if jumped(position, step) or len(replies) != 1 or jumped(step, replies[0]) != 1:
        return False
    answers = replies[0].children()
    if given > 1:
        return any(is_shot(replies[0], answer, given - 1, back) for answer in answers)
    return max(jumped(replies[0], answer) for answer in answers) >= back


def jumped(position: Checkers, child: Checkers) -> int:
    return game.pieces(position) - game.pieces(child)


def last_of_the_line(puzzle: Puzzle) -> Position:
    finding = ShortestWin(Limits(nodes=10_000)).run(puzzle.position)
    assert finding is not None
    return finding.line[-1]


def ends_blocked(puzzle: Puzzle) -> bool:
    last = last_of_the_line(puzzle)
    return "b" in str(last).lower() and not last.children()


def ends_taken(puzzle: Puzzle) -> bool:
    return "b" not in str(last_of_the_line(puzzle)).lower()


def crowns_elsewhere(puzzle: Puzzle) -> bool:
    crowning = [move for move in puzzle.others if rank(move.name[-2:]) == 8]
    return len(puzzle.winning) == 1 and any(puzzle.piece(move.name[:2]) == "r" for move in crowning)


def is_lost(puzzle: Puzzle) -> bool:
    """All moves lose, some sooner than others."""
    values = {move.value for move in puzzle.truth.moves}
    return len(values) > 2 and all(value.startswith("loss") for value in values)


def is_over(puzzle: Puzzle) -> bool:
    return puzzle.truth.moves == () and puzzle.truth.best == ()


def wins(puzzle: Puzzle) -> bool:
    return puzzle.truth.value.startswith("win")


def lies_on(*colours: int) -> Callable[[Puzzle], bool]:
    """Pieces stand on squares with these sums of row and column, odd or even."""

    def check(puzzle: Puzzle) -> bool:
        squares = [(row, column) for row in range(8) for column in range(8)]
        return set(colours) == {
            (row + column) % 2 for row, column in squares if puzzle.rows[row][column] != "."
        }

    return check


MOTIFS: dict[str, Callable[[Puzzle], bool]] = {
    "blocked": is_over,
    "both-colours": lies_on(0, 1),
    "choice-of-jumps-longer": takes_most,
    "choice-of-jumps-shorter": takes_fewer,
    "compulsory-jump": lambda puzzle: len(puzzle.truth.moves) == 1 and taken(puzzle.best) > 0,
    "crowning-ends-the-jump": is_crowned_and_stops,
    "defence": is_lost,
    "double-jump": lambda puzzle: taken(puzzle.best) == 2,
    "equally-good-three": lambda puzzle: len(puzzle.truth.best) == 3 < len(puzzle.truth.moves),
    "equally-good-two": lambda puzzle: len(puzzle.truth.best) == 2 < len(puzzle.truth.moves),
    "exchange": gives_to_take(1, 1),
    "jump-in-a-circle": lambda puzzle: puzzle.best.name[:2] == puzzle.best.name[-2:],
    "king": king_goes_back,
    "light-squares": lies_on(0),
    "long-fifteen": lambda puzzle: puzzle.truth.value == "win in 15",
    "long-thirteen": lambda puzzle: puzzle.truth.value == "win in 13",
    "men-jump-forward-only": has_blacks_behind,
    "opening": lambda puzzle: sum(row.count("r") + row.count("b") for row in puzzle.rows) >= 22,
    "opposition": lambda puzzle: sum(row.count(".") for row in puzzle.rows) == 62 and wins(puzzle),
    "over": is_over,
    "shot-give-the-king": gives_to_take(1, 2),
    "shot-in-nine": lambda puzzle: puzzle.truth.value == "win in 9",
    "shot-three-for-one": gives_to_take(1, 3),
    "shot-three-for-two": gives_to_take(2, 3),
    "shot-two-for-one": gives_to_take(1, 2),
    "trap-do-not-crown": crowns_elsewhere,
    "trap-take": takes_fewer,
    "triple-jump": lambda puzzle: taken(puzzle.best) == 3,
    "two-kings-against-one": wins,
    "win-by-blocking": ends_blocked,
    "win-by-taking-the-last": ends_taken,
}


@pytest.mark.parametrize("path", INPUTS, ids=lambda path: path.stem)
def test_it_is_a_puzzle_of_what_its_name_says(path: Path) -> None:
    motifs = [motif for motif in MOTIFS if path.stem.startswith(motif)]
    assert motifs
    assert all(MOTIFS[motif](read(path)) for motif in motifs)


@pytest.mark.parametrize("kind", ["txt", "json"])
def test_every_puzzle_has_an_expected_file_and_nothing_else_does(kind: str) -> None:
    names = {path.stem for path in EXPECTED.glob(f"*.{kind}")}
    assert names == {path.stem for path in INPUTS}


def test_the_collection_is_large_and_various(puzzles: dict[str, Puzzle]) -> None:
    values = {puzzle.truth.value for puzzle in puzzles.values()}
    assert {"win in 3", "win in 7", "win in 9", "win in 13", "win in 15", "loss in 12"} <= values
    assert all(any(name.startswith(motif) for name in puzzles) for motif in MOTIFS)
    proven = [each for each in puzzles.values() if parse_value(each.truth.value or "draw").proven]
    assert len(proven) >= 30
    alone = sum(len(puzzle.truth.best) == 1 for puzzle in proven)
    assert alone >= 24


def test_no_puzzle_is_another_one_mirrored(puzzles: dict[str, Puzzle]) -> None:
    boards = [min(each.rows, [row[::-1] for row in each.rows]) for each in puzzles.values()]
    assert len({tuple(board) for board in boards}) == len(boards)


def test_the_grader_finds_them_all() -> None:
    cases, warnings = find_cases(ROOT / "inputs")
    ours = [case for case in cases if case.game == "checkers"]
    assert warnings == []
    assert {case.name for case in ours} == {f"checkers/{path.stem}" for path in INPUTS}
    assert all(case.proof and case.expected for case in cases)
    assert {"shot", "choice-of-jumps", "compulsory-jump"} <= {case.group for case in ours}


def write_expected() -> None:
    for path in INPUTS:
        truth = prove(path.read_text(), path.name)
        (EXPECTED / path.name).write_text(truth.board + "\n")
        (EXPECTED / f"{path.stem}.json").write_text(as_json(truth))


if __name__ == "__main__":
    write_expected()
