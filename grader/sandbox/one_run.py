"""One run: preparing its box, looking after it, and collecting what is left."""

from __future__ import annotations

import json
import os
import select
import socket
import time
from dataclasses import dataclass, field
from datetime import UTC, datetime

from grader.sandbox import bubblewrap, seccomp
from grader.sandbox.answer_file import read_answer, read_words
from grader.sandbox.child import CALLS, NOT_FOUND, REPORT, Child
from grader.sandbox.cleanup import Spent, end_all, reap
from grader.sandbox.ending import end_of, status_of_code
from grader.sandbox.job import Ending, Level, Outcome
from grader.sandbox.order import Order
from grader.sandbox.processes import threads_of_user
from grader.sandbox.scratch import RunFolder, Scratch
from grader.sandbox.view import (
    OUTPUT_NAME,
    TEMPORARY_BYTES,
    Place,
    moved_place,
    real_place,
    view_of,
)
from grader.sandbox.watch import Watch
from grader.sandbox.ways import closed_ways
from grader.sandbox.wire import Closed

SPARE_PROCESSES = 64  # for others of the same user, who may start more meanwhile


class Fault(Exception):
    """A run that could not be made, for which the submission cannot be blamed."""


@dataclass(frozen=True)
class Ground:
    """What all runs of a warden stand on."""

    link: socket.socket
    scratch: Scratch
    user: int | None  # whom boxes become
    may_mount: bool
    no_network: int | None  # a network namespace that all boxes may share


