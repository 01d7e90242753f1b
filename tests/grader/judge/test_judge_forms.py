"""A verdict is about positions: not about how the puzzle or the answer is written, whatever is on
the board and whatever the answer is."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from support import naive_twoflags as naive
from support.drawings import any_rows, text_of
from support.judging import board_of, judge_line, judge_move, made_up, position_of
from support.pawn_drawings import VARIANT, any_game

from grader.grading.records import Judgement, Verdict
from grader.judge.illegal import sidebyside
from grader.puzzles.truth import Truth
from solver.games import game_named
from solver.games.checkers.mixed import TwoBoards
from solver.games.checkers.rules import LIGHT

# From the best to the worst, and the verdict of a move when the first is best.
VERDICTS = {
    "win in 5": Verdict.EQUAL,
    "win in 9": Verdict.SLOWER,
    "draw": Verdict.WORSE,
    "loss in 4": Verdict.WORSE,
}
LETTERS = {"checkers": ".rbRB", "twoflags": ".wb"}


@st.composite
def puzzles(draw: st.DrawFn) -> tuple[str, Truth]:
    """A position of either game, now and then with uncrowned men, and values for its moves; the
    first one is the best."""
    others = draw(st.lists(st.sampled_from(list(VERDICTS)), min_size=1, max_size=6))
    values = ("win in 5", *others)
    if draw(st.booleans()):
        rows = list(draw(any_rows()))
        if draw(st.booleans()):
            rows[0], rows[7] = rows[0].replace("R", "r"), rows[7].replace("B", "b")
        text = text_of(tuple(rows))
        return text, made_up(text, "checkers", values)
    game = draw(any_game())
    text = naive.text_of(game)
    return text, made_up(text, "twoflags", values, VARIANT[game.en_passant])


@st.composite
def decorated(draw: st.DrawFn, text: str) -> str:
    """The same text with other white space, as editors leave it."""
    blanks = st.sampled_from(["", " ", "\t", "   ", " \t "])
    end = draw(st.sampled_from(["\n", "\r\n"]))
    lines = [line + draw(blanks) for line in text.rstrip("\n").split("\n")]
    return end.join([*lines, *draw(st.lists(blanks, max_size=3))])


def forms(position: Any, game: str) -> list[str]:
    """Every way of writing a position down."""
    rules = game_named(game)
    if game == "checkers" and (isinstance(position, TwoBoards) or position.side & LIGHT):
        return [rules.write(position, "board")]
    return [rules.write(position, form) for form in rules.FORMATS]


def without_boards(judgement: Judgement) -> Judgement:
    """Texts of boards keep the form they were written in."""
    return replace(judgement, given_board="", expected_board="")


def near(board: str, game: str, data: st.DataObject) -> str:
    """A board a few squares away from another one."""
    cells = list(board.replace("\n", ""))
    squares = st.tuples(st.integers(0, 63), st.sampled_from(LETTERS[game]))
    for square, letter in data.draw(st.lists(squares, max_size=5)):
        cells[square] = letter
    return "\n".join("".join(cells[at : at + 8]) for at in range(0, 64, 8))


def answers(text: str, truth: Truth, data: st.DataObject) -> list[str]:
    """Right, weak and wrong boards."""
    rows = ["\n".join(move.board.split("\n")[:8]) for move in truth.moves[:3]]
    rows.append(str(position_of(text, truth.game, truth.variant)))
    return [*rows, near(data.draw(st.sampled_from(rows)), truth.game, data)]


@given(puzzles(), st.data())
def test_white_space_in_a_puzzle_changes_no_verdict(
    puzzle: tuple[str, Truth], data: st.DataObject
) -> None:
    text, truth = puzzle
    other = data.draw(decorated(text))
    for answer in answers(text, truth, data):
        wanted = judge_move(text, answer.encode(), truth)
        assert judge_move(other, answer.encode(), truth) == wanted
        line = f"{answer}\n\n{answer}\n".encode()
        assert judge_line(other, line, truth) == judge_line(text, line, truth)
        shown = sidebyside(text, truth.board, wanted.given_board)
        assert sidebyside(other, truth.board, wanted.given_board) == shown


@given(puzzles(), st.data())
def test_every_form_of_a_puzzle_and_of_an_answer_is_judged_alike(
    puzzle: tuple[str, Truth], data: st.DataObject
) -> None:
    text, truth = puzzle
    position = position_of(text, truth.game, truth.variant)
    for number, move in enumerate(truth.moves[:2]):
        wanted = judge_move(text, move.board.encode(), truth)
        assert wanted.verdict is not Verdict.ILLEGAL
        child = position.children()[number]
        for written in forms(position, truth.game):
            other = data.draw(decorated(written))
            for answer in forms(child, truth.game):
                given_ = data.draw(decorated(answer)).encode()
                judgement = judge_move(other, given_, truth)
                assert without_boards(judgement) == without_boards(wanted)


@given(puzzles())
def test_a_mark_before_a_puzzle_changes_no_judgement(puzzle: tuple[str, Truth]) -> None:
    text, truth = puzzle
    position = position_of(text, truth.game, truth.variant)
    assume(position.children())
    for written in forms(position, truth.game):
        answer = str(position).encode()
        assert judge_move(f"\ufeff{written}", answer, truth) == judge_move(written, answer, truth)


def check(judgement: Judgement, truth: Truth) -> None:
    """What holds for every judgement of an answer to a puzzle with moves."""
    assert judgement.reason
    assert judgement.best == truth.best
    assert judgement.expected_board == truth.board
    words = f"{judgement.reason} {judgement.cause}"
    for name in truth.best:
        assert name not in words or name in judgement.move
    assert truth.board not in words
    shown = sidebyside(truth.moves[0].board, None, judgement.given_board)
    assert "expected" not in shown


@given(puzzles())
def test_every_legal_answer_is_judged_by_its_value(puzzle: tuple[str, Truth]) -> None:
    text, truth = puzzle
    for number, move in enumerate(truth.moves):
        judgement = judge_move(text, move.board.encode(), truth)
        wanted = VERDICTS[str(move.value)] if number else Verdict.EXACT
        assert judgement.verdict is wanted
        assert judgement.move == move.name
        check(judgement, truth)


@settings(max_examples=60)
@given(puzzles(), st.data())
def test_what_no_move_leads_to_is_illegal(puzzle: tuple[str, Truth], data: st.DataObject) -> None:
    """And what is cut short is malformed."""
    text, truth = puzzle
    if not truth.moves:
        return
    answer = answers(text, truth, data)[-1]
    legal = ["\n".join(move.board.split("\n")[:8]) for move in truth.moves]
    judgement = judge_move(text, answer.encode(), truth)
    illegal = judgement.verdict is Verdict.ILLEGAL
    assert not (illegal and answer in legal)
    assert illegal or answer in legal or board_of(text, truth.game, truth.variant).crowned
    check(judgement, truth)
    length = data.draw(st.integers(0, len(legal[0]) - 1))
    assert not judge_move(text, legal[0][:length].encode(), truth).verdict.accepted


@given(
    puzzles(),
    st.one_of(
        st.binary(max_size=200),
        st.text(".rbRBw \n\r\tWB:KSetup0123456789whiteblack", max_size=120).map(str.encode),
    ),
)
def test_no_answer_whatever_makes_the_judge_stumble(
    puzzle: tuple[str, Truth], output: bytes
) -> None:
    text, truth = puzzle
    judgement = judge_move(text, output, truth)
    assert not judgement.verdict.accepted or not truth.moves
    line = judge_line(text, output, truth)
    assert not line.verdict.accepted or not truth.moves


FEN = "B:W17:B27"  # a man on c7
BOARD = "........\n..r.....\n........\n......b.\n........\n........\n........\n........"


@pytest.mark.parametrize("text", [FEN, BOARD, f"{FEN}\r\n\n", f"{BOARD}  \n"])
@pytest.mark.parametrize(
    ("answer", "wanted", "reason"),
    [
        ("W:W17:BK31", Verdict.EXACT, "the expected move"),
        ("W:W17:BK31.\r\n", Verdict.EXACT, "the expected move"),
        ("W:W17:BK32", Verdict.EQUAL, "as good as the expected move"),
        ("B:W17:BK31", Verdict.ILLEGAL, "red is named as the side to move; after the move it is"),
        ("W:W17:B27", Verdict.ILLEGAL, "nothing was moved"),
        ("W:W17:B31", Verdict.ILLEGAL, "the man that reached the last row on d8 was not crowned"),
        ("W:W17:BK24", Verdict.ILLEGAL, "the red man on c7 moved backwards"),
        ("W:W13:B27", Verdict.ILLEGAL, "black was moved: g5-h4"),
        ("W:W17", Verdict.MALFORMED, "line 1, column 1: 2 parts between colons"),
        ("W:W17" + " " * 2000 + ":BK31", Verdict.MALFORMED, "a position in one line of 2010"),
        ("W:W17:BK31\nW:W17:BK31", Verdict.MALFORMED, "unexpected line 2"),
    ],
)
def test_a_fen_is_judged_as_its_board_is(
    text: str, answer: str, wanted: Verdict, reason: str
) -> None:
    judgement = judge_move(text, answer.encode(), made_up(text))
    assert (judgement.verdict, judgement.reason[: len(reason)]) == (wanted, reason)


@pytest.mark.parametrize(
    ("answer", "wanted"),
    [
        (made_up("W:W17:B27").board, Verdict.EXACT),
        ("B:W13:B27", Verdict.EQUAL),
        ("W:W13:B27", Verdict.ILLEGAL),
    ],
)
def test_a_fen_for_black(answer: str, wanted: Verdict) -> None:
    truth = made_up("W:W17:B27")
    assert judge_move("W:W17:B27", answer.encode(), truth).verdict is wanted


# A red man on b8, which is read as a king, and one on a5.
UNCROWNED = [
    "B:W9:B32,20",
    ".r......\n........\n........\nr.......\n........\n......b.\n........\n........\n",
    ".r......  \n........\n........\nr....... \r\n........\n......b.\n........\n........",
]
STEP = ".r......\n........\n.r......\n........\n........\n......b.\n........\n........"


@pytest.mark.parametrize("text", UNCROWNED)
@pytest.mark.parametrize(
    ("answer", "legal"),
    [
        (STEP, True),
        (STEP.replace(".r", ".R", 1), True),
        ("W:W9:B24,32", True),
        ("W:W9:B24,K32", True),
        ("W:W9:B20,K28", True),
        ("W:W9:B20,28", False),
        (STEP.replace("......b.", "......B."), False),
    ],
)
def test_a_man_that_a_puzzle_left_uncrowned_may_stay_so_in_every_form(
    text: str, answer: str, legal: bool
) -> None:
    judgement = judge_move(text, answer.encode(), made_up(text))
    assert judgement.verdict.accepted == legal


def test_a_king_beside_an_uncrowned_man_is_a_king() -> None:
    text = UNCROWNED[1].replace(".r......", ".r.R....")
    for row, legal in ((".r.R....", True), (".r.r....", False)):
        answer = STEP.replace(".r......", row, 1).encode()
        assert judge_move(text, answer, made_up(text)).verdict.accepted == legal


def test_a_finished_game_with_an_uncrowned_man_is_left_as_it_is() -> None:
    text = ".r......\n" + "........\n" * 7
    truth = made_up(text)
    assert not truth.moves
    for answer in (text, text.replace("r", "R"), "B:W:B32", "B:W:BK32"):
        assert judge_move(f"{text} \n", answer.encode(), truth).verdict is Verdict.EXACT
    assert judge_move(text, text.replace(".r", "..").encode(), truth).verdict is Verdict.ILLEGAL


ONE_JUMP = "........\n" * 5 + "..b.....\n.r......\n........\n"
PAWN = "Setup Wa7 Bh7 WHITE"
LEFT_OVER = ".r......\n" + "........\n" * 4 + "...b....\n..r.....\n........\n"
LEFT_OVER_AFTER = ".r......\n" + "........\n" * 3 + "....r...\n" + "........\n" * 3
IN_FENS = "W: my solution\nB: 12 plies, I hope\nSetup by me\nB:W11:B8\n\n{}\nB: thanks\n"
PAWN_ROWS = "White: me\nW: hello\n{}\n\nwhite wins now\n\n{}\n\nWhite has won".format(
    game_named("twoflags").write(position_of(PAWN, "twoflags"), "board"),
    made_up(PAWN, "twoflags").board,
)
IN_SETUPS = f"Setup of it:\n{PAWN}\nSetup Wa8 Bh7 BLACK\n"


@pytest.mark.parametrize(
    ("text", "game", "line", "wanted"),
    [
        (LEFT_OVER, "checkers", f"{LEFT_OVER}\n{LEFT_OVER_AFTER}", Verdict.EXACT),
        (ONE_JUMP, "checkers", IN_FENS.format("W:W:B15"), Verdict.EXACT),
        (ONE_JUMP, "checkers", IN_FENS.format("W:W7,x:B15"), Verdict.MALFORMED),
        (ONE_JUMP, "checkers", IN_FENS.format("B:W:B15"), Verdict.ILLEGAL),
        (PAWN, "twoflags", PAWN_ROWS, Verdict.EXACT),
        (PAWN, "twoflags", IN_SETUPS, Verdict.EXACT),
        (PAWN, "twoflags", IN_SETUPS.replace("Bh7 BL", "Bx7 BL"), Verdict.MALFORMED),
    ],
)
def test_a_line_in_every_form_with_remarks_around_it(
    text: str, game: str, line: str, wanted: Verdict
) -> None:
    """And with the uncrowned men of its puzzle."""
    judgement = judge_line(text, line.encode(), made_up(text, game, ("win in 1",)))
    assert judgement.verdict is wanted, judgement.reason
