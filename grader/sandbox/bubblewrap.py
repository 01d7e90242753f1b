"""A box made by bubblewrap."""

from __future__ import annotations

import functools
import shutil
import subprocess

from grader.sandbox.view import DEVICE_LINKS, DEVICES, TEMPORARY_BYTES, View

PROGRAM = shutil.which("bwrap", path="/usr/local/bin:/usr/bin:/bin") or ""
LIMITER = shutil.which("prlimit", path="/usr/bin:/bin") or ""
# Bubblewrap's own /dev has terminals too, which cost time and serve nobody here.
DEVICE_WORDS = [
    *(word for name in DEVICES for word in ("--dev-bind", f"/dev/{name}", f"/dev/{name}")),
    *(word for name, target in DEVICE_LINKS.items() for word in ("--symlink", target, name)),
]
OWN_PROCESSES = 2  # the one that waits outside and the box's first


def wrapped(
    command: list[str],
    view: View,
    report: int,
    call_filter: int | None,
    processes: int | None,
    unshare_network: bool,
) -> list[str]:
    """The command that runs `command` in a box.  `report` and `call_filter` are descriptors;
    `processes` limits those inside, where the count of the user's others does not matter."""
    size = str(TEMPORARY_BYTES)
    words = [PROGRAM, "--unshare-all", "--die-with-parent", "--new-session"]
    if not unshare_network:
        words += ["--share-net"]
    if call_filter is not None:
        words += ["--seccomp", str(call_filter)]
    if _knows_disabling():
        words += ["--unshare-user", "--disable-userns"]
    words += ["--json-status-fd", str(report), "--size", size, "--tmpfs", "/tmp"]
    for target, name in view.links:
        words += ["--symlink", target, name]
    for bind in view.binds:
        words += ["--bind" if bind.writable else "--ro-bind", bind.source, bind.target]
    for folder in view.hidden:
        words += ["--size", "4096", "--tmpfs", folder, "--remount-ro", folder]
    words += ["--proc", "/proc", "--size", size, "--tmpfs", "/dev/shm", *DEVICE_WORDS]
    words += ["--remount-ro", "/"]
    words += ["--chdir", view.place.submission.target, "--"]
    if processes is not None:
        words += [LIMITER, f"--nproc={processes}", "--"]
    return words + command


@functools.cache
def _knows_disabling() -> bool:
    """Whether it can forbid user namespaces inside, a way to reach more of the kernel."""
    said = subprocess.run([PROGRAM, "--help"], capture_output=True, check=False, env={}).stdout
    return b"--disable-userns" in said
