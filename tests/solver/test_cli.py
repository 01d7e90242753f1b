"""The command line as a real process; what it prints is in tests/golden/commands."""

from __future__ import annotations

import json

from support.command import solver


def test_a_module_calls_itself_as_it_was_called() -> None:
    done = solver("perft", "--help")
    assert done.returncode == 0
    assert done.stdout.startswith("usage: python3 -m solver perft ")
    assert "examples:\n  python3 -m solver perft " in done.stdout
    assert "Try 'python3 -m solver perft --help'." in solver("perft").stderr


def test_all_nodes_are_counted_not_only_those_of_finished_depths() -> None:
    start = "B:W21-32:B1-12"
    done = solver("-", "/dev/null", "--stats", "-", "--nodes", "5000", text=start)
    record = json.loads(done.stdout)
    assert not record["proven"]
    assert 5000 <= record["nodes"] <= 5002  # each of the two attempts sees that it is over
