"""The command line on Two Flags: every command, both formats, both rule sets."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from command import solver

# Black gives up a pawn and blocks White: a win in 5.
BOARD = """\
........
.....b..
.....b.b
........
.....ww.
........
........
........
black
"""
ANSWER = """\
........
.....b..
.......b
.....b..
.....ww.
........
........
........
white
"""
SETUP = "Setup Wf4 Wg4 Bf6 Bh6 Bf7 BLACK\n"
SETUP_ANSWER = "Setup Wf4 Wg4 Bf5 Bh6 Bf7 WHITE\n"
FORK = "Setup We5 Bd7 Bf7 BLACK"  # lost for Black because of en passant


@pytest.fixture
def block(tmp_path: Path) -> str:
    path = tmp_path / "block.txt"
    path.write_text(BOARD)
    return str(path)


# --- solve ---------------------------------------------------------------------------------


def test_a_plain_call_recognises_the_game(block: str, tmp_path: Path) -> None:
    out = tmp_path / "answer.txt"
    done = solver(block, str(out))
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    assert out.read_text() == ANSWER


@pytest.mark.parametrize(
    ("text", "answer"),
    [(BOARD, ANSWER), (SETUP, SETUP_ANSWER), (SETUP.lower().strip(), SETUP_ANSWER)],
)
def test_a_text_is_answered_in_its_own_format(text: str, answer: str) -> None:
    done = solver("-", "-", text=text)
    assert (done.returncode, done.stdout, done.stderr) == (0, answer, "")


@pytest.mark.parametrize(
    ("text", "form", "answer"), [(BOARD, "setup", SETUP_ANSWER), (SETUP, "board", ANSWER)]
)
def test_formats_can_be_chosen(text: str, form: str, answer: str) -> None:
    assert solver("-", "-", "--format", form, text=text).stdout == answer


def test_an_answer_says_what_can_be_taken_en_passant_and_a_question_may() -> None:
    """d2d4 goes past a pawn; d2d3 would lose one."""
    text = "Setup Wd2 We5 Be4 Be6 WHITE"
    assert solver("-", "-", text=text).stdout == "Setup Wd4 We5 Be4 Be6 BLACK d3\n"
    done = solver("-", "-", "--variant", "no-en-passant", text=text)
    assert done.stdout == "Setup Wd4 We5 Be4 Be6 BLACK\n"
    done = solver("perft", "-", "--depth", "1", "--divide", text="Setup Wd5 Be5 WHITE e6")
    assert [line.split()[0] for line in done.stdout.splitlines()[2:]] == ["d5e6", "d5d6", "total"]


def test_the_game_can_be_named_where_the_text_leaves_it_open() -> None:
    """A board of black pawns alone could be either; here White has lost."""
    text = "........\n" * 6 + "b.......\n........\n"
    done = solver("-", "-", "--game", "twoflags", text=text)
    assert (done.returncode, done.stdout) == (0, text + "white\n")
    assert "black has won: white has no pawn left" in done.stderr
    assert "red has no piece left" in solver("-", "-", text=text).stderr


def test_the_rule_set_decides_who_wins() -> None:
    with_it = solver("-", "-", "-v", text=FORK).stderr
    without = solver("-", "-", "-v", "--variant", "no-en-passant", text=FORK).stderr
    assert "proven loss in 6" in with_it
    assert re.search(r"black plays [df]7[df]5, proven win in 3;", without)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("Setup Wa8 Bh7 BLACK", "white has won: a white pawn has reached the last rank"),
        ("Setup Wh7 Ba1 WHITE", "black has won: a black pawn has reached the last rank"),
        ("Setup Wa4 Ba5 WHITE", "black has won: white is to move and has no legal move"),
        ("Setup Wa4 Ba5 BLACK", "white has won: black is to move and has no legal move"),
        ("Setup Wa4 BLACK", "white has won: black has no pawn left"),
        ("Setup Ba4 BLACK", "black has won: white has no pawn left"),
    ],
)
def test_a_game_that_is_over_is_its_own_answer(text: str, told: str) -> None:
    done = solver("-", "-", text=text)
    assert (done.returncode, done.stdout) == (0, text + "\n")
    assert done.stderr == f"solver: standard input: {told}\n"
    assert solver("analyse", "-", text=text).stdout == told + "\n"


def test_a_board_that_is_over_keeps_its_side() -> None:
    text = "..w.....\n" + "........\n" * 6 + "........\nblack\n"
    assert solver("-", "-", text=text).stdout == text


def test_the_whole_line_ends_with_the_game(block: str) -> None:
    done = solver(block, "-", "--line")
    boards = done.stdout.split("\n\n")
    assert boards.pop() == ""
    assert [board.split("\n")[-1] for board in boards] == ["black", "white"] * 3
    assert (boards[0] + "\n", boards[1] + "\n") == (BOARD, ANSWER)
    assert done.stderr.endswith("black has won: white is to move and has no legal move; plies: 5\n")


def test_statistics_name_the_game_and_its_moves(block: str) -> None:
    done = solver(block, "/dev/null", "--stats", "-")
    record = json.loads(done.stdout)
    assert (record["game"], record["mover"], record["heuristic"]) == ("twoflags", "black", "race")
    assert (record["move"], record["value"]) == ("f6f5", "win in 5")
    assert record["line"] == ["f6f5", "g4g5", "h6h5", "g5g6", "f7g6"]
    assert record["before"] == BOARD.splitlines()
    assert record["after"] == ANSWER.splitlines()


# --- who wins from the start ---------------------------------------------------------------


@pytest.mark.parametrize(
    ("files", "variant", "told"),
    [
        (1, "", "white: loss in 4 by a2a3"),
        (1, "no-en-passant", "white: loss in 4 by a2a3"),
        (2, "", "white: loss in 8 by "),
        (3, "", "white: loss in 14 by "),
        (3, "no-en-passant", "white: loss in 16 by "),
        (4, "", "white: win in 21 by b2b4 c2c4\n"),
    ],
)
def test_the_start_on_few_files_is_solved(files: int, variant: str, told: str) -> None:
    done = solver("solve", "--game", "twoflags", "--files", str(files), "--variant", variant)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith(told)
    plies = int(done.stdout.split()[3])
    line = done.stdout.splitlines()[1].split()
    assert line[0] == "line:"
    assert len(line) - 1 == plies


def test_a_proof_can_be_bounded() -> None:
    done = solver("solve", "--game", "twoflags", "--nodes", "2000", "-v")
    assert done.returncode == 0
    assert re.fullmatch(
        r"white: not proven; neither a win nor a loss within \d plies\n", done.stdout
    )
    assert re.fullmatch(r"2001 nodes, \d+\.\d\d s\n", done.stderr)


# --- the other commands --------------------------------------------------------------------


def test_analyse_compares_moves(block: str) -> None:
    done = solver("analyse", block, "--lines", "2")
    assert done.stdout.startswith("proof 5 score win-in-5 ")
    assert [line.split() for line in done.stdout.splitlines()[-2:]] == [
        *(["f6f5", "proven", "win", "in", "5", "g4g5", "h6h5", "g5g6", "f7g6"],),
        *(["h6h5", "proven", "loss", "in", "6", "g4h5", "f6f5", "h5h6", "f7f6", "h6h7"],),
    ]


def test_eval_shows_the_terms_for_white_and_black(block: str) -> None:
    done = solver("eval", block, "--heuristic", "two-flags")
    assert done.stdout.splitlines() == [
        "term                         white  black  weight  total",
        "---------------------------  -----  -----  ------  -----",
        "pawns                            2      3      40    -40",
        "pawns one step from landing      0      0    1000      0",
        "ranks advanced                   4      2      30     60",
        "white passed pawns               0      0     150      0",
        "black passed pawns               0      0     250      0",
        "sum                                                   20",
        "",
        "two-flags: -20 for black, who is to move",
    ]


def test_eval_of_the_start_uses_the_default_heuristic() -> None:
    done = solver("eval", "--game", "twoflags")
    assert re.search(r"^race: [+-]\d+ for white, who is to move$", done.stdout, re.MULTILINE)


@pytest.mark.parametrize(("options", "last"), [([], 57744), (["--files", "4"], 3148)])
def test_perft_counts_from_the_start(options: list[str], last: int) -> None:
    done = solver("perft", "--game", "twoflags", "--depth", "4", *options)
    assert done.stdout.splitlines()[-1].split() == ["4", str(last)]


def test_perft_knows_the_rule_sets() -> None:
    def leaves(*options: str) -> str:
        done = solver("perft", "-", "--depth", "2", *options, text="Setup Wd5 Wh2 Be7 BLACK")
        return done.stdout.splitlines()[-1].split()[1]

    assert (leaves(), leaves("--variant", "no-en-passant")) == ("8", "7")


# --- mistakes ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (
            ["{in}", "-", "--variant", "no-en-pasant"],
            "twoflags has no variant 'no-en-pasant'. Did you mean 'no-en-passant'? "
            "Known: no-en-passant.",
        ),
        (
            ["perft", "--depth", "1", "--variant", "no-en-passant"],
            "checkers has no variant 'no-en-passant'. It has none.",
        ),
        (["solve", "--game", "twoflag"], "Did you mean 'twoflags'?"),
        (["{in}", "-", "--format", "fen"], "There is no format 'fen'. Known: board, setup."),
        (["{in}", "-", "--format", "stup"], "There is no format 'stup'. Did you mean 'setup'?"),
        (["{in}", "-", "--heuristic", "centre"], "There is no heuristic 'centre'."),
        (["eval", "{in}", "--heuristic", "two-flag"], "Did you mean 'two-flags'?"),
        (["solve", "--game", "twoflags", "--files", "9"], "9 is more than 8"),
        (["solve", "--game", "twoflags", "--files", "0"], "'0' is not a whole number from 1 on"),
        (["{in}", "-", "--files", "3"], "--files is for the start of a game and not for a file."),
        (["solve", "--game", "twoflags", "--depth", "9"], "A proof has no --depth."),
        (["solve", "--game", "twoflags", "--tables", "x"], "--tables is for a board file"),
        (["analyse"], "Which board? Give a file, or a game: --game checkers or twoflags."),
        (["{in}", "-", "--game", "checkers"], "'w' is not one of . r b R B"),
    ],
)
def test_a_mistake_gets_a_hint_and_no_traceback(block: str, words: list[str], told: str) -> None:
    done = solver(*(word.replace("{in}", block) for word in words))
    assert (done.returncode, done.stdout) == (2, "")
    assert told in done.stderr
    assert all(line.startswith("solver: ") for line in done.stderr.splitlines())


def test_every_fault_of_a_board_is_told(tmp_path: Path) -> None:
    path, out = tmp_path / "bad.txt", tmp_path / "out.txt"
    out.write_text("precious")
    path.write_text(BOARD.replace("....\nb", "...\nb").replace(".ww", ".wW").replace("k", "k e3"))
    done = solver(str(path), str(out))
    assert done.returncode == 2
    *faults, advice = done.stderr.splitlines()
    assert faults == [
        f"solver: {path}: line 5, column 7: 'W' is not one of . w b",
        f"solver: {path}: line 8, column 8: 7 characters, a row has 8",
        f"solver: {path}: line 9, column 7: no pawn can be taken en passant on e3",
    ]
    assert advice.startswith("solver: A board is 8 rows of 8 characters, each one of . w b, ")
    assert out.read_text() == "precious"


def test_every_fault_of_a_setup_is_told() -> None:
    done = solver("-", "-", text="Setup Wa2 Wa2 h7\n Bi7")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.splitlines() == [
        "solver: standard input: line 1, column 11: a second pawn on a2",
        "solver: standard input: line 1, column 15: 'h7' has no colour, W or B before it",
        "solver: standard input: line 2, column 2: 'Bi7' is not a pawn like Wa2 or Bh7",
        "solver: A setup is 'Setup', pawns like Wa2 or Bh7, and, if you like, WHITE or BLACK to "
        "move, then the square of en passant.",
    ]
