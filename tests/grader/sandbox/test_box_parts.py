"""The small parts: messages, files, ways, programs, endings."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import venv
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader.limits import Limits
from grader.plain import as_plain, from_plain
from grader.runs import Ending, File, Outcome
from grader.sandbox.answer_file import read_answer
from grader.sandbox.ending import end_of, status_of_code
from grader.sandbox.job import Level
from grader.sandbox.order import Order
from grader.sandbox.processes import _descendants_by_parent, descendants
from grader.sandbox.program import NotFound, Program, find_program
from grader.sandbox.scratch import BadName, remove_tree, unpack
from grader.sandbox.ways import closed_on_the_way, closed_ways
from grader.sandbox.wire import Closed, receive, send

paths = st.text(st.characters(exclude_categories=["Cs"]), min_size=1)
orders = st.builds(
    Order,
    level=st.sampled_from(Level),
    submission=st.text(),
    files=st.none()
    | st.lists(st.builds(File, paths, st.binary(), st.booleans())).map(tuple[File, ...]),
    forget=st.lists(st.text()).map(tuple[str, ...]),
    program=paths,
    arguments=st.lists(st.text()).map(tuple[str, ...]),
    input_name=paths,
    input=st.binary(),
    limits=st.builds(Limits),
    reads=st.lists(paths).map(tuple[str, ...]),
    python=st.booleans(),
)
outcomes = st.builds(
    Outcome,
    ending=st.sampled_from(Ending),
    exit_code=st.none() | st.integers(0, 255),
    output=st.none() | st.binary(),
    stdout=st.binary(),
    stderr=st.binary(),
    fault=st.text(),
)


@given(orders)
def test_an_order_arrives_as_it_was_sent(order: Order) -> None:
    ours, theirs = socket.socketpair()
    with ours, theirs:
        send(ours, as_plain(order))
        assert from_plain(Order, receive(theirs)) == order


@given(outcomes)
def test_an_outcome_arrives_as_it_was_sent(outcome: Outcome) -> None:
    assert from_plain(Outcome, as_plain(outcome)) == outcome


def test_half_a_message_is_none() -> None:
    ours, theirs = socket.socketpair()
    with theirs:
        with ours:
            ours.sendall(b"\0\0\0\0\0\0\0\x09{")
        with pytest.raises(Closed):
            receive(theirs)


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
    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind(str(tmp_path / "socket"))
    descriptor = os.open(tmp_path, os.O_RDONLY)
    assert read_answer(descriptor, "file", 5) == (b"12345", "", False)
    assert read_answer(descriptor, "file", 4) == (None, "", True)
    assert read_answer(descriptor, "nothing", 5) == (None, "", False)
    for name in ("folder", "link", "pipe", "socket"):
        answer, fault, _ = read_answer(descriptor, name, 5)
        assert answer is None
        assert fault.startswith("the output is a ")
    os.link(tmp_path / "file", tmp_path / "second")
    assert "second name" in read_answer(descriptor, "file", 5)[1]
    os.close(descriptor)


def test_closed_folders_are_found_with_what_is_needed_behind_them(tmp_path: Path) -> None:
    open_folder = tmp_path / "closed/inner/open"
    open_folder.mkdir(parents=True)
    (open_folder / "file").write_text("x")
    for folder in (tmp_path, open_folder):
        folder.chmod(0o755)
    (tmp_path / "closed").chmod(0o700)
    first = closed_on_the_way(str(tmp_path)) or str(tmp_path / "closed")
    assert closed_on_the_way(str(open_folder)) == first
    assert closed_ways((str(open_folder), f"{open_folder}/file")) == {first: [str(open_folder)]}
    open_folder.chmod(0o700)
    assert closed_ways((str(open_folder),)) == {first: [f"{open_folder}/file"]}
    assert closed_ways(("/usr", "/no/such/folder")) == {}


def test_python_is_found_where_it_really_lives() -> None:
    program = find_program(sys.executable)
    assert program.python
    said = subprocess.run(
        [program.path, "-c", "import sys; print(sys.prefix)"], capture_output=True
    )
    assert said.stdout.decode().strip() == sys.prefix
    for folder in (sys.prefix, sys.base_prefix):
        assert folder in program.reads or folder.startswith("/usr")


def test_other_programs_bring_what_lies_beside_them(tmp_path: Path) -> None:
    for name in ("bin", "lib", "private"):
        (tmp_path / name).mkdir()
    tool = tmp_path / "bin/tool"
    tool.write_text("#!/bin/sh\n")
    tool.chmod(0o755)
    assert find_program(str(tool)).reads == (f"{tmp_path}/bin", f"{tmp_path}/lib")
    assert find_program("sh").reads == ()
    assert find_program("./tool").path == "{submission}/tool"
    with pytest.raises(NotFound):
        find_program(str(tmp_path / "bin/other"))


def test_an_installed_command_brings_its_python(tmp_path: Path) -> None:
    """Without `pyvenv.cfg`, which lies beside `bin`, it would not find its own packages."""
    venv.create(tmp_path / "venv")
    python = tmp_path / "venv/bin/python3"
    for name, first_line in (("tool", f"#!{python}"), ("other", f"#! {python} -E")):
        tool = _tool(tmp_path / "venv/bin" / name, first_line)
        assert {str(tmp_path / "venv"), *find_program(str(python)).reads} <= {*tool.reads}
    with pytest.raises(NotFound, match="/no/such/python3 does not start"):
        _tool(tmp_path / "venv/bin/third", "#!/no/such/python3")


def _tool(path: Path, first_line: str) -> Program:
    path.write_text(f"{first_line}\n")
    path.chmod(0o755)
    return find_program(str(path))


def test_descendants_are_found_in_both_ways() -> None:
    code = "import subprocess; subprocess.run(['sleep', '60'])"
    with subprocess.Popen([sys.executable, "-c", code]) as child:
        try:
            while len(found := descendants(os.getpid())) < 2:
                pass
            assert child.pid in found
            assert set(_descendants_by_parent(child.pid)) == set(descendants(child.pid))
        finally:
            for process in descendants(child.pid):
                os.kill(process, signal.SIGKILL)


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
    assert end_of(status, None, cpu_s, Limits(cpu_s=1), flooded, stderr).ending is ending


def test_a_shell_s_exit_code_stands_for_a_signal() -> None:
    assert status_of_code(0) == 0
    assert status_of_code(3) == 3 << 8
    assert status_of_code(128 + 11) == 11
    assert status_of_code(255) == 255 << 8
