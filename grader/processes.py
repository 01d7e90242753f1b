"""Processes beside this one, for work that is done in Python itself."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from concurrent.futures import Executor, ProcessPoolExecutor
from contextlib import contextmanager
from multiprocessing import active_children, get_context, parent_process
from threading import Thread


@contextmanager
def processes(number: int) -> Iterator[Executor]:
    """They end when this block does, at once if it is left by an exception, and when this
    process is gone."""
    executor = ProcessPoolExecutor(number, get_context("spawn"), _leave_with_the_parent)
    try:
        _start_deaf(executor, number)
        yield executor
        executor.shutdown()
    except BaseException:  # also while it waits for what is still at work
        executor.shutdown(wait=False, cancel_futures=True)
        for process in active_children():
            process.terminate()
        raise


def _start_deaf(executor: Executor, number: int) -> None:
    """Start the processes now and so that an interrupt at the keyboard, which everybody hears,
    is left to us; they take over what we do not listen to."""
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        for _ in range(number):
            executor.submit(os.getpid)
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _leave_with_the_parent() -> None:
    Thread(target=_wait_for_the_parent, daemon=True).start()


def _wait_for_the_parent() -> None:
    parent = parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)
