"""Programs run in the sandbox of this machine or on a dask cluster, Python in processes."""

from __future__ import annotations

import ipaddress
import logging
import os
import signal
import socket
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import (
    CancelledError,
    Executor,
    Future,
    ProcessPoolExecutor,
    ThreadPoolExecutor,
    as_completed,
)
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace
from importlib import import_module
from multiprocessing import active_children, get_context, parent_process
from pathlib import Path
from threading import Event, Lock, Thread
from time import monotonic
from typing import Any, ParamSpec, TypeVar
from urllib.parse import SplitResult, urlsplit

from grader.grading.records import digest, sha256
from grader.sandbox import client as sandbox
from grader.sandbox.client import run, stop
from grader.sandbox.job import Ending, Job, Outcome, RunLimits
from solver import __version__
from solver.errors import FileError, UserError

P = ParamSpec("P")
R = TypeVar("R")
T = TypeVar("T")
Tick = Callable[[], object]
DEFAULT_PORT = 8786  # of a dask scheduler
RETRIES = 2  # of a run whose worker has died
AHEAD = 2  # runs handed out for each worker of a cluster, so that none waits for our judge
PATIENCE = 60  # seconds until a machine must have recovered
LONGEST_PAUSE = 5
PROBE = Job("probe", (), ("sh", "-c", "cp {input} {output}"), "probe", bytes(1 << 16), RunLimits())


@dataclass(frozen=True)
class Workers:
    """Threads, each of which grades one thing at a time, and how they run a program."""

    pool: ThreadPoolExecutor
    run: Callable[[Job], Outcome]


class Unavailable(FileError):
    """Nothing can be run any more: what is not graded yet is graded by `grader resume`."""


@dataclass
class Patience:
    """Runs that fail because the machine is short of something wait for it to recover, a minute in
    all.  Then a machine that cannot even run a copy ends the grading; else the run is a fault."""

    run: Callable[[Job], Outcome]
    tell: Callable[[str], object]
    stopped: Event = field(default_factory=Event)
    lock: Lock = field(default_factory=Lock)
    until: float | None = None  # None while nothing is short

    def try_run(self, job: Job) -> Outcome:
        pause, waited = 0.1, False
        while True:
            if self.stopped.is_set():
                raise InterruptedError("the grading was stopped")
            outcome = self.run(job)
            if not outcome.shortage:
                if waited:
                    self.until = None
                return outcome
            with self.lock:
                if self.until is None:
                    self.until = monotonic() + PATIENCE
                    self.tell(f"grader: {outcome.fault}. Waiting for up to {PATIENCE} s")
                left = self.until - monotonic()
            if left < 0:
                break
            self.stopped.wait(pause)
            pause, waited = min(2 * pause, LONGEST_PAUSE), True
        if self.run(replace(PROBE, limits=job.limits, sandbox=job.sandbox)).shortage:
            raise Unavailable(f"{outcome.fault}. Nothing more can be run")
        return outcome


def code_of_worker() -> str:
    """The same where the same version of the sandbox would run."""
    sources = sorted(Path(sandbox.__file__).parent.glob("*.py"))
    return digest(__version__, [sha256(path.read_bytes()) for path in sources])


@contextmanager
def cluster(address: str, tell: Callable[[str], object]) -> Iterator[Workers]:
    """The workers of a dask scheduler.  It has no authentication: anyone who can reach it can run
    anything, so it must be on this machine or use TLS."""
    parts = check_address(address)
    try:
        distributed: Any = import_module("distributed")
    except ImportError:
        raise UserError("--scheduler needs the extra: pip install 'checkmark[cluster]'") from None
    try:
        # dask itself would try for ten seconds
        socket.create_connection((parts.hostname, parts.port or DEFAULT_PORT), timeout=10).close()
        client = distributed.Client(address, timeout=10, set_as_default=False)
    except (OSError, ValueError) as error:
        raise UserError(f"{address}: the scheduler does not answer: {error}") from None

    lost = f"{address}: the scheduler is gone. Start it again, and workers"

    def run_there(job: Job) -> Outcome:
        """A worker that is gone for good is our fault, not the submission's."""
        try:
            future = client.submit(run, job, pure=False, retries=RETRIES)
            while True:
                with suppress(TimeoutError):
                    outcome: Outcome = future.result(timeout=LONGEST_PAUSE)
                    return outcome
                if not client.nthreads():
                    future.cancel()
                    fault = "the scheduler has no workers left"
                    return Outcome(Ending.FAULT, fault=fault, shortage=True)
        except Exception as error:
            gone = CancelledError, distributed.comm.CommClosedError
            if isinstance(error, gone) or client.status != "running":
                raise Unavailable(lost) from None
            return Outcome(Ending.FAULT, fault=f"the worker failed: {error!r}")

    def close() -> None:
        with suppress(Exception):  # it may be gone
            client.close(timeout=2)

    logging.disable()  # dask would print tracebacks; what matters, we say
    try:
        number = sum(client.nthreads().values())
        if not number:
            raise UserError(f"{address}: the scheduler has no workers yet. Start some: dask worker")
        codes = client.run(code_of_worker, on_error="return")
        for worker in (each for each, code in codes.items() if code != code_of_worker()):
            raise UserError(
                f"{address}: the worker {worker} has another version of Checkmark, or none. Install"
                f" this one ({__version__}) on all machines."
            )
        with local(number * AHEAD, run_there, close, tell) as workers:
            yield workers
    finally:
        close()
        logging.disable(logging.NOTSET)


