"""`solver analyse --json`: an object on each line, for programs."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from typing import Any

import pytest
from support.command import SHOT, solver

from solver.games import game_of

OPENING = "B:W21-32:B1-12"
EN_PASSANT = "Setup Wb5 Wh2 Bc7 Bh5 BLACK"


def told(*words: str, text: str = OPENING) -> list[dict[str, Any]]:
    result = solver("analyse", "-", "--json", *words, text=text)
    assert (result.returncode, result.stderr) == (0, "")
    return [json.loads(line) for line in result.stdout.splitlines()]


@pytest.mark.parametrize("text", [OPENING, SHOT, EN_PASSANT])
def test_the_texts_of_a_line_are_positions_one_move_apart(text: str) -> None:
    line = told("--depth", "5", text=text)[-1]["lines"][0]
    game = game_of(text)
    here = game.read(text, "", True).position
    for name, after in zip(line["names"], line["texts"], strict=True):
        (here,) = [c for c in here.children() if game.move_name(here, c) == name]
        assert game.with_side(here) == after


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
