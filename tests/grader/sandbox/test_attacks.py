"""Every attack at every level, as root and as a user: what each level holds, and what it is known
not to hold."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from functools import partial
from pathlib import Path

import pytest
from support.sandbox_jobs import IS_ROOT, run_as_other_user

from grader.sandbox import client
from grader.sandbox.attacks import ATTACKS, SCRIPT, open_stage, run_attacks
from grader.sandbox.attacks.script import STEPS, SUCCEEDED
from grader.sandbox.client import level_report
from grader.sandbox.job import Level
from grader.sandbox.pool import Order

ALL = {attack.name for attack in ATTACKS}
SHARED = {
    "reads the expected answer",
    "reads it by detours",
    "connects to sockets with a path",
    "writes outside its folder",
    "connects by TCP",
    "sends by UDP",
    "connects to abstract sockets",
    "sees other processes",
    "leaves a file for later",
}
SAME_USER = {
    "reads the grader's home",
    "reads the environment of others",
    "changes modes of other files",
    "writes to memory of others",
    "kills other processes",
}
# At the level of limits, this depends on where Checkmark is installed, and how, and on the version
# of control groups.
VARYING = {
    *("reads files of Checkmark", "imports Checkmark", "runs commands of Checkmark"),
    "memory in TCP buffers",
}
# Memory that only a control group can see, in files that are not in a file system of their own.
UNSEEN = {"memory in attributes of files"}
NOT_HELD_BY_ROOT = {
    Level.BUBBLEWRAP: set[str](),
    Level.LANDLOCK: set[str](),
    Level.LIMITS: SHARED,
}
NOT_HELD_BY_USER = {
    Level.BUBBLEWRAP: set[str](),
    Level.LANDLOCK: {"changes modes of other files"},
    Level.LIMITS: SHARED | SAME_USER,
}
ACCOUNTED = {name for name in ALL if name.startswith(("memory ", "time ", "starts "))}
# What depends on whether the runs have a user of their own.
AS_OTHER_USER = {
    *SAME_USER,
    "reads the expected answer",
    "connects to sockets with a path",
    "limits or slows other processes",
    "reads files of Checkmark",
    "sends by UDP",
    "starts too many processes",
    "forks for ever",
    "memory in many processes",
    "memory of a hidden process",
    "time in unwaited children",
    "closes its output",
}
AS_JSON = """
import json, sys
from grader.sandbox.attacks import ATTACKS, run_attacks
wanted = json.loads(sys.argv[1])
attacks = tuple(attack for attack in ATTACKS if attack.name in wanted)
print(json.dumps([(r.level, r.attack, r.held, r.words) for r in run_attacks(attacks)]))
"""

Results = list[tuple[str, str, bool, str]]


def check(
    results: Results, attacks: set[str], not_held: dict[Level, set[str]], grouped: bool
) -> None:
    for level in Level:
        tried = {attack: held for at, attack, held, _ in results if at == level}
        if tried:
            assert tried.keys() == attacks
            found = {attack for attack, held in tried.items() if not held}
            found -= VARYING if level is Level.LIMITS else set()
            unseen = set() if grouped or level is Level.BUBBLEWRAP else UNSEEN
            assert found == (not_held[level] | unseen) & attacks, [
                row for row in results if not row[2]
            ]


@pytest.mark.parametrize("names", [SHARED, pytest.param(ALL, marks=pytest.mark.slow)])
def test_what_each_level_holds(names: set[str]) -> None:
    attacks = tuple(attack for attack in ATTACKS if attack.name in names)
    results = [(r.level.value, r.attack, r.held, r.words) for r in run_attacks(attacks)]
    grouped = level_report(Level.LIMITS).accounting != "proc"
    check(results, names, NOT_HELD_BY_ROOT if IS_ROOT else NOT_HELD_BY_USER, grouped)


@pytest.mark.slow
@pytest.mark.skipif(not IS_ROOT, reason="without root, there is rarely a control group")
def test_what_is_seen_without_a_control_group(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(client, "Order", partial(Order, grouped=False))
    attacks = tuple(attack for attack in ATTACKS if attack.name in ACCOUNTED)
    results = [(r.level.value, r.attack, r.held, r.words) for r in run_attacks(attacks)]
    check(results, ACCOUNTED, NOT_HELD_BY_ROOT, grouped=False)


@pytest.mark.parametrize("attacks", [AS_OTHER_USER, pytest.param(ALL, marks=pytest.mark.slow)])
def test_what_each_level_holds_for_a_user_without_rights(attacks: set[str]) -> None:
    results = json.loads(run_as_other_user(AS_JSON, json.dumps(sorted(attacks))))
    check(results, attacks, NOT_HELD_BY_USER, grouped=False)


# Those that end by themselves where nothing stops them.  Others are seen to succeed at the level
# of limits, or never end.
WITHOUT_SANDBOX = (
    *("reads the expected answer", "reads it by detours", "reads the grader's home"),
    *("reads the environment of others", "reads files of Checkmark", "imports Checkmark"),
    *("connects by TCP", "connects to abstract sockets", "connects to sockets with a path"),
    *("opens odd sockets", "sees other processes", "writes to memory of others"),
    "limits or slows other processes",
    *("starts too many processes", "starts too many threads"),
    *("memory in many processes", "memory in dropped pages", "memory of a hidden process"),
    *("memory of System V or memfd", "memory without a main thread", "memory for a moment"),
    *("memory in page tables", "memory in many mappings", "memory in socket buffers"),
    *("memory in TCP buffers", "memory in pipe buffers", "memory in names of files"),
    *("memory in nameless files", "takes too much time", "time in many processes"),
    *("time in unwaited children", "time in dropped children", "time in threads"),
    *("time without a main thread", "sleeps and ignores signals"),
    *("floods standard output", "floods its output file", "fills folders below its output"),
    *("fills the disk with deleted files", "reserves space on the disk"),
)


@pytest.mark.slow
def test_attacks_succeed_without_a_sandbox(tmp_path: Path) -> None:
    with open_stage() as stage:
        running = {}
        for name in WITHOUT_SANDBOX:
            folder = tmp_path / name.replace(" ", "-")
            folder.mkdir()
            small = {"seconds": 0.1, "children": 20, "output_bytes": 1000, "memory_mb": 16}
            (folder / "where.json").write_text(json.dumps(stage.facts(attack=name, **small)))
            with open(folder / "stdout", "wb") as stdout:
                command = [sys.executable, "-S", str(SCRIPT), "board.txt", f"{folder}/output.txt"]
                environment = {"TMPDIR": str(folder)}
                running[name] = subprocess.Popen(
                    command, cwd=folder, stdout=stdout, env=environment
                )
        ended = {name: process.wait(120) for name, process in running.items()}
    assert ended == dict.fromkeys(WITHOUT_SANDBOX, SUCCEEDED)


def test_every_attack_is_in_the_script() -> None:
    written = re.findall(r"^def ([a-z]\w+)\(\) -> ", SCRIPT.read_text(), re.MULTILINE)
    of_attacks = [name.lower().replace(" ", "_") for name in ALL - STEPS.keys()]
    assert sorted(of_attacks) == sorted(written)
    assert len(ALL) == len(ATTACKS) >= 60


def test_the_stage_leaves_nothing_behind() -> None:
    with open_stage() as stage:
        folder, victim = stage.secret.parent, stage.victim
        assert stage.secret.exists()
    assert not folder.exists()
    assert victim.poll() is not None


pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="attacks need Linux")