@contextmanager
def local(
    number: int,
    run_job: Callable[[Job], Outcome] = run,
    stop_all: Callable[[], object] = stop,
    tell: Callable[[str], object] = lambda _: None,
) -> Iterator[Workers]:
    """Threads are enough: the work is done in child processes.  They end when this block does; if
    it is left by an exception, runs are stopped at once."""
    patience = Patience(run_job, tell)
    pool = ThreadPoolExecutor(number, thread_name_prefix="grade")
    try:
        yield Workers(pool, patience.try_run)
    except BaseException:
        patience.stopped.set()
        pool.shutdown(wait=False, cancel_futures=True)
        stop_all()
        raise
    finally:
        pool.shutdown()


def check_address(address: str) -> SplitResult:
    parts = urlsplit(address)
    if parts.scheme not in ("tcp", "tls") or not parts.hostname or "/" in parts.path:
        raise UserError(f"--scheduler {address}: an address is tcp://HOST:PORT or tls://HOST:PORT")
    if parts.scheme == "tcp" and not _is_loopback(parts.hostname):
        raise UserError(
            f"--scheduler {address}: other machines only with TLS, because a scheduler asks for no"
            " password. Use tls://HOST:PORT."
        )
    return parts


def _is_loopback(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


@contextmanager
def processes(number: int) -> Iterator[Executor]:
    """Processes for work in Python itself.  They end when this block does, at once if it is left by
    an exception, and when this process is gone."""
    with _undisturbed():
        executor = _Processes(number, get_context("spawn"), _end_with_parent)
    try:
        yield executor
        executor.shutdown()
    except BaseException:  # also while it waits for what is still at work
        executor.shutdown(wait=False, cancel_futures=True)
        for process in active_children():
            process.kill()
        raise


def run_in_processes(
    work: Callable[[T], R], things: Sequence[T], number: int
) -> Iterator[tuple[int, R]]:
    """The index of each thing and what the work makes of it, as soon as it is there; here, if one
    process is enough."""
    if min(number, len(things)) <= 1:
        yield from ((index, work(thing)) for index, thing in enumerate(things))
        return
    with processes(min(number, len(things))) as executor:
        begun = {executor.submit(work, thing): index for index, thing in enumerate(things)}
        for future in as_completed(begun):
            yield begun[future], wait_for(future)


def run_in_order(
    work: Callable[[T], R], things: Sequence[T], number: int = 1, tick: Tick = lambda: None
) -> list[R]:
    """The same as a list in the order of the things; `tick` is called after each."""
    found = {}
    for index, result in run_in_processes(work, things, number):
        found[index] = result
        tick()
    return [found[index] for index in range(len(things))]


def wait_for(future: Future[R]) -> R:
    try:
        return future.result()
    except BrokenProcessPool:
        raise UserError("A process was killed, possibly out of memory. Try -j 1") from None


class _Processes(ProcessPoolExecutor):
    def submit(self, work: Callable[P, R], /, *words: P.args, **named: P.kwargs) -> Future[R]:
        with _undisturbed():
            return super().submit(work, *words, **named)


@contextmanager
def _undisturbed() -> Iterator[None]:
    """Block what a terminal sends to all processes: it could leave a lock of the pool locked, and
    this process would never end.  New processes inherit that: only this one reacts."""
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT, signal.SIGHUP})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _end_with_parent() -> None:
    def wait_for_parent() -> None:
        parent = parent_process()
        if parent is not None:
            parent.join()
            os._exit(1)

    Thread(target=wait_for_parent, daemon=True).start()
