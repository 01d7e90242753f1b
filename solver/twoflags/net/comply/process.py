"""The program under test as a process: started without a shell, and always ended."""

from __future__ import annotations

import os
import shlex
import signal
import subprocess
import tempfile
from contextlib import ExitStack, suppress
from typing import IO, Self

from solver.errors import UserError
from solver.twoflags.net.comply.checklist import Failed
from solver.twoflags.net.comply.transcript import Transcript

TO_TERMINATE = 1.0  # seconds for a program to end when it is asked to
MOST_COMPLAINTS = 65_536  # bytes
LAST_LINES = 15  # of what it wrote, for the transcript
CRASHES = ("Traceback (most recent call last)", "Exception in thread", "Unhandled exception")


class Process:
    """Ended with the block it is opened in, together with all processes it has started."""

    def __init__(self, command: list[str], transcript: Transcript) -> None:
        self.transcript = transcript
        with ExitStack() as stack:
            self.errors: IO[bytes] = stack.enter_context(tempfile.TemporaryFile())
            try:
                self.popen = subprocess.Popen(
                    command,
                    stdin=subprocess.DEVNULL,
                    stdout=subprocess.DEVNULL,
                    stderr=self.errors,
                    start_new_session=True,
                )
            except OSError as error:
                raise UserError(f"{command[0]}: cannot be started: {error.strerror}") from None
            self.stack = stack.pop_all()
        transcript.note(f"started: {shlex.join(command)}")

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        if self.popen.poll() is not None:
            self.transcript.note(f"the program has ended with exit code {self.popen.returncode}")
        self.end()
        for line in self.complaints().splitlines()[-LAST_LINES:]:
            self.transcript.note(f"standard error: {line}")
        self.stack.close()

    @property
    def running(self) -> bool:
        return self.popen.poll() is None

    def ends_within(self, seconds: float) -> bool:
        try:
            self.popen.wait(seconds)
        except subprocess.TimeoutExpired:
            return False
        return True

    def complaints(self) -> str:
        """What was written to standard error so far, or the end of it."""
        size = self.errors.seek(0, os.SEEK_END)
        self.errors.seek(max(0, size - MOST_COMPLAINTS))
        return self.errors.read().decode("utf-8", "replace")

    def check_no_crash(self) -> None:
        written = self.complaints()
        for crash in CRASHES:
            if crash in written:
                last = written.strip().splitlines()[-1]
                raise Failed("no crash", f"on standard error: {last}")
        code = self.popen.poll()
        if code is not None and code < 0:
            name = signal.strsignal(-code) or f"signal {-code}"
            raise Failed("no crash", f"the program ended by {name}")

    def end(self) -> None:
        self._signal("SIGTERM")
        if not self.ends_within(TO_TERMINATE):
            self._signal("SIGKILL")
            self.popen.wait()
        self._signal("SIGKILL")  # whoever it has left behind

    def _signal(self, name: str) -> None:
        """To the whole group, where there are groups."""
        if hasattr(os, "killpg"):
            with suppress(ProcessLookupError, PermissionError):
                os.killpg(self.popen.pid, signal.Signals[name])
        elif self.running:
            self.popen.kill()


def filled(command: str, host: str, port: int, dialect: str) -> list[str]:
    """A command line as a list of words, with the place to connect to put in."""
    try:
        words = shlex.split(command)
    except ValueError as error:
        raise UserError(f"{command}: {error}") from None
    if not words:
        raise UserError("The command is empty.")
    places = {"{host}": host, "{port}": str(port), "{dialect}": dialect}
    for place, value in places.items():
        words = [word.replace(place, value) for word in words]
    return words
