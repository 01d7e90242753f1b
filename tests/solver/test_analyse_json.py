"""`solver analyse --json`: an object on each line, for programs."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from typing import Any

import pytest
from command import BLOCKED, SHOT, solver

from solver.games import game_of

OPENING = "B:W21-32:B1-12"
EN_PASSANT = "Setup Wb5 Wh2 Bc7 Bh5 BLACK"


def told(*words: str, text: str = OPENING) -> list[dict[str, Any]]:
    result = solver("analyse", "-", "--json", *words, text=text)
    assert (result.returncode, result.stderr) == (0, "")
    return [json.loads(line) for line in result.stdout.splitlines()]


def test_every_depth_is_an_object_with_all_lines() -> None:
    found = told("--lines", "3", "--depth", "4")
    assert [each["depth"] for each in found] == [1, 2, 3, 4]
    for each in found:
        assert set(each) == {
            *("depth", "proof", "proven", "seconds", "nodes", "nps", "effort", "lines"),
        }
        assert len(each["lines"]) == 3
        assert each["nodes"] == each["effort"]["visited"]
        assert len({line["move"] for line in each["lines"]}) == 3
        for line in each["lines"]:
            assert set(line) == {"move", "names", "texts", "score", "value", "proven"}
            assert line["move"] == line["names"][0]


@pytest.mark.parametrize("text", [OPENING, SHOT, EN_PASSANT])
def test_the_texts_of_a_line_are_positions_one_move_apart(text: str) -> None:
    line = told("--depth", "5", text=text)[-1]["lines"][0]
    game = game_of(text)
    here, _, _ = game.read(text, "", True)
    for name, after in zip(line["names"], line["texts"], strict=True):
        (here,) = [c for c in here.children() if game.move_name(here, c) == name]
        assert game.with_side(here) == after


def test_the_values_are_those_of_the_other_form() -> None:
    plain = solver("analyse", "-", "--depth", "6", text=OPENING).stdout.splitlines()
    rows = [line.split() for line in plain if line.startswith("depth")]
    found = told("--depth", "6")
    assert [(row[1], row[3]) for row in rows] == [
        (str(each["depth"]), each["lines"][0]["value"]) for each in found
    ]


def test_a_proof_is_marked() -> None:
    last = told("--lines", "1", text=SHOT)[-1]
    assert (last["proof"], last["proven"], last["lines"][0]["value"]) == (True, True, "win in 9")
    assert not any(each["proof"] for each in told("--depth", "3", text=SHOT))


def test_other_names_of_moves() -> None:
    (found,) = told("--depth", "1", "--notation", "squares")
    assert found["lines"][0]["move"] in ("a3-b4", "c3-d4", "e3-f4", "g3-h4", "c3-b4")


def test_a_game_that_is_over() -> None:
    assert told(text=BLOCKED) == [
        {"outcome": {"winner": "black", "reason": "red is to move and has no legal move"}}
    ]


@pytest.mark.parametrize("option", ["--minimal", "--why"])
def test_what_it_does_not_go_with(option: str) -> None:
    result = solver("analyse", "-", "--json", option, text=OPENING)
    assert (result.returncode, result.stdout) == (2, "")
    assert result.stderr == "solver: --json goes with neither --minimal nor --why.\n"


def test_it_ends_when_nobody_reads_any_more() -> None:
    """Even in the middle of a depth that would take an hour."""
    process = subprocess.Popen(
        [sys.executable, "-m", "solver", "analyse", "-", "--json", "--time", "3600"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    with process:
        assert process.stdin is not None
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdin.write(OPENING)
        process.stdin.close()
        while json.loads(process.stdout.readline())["depth"] < 7:
            pass
        process.stdout.close()
        started = time.monotonic()
        assert process.wait(30) == 0
        assert time.monotonic() - started < 30
        assert process.stderr.read() == ""
