"""Puzzles of their own for every student, from the roster to the marks."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from support.grader_command import grader, hand_in, records

from grader.cli.assign import read_roster
from solver.errors import UserError

CANVAS = """\
Student,ID,SIS User ID,SIS Login ID,Section,Checkers (12345)
    Points Possible,,,,,10
"Lovelace, Ada",101,u1,ada,1,
"Turing, Alan",102,u2,alan,1,
"""
WORKSHEET = "Identifier,Full name,Email address\nParticipant 101,Ada Lovelace,ada@uni.example\n"
PEOPLE = "\ufeffFirst name,Surname,ID number\nAda,Lovelace,101\n"


@pytest.mark.parametrize(
    ("text", "students"),
    [
        (CANVAS, [("101", "Lovelace, Ada"), ("102", "Turing, Alan")]),
        (WORKSHEET, [("101", "Ada Lovelace")]),
        (PEOPLE, [("101", "Ada Lovelace")]),
        ("name\nAda\n\n", [("Ada", "Ada")]),
        ("ada\r\nalan\r\n", [("ada", "ada"), ("alan", "alan")]),
        ('7,"Ada ""Countess"" L."\n', [("7", 'Ada "Countess" L.')]),
    ],
)
def test_a_roster_of_any_usual_form(
    tmp_path: Path, text: str, students: list[tuple[str, str]]
) -> None:
    path = tmp_path / "roster.csv"
    path.write_text(text)
    assert [(each.id, each.name) for each in read_roster(path)] == students


@pytest.mark.parametrize(
    ("content", "words"),
    [(b"", "no students"), (b"id,name\n1,a\n1,b\n", "twice: 1"), (b"\xff", "not UTF-8")],
)
def test_a_roster_that_cannot_be_used(tmp_path: Path, content: bytes, words: str) -> None:
    path = tmp_path / "roster.csv"
    path.write_bytes(content)
    with pytest.raises(UserError, match=words):
        read_roster(path)


SMALL = ["--pieces", "3", "--win-in", "5", "--count", "2", "-j", "1"]


def assign(folder: Path, roster: str, *words: str) -> str:
    (folder / "roster.csv").write_text(roster)
    done = grader("assign", "--students", "roster.csv", *(words or SMALL), "hw", cwd=folder)
    assert done.returncode == 0 or words
    return done.stderr


def read_all(folder: Path) -> dict[str, str]:
    files = (path for path in folder.rglob("*") if path.is_file())
    return {path.relative_to(folder).as_posix(): path.read_text() for path in files}


def test_sets_are_reproducible_equally_hard_and_graded_for_each(tmp_path: Path) -> None:
    assert "4 puzzles for 2 students" in assign(tmp_path, "id,name\n1,Ada\n2,Alan\n")
    made = read_all(tmp_path / "hw")
    boards = {name: text for name, text in made.items() if name.startswith("inputs")}
    assert sorted(boards) == [f"inputs/{who}/puzzle{n}.txt" for who in (1, 2) for n in (1, 2)]
    assert len(set(boards.values())) == 4
    for name in boards:
        proof = json.loads(made[name.replace("inputs", "expected").replace("txt", "json")])
        assert (proof["value"], len(proof["best"])) == ("win in 5", 1)
        assert 3 <= proof["difficulty"]["depth"] <= 5
    # Interrupted, and repeated with the roster in another order: nothing else is made.
    (tmp_path / "hw/expected/1/puzzle2.json").unlink()
    assert "1 puzzle for 2 students" in assign(tmp_path, "id,name\n2,Alan\n1,Ada\n")
    assert {**read_all(tmp_path / "hw"), "students.csv": ""} == {**made, "students.csv": ""}
    assert "another kind of puzzle" in assign(tmp_path, "1\n", "--win-in", "7")

    for name in ("Ada", "2", "Grace"):
        hand_in(tmp_path, name, "#!/bin/sh\ncp $1 $2\n")
    words = ["class", "submissions", "--assigned", "hw", "--sandbox", "off", "-j", "1"]
    graded = grader(*words, "-o", "records", cwd=tmp_path)
    assert graded.returncode == 0
    found = [
        (each["submission"], each["puzzle"], each["verdict"], each["input_board"])
        for each in records(graded.stdout)
    ]
    assert found[:4] == [
        (name, f"puzzle{n}", "illegal", boards[f"inputs/{who}/puzzle{n}.txt"])
        for name, who in (("2", 2), ("Ada", 1))
        for n in (1, 2)
    ]
    assert [each[:3] for each in found[4:]] == [("Grace", f"puzzle{n}", "missing") for n in (1, 2)]
    assert "Grace: cannot be run: no puzzles are assigned to this student" in graded.stderr
    assert "6 of 6" in grader("journal", cwd=tmp_path).stdout
    assert "0 gradings" in grader("resume", cwd=tmp_path).stderr
