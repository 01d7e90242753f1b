"""The parts: messages, files, closed folders, programs, endings, the system call filter."""

from __future__ import annotations

import os
import signal
import socket
import stat
import struct
import subprocess
import sys
import time
import venv
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader.sandbox import kernel
from grader.sandbox.job import Ending, File, Job, Level, Outcome, RunLimits
from grader.sandbox.kernel import ALLOW, CHECKED, DENY, KILL, MACHINES, REFUSE, REFUSED
from grader.sandbox.levels import SOCKETS
from grader.sandbox.pool import Order, receive, send
from grader.sandbox.scratch import BadName, read_answer, remove_tree, unpack
from grader.sandbox.view import (
    NotFound,
    Program,
    find_closed_folder,
    find_closed_folders,
    find_program,
)
from grader.sandbox.watch import (
    RunWatch,
    _children,
    _children_by_parent,
    find_descendants,
    find_ending,
)

jobs = st.builds(Job, limits=st.just(RunLimits()))
orders = st.builds(Order, job=jobs, kept=..., forget=...)
outcomes = st.builds(Outcome, exit_code=..., output=..., stdout=..., stderr=..., fault=...)


@given(orders, outcomes)
def test_messages_arrive_as_they_were_sent(order: Order, outcome: Outcome) -> None:
    ours, theirs = socket.socketpair()
    with ours, theirs:
        send(ours, order)
        assert receive(theirs, Order) == order
        send(theirs, outcome)
        assert receive(ours, Outcome) == outcome


@pytest.mark.parametrize("path", ["", "/a", "../a", "a/../b", "a//b", "./a", "a/", "a\0b", ".."])
def test_no_file_is_unpacked_elsewhere(path: str, tmp_path: Path) -> None:
    with pytest.raises(BadName):
        unpack((File(path, b"x"),), str(tmp_path))
    assert list(tmp_path.iterdir()) == []


def test_links_are_not_followed_when_a_tree_is_removed(tmp_path: Path) -> None:
    (tmp_path / "kept").mkdir()
    (tmp_path / "kept/file").write_text("x")
    (tmp_path / "gone").mkdir()
    (tmp_path / "gone/link").symlink_to(tmp_path / "kept")
    (tmp_path / "gone/closed").mkdir(0o000)
    remove_tree(str(tmp_path / "gone"))
    assert [path.name for path in tmp_path.iterdir()] == ["kept"]
    assert (tmp_path / "kept/file").exists()


def test_only_a_file_is_an_answer(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"12345")
    (tmp_path / "folder").mkdir()
    (tmp_path / "link").symlink_to("file")
    os.mkfifo(tmp_path / "pipe")
    os.mknod(tmp_path / "socket", stat.S_IFSOCK)
    descriptor = os.open(tmp_path, os.O_RDONLY)
    assert read_answer(descriptor, "file", 5) == (b"12345", "", False)
    assert read_answer(descriptor, "file", 4) == (None, "", True)
    assert read_answer(descriptor, "nothing", 5) == (None, "", False)
    os.link(tmp_path / "file", tmp_path / "second")
    for name in ("folder", "link", "pipe", "socket", "second"):
        answer, fault, _ = read_answer(descriptor, name, 5)
        assert (answer, fault[:16]) == (None, "the output is a ")
    os.close(descriptor)


def test_closed_folders_are_found_with_what_is_needed_behind_them(tmp_path: Path) -> None:
    open_folder = tmp_path / "closed/inner/open"
    open_folder.mkdir(parents=True)
    (open_folder / "file").write_text("x")
    for folder in (tmp_path, open_folder):
        folder.chmod(0o755)
    (tmp_path / "closed").chmod(0o700)
    first = find_closed_folder(str(tmp_path)) or str(tmp_path / "closed")
    assert find_closed_folder(str(open_folder)) == first
    needed = [str(open_folder), f"{open_folder}/file"]
    assert find_closed_folders((*needed, "/usr")) == {first: needed}
    open_folder.chmod(0o700)
    assert find_closed_folders((str(open_folder),)) == {first: [f"{open_folder}/file"]}
    assert find_closed_folders(("/no/such/folder",)) == {}


def test_python_is_found_where_it_really_lives() -> None:
    program = find_program(sys.executable)
    assert program.python
    for folder in (sys.prefix, sys.base_prefix):
        assert folder in program.reads or folder.startswith("/usr")


def make_tool(path: Path, first_line: str) -> Program:
    path.write_text(f"{first_line}\n")
    path.chmod(0o755)
    return find_program(str(path))


def test_other_programs_bring_what_lies_beside_them(tmp_path: Path) -> None:
    for name in ("bin", "lib", "private"):
        (tmp_path / name).mkdir()
    tool = make_tool(tmp_path / "bin/tool", "#!/bin/sh")
    assert tool.reads == (f"{tmp_path}/bin", f"{tmp_path}/lib")
    assert find_program("sh").reads == ()
    assert find_program("./tool").path == "{submission}/tool"
    with pytest.raises(NotFound):
        find_program(str(tmp_path / "bin/other"))


def test_an_installed_command_brings_its_python(tmp_path: Path) -> None:
    """Without `pyvenv.cfg`, which lies beside `bin`, it would not find its own packages."""
    venv.create(tmp_path)
    python = tmp_path / "bin/python3"
    for name, first_line in (("tool", f"#!{python}"), ("other", f"#! {python} -E")):
        tool = make_tool(tmp_path / "bin" / name, first_line)
        assert {str(tmp_path), *find_program(str(python)).reads} <= {*tool.reads}
    with pytest.raises(NotFound, match="/no/such/python3 does not start"):
        make_tool(tmp_path / "bin/third", "#!/no/such/python3")


