"""The boards in `inputs/` and their answers in `expected/`."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.builds import INTERPRETED

from solver.cli import main
from solver.games import GAMES

ROOT = Path(__file__).parent.parent.parent
INPUTS = sorted((ROOT / "inputs").glob("*/*.txt"))
AT_LEAST = {"checkers": 153, "twoflags": 44}


def expected(path: Path) -> Path:
    return ROOT / "expected" / path.parent.name / path.name


def is_affordable(path: Path) -> bool:
    """In plain Python, what cannot be proven takes seconds of searching."""
    slow = ("draw-by-a-shot", "draw-by-an-exchange", "long-fifteen-plies")
    proof = expected(path).with_suffix(".json")
    unproven = proof.is_file() and '"proven": "none"' in proof.read_text()
    return not (INTERPRETED and (unproven or path.stem in slow))


@pytest.mark.parametrize(
    "path",
    [path for path in INPUTS if is_affordable(path)],
    ids=lambda path: f"{path.parent.name}/{path.stem}",
)
def test_the_default_answer_is_the_expected_one(path: Path, tmp_path: Path) -> None:
    answer = tmp_path / "answer.txt"
    assert main([str(path), str(answer)]) == 0
    assert answer.read_text() == expected(path).read_text()


@pytest.mark.parametrize("game", GAMES)
def test_every_input_has_an_expected_answer_and_nothing_else_does(game: str) -> None:
    inputs = {path.name for path in INPUTS if path.parent.name == game}
    assert {path.name for path in (ROOT / "expected" / game).glob("*.txt")} == inputs
    assert len(inputs) >= AT_LEAST.get(game, 0)
