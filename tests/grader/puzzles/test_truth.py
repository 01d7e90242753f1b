"""What is known about a puzzle: read from its file, or found by the solver."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from support.judging import check_truth, find_truth, judge_move, made_up

from grader.grading.records import Verdict
from grader.puzzles.truth import Truth, Value, parse_value, read_truth
from solver.errors import UserError

ROOT = Path(__file__).parent.parent.parent.parent
PROOFS = sorted((ROOT / "expected").glob("*/*.json"))
FILE = (ROOT / "expected" / "twoflags" / "race-lone-pawns.json").read_text()
BOARD = (ROOT / "expected" / "twoflags" / "race-lone-pawns.txt").read_text()
INPUT = (ROOT / "inputs" / "twoflags" / "race-lone-pawns.txt").read_text()


@pytest.mark.parametrize("proof", PROOFS, ids=lambda path: path.stem)
def test_the_files_of_the_collection_fit_their_inputs(proof: Path) -> None:
    game, name = proof.parent.name, f"{proof.stem}.txt"
    expected = proof.with_name(name).read_text()
    text = (ROOT / "inputs" / game / name).read_text()
    truth = read_truth(proof.read_text(), expected, proof.stem)
    truth = check_truth(truth, text, proof.stem)
    assert truth.board == expected.strip()
    assert judge_move(text, expected.encode(), truth).verdict is Verdict.EXACT


def changed(**fields: Any) -> str:
    return json.dumps({**json.loads(FILE), **fields})


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "is not JSON"),
        ("[" * 100_000, "is not JSON"),
        ("[]", "is not a JSON object"),
        (changed(schema=3), "schema is 3, not 2"),
        (changed(schema=True), "schema is True, not 2"),
        (changed(proven="best"), "proven is 'best', but by the values it is 'all'"),
        (changed(proven=None), "'proven' is missing or is not text"),
        (changed(game="chess"), "game is 'chess'"),
        (changed(variant="loser"), "twoflags has no variant 'loser'"),
        (changed(mover="red"), "mover is 'red'"),
        (changed(value=3), "'value' is missing or is not text"),
        (changed(moves={}), "'moves' is missing or is not a list"),
        (changed(moves=[3]), "move 1: is not an object"),
        (changed(moves=[{"move": "a2a3"}]), "move 1: 'board' is missing"),
        (
            changed(moves=[{"move": "a2a3", "board": [], "value": "fine"}]),
            "move 1: value 'fine' is not like",
        ),
        (
            changed(moves=[{"move": "a2a3", "board": [], "value": "win in at most 4"}]),
            "a win takes an odd number of plies",
        ),
        (
            changed(moves=[{"move": "a2a3", "board": [], "value": "draw"}]),
            "move 1: 'proof' is missing",
        ),
        (
            changed(moves=[{"move": "a2a3", "board": [], "value": "draw", "proof": "none"}]),
            "move 1: proof is 'none', for such a value it is tables or search",
        ),
        (
            changed(moves=[{"move": "b", "board": [], "value": "1 at depth 2", "proof": "search"}]),
            "move 1: proof is 'search', for such a value it is none",
        ),
        (changed(best=["z1z2"]), "the best move 'z1z2' is not among the moves"),
        (changed(best=[]), "'best' names no move"),
        (changed(best="a"), "'best' is missing or is not a list"),
        (changed(moves=json.loads(FILE)["moves"] * 2), "two moves have the same name"),
    ],
)
def test_a_bad_file_is_told_with_its_name(text: str, words: str) -> None:
    with pytest.raises(UserError, match=r"^race\.json: ") as error:
        read_truth(text, "", "race.json")
    assert words in str(error.value)


def test_without_an_expected_board_the_first_best_move_is_canonical() -> None:
    truth = read_truth(FILE, "", "race")
    assert truth.best[0] in [move.name for move in truth.moves if move.board == truth.board]


OVER = "........\n.....R..\n" + "........\n" * 4 + "..r.....\n........\n"
OVER_FILE = changed(game="checkers", mover="red", value="", proven="over", best=[], moves=[])


def test_a_finished_game_with_a_proof_must_be_expected_unchanged() -> None:
    for expected in (OVER, "", OVER.replace("\n", " \r\n"), f"\ufeff{OVER}"):
        check_truth(read_truth(OVER_FILE, expected, "over"), OVER, "over")
    truth = read_truth(OVER_FILE, OVER.replace("r", "."), "over")
    with pytest.raises(UserError, match="must be the same"):
        check_truth(truth, OVER, "over")
    with pytest.raises(UserError, match="over, expected: line 1"):
        check_truth(read_truth(OVER_FILE, "red has won", "over"), OVER, "over")


def test_a_canonical_board_that_is_not_the_best_is_noticed() -> None:
    truth = read_truth(FILE, BOARD, "race")
    check_truth(truth, INPUT, "race")
    with pytest.raises(UserError, match="not the input after a legal move"):
        check_truth(replace(truth, board=INPUT), INPUT, "race")
    other = made_up(START, values=("win in 3", "draw"))
    check_truth(other, START, "start")
    with pytest.raises(UserError, match="none of the best moves' boards"):
        check_truth(replace(other, board=other.moves[1].board), START, "start")


def test_an_expected_board_that_names_the_wrong_side_is_noticed() -> None:
    truth = read_truth(FILE, "", "race")
    mover, (*rows, _) = truth.mover, truth.board.split("\n")
    bare, wrong = "\n".join(rows), "\n".join([*rows, mover])
    check_truth(read_truth(FILE, bare, "race"), INPUT, "race")
    with pytest.raises(UserError, match=f"names {mover} as the side to move"):
        check_truth(read_truth(FILE, wrong, "race"), INPUT, "race")
    with pytest.raises(UserError, match="names red as the side to move; after a move of red"):
        find_truth("checkers", "B:W17:B27", "B:W17:BK31")


def test_a_proof_of_another_input_is_noticed() -> None:
    truth = read_truth(FILE, BOARD, "race")
    with pytest.raises(UserError, match="Prove it again"):
        check_truth(truth, "Setup Wa2 Bh7 " + truth.mover.upper(), "race")
    other = "WHITE" if truth.mover == "black" else "BLACK"
    with pytest.raises(UserError, match="is to move, the proof says"):
        check_truth(truth, f"Setup Wa2 Bh7 {other}", "race")


@pytest.mark.parametrize(
    ("words", "result"),
    [
        ("win in 5", 1),
        ("draw", 0),
        ("loss in 4", -1),
        ("win in at most 33", 1),
        ("loss in at most 8", -1),
        ("+12 at depth 8", 0),
        ("0 at depth 3", 0),
    ],
)
def test_values_are_read_and_written(words: str, result: int) -> None:
    value = parse_value(words)
    assert str(value) == words
    assert value.result == result
    assert value.certain == ("depth" not in words)
    assert value.proven == (value.certain and "most" not in words)


@pytest.mark.parametrize(
    "words",
    [
        "",
        "win",
        "win in -1",
        "loss in 3",
        "draw in 3",
        "win in at least 3",
        "+12",
        "999999 at depth 2",
    ],
)
def test_other_values_are_refused(words: str) -> None:
    with pytest.raises(ValueError, match=r".+"):
        parse_value(words)


def found(game: str, name: str, **limits: Any) -> Truth:
    return find_truth(
        game,
        (ROOT / "inputs" / game / f"{name}.txt").read_text(),
        (ROOT / "expected" / game / f"{name}.txt").read_text(),
        **limits,
    )


@pytest.mark.parametrize(
    "name", ["race-lone-pawns", "zugzwang-two-files", "blockade-close-the-file"]
)
def test_the_solver_finds_what_the_files_say(name: str) -> None:
    proof = (ROOT / "expected" / "twoflags" / f"{name}.json").read_text()
    truth, known = found("twoflags", name), read_truth(proof, "", name)
    assert {move.name: move.value for move in truth.moves} == {
        move.name: move.value for move in known.moves
    }
    assert set(truth.best) == set(known.best)
    assert truth.value == known.value


def test_what_cannot_be_proven_is_searched_to_one_depth_for_all() -> None:
    truth = found("checkers", "opening", depth=4, nodes=5_000)
    depths = {move.value.depth for move in truth.moves}
    assert depths == {4}
    assert truth.proof.endswith("the rest searched to depth 4")
    assert truth == found("checkers", "opening", depth=4, nodes=5_000)


def test_few_nodes_give_an_honest_depth() -> None:
    depths = {m.value.depth for m in found("checkers", "opening", nodes=300).moves}
    assert len(depths) == 1
    assert depths < {1, 2, 3, 4}


def test_a_finished_game_has_no_moves() -> None:
    truth = found("checkers", "blocked")
    assert not truth.moves
    assert not truth.best
    assert "no legal move" in truth.proof


START = "........\n........\n........\n........\n........\n..r.....\n.......b\n........\n"


@pytest.mark.parametrize("expected", [START, START.replace("..r", "...")])
def test_an_expected_board_that_is_no_answer_is_the_instructors_mistake(expected: str) -> None:
    with pytest.raises(UserError, match="not the input after a legal move of red"):
        find_truth("checkers", START, expected, source="course/7")


def test_a_finished_game_must_be_expected_unchanged() -> None:
    blocked = START.replace("..r", "...")
    with pytest.raises(UserError, match="must be the same"):
        find_truth("checkers", blocked, START, source="course/7")


def test_an_expected_board_need_not_be_the_best() -> None:
    """The instructor's move is canonical, and better ones are as good."""
    text = "........\n........\n........\n....b...\n........\n..r.....\n........\n........"
    lost = "........\n........\n........\n....b...\n...r....\n........\n........\n........"
    truth = find_truth("checkers", text, lost)
    assert truth.best[0] == "c3-d4"
    assert "c3-b4" in truth.best
    assert truth.value is not None
    assert truth.value.score > truth.moves[0].value.score or (truth.moves[0].name != "c3-d4")


def test_a_value_knows_its_plies() -> None:
    assert parse_value("win in 7").plies == 7
    assert Value(3, 8).plies is None
    bounded = parse_value("win in at most 7")
    assert (bounded.plies, bounded.most_plies) == (None, 7)


@pytest.mark.parametrize(
    ("there", "here"),
    [
        ("win in 7", "loss in 8"),
        ("loss in 8", "win in 9"),
        ("loss in at most 8", "win in at most 9"),
        ("draw", "draw"),
    ],
)
def test_a_value_seen_from_the_other_side_a_ply_before(there: str, here: str) -> None:
    assert str(parse_value(there).after_a_ply()) == here
