"""Pairs of inputs and expected files, by all the names that courses give them."""

from __future__ import annotations

from pathlib import Path

import pytest

from grader.grading.records import Visibility
from grader.puzzles.find import About, Case, find_cases, groups_of, natural
from solver.errors import FileError, UserError

BOARD = "........\n" * 3 + "..b.....\n" + ".r......\n" + "........\n" * 3
ANSWER = "........\n" * 2 + "...r....\n" + "........\n" * 5
PAWNS = "Setup Wa4 Bb7\n"


def lay(folder: Path, *names: str, board: str = BOARD) -> Path:
    """Puts files there: a board in an input, an answer in everything else."""
    for name in names:
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(board)
    return folder


def names(cases: list[Case]) -> list[str]:
    return [case.name for case in cases]


@pytest.mark.parametrize(
    ("given", "answer"),
    [
        ("input1.txt", "solution1.txt"),
        ("input1.txt", "solution_1.txt"),
        ("checkers1.txt", "solution1.txt"),
        ("checkers1.txt", "solution_1.txt"),
        ("input_1.txt", "solution_1.txt"),
        ("input01.txt", "solution1.txt"),
        ("corner.txt", "corner_sol.txt"),
        ("input1.txt", "input1_sol.txt"),
        ("corner.in", "corner.ans"),
        ("corner.test", "corner.solution"),
    ],
)
def test_pairs_of_courses_are_found_in_one_folder_and_in_two(
    given: str, answer: str, tmp_path: Path
) -> None:
    lay(tmp_path / "one", given)
    lay(tmp_path / "one", answer, board=ANSWER)
    lay(tmp_path / "in", given)
    lay(tmp_path / "out", answer, board=ANSWER)
    for cases, warnings in (
        find_cases(tmp_path / "one"),
        find_cases(tmp_path / "in", tmp_path / "out"),
    ):
        assert warnings == []
        (case,) = cases
        assert (case.name, case.game, case.proof) == (Path(given).stem, "checkers", "")
        assert (case.input, case.expected) == (BOARD.encode(), ANSWER.encode())


def test_ours_are_found_in_folders_of_their_games_with_proofs(tmp_path: Path) -> None:
    lay(tmp_path / "inputs", "checkers/b.txt", "checkers/a.txt")
    lay(tmp_path / "inputs", "twoflags/race.txt", board=PAWNS)
    lay(tmp_path / "expected", "checkers/a.txt", "checkers/b.txt", "twoflags/race.txt")
    lay(tmp_path / "expected", "checkers/b.json", board="{}")
    for where in (tmp_path / "inputs", tmp_path):
        cases, warnings = find_cases(where)
        assert warnings == []
        assert names(cases) == ["checkers/a", "checkers/b", "twoflags/race"]
        assert [case.game for case in cases] == ["checkers", "checkers", "twoflags"]
        assert [case.proof for case in cases] == ["", "{}", ""]
    assert names(find_cases(tmp_path / "inputs" / "checkers")[0]) == ["a", "b"]
    assert names(find_cases(tmp_path / "inputs" / "checkers" / "b.txt")[0]) == ["b"]


def test_a_proof_alone_is_enough_and_it_or_the_text_tells_the_game(tmp_path: Path) -> None:
    lay(tmp_path, "inputs/a.txt", board=PAWNS)
    lay(tmp_path, "inputs/b.txt", "inputs/c.txt", board=BOARD.replace("r", "b"))
    lay(tmp_path, "expected/a.json", board="{}")
    lay(tmp_path, "expected/b.json", board='{"game": "twoflags"}')
    lay(tmp_path, "expected/c.json", board='{"game": ["chess"]}')
    cases, _ = find_cases(tmp_path / "inputs")
    assert (cases[0].expected, cases[0].proof) == (b"", "{}")
    assert [case.game for case in cases] == ["twoflags", "twoflags", "checkers"]


def test_numbers_are_in_the_order_of_people(tmp_path: Path) -> None:
    for number in (10, 2, 1):
        lay(tmp_path, f"input{number}.txt", f"solution{number}.txt")
    assert names(find_cases(tmp_path)[0]) == ["input1", "input2", "input10"]
    assert sorted(["a10b", "a2c", "a2b", "b1", "10", "a"], key=natural) == [
        *("10", "a", "a2b", "a2c", "a10b", "b1")
    ]


def test_what_has_no_partner_is_told_and_left_out(tmp_path: Path) -> None:
    lay(tmp_path, "input1.txt", "solution1.txt", "input2.txt", "solution3.txt", "README.md")
    cases, warnings = find_cases(tmp_path)
    assert names(cases) == ["input1"]
    assert warnings == [
        f"{tmp_path / 'input2.txt'}: left out, there is no expected file for it",
        f"{tmp_path / 'solution3.txt'}: there is no input for it",
    ]
    apart = lay(tmp_path / "apart", "inputs/a.txt", "expected/a.txt", "expected/b.txt")
    assert find_cases(apart)[1] == [f"{apart / 'expected/b.txt'}: there is no input for it"]


