"""What is known about a puzzle: read from its file, or found by the solver."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from support.judging import find_truth, judge_move, read_truth

from grader.grading.records import Verdict
from grader.puzzles.truth import Truth, parse_value
from solver.errors import UserError

ROOT = Path(__file__).parent.parent.parent.parent
PROOFS = sorted((ROOT / "expected").glob("*/*.json"))
FILE = (ROOT / "expected" / "twoflags" / "race-lone-pawns.json").read_text()
INPUT = (ROOT / "inputs" / "twoflags" / "race-lone-pawns.txt").read_text()


def test_the_files_of_the_collection_fit_their_inputs() -> None:
    for proof in PROOFS:
        game, name = proof.parent.name, f"{proof.stem}.txt"
        expected = proof.with_name(name).read_text()
        text = (ROOT / "inputs" / game / name).read_text()
        truth = read_truth(proof.read_text(), game, text, expected, proof.stem)
        assert truth.board == expected.strip(), name
        assert judge_move(text, expected.encode(), truth).verdict is Verdict.EXACT, name


def changed(**fields: Any) -> str:
    return json.dumps({**json.loads(FILE), **fields})


def with_move(**fields: Any) -> str:
    return changed(moves=[{"move": "a2a3", "board": [], **fields}])


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
        (changed(mover="red"), "the proof says red"),
        (changed(value=3), "'value' is missing or is not text"),
        (changed(moves={}), "'moves' is missing or is not a list"),
        (changed(moves=[3]), "move 1: is not an object"),
        (changed(moves=[{"move": "a2a3"}]), "move 1: 'board' is missing"),
        (with_move(value="fine"), "move 1: value 'fine' is not like"),
        (with_move(value="win in at most 4"), "a win takes an odd number of plies"),
        (with_move(value="draw"), "move 1: 'proof' is missing"),
        (with_move(value="draw", proof="none"), "move 1: proof is 'none', for such a value it is"),
        (with_move(value="1 at depth 2", proof="search"), "for such a value it is none"),
        (changed(best=["z1z2"]), "the best move 'z1z2' is not among the moves"),
        (changed(best=[]), "'best' names no move"),
        (changed(best="a"), "'best' is missing or is not a list"),
        (changed(moves=json.loads(FILE)["moves"] * 2), "two moves have the same name"),
    ],
)
def test_a_bad_file_is_told_with_its_name(text: str, words: str) -> None:
    with pytest.raises(UserError, match=r"^race\.json: ") as error:
        read_truth(text, "twoflags", INPUT, "", "race.json")
    assert words in str(error.value)


OVER = "........\n.....R..\n" + "........\n" * 4 + "..r.....\n........\n"
OVER_FILE = changed(game="checkers", mover="red", value="", proven="over", best=[], moves=[])


@pytest.mark.parametrize(
    ("expected", "words"),
    [
        (OVER, ""),
        ("", ""),
        (OVER.replace("\n", " \r\n"), ""),
        (f"\ufeff{OVER}", ""),
        (OVER.replace("r", "."), "must be the same"),
        ("red has won", "over, expected: line 1"),
    ],
)
def test_a_finished_game_with_a_proof_must_be_expected_unchanged(expected: str, words: str) -> None:
    if not words:
        assert read_truth(OVER_FILE, "checkers", OVER, expected, "over").moves == ()
        return
    with pytest.raises(UserError, match=words):
        read_truth(OVER_FILE, "checkers", OVER, expected, "over")


def test_an_expected_board_is_that_of_a_best_move_with_or_without_the_side() -> None:
    truth = read_truth(FILE, "twoflags", INPUT)
    first, other = truth.moves
    assert truth.board == first.board
    *rows, _ = first.board.split("\n")
    assert read_truth(FILE, "twoflags", INPUT, "\n".join(rows)).canonical == truth.canonical
    worse = json.loads(FILE)["moves"]
    worse[1]["value"] = "loss in 2"
    one_best = changed(best=[first.name], moves=worse)
    for proof, expected, words in (
        (FILE, "\n".join([*rows, truth.mover]), f"names {truth.mover} as the side to move"),
        (FILE, INPUT, "not the input after a legal move"),
        (one_best, other.board, "none of the best moves' boards"),
    ):
        with pytest.raises(UserError, match=words):
            read_truth(proof, "twoflags", INPUT, expected, "race")
    with pytest.raises(UserError, match="names red as the side to move; after a move of red"):
        find_truth("checkers", "B:W17:B27", "B:W17:BK31")


def test_a_proof_of_another_input_is_noticed() -> None:
    mover = read_truth(FILE, "twoflags", INPUT).mover.upper()
    with pytest.raises(UserError, match="Prove it again"):
        read_truth(FILE, "twoflags", f"Setup Wa2 Bh7 {mover}")
    other = "WHITE" if mover == "BLACK" else "BLACK"
    with pytest.raises(UserError, match="is to move, the proof says"):
        read_truth(FILE, "twoflags", f"Setup Wa2 Bh7 {other}")


@pytest.mark.parametrize(
    ("words", "result", "plies", "before"),
    [
        ("win in 7", 1, 7, "loss in 8"),
        ("draw", 0, None, "draw"),
        ("loss in 8", -1, 8, "win in 9"),
        ("win in at most 33", 1, None, "loss in at most 34"),
        ("loss in at most 8", -1, None, "win in at most 9"),
        ("+12 at depth 8", 0, None, None),
        ("0 at depth 3", 0, None, None),
    ],
)
def test_values(words: str, result: int, plies: int | None, before: str | None) -> None:
    """As text, for the mover, and for the other side a ply before."""
    value = parse_value(words)
    assert (str(value), value.result, value.plies) == (words, result, plies)
    assert value.certain == ("depth" not in words)
    assert value.proven == (value.certain and "most" not in words)
    assert before is None or str(value.after_a_ply()) == before


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
    text = (ROOT / "inputs" / "twoflags" / f"{name}.txt").read_text()
    truth, known = found("twoflags", name), read_truth(proof, "twoflags", text)
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


START = "........\n........\n........\n........\n........\n..r.....\n.......b\n........\n"


BLOCKED = START.replace("..r", "...")


@pytest.mark.parametrize(
    ("text", "expected", "words"),
    [
        (START, START, "not the input after a legal move of red"),
        (START, BLOCKED, "not the input after a legal move of red"),
        (BLOCKED, START, "must be the same"),
    ],
)
def test_an_expected_board_that_is_no_answer_is_the_instructors_mistake(
    text: str, expected: str, words: str
) -> None:
    with pytest.raises(UserError, match=words):
        find_truth("checkers", text, expected, source="course/7")


def test_an_expected_board_need_not_be_the_best() -> None:
    """The instructor's move is canonical, and better ones are as good."""
    text = "........\n........\n........\n....b...\n........\n..r.....\n........\n........"
    lost = "........\n........\n........\n....b...\n...r....\n........\n........\n........"
    truth = find_truth("checkers", text, lost)
    assert truth.best[0] == "c3-d4"
    assert "c3-b4" in truth.best
    assert truth.value is not None
    assert truth.value.score > truth.moves[0].value.score or (truth.moves[0].name != "c3-d4")


@pytest.mark.parametrize(
    ("value", "words"),
    [
        *((each, each) for each in ("win in 5", "draw", "loss in at most 8")),
        ("+42 at depth 10", "ahead (estimate)"),
        ("0 at depth 10", "level (estimate)"),
        ("-3 at depth 10", "behind (estimate)"),
    ],
)
def test_a_student_reads_no_number_of_a_search(value: str, words: str) -> None:
    assert parse_value(value).words == words
