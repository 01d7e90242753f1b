"""Where runs take place: in threads of this process, or on the workers of a cluster.

Both are a `concurrent.futures.Executor`; whoever submits runs cannot tell them apart.
"""

from __future__ import annotations

import ipaddress
import socket
from collections.abc import Iterator
from concurrent.futures import Executor, ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from importlib import import_module
from typing import Any
from urllib.parse import urlsplit

from grader.runner import stop
from solver.errors import UserError

DEFAULT_PORT = 8786  # of a dask scheduler
RETRIES = 2  # of a run whose worker has died


@dataclass(frozen=True)
class Workers:
    executor: Executor
    number: int


@contextmanager
def local(number: int) -> Iterator[Workers]:
    """Threads are enough: the work is done in child processes."""
    executor = ThreadPoolExecutor(number, thread_name_prefix="worker")
    try:
        yield Workers(executor, number)
    except BaseException:
        executor.shutdown(wait=False, cancel_futures=True)
        stop()
        raise
    finally:
        executor.shutdown()


@contextmanager
def cluster(address: str) -> Iterator[Workers]:
    """The workers of a dask scheduler.  It has no authentication, and whoever reaches it can
    run anything, so it must be on this machine or speak TLS."""
    check_address(address)
    try:
        distributed: Any = import_module("distributed")
    except ImportError:
        raise UserError("--scheduler needs the extra: pip install 'checkmark[cluster]'") from None
    try:
        _reach(address)  # dask itself would knock for ten seconds
        client = distributed.Client(address, timeout=10, set_as_default=False)
    except (OSError, ValueError) as error:
        raise UserError(f"{address}: the scheduler does not answer: {error}") from None
    with client:
        number = sum(client.nthreads().values())
        if not number:
            raise UserError(f"{address}: the scheduler has no workers yet. Start some: dask worker")
        executor = client.get_executor(pure=False, retries=RETRIES)
        try:
            yield Workers(executor, number)
        finally:
            executor.shutdown(wait=False)


def _reach(address: str) -> None:
    parts = urlsplit(address)
    assert parts.hostname is not None
    socket.create_connection((parts.hostname, parts.port or DEFAULT_PORT), timeout=10).close()


def check_address(address: str) -> None:
    parts = urlsplit(address)
    if parts.scheme not in ("tcp", "tls") or not parts.hostname or "/" in parts.path:
        raise UserError(f"--scheduler {address}: an address is tcp://HOST:PORT or tls://HOST:PORT")
    if parts.scheme == "tcp" and not _is_loopback(parts.hostname):
        raise UserError(
            f"--scheduler {address}: beyond this machine only with TLS, because a scheduler asks"
            " nobody for a password. Use tls://HOST:PORT."
        )


def _is_loopback(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"
