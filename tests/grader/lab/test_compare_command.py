"""`grader compare` on the command line."""

from __future__ import annotations

import csv
import json
import signal
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

import pytest
from support.compare_problems import RACE, SAMPLE, copy_sample
from support.grader_command import started, wait_for_two_workers

from grader.cli import main
from grader.lab.variants import PRESETS

TIMES = ("cpu_s", "seconds", "time", "warnings")


@dataclass(frozen=True)
class Done:
    code: int
    stdout: str
    stderr: str


class Compare(Protocol):
    def __call__(self, *words: str) -> Done: ...


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(copy_sample(tmp_path))
    return tmp_path


@pytest.fixture
def compare(folder: Path, capsys: pytest.CaptureFixture[str]) -> Compare:
    """The command in this process, on a part of the collection."""

    def run(*words: str) -> Done:
        capsys.readouterr()
        code = main(["compare", *words, *([] if "-j" in words else ["-j", "1"])])
        return Done(code, *capsys.readouterr())

    return run


def untimed(value: Any) -> Any:
    """A JSON value without what differs from run to run."""
    if isinstance(value, dict):
        return {name: untimed(each) for name, each in value.items() if name not in TIMES}
    return [untimed(each) for each in value] if isinstance(value, list) else value


def test_results_are_the_same_for_any_number_of_processes(compare: Compare, folder: Path) -> None:
    words = ["default", "centre-report", "--cases", "--scan", "depth", "1", "2", "--truth", "4"]
    words += ["--ladder"]
    found = []
    for jobs in "1", "2":
        assert compare(*words, "--depth", "2", "-j", jobs, "-o", "json:all.json").code == 0
        found.append(json.loads((folder / "all.json").read_text()))
    assert untimed(found[0]) == untimed(found[1])
    assert found[0]["schema"] == 1
    assert [each["name"] for each in found[0]["variants"]] == ["default", "centre-report"]
    assert [each["at"] for each in found[0]["scan"]["steps"]] == [1, 2, 1, 2]
    assert len(found[0]["truth"]["cases"]) == 4
    assert len(found[0]["ladder"]["rungs"]) == 10
    assert all(each["cpu_s"] for each in found[0]["comparison"]["measurements"])


def test_every_report_is_a_variant(compare: Compare) -> None:
    checkers = [name for name in PRESETS if name != "two-flags-report"]
    assert compare(*checkers, "--depth", "2").code == 0
    assert compare("two-flags-report", "default", "--depth", "2", "-q", RACE).code == 0


def test_the_same_variant_twice_has_two_names_and_one_answer(compare: Compare) -> None:
    done = compare("default", "default", "--depth", "3", "--repeat", "2", "-o", "json")
    comparison = json.loads(done.stdout)["comparison"]
    first, second = comparison["summaries"]
    assert (first["variant"], second["variant"]) == ("default", "default#2")
    assert second["nodes"] == {"ratio": 1.0, "low": 1.0, "high": 1.0}
    assert second["visited"] == first["visited"]
    assert second["time"]["low"] <= second["time"]["ratio"] <= second["time"]["high"]


def test_so_many_puzzles_are_taken_evenly(compare: Compare) -> None:
    done = compare("--ladder", "--depth", "1", "--sample", "2", "-o", "json")
    assert json.loads(done.stdout)["ladder"]["cases"] == [SAMPLE[2], SAMPLE[1]]


def test_a_spreadsheet_has_a_row_for_every_measurement(compare: Compare, folder: Path) -> None:
    words = ["--cases", "--scan", "depth", "1", "2", "--ladder", "--truth", "2", "--depth", "2"]
    assert compare("default", *words, "-o", "csv:all.csv").code == 0
    with open(folder / "all.csv", newline="") as file:
        rows = list(csv.DictReader(file))
    parts = [row["part"] for row in rows]
    expected = {"case": 4, "scan depth": 2, "ending": 2, "truth": 2, "rung": 10, "policy": 18}
    assert {part: parts.count(part) for part in parts} == expected
    assert [row["case"] for row in rows[:4]] == sorted(SAMPLE)
    assert not any(cell.startswith(("+", "=")) for row in rows for cell in row.values())


def test_an_interrupt_ends_it(folder: Path) -> None:
    process = started("compare", "default+without=tables", "--depth", "60", "-j", "2", cwd=folder)
    wait_for_two_workers(process)
    process.send_signal(signal.SIGINT)
    stdout, stderr = process.communicate(timeout=30)
    assert (process.returncode, stdout, stderr) == (130, "", "grader: interrupted\n")
