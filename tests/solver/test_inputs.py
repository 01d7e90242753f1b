"""The boards in `inputs/` and their answers in `expected/`."""

from __future__ import annotations

from pathlib import Path

import pytest

from solver.cli import main

ROOT = Path(__file__).parent.parent.parent
INPUTS = sorted((ROOT / "inputs" / "checkers").glob("*.txt"))


@pytest.mark.parametrize("path", INPUTS, ids=lambda path: path.stem)
def test_the_default_answer_is_the_expected_one(path: Path, tmp_path: Path) -> None:
    answer = tmp_path / "answer.txt"
    assert main([str(path), str(answer)]) == 0
    assert answer.read_text() == (ROOT / "expected" / "checkers" / path.name).read_text()


def test_every_input_has_an_expected_answer_and_nothing_else_does() -> None:
    expected = {path.name for path in (ROOT / "expected" / "checkers").glob("*.txt")}
    assert expected == {path.name for path in INPUTS}
    assert len(expected) >= 9
