"""The warden: a small process without threads that runs one box at a time.

It can fork safely where the grader cannot, orphans of a box come back to it, and when the
grader goes, however suddenly, it ends its box, removes its folder and goes too.
"""

from __future__ import annotations

import contextlib
import gc
import os
import signal
import socket
from dataclasses import replace

from grader.plain import as_plain, from_plain
from grader.sandbox import bytecode, system
from grader.sandbox.identity import claim_identity, works_in_child
from grader.sandbox.job import Ending, Outcome
from grader.sandbox.one_run import Fault, Ground, OneRun
from grader.sandbox.order import Order
from grader.sandbox.scratch import BadName, Scratch
from grader.sandbox.view import OUTPUT_NAME
from grader.sandbox.wire import Closed, receive, send


def main(descriptor: int, folder: str) -> None:
    """Serve the grader at the other end of a socket, with an empty folder for all files."""
    gc.freeze()  # forks share what nobody touches
    os.umask(0o022)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    system.prctl(system.PR_SET_CHILD_SUBREAPER, 1)
    identity = claim_identity()
    with socket.socket(fileno=descriptor) as link:
        link.set_inheritable(False)
        may_mount = identity.user is not None and works_in_child(_unshare_mounts)
        scratch = Scratch(folder, identity.user)
        try:
            serve(Ground(link, scratch, identity.user, may_mount, _without_network(may_mount)))
        except Closed:
            pass
        finally:
            scratch.remove()


def serve(ground: Ground) -> None:
    while True:
        order = from_plain(Order, receive(ground.link))
        send(ground.link, as_plain(_outcome(order, ground)))
        with contextlib.suppress(OSError):  # tried again before the next run
            ground.scratch.clear()  # while the grader judges


def _outcome(order: Order, ground: Ground) -> Outcome:
    try:
        _unpack(order, ground)
        with OneRun(order, ground) as run:
            outcome = run.outcome()
    except (Fault, BadName) as error:
        outcome = Outcome(Ending.FAULT, fault=str(error))
    except (OSError, ValueError, KeyError) as error:
        outcome = Outcome(Ending.FAULT, fault=f"{type(error).__name__}: {error}")
    worker = f"{socket.gethostname()}:{os.getppid()}"
    return replace(outcome, level=order.level.value, worker=worker)


def _unpack(order: Order, ground: Ground) -> None:
    for submission in order.forget:
        ground.scratch.forget(submission)
    if order.files is None:
        return
    ground.scratch.keep(order.submission, order.files)
    if bytecode.is_worth_it(order):
        with OneRun(bytecode.compiling(order), ground) as run:
            run.outcome()
            inside = run.place.submission.target
            compiled = bytecode.harvest(order.files, run.output, OUTPUT_NAME, inside)
        ground.scratch.add(order.submission, compiled)


def _without_network(may_unshare: bool) -> int | None:
    """A network namespace with nothing in it.  To make one for every run costs more than all
    else that a box needs, and runs of one warden never meet."""
    if not may_unshare:
        return None
    ours = os.open("/proc/self/ns/net", os.O_RDONLY | os.O_CLOEXEC)
    try:
        system.unshare(system.CLONE_NEWNET)
        made = os.open("/proc/self/ns/net", os.O_RDONLY | os.O_CLOEXEC)
        system.enter_network(ours)
        return made
    except OSError:
        return None
    finally:
        os.close(ours)


def _unshare_mounts() -> None:
    system.unshare(system.CLONE_NEWNS)
