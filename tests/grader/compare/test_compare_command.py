"""`grader compare` on the command line."""

from __future__ import annotations

import csv
import json
import re
import signal
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

import pytest
from compare_problems import RACE, SAMPLE, SHOT, TRAP, copy_sample
from grader_command import started, wait_for_two_workers

from grader.cli import main
from grader.variants.presets import PRESETS

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


def test_answers_and_effort_are_shown(compare: Compare) -> None:
    done = compare("material", "centre", "--depth", "2")
    assert done.code == 0
    answers, effort, about = done.stdout.split("\n\n")
    heads = re.split("  +", answers.splitlines()[0])
    assert heads[:5] == ["variant", "best", "equal", "not the best way", "worse"]
    assert [line.split()[0] for line in effort.splitlines()[2:]] == ["material", "centre"]
    assert effort.splitlines()[2].endswith(" -")
    assert effort.splitlines()[3].endswith("]")
    assert about == "3 cases, depth 2; material is the reference\n"
    assert (
        "left out: 1 case of twoflags, for which material, centre have no heuristic" in done.stderr
    )


def test_every_case_is_shown_on_demand(compare: Compare) -> None:
    done = compare("default", "default+no-tables", "--depth", "3", "-v")
    rows = done.stdout.split("\n\n")[0].splitlines()[2:]
    assert len(rows) == 2 * len(SAMPLE)
    assert [row.split()[0] for row in rows[::2]] == sorted(SAMPLE)


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
    assert len(found[0]["ladder"]["rungs"]) == 8
    assert all(each["cpu_s"] for each in found[0]["comparison"]["measurements"])


def test_every_report_is_a_variant(compare: Compare) -> None:
    checkers = [name for name in PRESETS if name != "two-flags-report"]
    assert compare(*checkers, "--depth", "2").code == 0
    assert compare("two-flags-report", "default", "--depth", "2", "-q", RACE).code == 0


def test_variants_come_from_a_file(compare: Compare, folder: Path) -> None:
    (folder / "own.py").write_text("def evaluate(position):\n    return len(position.children())\n")
    (folder / "mine.toml").write_text(
        '[quick]\nbase = "centre-report"\ndepth = 1\n\n[own]\nheuristic = "own.py:evaluate"\n'
    )
    done = compare("--variants", "mine.toml", "-q", SHOT, "--depth", "3", "-o", "json")
    assert [each["depth"] for each in json.loads(done.stdout)["variants"]] == [1, 3]
    done = compare("own", "default", "--variants", "mine.toml", "--depth", "1", "-o", "json")
    assert [each["name"] for each in json.loads(done.stdout)["variants"]] == ["own", "default"]


def test_the_same_variant_twice_has_two_names_and_one_answer(compare: Compare) -> None:
    done = compare("default", "default", "--depth", "3", "--repeat", "2", "-o", "json")
    comparison = json.loads(done.stdout)["comparison"]
    first, second = comparison["summaries"]
    assert (first["variant"], second["variant"]) == ("default", "default#2")
    assert second["nodes"] == {"ratio": 1.0, "low": 1.0, "high": 1.0}
    assert second["visited"] == first["visited"]
    assert second["time"]["low"] <= second["time"]["ratio"] <= second["time"]["high"]


def test_the_ladder_is_shown_with_every_cache(compare: Compare) -> None:
    done = compare("--ladder", "--depth", "3,2,3")
    assert done.code == 0
    rungs, verdict, orderings, caches = done.stdout.split("\n\n")
    assert len(rungs.splitlines()) == 2 + 8
    assert rungs.split()[:7] == ["rung", "depth", "2", "x", "last", "depth", "3"]
    assert all(line.endswith(" equal") for line in rungs.splitlines()[2:])
    assert verdict.startswith("4 cases, default: every rung has the value of minimax")
    assert "heuristic calls" in orderings
    assert caches.count("unsound-board-depth") == 2


def test_a_rung_that_changes_a_value_fails_by_name(compare: Compare) -> None:
    done = compare("default+cache=unsound-board", "--ladder", "--depth", "4")
    assert done.code == 1
    assert " differ\n" in done.stdout
    assert f"  {TRAP} at depth 4: + deepening has " in done.stdout