def test_an_expected_file_with_the_whole_name_leaves_the_number_to_another(tmp_path: Path) -> None:
    """And what is repaired in a board is told."""
    repaired = ".r......\n" + BOARD[9:]
    lay(tmp_path, "input7.txt", "solution7.txt", "extra7.txt", "extra7_sol.txt", board=repaired)
    cases, warnings = find_cases(tmp_path)
    assert names(cases) == ["extra7", "input7"]
    assert "a red man on its crowning row would be a king" in warnings[0]


SHORT = BOARD.replace("..b.....", "..b....")


@pytest.mark.parametrize(
    ("files", "board", "message"),
    [
        (
            ["input1.txt", "solution1.txt", "solution_1.txt"],
            BOARD,
            "expected is solution1.txt or solution_1.txt. Keep one.",
        ),
        (
            ["input1.txt", "checkers1.txt", "solution1.txt"],
            BOARD,
            r"is it for checkers1.txt or input1.txt\?",
        ),
        (["a.in", "a.ans", "a.test", "a.solution"], BOARD, "both puzzles would be called a"),
        (["notes.txt"], BOARD, r"Known are input1.txt(.|\n)*notes.txt: left out"),
        (["a.in", "a.ans"], SHORT, "a.in: line 4, column 8: 7 characters"),
        (["a.in", "a.ans"], "." * 1_000_001, "too large for a puzzle"),
    ],
)
def test_what_cannot_be_graded(files: list[str], board: str, message: str, tmp_path: Path) -> None:
    lay(tmp_path, *files, board=board)
    with pytest.raises(UserError, match=message):
        find_cases(tmp_path)


def test_folders_that_are_not_there(tmp_path: Path) -> None:
    lay(tmp_path, "a.in", "a.ans")
    for where in ((tmp_path / "nowhere",), (tmp_path, tmp_path / "nowhere")):
        with pytest.raises(FileError, match="nowhere: there is no such folder"):
            find_cases(*where)


def test_groups_are_the_words_that_names_share() -> None:
    groups = groups_of(
        [
            *("g/en-passant-invited", "g/en-passant-now", "g/race-lone", "g/race-two"),
            *("g/double-jump", "g/double-jump-2", "g/opening", "h/race-long", "input1", "input10"),
            *("7", "Corner_sol"),
        ]
    )
    assert groups == [
        *("en-passant", "en-passant", "race", "race"),
        *("double-jump", "double-jump", "opening", "race-long", "input", "input"),
        *("7", "corner-sol"),
    ]


@pytest.fixture
def puzzles(tmp_path: Path) -> Path:
    lay(
        tmp_path,
        *(f"{side}/checkers/jump-{n}.txt" for side in ("inputs", "expected") for n in "ab"),
    )
    return lay(tmp_path, "inputs/checkers/end.txt", "expected/checkers/end.txt")


def test_an_instructor_has_the_last_word(puzzles: Path) -> None:
    about = [
        About("", ("*",), points=3.0),
        About("jump", points=2.0),
        About("hard", ("*-b", "checkers/end"), visibility=Visibility.HIDDEN),
        About("", ("end",), points=5.0),
    ]
    cases, warnings = find_cases(puzzles, about=about)
    assert warnings == []
    assert [(case.group, case.points, case.visibility) for case in cases] == [
        ("hard", 5.0, Visibility.HIDDEN),
        ("jump", 2.0, Visibility.VISIBLE),
        ("hard", 2.0, Visibility.HIDDEN),
    ]


def test_words_about_no_puzzle_are_told(puzzles: Path) -> None:
    _, warnings = find_cases(puzzles, about=[About("jmp", points=2.0), About("", ("ennd",))])
    assert warnings == [
        "no puzzle is meant by 'jmp'. Did you mean 'jump'?",
        "no puzzle is meant by 'ennd'. Did you mean 'end'?",
    ]


def test_puzzles_are_chosen_by_name_and_by_word(puzzles: Path) -> None:
    def chosen(name: str | None = None, word: str | None = None) -> list[str]:
        return names(find_cases(puzzles, name=name, word=word)[0])

    for name in ("checkers/jump-a", "jump-a", "jump-a.txt"):
        assert chosen(name) == ["checkers/jump-a"]
    assert chosen(None, "JUMP") == ["checkers/jump-a", "checkers/jump-b"]
    assert len(chosen()) == 3
    with pytest.raises(UserError, match=r"There is no puzzle 'jump-c'. Did you mean 'jump-\w'\?"):
        chosen("jump-c")
    with pytest.raises(UserError, match=r"No puzzle has 'x' in its name. Groups: end, jump"):
        chosen(None, "x")
    lay(puzzles, "inputs/checkers/end.txt", board="only the chosen puzzles are read")
    assert chosen("jump-a") == ["checkers/jump-a"]


def test_a_name_that_two_puzzles_have_needs_its_folder(tmp_path: Path) -> None:
    lay(tmp_path, "x/a.in", "x/a.ans", "y/a.in", "y/a.ans")
    with pytest.raises(UserError, match="'a' could be x/a or y/a"):
        find_cases(tmp_path, name="a")
    assert names(find_cases(tmp_path, name="y/a")[0]) == ["y/a"]
