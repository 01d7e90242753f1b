"""The stage on which attacks are tried: things of our own that a box must not reach."""

from __future__ import annotations

import contextlib
import json
import os
import secrets
import shutil
import socket
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from grader.sandbox.job import Limits

LIMITS = Limits(cpu_s=10.0, wall_s=60.0, memory_mb=96, output_bytes=200_000, processes=16)
HOME = os.path.expanduser("~")
VICTIM = "import time; time.sleep(600)"


@dataclass(frozen=True)
class Stage:
    folder: Path
    token: str  # in the environment of the victim, and the mark of every attack
    victim: subprocess.Popen[bytes]
    tcp: socket.socket
    udp: socket.socket
    abstract: socket.socket

    @property
    def secret(self) -> Path:
        return self.folder / "expected.txt"

    @property
    def open_folder(self) -> Path:
        return self.folder / "open"

    def as_json(self) -> bytes:
        """What an attacker would have to find out, told to make the attack as strong as can be."""
        facts = {
            "secret": str(self.secret),
            "open_folder": str(self.open_folder),
            "home": HOME,
            "home_names": os.listdir(HOME) if os.path.isdir(HOME) else ["nobody"],
            "token": self.token,
            "victim": self.victim.pid,
            "tcp": self.tcp.getsockname()[1],
            "udp": self.udp.getsockname()[1],
            "abstract": self.token,
            "processes": LIMITS.processes,
            "memory_mb": LIMITS.memory_mb,
            "output_bytes": LIMITS.output_bytes,
        }
        return json.dumps(facts).encode()

    def heard(self) -> bool:
        """Whether somebody has sent us something by UDP."""
        with contextlib.suppress(BlockingIOError):
            return bool(self.udp.recv(100))
        return False


@contextlib.contextmanager
def staged() -> Iterator[Stage]:
    folder = Path(tempfile.mkdtemp(prefix="checkmark-doctor-"))
    token = f"checkmark-{secrets.token_hex(8)}"
    victim = subprocess.Popen(
        [sys.executable, "-I", "-S", "-c", VICTIM],
        env={"SECRET": token},
        stdin=subprocess.DEVNULL,
    )
    with (
        socket.create_server(("127.0.0.1", 0)) as tcp,
        socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as udp,
        socket.socket(socket.AF_UNIX) as abstract,
    ):
        try:
            udp.bind(("127.0.0.1", 0))
            udp.setblocking(False)
            abstract.bind(f"\0{token}")
            abstract.listen()
            _furnish(folder)
            yield Stage(folder, token, victim, tcp, udp, abstract)
        finally:
            victim.kill()
            victim.wait()
            shutil.rmtree(folder)
            Path("/dev/shm", token).unlink(missing_ok=True)  # a note that was left there


def _furnish(folder: Path) -> None:
    """Files that only a box can keep others from: their modes are as open as can be."""
    folder.chmod(0o755)
    secret = folder / "expected.txt"
    secret.write_text("the answer\n")
    secret.chmod(0o644)
    (folder / "open").mkdir()
    (folder / "open").chmod(0o777)
