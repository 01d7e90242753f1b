"""System calls that nothing in a box may make: ways around its limits on memory, ways to leave
something in the kernel for a later run, and ways into other processes.

A refused call does not exist as far as the program can tell, so that runtimes which only try
it go on without.
"""

from __future__ import annotations

import ctypes
import errno
import functools
import os
import struct
from dataclasses import dataclass

from grader.sandbox import system
from grader.sandbox.identity import works_in_child

REFUSED = (
    # memory that is charged to no process
    *("memfd_create", "memfd_secret", "shmget", "msgget", "semget", "mq_open", "io_uring_setup"),
    # what outlives a process
    *("add_key", "request_key", "keyctl"),
    # other processes, and parts of the kernel that no solver needs
    *("ptrace", "process_vm_readv", "process_vm_writev", "pidfd_getfd"),
    *("unshare", "setns", "bpf", "perf_event_open", "userfaultfd"),
    # it hides its flags from us; callers go back to clone
    "clone3",
)
NAMESPACES = (
    system.CLONE_NEWNS
    | system.CLONE_NEWUTS
    | system.CLONE_NEWIPC
    | system.CLONE_NEWUSER
    | system.CLONE_NEWPID
    | system.CLONE_NEWNET
    | system.CLONE_NEWCGROUP
)
SINCE_2020 = {"io_uring_setup": 425, "clone3": 435, "pidfd_getfd": 438, "memfd_secret": 447}


@dataclass(frozen=True)
class Machine:
    """A kind of processor as the kernel's audit knows it, and its numbers of system calls."""

    audit: int
    clone: int
    numbers: dict[str, int]
    highest: int = 0x3FFFFFFF  # beyond is another set of calls, with the same kind of processor


MACHINES = {
    "x86_64": Machine(
        audit=0xC000003E,
        clone=56,
        numbers={
            **SINCE_2020,
            "shmget": 29,
            "semget": 64,
            "msgget": 68,
            "ptrace": 101,
            "mq_open": 240,
            "add_key": 248,
            "request_key": 249,
            "keyctl": 250,
            "unshare": 272,
            "perf_event_open": 298,
            "setns": 308,
            "process_vm_readv": 310,
            "process_vm_writev": 311,
            "memfd_create": 319,
            "bpf": 321,
            "userfaultfd": 323,
        },
    ),
    "aarch64": Machine(
        audit=0xC00000B7,
        clone=220,
        numbers={
            **SINCE_2020,
            "unshare": 97,
            "ptrace": 117,
            "mq_open": 180,
            "msgget": 186,
            "semget": 190,
            "shmget": 194,
            "add_key": 217,
            "request_key": 218,
            "keyctl": 219,
            "perf_event_open": 241,
            "setns": 268,
            "process_vm_readv": 270,
            "process_vm_writev": 271,
            "memfd_create": 279,
            "bpf": 280,
            "userfaultfd": 282,
        },
    ),
}

NUMBER, AUDIT, FIRST_WORD = 0, 4, 16  # where the kernel shows them to a filter
LOAD, EQUALS, EXCEEDS, HAS_BITS, RETURN = 0x20, 0x15, 0x25, 0x45, 0x06
ALLOW = 0x7FFF0000
REFUSE = 0x00050000 | errno.ENOSYS
KILL = 0x80000000
PR_SET_SECCOMP = 22
BY_FILTER = 2


def assembled(machine: Machine) -> bytes:
    """The filter as the kernel, and bubblewrap, take it: the last step refuses."""
    tests = [(EXCEEDS, machine.highest), *((EQUALS, machine.numbers[name]) for name in REFUSED)]
    steps = [
        (LOAD, 0, 0, AUDIT),
        (EQUALS, 1, 0, machine.audit),
        (RETURN, 0, 0, KILL),
        (LOAD, 0, 0, NUMBER),
    ]
    after = 4  # steps between the tests and the refusal
    for place, (test, value) in enumerate(tests):
        steps.append((test, len(tests) - place - 1 + after, 0, value))
    steps += [
        (EQUALS, 0, 2, machine.clone),
        (LOAD, 0, 0, FIRST_WORD),
        (HAS_BITS, 1, 0, NAMESPACES),
        (RETURN, 0, 0, ALLOW),
        (RETURN, 0, 0, REFUSE),
    ]
    return b"".join(struct.pack("=HBBI", *step) for step in steps)


@functools.cache
def call_filter() -> bytes:
    """For this machine; empty where we do not know its numbers or the kernel takes no filter."""
    machine = MACHINES.get(os.uname().machine)
    if machine is None or struct.calcsize("P") != 8:
        return b""
    made = assembled(machine)
    return made if works_in_child(lambda: _try(made)) else b""


def _try(made: bytes) -> None:
    system.prctl(system.PR_SET_NO_NEW_PRIVS, 1)
    apply(made)


def apply(made: bytes) -> None:
    """For this process and all that come from it, without a way back."""
    steps = ctypes.create_string_buffer(made, len(made))
    head = struct.pack("@HP", len(made) // 8, ctypes.addressof(steps))
    place = ctypes.create_string_buffer(head, len(head))
    system.prctl(PR_SET_SECCOMP, BY_FILTER, ctypes.addressof(place))
