"""The filter of system calls, followed step by step as the kernel does, and really applied."""

from __future__ import annotations

import struct

import pytest
from box_jobs import LIMITS, script

from grader.runner import run_at
from grader.sandbox import seccomp, system
from grader.sandbox.job import Level
from grader.sandbox.levels import level_report
from grader.sandbox.seccomp import ALLOW, KILL, MACHINES, REFUSE, REFUSED, Machine, assembled

READ = {"x86_64": 0, "aarch64": 63}
THREAD = 0x003D0F00  # what a new thread asks of clone


def decided(made: bytes, machine: int, number: int, first: int = 0) -> int:
    """What the filter returns for a call."""
    seen = struct.pack("<iIQ6Q", number, machine, 0, first, 0, 0, 0, 0, 0)
    steps = list(struct.iter_unpack("=HBBI", made))
    at = held = 0
    while True:
        code, yes, no, value = steps[at]
        at += 1
        if code == seccomp.RETURN:
            return int(value)
        if code == seccomp.LOAD:
            (held,) = struct.unpack_from("<I", seen, value)
            continue
        true = {
            seccomp.EQUALS: held == value,
            seccomp.EXCEEDS: held > value,
            seccomp.HAS_BITS: bool(held & value),
        }[code]
        at += yes if true else no


@pytest.mark.parametrize("name", MACHINES)
def test_what_is_refused_and_what_is_not(name: str) -> None:
    machine: Machine = MACHINES[name]
    made = assembled(machine)
    for call in REFUSED:
        assert decided(made, machine.audit, machine.numbers[call]) == REFUSE
    assert decided(made, machine.audit, READ[name]) == ALLOW
    assert decided(made, machine.audit, READ[name] | 0x40000000) == REFUSE
    assert decided(made, machine.audit, machine.clone, THREAD) == ALLOW
    assert decided(made, machine.audit, machine.clone, 17 | system.CLONE_NEWUSER) == REFUSE
    assert decided(made, 0x40000003, READ[name]) == KILL
    refused = {number for number in range(600) if decided(made, machine.audit, number) == REFUSE}
    assert refused == set(machine.numbers.values())


PROCESSES = """
import ctypes, mmap, multiprocessing, subprocess
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from multiprocessing.shared_memory import SharedMemory

def square(number):
    return number * number

if __name__ == "__main__":
    for kind in (ThreadPoolExecutor, ProcessPoolExecutor):
        with kind(3) as pool:
            print(sum(pool.map(square, range(4))))
    with multiprocessing.get_context("spawn").Pool(2) as pool:
        print(sum(pool.map(square, range(4))))
    memory = SharedMemory(create=True, size=4096)
    memory.close()
    memory.unlink()
    mmap.mmap(-1, 4096).close()
    back = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_int)(square)
    print(back(4) - 2)
    subprocess.run(["echo", "14"], check=True)
"""


@pytest.mark.parametrize("level", [Level.BUBBLEWRAP, Level.NAMESPACES, Level.LIMITS])
def test_processes_threads_and_callbacks_work_as_ever(level: Level) -> None:
    report = level_report(level)
    if not report.available:
        pytest.skip(f"{level}: {report.reason}")
    outcome = run_at(script(PROCESSES, limits=LIMITS), level)
    assert outcome.stdout.split() == [b"14"] * 5, outcome
