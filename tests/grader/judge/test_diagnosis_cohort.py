"""The diagnosis, measured on student programs that share no code with it."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support import naive_checkers, naive_twoflags
from support.cohort import (
    CHECKERS_BUGS,
    Bug,
    bug_of,
    cohort,
    measure,
    puzzles,
    summarise,
    write_script,
)
from support.drawings import Rows, any_rows, text_of
from support.student_programs import Grid, Pawns, Pieces


@settings(max_examples=60)
@given(any_rows(), st.sampled_from(["red", "black"]))
def test_right_programs_keep_the_rules_of_checkers(rows: Rows, mover: str) -> None:
    legal = {text_of(after) for after in naive_checkers.moves(rows, mover)}
    for rules in (Grid(), Pieces()):
        after = rules.moves(rules.read(text_of(rows))[0], mover[0])
        assert {rules.text(each) for each in after} == legal


@pytest.mark.parametrize("seed", range(5))
def test_right_programs_keep_the_rules_of_two_flags(seed: int) -> None:
    pawns = {(file, rank): side for file in range(8) for rank, side in ((2, "white"), (7, "black"))}
    game, chance = naive_twoflags.Game(naive_twoflags.drawn(pawns), "white"), Random(seed)
    while legal := naive_twoflags.moves(game):
        rules = Pawns()
        after = rules.moves(*rules.read(naive_twoflags.text_of(game)))
        assert {rules.text(x) for x in after} == {text_of(x.rows) for x in legal.values()}
        game = chance.choice(list(legal.values()))


@pytest.mark.parametrize("bug", [bug for bug in CHECKERS_BUGS if bug.in_rules], ids=lambda x: x.key)
def test_every_bug_breaks_the_rules_on_some_board(bug: Bug) -> None:
    boards = [case.text for case in puzzles("checkers/")]
    for engine in (Grid, Pieces)[: len(bug.built.get("engine", "12"))]:
        for form in {*bug.forms}:
            wrong, right = engine(bug.key, form), engine()
            assert any(
                {wrong.text(after) for after in wrong.moves(wrong.read(board)[0], side)}
                != {right.text(after) for after in right.moves(right.read(board)[0], side)}
                for board in boards
                for side in "rb"
            ), (engine, form)


def test_a_program_as_a_file_answers_alike(tmp_path: Path) -> None:
    program = replace(cohort(0)[0], depth=2)
    write_script(program, tmp_path / "checkers.py")
    board = puzzles("checkers/double-jump")[0]
    names = [tmp_path / "checkers.py", board.input_path, tmp_path / "out.txt"]
    subprocess.run([sys.executable, *names], check=True)
    assert (tmp_path / "out.txt").read_text() == program.answer(board.text)


def test_a_sample_is_diagnosed_by_the_probes_alone() -> None:
    programs = cohort(20)
    plain = [each for each in programs if (bug := bug_of(each)) and each.form == bug.forms[0]]
    rules = [each for each in plain if each.bug in ("kings never back", "one piece", "own piece")]
    measured = measure([*rules[1::2], *programs[-48::24]], "checkers/probe-")
    assert all(each.is_right and not each.is_strange for each in measured), summarise(measured)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("game", "named"), [("checkers", 0.85), ("twoflags", 0.7)], ids=["checkers", "twoflags"]
)
def test_the_diagnosis_of_a_fresh_cohort(game: str, named: float) -> None:
    """No right program is accused, and none is told of a wrong bug, even if the true one is not
    among the hypotheses: then at most of a relative.  Most bugs of Two Flags leave
    every answer legal, and its puzzles are few: often too little to be sure."""
    measured = measure(cohort(2026, game), f"{game}/")
    buggy = [(each, each.bug) for each in measured if each.bug]
    rules = [each for each, bug in buggy if bug.in_rules]
    assert not any(each.is_wrong or each.is_strange for each in measured), summarise(measured)
    assert sum(each.is_right for each in rules) >= named * len(rules), summarise(measured)
    first = sum(each.ranked[0] == bug.name for each, bug in buggy)
    assert first >= 0.8 * len(buggy), summarise(measured)
