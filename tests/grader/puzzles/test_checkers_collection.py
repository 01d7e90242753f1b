"""The checkers puzzles in `inputs/`: what `expected/` says about them, and what each is about."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import pytest
from checkers_groups import MOTIFS
from checkers_puzzle import EXPECTED, INPUTS, ROOT, Puzzle, read_puzzle

from grader.puzzles.find import find_cases
from grader.puzzles.prove import as_json, prove
from grader.puzzles.truth import Value, check_truth, parse_value
from solver.checkers import game
from solver.limits import Limits
from solver.score import describe
from solver.search import Search
from solver.switches import Switches

# Proven again in every test run: some of each kind that take a fraction of a second.
QUICK = [
    *("blocked", "over-black-has-no-piece", "over-red-has-no-piece", "equally-good-all"),
    *("compulsory-jump-into-a-loss", "defence-last-longest", "defence-do-not-crown"),
    *("compulsory-jump-to-a-draw", "draw-three-against-three", "draw-three-against-four"),
    *("choice-of-jumps-shorter", "choice-of-jumps-crown-or-not", "equally-good-jumps"),
    *("crown-the-other-man", "trap-all-others-lose", "triple-jump", "ending-first-position"),
    *("light-squares-crown", "both-colours-jump-before-step", "opposition-of-a-king-and-a-man"),
]
DEEPEST = 12  # plies that alpha-beta looks through without tables


@pytest.fixture(scope="module")
def puzzles() -> dict[str, Puzzle]:
    return {path.stem: read_puzzle(path) for path in INPUTS}


@pytest.mark.parametrize("path", INPUTS, ids=lambda path: path.stem)
def test_the_moves_are_the_legal_ones_and_the_best_are_best(path: Path) -> None:
    puzzle = read_puzzle(path)
    truth = puzzle.truth
    check_truth(truth, path.read_text(), str(path))
    scores = {move.name: parse_value(move.value).score for move in truth.moves}
    if scores:
        assert {name for name in scores if scores[name] == max(scores.values())} == set(truth.best)
        assert puzzle.best.name == truth.best[0]
        assert truth.value == puzzle.best.value
    else:
        assert truth.board == path.read_text().strip()


@pytest.mark.parametrize("name", QUICK)
def test_every_value_can_be_proven_again(name: str) -> None:
    path = ROOT / "inputs" / "checkers" / f"{name}.txt"
    assert as_json(prove(path.read_text(), path.name)) == (EXPECTED / f"{name}.json").read_text()


@pytest.mark.parametrize("path", INPUTS, ids=lambda path: path.stem)
def test_short_wins_and_losses_are_found_by_alpha_beta_too(path: Path) -> None:
    """It shares the rules with the proofs and nothing else: no tables either."""
    puzzle = read_puzzle(path)
    search = Search(game.evaluator("material", puzzle.position), Switches(tables=False))
    for move in puzzle.truth.moves:
        plies = parse_value(move.value).plies
        if plies is not None and 1 < plies <= DEEPEST:
            finding = search.run(puzzle.child(move), Limits(depth=plies - 1))
            result = "loss" if move.value.startswith("win") else "win"
            assert (finding.proven, describe(finding.score)) == (True, f"{result} in {plies - 1}")


def test_whatever_alpha_beta_proves_with_tables_is_what_is_expected(
    puzzles: dict[str, Puzzle],
) -> None:
    """Draws and long wins too; it shares rules and tables with the proofs, and no more."""
    agreed = 0
    for puzzle in puzzles.values():
        evaluate = game.evaluator("material", puzzle.position)
        search = Search(evaluate, Switches(), game.tables())
        for move in puzzle.truth.moves:
            if move.value == "win in 1":
                continue
            finding = search.run(puzzle.child(move), Limits(depth=4))
            if finding.proven:
                assert Value(finding.score).after_a_ply() == parse_value(move.value), puzzle.name
                agreed += 1
    assert agreed >= 300


def motif_of(name: str) -> str:
    return max((motif for motif in MOTIFS if name.startswith(motif)), key=len)


@pytest.mark.parametrize("path", INPUTS, ids=lambda path: path.stem)
def test_it_is_a_puzzle_of_what_its_name_says(path: Path) -> None:
    assert MOTIFS[motif_of(path.stem)](read_puzzle(path))


@pytest.mark.parametrize("kind", ["txt", "json"])
def test_every_puzzle_has_an_expected_file_and_nothing_else_does(kind: str) -> None:
    names = {path.stem for path in EXPECTED.glob(f"*.{kind}")}
    assert names == {path.stem for path in INPUTS}


def test_the_collection_is_large_and_various(puzzles: dict[str, Puzzle]) -> None:
    assert len(puzzles) >= 120
    assert {motif_of(name) for name in puzzles} == set(MOTIFS)
    proven = Counter(puzzle.truth.proven.value for puzzle in puzzles.values())
    assert proven["all"] + proven["best"] >= 100
    assert proven["none"] <= len(puzzles) * 0.15
    values = {puzzle.truth.value for puzzle in puzzles.values()}
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
    groups = Counter(case.group for case in ours)
    wanted = {"choice-of-jumps", "compulsory-jump", "draw", "ending", "middle-game", "shot"}
    assert wanted <= {group for group, count in groups.items() if count >= 5}