def test_so_many_puzzles_are_taken_evenly(compare: Compare) -> None:
    done = compare("--ladder", "--depth", "1", "--sample", "2", "-o", "json")
    assert json.loads(done.stdout)["ladder"]["cases"] == [SAMPLE[2], SAMPLE[1]]


def test_truth_mode_says_what_was_counted(compare: Compare) -> None:
    done = compare("material", "--truth", "12", "--depth", "2", "--seed", "9", "--pieces", "3")
    assert "12 endings of 3 pieces with something to lose" in done.stdout
    assert "seed 9), depth 2, without tables\n" in done.stdout
    assert done.stderr == "grader: --truth: all variants search without the tables\n"


def test_a_spreadsheet_has_a_row_for_every_measurement(compare: Compare, folder: Path) -> None:
    words = ["--cases", "--scan", "depth", "1", "2", "--ladder", "--truth", "2", "--depth", "2"]
    assert compare("default", *words, "-o", "csv:all.csv").code == 0
    with open(folder / "all.csv", newline="") as file:
        rows = list(csv.DictReader(file))
    parts = [row["part"] for row in rows]
    expected = {"case": 4, "scan depth": 2, "ending": 2, "truth": 2, "rung": 8, "policy": 18}
    assert {part: parts.count(part) for part in parts} == expected
    assert [row["case"] for row in rows[:4]] == sorted(SAMPLE)
    assert not any(cell.startswith(("+", "=")) for row in rows for cell in row.values())


def test_a_page_can_be_written(compare: Compare, folder: Path) -> None:
    assert compare("default", "material", "-q", SHOT, "-o", "html:page.html").code == 0
    assert (folder / "page.html").read_text().lower().startswith("<!doctype html>")


def test_who_never_finishes_a_depth_is_told_so(compare: Compare) -> None:
    done = compare("centre-report", "--nodes", "50", "-q", SHOT)
    assert done.code == 0
    assert "centre-report does not deepen: it finishes no depth" in done.stderr


@pytest.mark.parametrize(
    ("words", "code", "message"),
    [
        (["centr"], 2, "Did you mean 'centre'?"),
        (["-q", "shot-in-nin"], 2, "Did you mean 'shot-in-nine'?"),
        (["centre", "race"], 2, "No case is left to compare the variants on."),
        (["race", "--truth", "3"], 2, "--truth is about checkers"),
        (["--scan", "width", "1", "2"], 2, "--scan width: what can be scanned is depth and nodes"),
        (["--scan", "depth", "4", "2"], 2, "--scan depth: 2 is less than 4."),
        (["--scan", "nodes", "x", "2"], 2, "--scan nodes: 'x' is not a whole number"),
        (["--depth", "2,4"], 2, "several are for --ladder"),
        (["--ladder", "--nodes", "9"], 2, "--ladder compares searches of the same depth"),
        (["--truth", "3", "--pieces", "5"], 2, "5 is more than 4"),
        (["-o", "jsn"], 2, "Did you mean 'json'?"),
        (["-o", "json", "-o", "csv"], 2, "cannot both go to standard output"),
        (["-o", "json:nowhere/x.json"], 3, "nowhere/x.json: cannot write"),
        (["--variants", "none.toml"], 3, "none.toml"),
        (["wrong.py:evaluate"], 2, "wrong.py: line 2: ZeroDivisionError"),
        (["wrong.py:evaluate", "-j", "2"], 2, "wrong.py: line 2: ZeroDivisionError"),
        (["wrong.py:evaluate", "--ladder"], 2, "wrong.py: line 2: ZeroDivisionError"),
    ],
)
def test_mistakes_are_explained(
    compare: Compare, folder: Path, words: list[str], code: int, message: str
) -> None:
    (folder / "wrong.py").write_text("def evaluate(position):\n    return 1 // 0\n")
    done = compare(*words)
    assert done.code == code
    assert message in done.stderr
    assert done.stdout == ""


def test_an_interrupt_ends_it(folder: Path) -> None:
    process = started("compare", "default+no-tables", "--depth", "60", "-j", "2", cwd=folder)
    wait_for_two_workers(process)
    process.send_signal(signal.SIGINT)
    stdout, stderr = process.communicate(timeout=30)
    assert (process.returncode, stdout, stderr) == (130, "", "grader: interrupted\n")