def test_descendants_are_found_in_both_ways() -> None:
    code = "import subprocess; subprocess.run(['sleep', '60'])"
    with subprocess.Popen([sys.executable, "-c", code]) as child:
        try:
            while not find_descendants(child.pid):
                time.sleep(0.01)
            assert child.pid in find_descendants(os.getpid())
            assert _children_by_parent()(child.pid) == _children(child.pid)
        finally:
            for process in (child.pid, *find_descendants(child.pid)):
                os.kill(process, signal.SIGKILL)


@pytest.mark.parametrize("spare", [1, 0])
def test_one_process_too_many_is_too_many(tmp_path: Path, spare: int) -> None:
    """Whatever the kernel allows, which counts other processes of the same user too."""
    with subprocess.Popen(["sleep", "60"]) as child:
        try:
            allowed = len(find_descendants(os.getpid())) - 1 + spare
            limits = RunLimits(10**6, 10**6, 10**6, processes=allowed)
            broken = RunWatch(str(tmp_path), Level.LIMITS, limits)._find_excess()
        finally:
            child.kill()
    assert broken is (None if spare else Ending.SIGNAL)


@pytest.mark.parametrize(
    ("status", "cpu_s", "flooded", "stderr", "ending"),
    [
        (0, 0.1, False, b"", Ending.EXIT),
        (3 << 8, 0.1, False, b"", Ending.EXIT),
        (0, 1.1, False, b"", Ending.CPU),
        (signal.SIGKILL, 1.1, False, b"", Ending.CPU),
        (signal.SIGXCPU, 0.1, False, b"", Ending.SIGNAL),
        (signal.SIGXFSZ, 0.1, False, b"", Ending.OUTPUT),
        (0, 0.1, True, b"", Ending.OUTPUT),
        (1 << 8, 0.1, False, b"MemoryError\n", Ending.MEMORY),
        (signal.SIGABRT, 0.1, False, b"terminate: std::bad_alloc", Ending.MEMORY),
        (0, 0.1, False, b"MemoryError\n", Ending.EXIT),
    ],
)
def test_endings_follow_from_what_was_measured(
    status: int, cpu_s: float, flooded: bool, stderr: bytes, ending: Ending
) -> None:
    assert find_ending(status, cpu_s, 0, RunLimits(cpu_s=1), flooded, stderr)[0] is ending


READ = {"x86_64": 0, "aarch64": 63}
THREAD = 0x003D0F00  # what a new thread asks of clone


def decide(made: bytes, machine: int, number: int, *words: int) -> int:
    """What the filter returns for a call, followed step by step as the kernel does."""
    seen = struct.pack("<iIQ6Q", number, machine, 0, *(*words, 0, 0, 0, 0, 0, 0)[:6])
    steps = list(struct.iter_unpack("=HBBI", made))
    at = held = 0
    while True:
        code, yes, no, value = steps[at]
        at += 1
        if code == kernel.RETURN:
            return int(value)
        if code == kernel.LOAD:
            (held,) = struct.unpack_from("<I", seen, value)
            continue
        true = {
            kernel.EQUALS: held == value,
            kernel.EXCEEDS: held > value,
            kernel.HAS_BITS: bool(held & value),
        }[code]
        at += yes if true else no


@pytest.mark.parametrize("name", MACHINES)
@pytest.mark.parametrize("level", Level)
def test_which_system_calls_are_refused(name: str, level: Level) -> None:
    column, sockets = [*MACHINES].index(name), SOCKETS[level]
    made = kernel.assemble_filter(name, sockets)

    def decide_call(number: int, *words: int) -> int:
        return decide(made, MACHINES[name], number, *words)

    checked = {
        each.name: each.numbers[column] for each in (*CHECKED, kernel.SOCKET, kernel.SOCKETPAIR)
    }
    assert decide_call(READ[name]) == ALLOW
    assert decide_call(READ[name] | 0x40000000) == REFUSE
    assert decide(made, 0x40000003, READ[name]) == KILL
    assert decide_call(checked["clone"], THREAD) == ALLOW
    assert decide_call(checked["clone"], 17 | kernel.ALL_NAMESPACES) == DENY
    assert decide_call(checked["setpriority"], 0, 0, 19) == ALLOW
    assert decide_call(checked["setpriority"], 0, 7, 19) == DENY
    assert decide_call(checked["setpriority"], 2, 0, 19) == DENY
    families = {n for n in range(64) if decide_call(checked["socket"], n) == ALLOW}
    assert families == set(sockets)
    assert decide_call(checked["socketpair"], 1, socket.SOCK_STREAM | 0x80800) == ALLOW
    datagrams = decide_call(checked["socketpair"], 1, socket.SOCK_DGRAM | 0x80800)
    assert datagrams == (ALLOW if sockets else DENY)
    refused = {number for number in range(600) if decide_call(number) == REFUSE}
    assert refused == {numbers[column] for _, *numbers in REFUSED}
    of_others = {number for number in range(600) if decide_call(number, 7) == DENY}
    assert of_others == {*checked.values()} - {checked["clone"], checked["socketpair"]}
