"""The diagnosis of programs by all their answers."""

from __future__ import annotations

from dataclasses import replace

import pytest
from support.one_bug import answer_all

from grader.grading.feedback import render_diagnosis, summarise_diagnosis
from grader.grading.records import Diagnosis, FoundBug, Verdict
from grader.judge.diagnosis import diagnose, fit_all
from grader.judge.hypotheses import DEPTHS, RIGHT, hypotheses
from solver.games import game_named
from solver.games.bugs import Bug

CHECKERS = game_named("checkers")
NAMES = {bug.key: bug.name for bug in hypotheses(CHECKERS)}
# These change too few of those answers to be named.
QUIET = {"cache-without-side", "cache-without-depth", "cache-by-board"}
QUIET |= {"equal-wins", "longest", "opponent-helps", "wrong-cut"}
PROBES = "checkers/probe-"


@pytest.mark.parametrize("key", sorted(NAMES.keys() - QUIET))
def test_probes_tell_a_program_its_bug(key: str) -> None:
    answers = answer_all(key, setting=8, last=True)  # three plies, a king counts 1.5 men
    found = diagnose([each for each in answers if each.puzzle.startswith(PROBES)])
    assert NAMES[key] in [bug.name for bug in found.bugs]
    assert found.unexplained == ()


@pytest.mark.parametrize("setting", [0, 8, 16])
def test_a_right_program_is_never_accused(setting: int) -> None:
    found = diagnose(answer_all(RIGHT, setting))
    assert found == Diagnosis(depth=DEPTHS[setting % len(DEPTHS)])


@pytest.mark.parametrize("bug", game_named("twoflags").bugs(), ids=lambda bug: bug.key)
def test_a_program_for_two_flags_is_told_its_bug(bug: Bug) -> None:
    found = diagnose(answer_all(bug.key, setting=8, last=True, game="twoflags"))
    assert bug.name in [each.name for each in found.bugs]


@pytest.mark.parametrize("setting", [8, *range(18, 72, 9)])  # habits from 24 on
def test_a_program_of_habit_is_never_accused(setting: int) -> None:
    """Such as one that only pushes its foremost pawn."""
    assert not diagnose(answer_all(RIGHT, setting, game="twoflags")).bugs


def test_without_the_true_bug_only_a_relative_is_named() -> None:
    answers = answer_all("kings-forward", 8)
    found = diagnose(answers, leave_out=[NAMES["kings-forward"]])
    assert {bug.name for bug in found.bugs} <= {NAMES["kings-jump-forward"]}
    fits = fit_all(answers)
    assert fits
    assert fits.bugs[0][0].name == NAMES["kings-forward"]


def test_what_is_not_an_answer_is_no_evidence() -> None:
    assert diagnose([]) == Diagnosis()
    answers = answer_all("wraps", 2)
    assert diagnose([replace(each, mode="line") for each in answers]) == Diagnosis()
    assert diagnose([replace(each, given_board="") for each in answers]) == Diagnosis()


def test_illegal_answers_that_fit_no_bug_are_listed() -> None:
    answers = [each for each in answer_all(RIGHT, 3) if each.puzzle != "checkers/double-jump"]
    odd = replace(answers[40], verdict=Verdict.ILLEGAL, given_board="R" + "." * 63)
    assert diagnose([*answers[:40], odd]).unexplained == (odd.puzzle,)
    assert diagnose([*answers[:40], replace(odd, cause="a plain fact")]).unexplained == ()


SHOWN = FoundBug("kings fly", True, 45, 46, 8, "checkers/a", "kings step one square")
LIKELY = FoundBug("nobody is crowned", False, 4, 5, 0, "checkers/b", "", "kings do not count")


def test_the_words_of_a_diagnosis() -> None:
    assert render_diagnosis(Diagnosis((SHOWN,))) == [
        "45 of the 46 answers that tell are those of a program in which kings fly; "
        "8 of them are illegal; first: checkers/a.",
        "The rule: kings step one square.",
    ]
    assert render_diagnosis(Diagnosis((LIKELY,), tuple("pqrstuv"))) == [
        "The program plays as if nobody is crowned: 4 of the 5 answers that tell; "
        "first: checkers/b.",
        "Perhaps that is the bug, or kings do not count.",
        "No known bug explains 7 illegal answers: p, q, r, s, t, and 2 more.",
    ]
    assert len(render_diagnosis(Diagnosis((SHOWN, LIKELY)))) == 5
    assert render_diagnosis(Diagnosis()) == []


def test_a_diagnosis_in_a_few_words() -> None:
    assert summarise_diagnosis(Diagnosis((SHOWN,))) == "kings fly"
    assert summarise_diagnosis(Diagnosis((LIKELY,))) == "plays as if nobody is crowned"
    assert summarise_diagnosis(Diagnosis((), ("a",))) == "1 illegal answer unexplained"
    assert summarise_diagnosis(Diagnosis(depth=4)) == ""
