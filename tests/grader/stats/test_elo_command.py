"""`grader elo` as a real process."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from grader_command import grader

from grader.cli import main
from solver.errors import BAD_INPUT

PUBLISHED = ["elo", "379", "10170", "21828", "10640", "343", "--sprt", "0", "2"]


def test_pairs_with_a_test(tmp_path: Path) -> None:
    done = grader(*PUBLISHED, cwd=tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    lines = done.stdout.splitlines()
    cells = {line[:11].strip(): line[11:].split() for line in lines if line}
    assert cells["games"][0] == "86720"
    assert cells["Elo"] == ["+1.6", "95", "%:", "+0.4", "to", "+2.8"]
    assert cells["LLR"] == ["2.95", "H0", "at", "-2.94,", "H1", "at", "2.94"]
    assert lines[-2] == "Stronger, by 0.4 to 2.8 Elo (95 % sure)."
    assert lines[-1].startswith("SPRT accepted: stronger by more than 0 nElo (H1, 2 nElo, rather")


def test_for_programs(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([*PUBLISHED, "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["counts"] == [379, 10170, 21828, 10640, 343]
    assert told["sprt"]["llr"] == pytest.approx(2.9455, abs=5e-5)
    assert (told["sprt"]["decision"], told["sprt"]["model"]) == ("H1 accepted", "normalized")


def test_games_won_drawn_and_lost(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["elo", "20", "30", "10", "--sprt", "-5", "5", "--logistic"]) == 0
    told = capsys.readouterr().out
    assert "20 won, 30 drawn, 10 lost" in told
    assert "+58.5  " in told
    assert "Not clear yet who is stronger" in told


def test_infinity_is_no_json(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["elo", "5", "0", "0", "--json"]) == 0
    told = json.loads(capsys.readouterr().out, parse_constant=pytest.fail)
    assert told["elo"] is None
    assert told["elo_low"] > 0


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["1", "2"], "2 counts: three are needed"),
        (["1"], "1 count: three are needed"),
        (["1", "2", "3", "4"], "or five"),
        (["0", "0", "0"], "without games there is nothing to tell"),
        (["-3", "1", "2"], "'-3' is not a whole number from 0 on"),
        (["1.5", "1", "2"], "'1.5' is not a whole number"),
        (["1", "2", "3", "--sprt", "5", "0"], "the first is the lower one"),
        (["1", "2", "3", "--sprt", "0", "x"], "'x' is not a number of Elo"),
        (["1", "2", "3", "--sprt", "nan", "0"], "'nan' is not a number of Elo"),
        (["1", "2", "3", "--logistic"], "Add --sprt ELO0 ELO1"),
        ([], "required: N"),
    ],
)
def test_wrong_usage(capsys: pytest.CaptureFixture[str], words: list[str], said: str) -> None:
    assert main(["elo", *words]) == BAD_INPUT
    told = capsys.readouterr()
    assert said in told.err
    assert not told.out
