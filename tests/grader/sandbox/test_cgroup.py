"""Control groups: for real where this machine has them, otherwise as files that look the same."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import tempfile
from contextlib import suppress
from functools import partial
from pathlib import Path

import pytest
from support.sandbox_jobs import (
    COPY,
    INPUT,
    IS_ROOT,
    OTHER_USER,
    eventually,
    run_as_other_user,
    script,
)
from support.sandbox_jobs import readable_python as python

from grader.sandbox import cgroup, kernel
from grader.sandbox.attacks import find_processes
from grader.sandbox.cgroup import LEAF, V1, V2, Group, find_group
from grader.sandbox.client import Short, level_report, run_at
from grader.sandbox.job import Ending, Level, RunLimits
from grader.sandbox.pool import Closed, Order, Warden
from grader.sandbox.view import find_program
from grader.sandbox.watch import _children

pytestmark = pytest.mark.skipif(not IS_ROOT, reason="only root can surely make control groups")


def real_group() -> Group:
    group = find_group(f"test-{os.getpid()}")
    if group is None:
        pytest.skip("no control groups can be made here")
    return group


def test_small_programs_do_not_look_large(level: Level) -> None:
    group = real_group()
    small, large = (
        run_at(script(f"held = bytearray(b'x') * ({size} << 20)"), level) for size in (0, 50)
    )
    assert {small.accounting, large.accounting} == {group.layout.name}
    assert 1 << 10 < small.max_rss_kb < 16 << 10
    assert 50 << 10 < large.max_rss_kb < 66 << 10


DAEMON = """
import os, time
if os.fork() == 0:
    os.setsid()
    if os.fork():
        os._exit(0)
time.sleep(300)
"""


def test_the_next_warden_ends_what_a_killed_one_has_left() -> None:
    real_group()
    mark = f"mark-{os.urandom(8).hex()}"
    order = Order(script(DAEMON, mark), Level.LIMITS, find_program("python3"))
    first = Warden()
    child = os.fork()
    if child == 0:
        eventually(lambda: len(find_processes(mark)) == 2)
        both = [_children(first._process.pid)[0], first._process.pid]
        os.kill(both[0], signal.SIGSTOP)
        for process in both:
            os.kill(process, signal.SIGKILL)
        os._exit(0)
    with pytest.raises(Closed):
        first.ask(order)
    os.waitpid(child, 0)
    first.close()
    second = Warden()
    assert second.ask(Order(script(COPY), Level.LIMITS, find_program("python3"))).output == INPUT
    assert not find_processes(mark)
    second.close()


DELEGATED = """
import json, sys
for folder in json.loads(sys.argv[1]):
    open(folder + "/tasks", "w").write("0")
