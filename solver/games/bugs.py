"""Rules with one bug, as programs of students have them.  `bugs.py` in a game's folder has `BUGS`,
whose words are in `bugs.toml`, and `rules(key)`, its `PlainRules` with that bug, or without any for
an empty key.  A position is a text: the 64 squares from the top left, and the line that `with_side`
writes below them.  Plain on purpose, and apart from the real rules."""

from __future__ import annotations

import tomllib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

# The group of boards on which right programs agree and programs with a bug do not.  They show bugs;
# they are not puzzles, and worth no points.
PROBE = "probe"


@dataclass(frozen=True)
class Bug:
    """One bug, in words that fit after `a program in which …`."""

    key: str
    name: str  # "kings never move backward"
    rule: str = ""  # what is right instead
    doubt: str = ""  # what else would make a program play like this
    twin: str = ""  # the key of a bug that many programs cannot be told from


def read_bugs(file: Path) -> tuple[Bug, ...]:
    """From TOML: a table for each bug, by its key."""
    tables = tomllib.loads(file.read_text("utf-8"))
    return tuple(Bug(key, **words) for key, words in tables.items())


class PlainRules:
    """Rules with at most one bug.  Values are for the side to move, one for each evaluation.
    `habits` are ways to choose between moves that are equally good by the last evaluation, or
    between all moves."""

    habits: tuple[str, ...] = ()

    def moves(self, position: str) -> Sequence[str]:
        """Different positions after one move."""
        raise NotImplementedError

    def is_lost(self, position: str) -> bool:
        """Whether the side to move has lost, whatever it could play."""
        raise NotImplementedError

    def evaluate(self, position: str) -> tuple[int, ...]:
        raise NotImplementedError

    def prefer(self, position: str, boards: frozenset[str], habit: str) -> frozenset[str]:
        """Those of the boards after a move that a program with this habit chooses."""
        raise NotImplementedError
