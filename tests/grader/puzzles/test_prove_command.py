"""`grader prove` checks expected files, and is the only one to write them.  Tables and messages are
in its transcript."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import time
from contextlib import chdir
from pathlib import Path
from typing import Any

import pytest
from support.grader_command import OWN, PUZZLES, ROOT, grader, lay_out, lay_out_mine, started

from grader.puzzles.evidence import truth_of
from grader.puzzles.find import find_cases

SAMPLE = ("twoflags/race-two-equal-runners", "twoflags/zugzwang-two-lone-pawns")
START, ANSWER = PUZZLES["take-one"]


def prove(*words: str, cwd: Path) -> subprocess.CompletedProcess[str]:
    return grader("prove", "-j", "1", *words, cwd=cwd)


@pytest.fixture
def sample(tmp_path: Path) -> Path:
    """Some puzzles of the collection, with all that is expected of them."""
    for name in SAMPLE:
        for path in (f"inputs/{name}.txt", f"expected/{name}.txt", f"expected/{name}.json"):
            (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / path, tmp_path / path)
    return tmp_path


def contents(folder: Path) -> dict[str, bytes]:
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


def fields(path: Path) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(path.read_text())
    return found


def changed(path: Path, **values: Any) -> None:
    path.write_text(json.dumps({**fields(path), **values}, indent=2) + "\n")


MISSING = {"txt": "there is no expected board", "json": "there is no JSON file"}


@pytest.mark.parametrize("kinds", [["txt"], ["json"], ["txt", "json"]])
def test_a_file_that_is_gone_is_noticed_and_written_again(sample: Path, kinds: list[str]) -> None:
    before = contents(sample)
    for name in SAMPLE:
        for kind in kinds:
            (sample / "expected" / f"{name}.{kind}").unlink()
    left = contents(sample)
    result = prove(cwd=sample)
    assert result.returncode == 1
    for kind in kinds:
        assert result.stdout.count(f"  {MISSING[kind]}\n") == len(SAMPLE)
    assert contents(sample) == left
    assert prove("--write", cwd=sample).returncode == 0
    assert contents(sample) == before


def test_a_changed_input_is_noticed(sample: Path) -> None:
    path = sample / "inputs" / f"{SAMPLE[0]}.txt"
    path.write_text("Setup Wa7 Bh7 WHITE\n")
    result = prove("-q", SAMPLE[0], cwd=sample)
    assert result.returncode == 1
    assert "  the expected board is not that of a best move\n" in result.stdout
    assert "  the JSON file is not as proven: mover, value, best, moves, " in result.stdout
    assert prove("-q", SAMPLE[0], "--write", cwd=sample).returncode == 0
    expected = sample / "expected" / f"{SAMPLE[0]}.txt"
    assert expected.read_text() == "Setup Wa8 Bh7 BLACK\n"


@pytest.mark.parametrize("text", ["", "{", "[]", '{"moves": 3, "best": {}, "limit": "x"}'])
def test_a_spoilt_json_file_is_written_again(sample: Path, text: str) -> None:
    path = sample / "expected" / f"{SAMPLE[1]}.json"
    right = path.read_bytes()
    path.write_text(text)
    result = prove("-q", SAMPLE[1], cwd=sample)
    assert result.returncode == 1
    assert "Traceback" not in result.stderr
    assert prove("-q", SAMPLE[1], "--write", cwd=sample).returncode == 0
    assert path.read_bytes() == right
    changed(path, limit=True)
    result = prove("-q", SAMPLE[1], cwd=sample)
    assert "  the JSON file is not as proven: limit\n" in result.stdout


def test_an_own_board_gets_a_proof_and_stays_as_it_is(tmp_path: Path) -> None:
    lay_out_mine(tmp_path)
    path = tmp_path / "expected" / "take-one.txt"
    path.write_bytes(path.read_bytes().replace(b"\n", b"  \r\n"))
    before = contents(tmp_path)
    assert prove("--write", cwd=tmp_path).returncode == 0
    after = contents(tmp_path)
    assert {name: after[name] for name in before} == before
    assert set(after) - set(before) == {f"expected/{name}.json" for name in PUZZLES}
    assert grader(*OWN, cwd=tmp_path).returncode == 0


def test_a_json_file_of_another_kind_is_not_a_proof(tmp_path: Path) -> None:
    (tmp_path / "a.in").write_text(START)
    (tmp_path / "a.ans").write_text(ANSWER)
    (tmp_path / "a.json").write_text('{"author": "me"}')
    before = contents(tmp_path)
    result = prove("--inputs", ".", "--write", cwd=tmp_path)
    assert result.returncode == 1
    assert "the JSON file of its name is not a proof" in result.stdout
    assert contents(tmp_path) == before


@pytest.mark.parametrize(
    ("inputs", "words", "written"),
    [
        ("mine/input7.txt", ["--inputs", "mine"], ["mine/solution7.txt", "mine/solution7.json"]),
        ("mine/a.txt", ["--inputs", "mine/a.txt"], ["mine/a_sol.txt", "mine/a_sol.json"]),
        ("mine/a.in", ["--inputs", "mine"], ["mine/a.ans", "mine/a.json"]),
        ("mine/a.test", ["--inputs", "mine"], ["mine/a.solution", "mine/a.json"]),
        ("inputs/new/a.txt", [], ["expected/new/a.txt", "expected/new/a.json"]),
        ("b/c.in", ["--inputs", "b", "--expected", "x/y"], ["x/y/c.ans", "x/y/c.json"]),
    ],
)
def test_files_go_where_the_grader_looks_for_them(
    tmp_path: Path, inputs: str, words: list[str], written: list[str]
) -> None:
    path = tmp_path / inputs
    path.parent.mkdir(parents=True)
    path.write_text(START)
    assert prove("--write", *words, cwd=tmp_path).returncode == 0
    assert set(contents(tmp_path)) == {inputs, *written}
    assert (tmp_path / written[0]).read_text() == ANSWER
    assert prove(*words, cwd=tmp_path).returncode == 0
    where = dict(zip(words[::2], words[1::2], strict=True))
    with chdir(tmp_path):
        answers = Path(where["--expected"]) if "--expected" in where else None
        cases, warnings = find_cases(Path(where.get("--inputs", "inputs")), answers)
    assert [(bool(case.expected), bool(case.proof)) for case in cases] == [(True, True)]
    assert truth_of(cases[0]).board == ANSWER.strip()
    assert warnings == []


def test_settings_name_the_folders(tmp_path: Path) -> None:
    (tmp_path / "grader.toml").write_text('inputs = "mine"\nexpected = "answers"\n')
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "a.txt").write_text(START)
    assert prove("--write", cwd=tmp_path).returncode == 0
    assert (tmp_path / "answers" / "a.txt").read_text() == ANSWER
    assert fields(tmp_path / "answers" / "a.json")["value"] == "win in 1"


def test_rules_and_nodes_are_those_that_the_json_file_names(tmp_path: Path) -> None:
    (tmp_path / "inputs").mkdir()
    (tmp_path / "inputs" / "a.txt").write_text("Setup We5 Bd7 Bf7 BLACK\n")
    assert prove("--nodes", "777", "--write", cwd=tmp_path).returncode == 0
    proof = tmp_path / "expected" / "a.json"
    assert (fields(proof)["value"], fields(proof)["limit"]) == ("loss in 6", 777)
    changed(proof, variant="no-en-passant")
    assert prove("--write", cwd=tmp_path).returncode == 0
    assert (fields(proof)["variant"], fields(proof)["limit"]) == ("no-en-passant", 777)
    assert set(fields(proof)["best"]) == {"d7d5", "f7f5"}
    assert prove(cwd=tmp_path).returncode == 0


def test_a_file_that_cannot_be_written_is_told(tmp_path: Path) -> None:
    lay_out(tmp_path, names=["take-one"])
    before = contents(tmp_path)
    result = prove("--write", "--expected", "inputs/take-one.txt", cwd=tmp_path)
    assert (result.returncode, "cannot write" in result.stderr) == (3, True)
    assert contents(tmp_path) == before


def children_of(process: int) -> set[int]:
    path = Path(f"/proc/{process}/task/{process}/children")
    return {int(word) for word in path.read_text().split()}


def is_alive(process: int) -> bool:
    try:
        return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


@pytest.mark.parametrize(
    ("end", "worker", "code", "words"),
    [
        (signal.SIGINT, False, 130, "grader: proven: 4 of 5 puzzles, and what was wro"),
        pytest.param(
            *(signal.SIGHUP, False, 129, "grader: proven: 4 of 5 puzzles, and what was wro"),
            marks=pytest.mark.slow,
        ),
        pytest.param(signal.SIGKILL, False, -9, "", marks=pytest.mark.slow),
        (signal.SIGKILL, True, 2, "grader: A process was killed, possibly out of memory."),
    ],
)
def test_what_is_proven_is_kept_when_it_is_stopped(
    tmp_path: Path, end: int, worker: bool, code: int, words: str
) -> None:
    """One puzzle of five never ends."""
    lay_out(tmp_path)
    opening = (ROOT / "inputs" / "checkers" / "opening.txt").read_text()
    (tmp_path / "inputs" / "aaa.txt").write_text(opening)
    before = contents(tmp_path)
    process = started("prove", "--write", "-j", "2", "--nodes", "1000000000", cwd=tmp_path)
    try:
        until = time.monotonic() + 150
        while len(contents(tmp_path)) < len(before) + len(PUZZLES):
            assert time.monotonic() < until
            time.sleep(0.02)
        workers = children_of(process.pid)
        os.kill(max(workers) if worker else process.pid, end)
        _, errors = process.communicate(timeout=100)
    finally:
        process.kill()
    assert process.returncode == code
    assert words in errors
    assert "Traceback" not in errors
    while any(map(is_alive, workers)):
        assert time.monotonic() < until, "a process was left behind"
        time.sleep(0.02)
    after = contents(tmp_path)
    assert set(after) - set(before) == {f"expected/{name}.json" for name in PUZZLES}
    for name in PUZZLES:
        assert json.loads(after[f"expected/{name}.json"])["value"] == "win in 1"
