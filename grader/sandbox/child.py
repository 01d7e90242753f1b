"""From the fork to the command: what the new process does to itself."""

from __future__ import annotations

import fcntl
import json
import os
import signal
from dataclasses import dataclass
from typing import NoReturn

from grader.sandbox import landlock, namespaces, seccomp, system
from grader.sandbox.identity import become
from grader.sandbox.job import Level, Limits
from grader.sandbox.rlimits import set_rlimits
from grader.sandbox.view import DEVICES, View
from grader.sandbox.ways import open_ways

REPORT = 3  # the descriptor, after the standard files
NETWORK = 4
CALLS = 5
ASIDE = 32  # a descriptor that is none of these
MOST_DESCRIPTORS = os.sysconf("SC_OPEN_MAX")
NOT_FOUND = 127  # as a shell says it
PROC_FILES = ("self", "cpuinfo", "filesystems", "meminfo", "stat", "sys", "version", "cgroups")


@dataclass(frozen=True)
class Child:
    """Everything that is decided before the fork."""

    level: Level
    command: list[str]
    environment: dict[str, str]
    view: View
    root: str  # an empty folder
    closed: dict[str, list[str]]  # folders to be opened up, with what is needed behind them
    user: int | None  # to become
    limits: Limits
    processes: int | None
    no_network: int | None  # a namespace without a network, to be entered
    call_filter: bytes  # empty if there is none
    own_program: bool  # whether the submission brings it along
    stdout: int
    stderr: int
    printed: tuple[str, str]  # the paths of both

    def start(self) -> tuple[int, int]:
        """Fork; the process and the pipe on which it says how it went."""
        reading, writing = os.pipe2(os.O_CLOEXEC | os.O_NONBLOCK)
        process = os.fork()
        if process == 0:
            self._be(writing)
        os.close(writing)
        return process, reading

    def _be(self, report: int) -> NoReturn:
        try:
            self._arrange_files(report)
            self._prepare()
            self._become_command()
        except BaseException as error:
            fault = f"{type(error).__name__}: {error}"
            os.write(REPORT, json.dumps({"fault": fault}).encode() + b"\n")
        os._exit(NOT_FOUND)

    def _prepare(self) -> None:
        system.prctl(system.PR_SET_PDEATHSIG, signal.SIGKILL)
        os.setsid()
        _reset_signals()
        if self.no_network is not None:
            system.enter_network(NETWORK)
        if self.closed:
            open_ways(self.closed)
        if self.level is Level.BUBBLEWRAP:
            os.set_inheritable(REPORT, True)
            self._offer_filter()
        elif self.level is Level.NAMESPACES:
            namespaces.enter(self.view, self.root, self.no_network is None, _tell_status)
        if self.level is not Level.BUBBLEWRAP:
            os.chdir(self.view.place.submission.target)
        set_rlimits(self.limits, self.processes)
        if self.user is not None:
            become(self.user)
        if self.level is not Level.NAMESPACES:
            system.prctl(system.PR_SET_PDEATHSIG, signal.SIGKILL)  # lost with the user
        if self.level is not Level.BUBBLEWRAP:
            system.prctl(system.PR_SET_NO_NEW_PRIVS, 1)
        if self.level in (Level.NAMESPACES, Level.LANDLOCK) and landlock.version():
            landlock.restrict(*self._granted())
        if self.level is not Level.BUBBLEWRAP and self.call_filter:
            seccomp.apply(self.call_filter)

    def _offer_filter(self) -> None:
        """Bubblewrap applies it by itself, after those calls that it needs."""
        if self.call_filter:
            reading, writing = os.pipe()
            os.write(writing, self.call_filter)
            os.close(writing)
            os.dup2(reading, CALLS)
            os.set_inheritable(CALLS, True)  # also if it had that number before

    def _become_command(self) -> None:
        """A program that the submission has not brought along is not our fault."""
        try:
            os.execve(self.command[0], self.command, self.environment)
        except OSError as error:
            if not self.own_program:
                raise
            os.write(2, f"{self.command[0]}: {error.strerror}\n".encode())

    def _arrange_files(self, report: int) -> None:
        """Keep nothing open but the three standard files, the report and the network."""
        wanted = [os.open(os.devnull, os.O_RDONLY), self.stdout, self.stderr, report]
        if self.no_network is not None:
            wanted.append(self.no_network)
        aside = [fcntl.fcntl(each, fcntl.F_DUPFD_CLOEXEC, ASIDE) for each in wanted]
        for number, each in enumerate(aside):
            os.dup2(each, number, inheritable=number < REPORT)
        os.closerange(len(aside), MOST_DESCRIPTORS)

    def _granted(self) -> tuple[list[str], list[str]]:
        """What Landlock lets the command read, and write."""
        binds = self.view.binds
        readable = [bind.target for bind in binds if not bind.writable]
        writable = [bind.target for bind in binds if bind.writable]
        writable += [f"/dev/{device}" for device in DEVICES]
        writable += [self.view.place.temporary, *self.printed]
        if self.level is Level.NAMESPACES:
            return [*readable, "/proc"], [*writable, "/dev/shm"]
        return [*readable, *(f"/proc/{name}" for name in PROC_FILES)], writable


def _tell_status(status: int) -> None:
    os.write(REPORT, json.dumps({"status": status}).encode() + b"\n")


def _reset_signals() -> None:
    for number in (signal.SIGPIPE, signal.SIGXFSZ, signal.SIGINT, signal.SIGTERM):
        signal.signal(number, signal.SIG_DFL)