from grader.sandbox.client import level_reports, run_at
from grader.sandbox.job import File, Job, RunLimits
source = b"import mmap; mmap.mmap(-1, 120 << 20).write(bytes(60 << 20) * 2)"
files = (File("main.py", source),)
job = Job("hog", files, (sys.argv[2], "main.py"), "b.txt", b"", RunLimits(memory_mb=100))
outcomes = [run_at(job, each.level) for each in level_reports() if each.available]
print(json.dumps([[each.ending, each.level, each.accounting] for each in outcomes]))
"""


def test_a_user_can_have_groups_below_one_that_was_delegated() -> None:
    group = real_group()
    if group.layout is not V1:
        pytest.skip("here in version 1 only; by systemd-run in version 2")
    folders = group.folders
    try:
        for folder in folders:
            folder.mkdir()
            for path in (folder, folder / "tasks", folder / "cgroup.procs"):
                os.chown(path, OTHER_USER, OTHER_USER)
        printed = run_as_other_user(DELEGATED, json.dumps([*map(str, folders)]), python())
        for ending, level, accounting in json.loads(printed):
            assert ending == Ending.MEMORY
            # Without isolation, the run could leave its group.
            assert accounting == ("proc" if level == Level.LIMITS else V1.name)
    finally:
        for folder in folders:
            assert eventually(partial(remove, folder))


def remove(folder: Path) -> bool:
    try:
        folder.rmdir()
    except OSError:
        return False
    return True


def test_a_process_starts_in_a_group_of_version_2() -> None:
    mounts = [line.split() for line in Path("/proc/self/mountinfo").read_text().splitlines()]
    found = [words[4] for words in mounts if "cgroup2" in words]
    if not found or not os.access(found[0], os.W_OK):
        pytest.skip("no version 2 here")
    folder = Path(found[0], f"test-{os.getpid()}")
    folder.mkdir()
    try:
        child = kernel.fork_into(str(folder))
        if child == 0:
            os._exit(not Path("/proc/self/cgroup").read_text().rstrip().endswith(folder.name))
        assert os.waitpid(child, 0)[1] == 0
    finally:
        assert eventually(partial(remove, folder))


def test_version_2_as_simulated_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Only files: nothing here is counted or limited by the kernel."""
    monkeypatch.setattr(cgroup, "REMOVE_SECONDS", 0)
    scope = tmp_path / "user/run.scope"
    scope.mkdir(parents=True)
    (scope / "cgroup.procs").write_text(f"{os.getpid()}\n")
    groups = "12:devices:/\n0::/user/run.scope\n"
    (tmp_path / "cgroup.controllers").write_text("memory pids\n")
    monkeypatch.setattr(cgroup, "ROOT", tmp_path)
    assert list(cgroup._candidates(groups)) == []
    # alone in its group, it has moved down and enabled them
    assert (scope / LEAF / "cgroup.procs").read_text() == f"{os.getpid()}"
    assert (scope / "cgroup.subtree_control").read_text() == "+memory +pids"
    (scope / "cgroup.subtree_control").write_text("cpu memory pids\n")
    (scope / "cgroup.procs").write_text("")
    parent = Group(V2, scope, scope, scope)
    assert list(cgroup._candidates(groups)) == [parent]
    folder = scope / "run"
    with cgroup.open_group(parent.below("run"), RunLimits(memory_mb=64, processes=10), 2) as group:
        assert (folder / "memory.max").read_text() == str(64 << 20)
        assert (folder / "pids.max").read_text() == "12"
        for name, text in {
            "memory.peak": f"{60 << 20}\n",
            "memory.stat": f"anon 1\nfile 9\nactive_file {1 << 20}\ninactive_file {2 << 20}\n",
            "memory.events": "low 0\nhigh 0\nmax 7\noom 1\noom_kill 1\noom_group_kill 0\n",
            "cpu.stat": "usage_usec 2500000\nuser_usec 1\n",
        }.items():
            (folder / name).write_text(text)
        assert (group.cpu_s, group.peak_kb) == (2.5, 57 << 10)
        assert (group.out_of_memory, group.reached_limit) == (True, False)
        (folder / "memory.peak").write_text(f"{64 << 20}\n")
        assert group.reached_limit
        group.join()
        assert (folder / "cgroup.procs").read_text() == "0"
    assert (folder / "cgroup.kill").read_text() == "1"


def test_no_room_on_our_side_is_a_fault(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, level: Level
) -> None:
    """A run that fills nothing itself: somebody else fills the file system meanwhile."""
    folder = tmp_path / "small"
    folder.mkdir()
    if not kernel.try_in_child(kernel.unshare_mounts):
        pytest.skip("nothing can be mounted here")
    subprocess.run(["mount", "-t", "tmpfs", "-o", "size=8m", "none", folder], check=True)
    monkeypatch.setattr("grader.sandbox.pool.MEMORY", "/no/such/folder")
    monkeypatch.setattr(tempfile, "tempdir", str(folder))
    warden = Warden()
    try:
        asked = Order(script(COPY), level, find_program("python3"))
        assert warden.ask(asked).output == INPUT
        with suppress(OSError), open(folder / "others", "wb", buffering=0) as file:
            file.write(bytes((8 << 20) - (500 << 10)))
        outcome = warden.ask(asked)
        assert outcome.ending is Ending.FAULT
        assert "there is no room left on the file system of" in outcome.fault
        assert outcome.shortage
        monkeypatch.setattr("grader.sandbox.client.POOL", warden)
        with pytest.raises(Short, match="no room left"):  # and not: there is no such level here
            level_report.__wrapped__(level)
        (folder / "others").unlink()
        assert warden.ask(asked).output == INPUT
    finally:
        warden.close()
        subprocess.run(["umount", "-l", folder], check=True)