@dataclass
class OneRun:
    """Use as a context: `output`, a descriptor of the folder, is good inside."""

    order: Order
    ground: Ground
    folder: RunFolder = field(init=False)
    output: int = field(init=False)
    stdout: int = field(init=False)
    stderr: int = field(init=False)
    place: Place = field(init=False)

    def __enter__(self) -> OneRun:
        self.folder = self.ground.scratch.new_run()
        self.output = os.open(self.folder.output, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
        self.stdout = self._open_words(self.folder.stdout)
        self.stderr = self._open_words(self.folder.stderr)
        return self

    def __exit__(self, *_: object) -> None:
        for descriptor in (self.output, self.stdout, self.stderr):
            os.close(descriptor)

    def _open_words(self, path: str) -> int:
        flags = os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_APPEND | os.O_CLOEXEC
        descriptor = os.open(path, flags, 0o600)
        self.ground.scratch.give(path)
        return descriptor

    def outcome(self) -> Outcome:
        started_at = datetime.now(UTC).isoformat(timespec="milliseconds")
        order, limits = self.order, self.order.limits
        child = self._child()
        process, report = child.start()
        spent = Spent()
        watch = self._watch()
        try:
            broken = self._wait(process, watch, spent)
        finally:
            wall_s = time.monotonic() - watch.started
            end_all(process, None if order.level.has_own_root else child.user, spent)
        with open(report, "rb") as pipe:
            reported = pipe.read() or b""
        stdout, much_stdout = read_words(self.stdout, limits.output_bytes)
        stderr, much_stderr = read_words(self.stderr, limits.output_bytes)
        answer, fault, much_answer = read_answer(self.output, OUTPUT_NAME, limits.output_bytes)
        cpu_s = max(spent.cpu_s, watch.cpu_s)
        status = _status(child, spent.first_status, reported, broken, stderr)
        flooded = much_stdout or much_stderr or much_answer
        end = end_of(status, broken, cpu_s, limits, flooded, stderr)
        return Outcome(
            ending=end.ending,
            exit_code=end.exit_code,
            signal=end.signal,
            output=answer,
            output_fault=fault,
            stdout=stdout,
            stderr=stderr,
            cpu_s=round(cpu_s, 6),
            wall_s=round(wall_s, 6),
            max_rss_kb=_rss_kb(child.level, spent, watch),
            level=child.level.value,
            started_at=started_at,
        )

    def _child(self) -> Child:
        order = self.order
        name = order.input_name
        if not name or "/" in name or "\0" in name or name in (".", ".."):
            raise Fault(f"{name!r} is no name for an input file")
        with open(f"{self.folder.input}/{name}", "wb") as file:
            file.write(order.input)
        self.place = self._place()
        user, closed = self._way_in()
        before, inside = self._most_processes(user)
        view = view_of(self.place, order.reads, not (order.python and order.level.has_own_root))
        command = [self.place.fill(word) for word in (order.program, *order.arguments)]
        environment = self.place.environment(command[0])
        if order.level is Level.BUBBLEWRAP:
            shared = self.ground.no_network is not None
            calls = CALLS if seccomp.call_filter() else None
            command = bubblewrap.wrapped(command, view, REPORT, calls, inside, not shared)
        return Child(
            level=order.level,
            command=command,
            environment=environment,
            view=view,
            root=self.folder.root,
            closed=closed,
            user=user,
            limits=order.limits,
            processes=before,
            no_network=self.ground.no_network if order.level.has_own_root else None,
            call_filter=seccomp.call_filter(),
            own_program=order.program.startswith("{submission}"),
            stdout=self.stdout,
            stderr=self.stderr,
            printed=(self.folder.stdout, self.folder.stderr),
        )

    def _place(self) -> Place:
        order, scratch = self.order, self.ground.scratch
        if order.level.has_own_root:
            return moved_place(self.folder, scratch.kept(order.submission), order.input_name)
        copy = scratch.copy(order.submission, self.folder)
        return real_place(self.folder, copy, order.input_name)

    def _way_in(self) -> tuple[int | None, dict[str, list[str]]]:
        """Whom the box becomes, and which folders have to be opened up for that user."""
        user = self.ground.user
        if user is None:
            if os.geteuid() == 0 and self.order.level is not Level.LIMITS:
                raise Fault("root may not become another user here, and no box can hold root")
            return None, {}
        closed = closed_ways((*self.order.reads, self.ground.scratch.folder))
        if not closed or self.ground.may_mount:
            return user, closed
        if self.order.level is Level.LIMITS:
            return None, {}
        raise Fault(f"user {user} may not enter {', '.join(closed)}, which the command needs")

    def _most_processes(self, user: int | None) -> tuple[int | None, int | None]:
        """How many processes the user may have before the box is there, and inside."""
        wanted = self.order.limits.processes
        boxed = self.order.level is Level.BUBBLEWRAP
        if user is not None:
            return wanted + (bubblewrap.OWN_PROCESSES if boxed else 0), None
        if self.order.level is Level.NAMESPACES:
            return wanted, None
        if boxed and bubblewrap.LIMITER:
            return None, wanted
        return threads_of_user(os.geteuid()) + wanted + SPARE_PROCESSES, None

    def _watch(self) -> Watch:
        folders = [self.folder.output]
        if self.place.temporary == self.folder.temporary:
            folders.append(self.folder.temporary)
        return Watch(self.order.limits, folders, TEMPORARY_BYTES)

    def _wait(self, process: int, watch: Watch, spent: Spent) -> Ending | None:
        """Until the run is over or breaks a limit, which is the result.  Orphans that have ended
        meanwhile would otherwise count as processes."""
        link = self.ground.link
        handle = os.pidfd_open(process)
        try:
            poll = select.poll()
            poll.register(handle, select.POLLIN)
            poll.register(link, select.POLLIN)
            while True:
                ready = dict(poll.poll(watch.patience() * 1000 + 1))
                if link.fileno() in ready:
                    raise Closed("the grader has gone")
                if handle in ready:
                    return None
                reap(process, spent)
                broken = watch.look(spent.cpu_s)
                if broken is not None:
                    return broken
        finally:
            os.close(handle)


def _rss_kb(level: Level, spent: Spent, watch: Watch) -> int:
    """Bubblewrap itself does not count: it has our own memory from before it was started."""
    first = 0 if level is Level.BUBBLEWRAP else spent.first_rss_kb
    return max(first, spent.other_rss_kb, watch.rss_kb)


def _status(
    child: Child, status: int, reported: bytes, broken: Ending | None, stderr: bytes
) -> int:
    """The command's own wait status, whoever has waited for it."""
    if broken is not None:
        return status
    messages = [json.loads(line) for line in reported.splitlines() if line]
    for message in messages:
        if "fault" in message:
            raise Fault(f"the box could not be made: {message['fault']}")
    if child.level is Level.BUBBLEWRAP:
        if not any("exit-code" in message for message in messages):
            if child.own_program and stderr.startswith(b"bwrap: execvp "):
                return NOT_FOUND << 8
            words = stderr.decode(errors="replace").strip()
            raise Fault(f"bubblewrap could not make a box: {words}")
        return status_of_code(os.WEXITSTATUS(status)) if os.WIFEXITED(status) else status
    if child.level is Level.NAMESPACES:
        if not messages:
            raise Fault("the first process of the box has gone")
        return int(messages[0]["status"])
    return status
