"""The progress bar.  Only a terminal shows it, and elsewhere its library is not even loaded: that
would be a fifth of the time that a command takes to start."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Protocol


class Bar(Protocol):
    def update(self) -> object: ...
    def set_postfix_str(self, s: str = "", refresh: bool = True) -> None: ...


class NoBar:
    """For who is not at a terminal."""

    def update(self) -> None: ...

    def set_postfix_str(self, s: str = "", refresh: bool = True) -> None: ...


@contextmanager
def progress(total: int, unit: str, done: int = 0) -> Iterator[Bar]:
    if sys.stderr is None or not sys.stderr.isatty():
        yield NoBar()
        return
    from tqdm import tqdm

    with tqdm(total=total, initial=done, unit=unit) as bar:
        yield bar
