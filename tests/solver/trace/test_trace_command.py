"""`solver trace`: golden files in every format, choices, mistakes.

`PYTHONPATH=tests python tests/solver/trace/test_trace_command.py` writes the golden files anew.
"""

from __future__ import annotations

import pytest
from support.command import SHOT, call
from support.import_walk import ROOT

GOLDEN = ROOT / "tests" / "golden" / "trace"
TREE = "((3 12 8) (2 4 6) (14 5 2))"
ENDINGS = {"text": "txt", "json": "json", "dot": "dot"}
PAWNS = "Setup Wa4 Wc2 Bb6 Bd7 WHITE"
STORED = {
    **{f"textbook.{end}": (["--format", form], TREE) for form, end in ENDINGS.items()},
    **{
        f"shot.{end}": (["--depth", "2", "--heuristic", "centre", "--format", form], SHOT)
        for form, end in ENDINGS.items()
    },
    "shot-usual.txt": (["--with", "all", "--depth", "4", "--max-nodes", "60"], SHOT),
    "pawns.txt": (["--depth", "2", "--ordering", "static", "--cache", "sound"], PAWNS),
}


@pytest.mark.parametrize("name", STORED)
def test_the_golden_files_hold(name: str) -> None:
    words, text = STORED[name]
    done = call("trace", "-", *words, text=text)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == (GOLDEN / name).read_text("utf-8")


if __name__ == "__main__":
    for stored, (options, content) in STORED.items():
        output = call("trace", "-", *options, text=content).stdout
        (GOLDEN / stored).write_text(output, "utf-8")
