"""A reader learns what the feedback level allows, in every format, and nothing more."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest
from support.grading_examples import (
    BEST,
    CLASS,
    COMPARISON,
    EVERY_FORM,
    EXPECTED,
    HIDDEN,
    ONE,
    OWN_DIFF,
    STAFF,
    example,
    render,
    two_flags,
)

from grader.cli.options import Form, write_grading
from grader.grading.feedback import render_feedback
from grader.grading.records import Diagnosis, Feedback, FoundBug, Report, Verdict
from grader.report import render_grading
from grader.report.boards import read_boards


def only_wrong(report: Report) -> Report:
    return replace(report, records=tuple(one for one in report.records if not one.verdict.accepted))


WRONG = only_wrong(ONE)
LESS = (Feedback.OWN, Feedback.VERDICT)


def secrets() -> dict[str, str]:
    """What gives the right answer away, in each form that an export could give it."""
    (expected,) = read_boards("checkers", EXPECTED)
    (before,) = read_boards("checkers", example(Verdict.WORSE).input_board)
    board = EXPECTED.strip()
    return {
        "best": BEST,
        "second best": "e1f2",
        "comparison": COMPARISON,
        "diff": "SECRET-DIFF",
        "hash": "c" * 64,
        "board": board,
        "board in JSON": json.dumps(board)[1:-1],
        "board in an SVG": str(expected.since(before)),
        "expected, drawn": "<figcaption>expected",
    }


@pytest.mark.parametrize("name", EVERY_FORM)
@pytest.mark.parametrize("feedback", LESS)
@pytest.mark.parametrize("report", [WRONG, CLASS], ids=["one", "class"])
def test_less_than_full_feedback_gives_nothing_away(
    name: str, feedback: Feedback, report: Report
) -> None:
    if name == "feedback":  # a student may see the own right answers
        report = only_wrong(report)
    text = render(name, replace(report, feedback=feedback))
    assert [what for what, secret in secrets().items() if secret in text] == []


def test_full_feedback_holds_each_of_these_secrets_somewhere() -> None:
    texts = [render(name, WRONG) for name in EVERY_FORM]
    assert [what for what, secret in secrets().items() if not any(secret in t for t in texts)] == []


@pytest.mark.parametrize("name", EVERY_FORM)
@pytest.mark.parametrize("feedback", Feedback)
def test_less_feedback_has_fewer_words(name: str, feedback: Feedback) -> None:
    text = render(name, replace(WRONG, feedback=feedback))
    assert (STAFF in text) == (name in ("records", "records.csv") and feedback is Feedback.FULL)
    if feedback is Feedback.VERDICT:
        record = example(Verdict.ILLEGAL)
        assert not [each for each in (record.reason, record.cause, record.move) if each in text]
    hidden = render(name, replace(HIDDEN, feedback=feedback))
    assert feedback is Feedback.FULL or "SECRET-REASON" not in hidden


@pytest.mark.parametrize("feedback", Feedback)
def test_a_hidden_puzzle_is_told_to_no_student(feedback: Feedback) -> None:
    results = json.loads(render("gradescope", replace(HIDDEN, feedback=feedback)))
    shown = [test for test in results["tests"] if test["visibility"] == "visible"]
    assert len(results["tests"]) == 2
    assert "SECRET-P" not in json.dumps([results["output"], shown])
    assert "0 of 1 puzzles" in results["output"]
    assert "score" not in results  # a sum would tell the marks of what is hidden


def test_what_is_told() -> None:
    record = example(Verdict.ILLEGAL)
    own = (
        "illegal: a jump was available and h2g3 is none\n"
        "Likely cause: jumps are not compulsory in this program"
    )
    assert render_feedback(record, Feedback.VERDICT) == "illegal"
    assert render_feedback(record, Feedback.OWN) == f"{own}\n\n{OWN_DIFF}"
    assert render_feedback(record, Feedback.FULL) == (
        f"{own}\nCompared with the best: {COMPARISON}\nBest: {BEST} or e1f2\n\n{record.diff}"
    )


def test_nobody_reads_about_others_or_hidden_puzzles_in_the_own_feedback() -> None:
    other = replace(example(Verdict.WORSE, "bob", "p"), reason="BOB-ONLY")
    report = replace(HIDDEN, records=(*HIDDEN.records, other), title="CLASS")
    files = render_grading("feedback", report, "folder")
    assert isinstance(files, dict)
    assert list(files) == ["ada.html", "ada.md", "bob.html", "bob.md"]
    for name, text in files.items():
        own, others = ("BOB-ONLY", "ada") if name.startswith("bob") else ("illegal", "bob")
        assert own in text
        assert not [each for each in (others, "SECRET-P", "SECRET-R", "CLASS") if each in text]


def test_an_own_right_answer_may_be_seen_but_not_that_of_another() -> None:
    own = replace(two_flags(Verdict.EXACT), move="a2a3")
    alone = render("records.csv", Report((own,), Feedback.OWN))
    among = render("records.csv", Report((own, example(Verdict.CRASH, "bob")), Feedback.OWN))
    assert "a2a3" in alone
    assert "a2a3" not in among


def test_a_diagnosis_names_no_hidden_puzzle_and_needs_more_than_verdicts() -> None:
    bug = FoundBug("kings never move backward", True, 3, 4, 1, "SECRET-PUZZLE")
    diagnosis = Diagnosis((bug,), ("SECRET-PUZZLE",))
    for feedback in Feedback:
        report = replace(HIDDEN, feedback=feedback, diagnoses={"ada": diagnosis})
        for name in ("feedback", "gradescope/", "gradescope"):
            text = render(name, report)
            assert ("kings never move backward" in text) == (feedback is not Feedback.VERDICT)
            assert "first: SECRET" not in text
            assert "illegal answer: SECRET" not in text


def test_diagnoses_of_many_are_made_in_processes_for_the_outputs_that_show_them(
    tmp_path: Path,
) -> None:
    records = [example(Verdict.WORSE, f"s{who}", f"p{what}") for who in range(9) for what in (1, 2)]
    outputs = [Form("marks", str(tmp_path / "marks.csv")), Form("feedback", str(tmp_path / "own"))]
    write_grading(outputs, Report(tuple(records)))
    assert len((tmp_path / "marks.csv").read_text().splitlines()) == 10
    assert len(list((tmp_path / "own").iterdir())) == 18
