"""Endgame tables for tests: those of the package, and small files built on the spot."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from solver.games.checkers.endgame.build import solve_pair
from solver.games.checkers.endgame.file import SHIPPED, Archive, packed
from solver.games.checkers.endgame.slices import Slice, Values, all_pairs, slice_named


@cache
def shipped() -> Values:
    return Values(Archive(SHIPPED))


@cache
def built(pieces: int) -> Values:
    """Tables worked out from nothing."""
    values = Values()
    for here, there in all_pairs(pieces):
        solve_pair(here, there, values, lambda: None)
    return values


def content(pieces: int, values: Values | None = None) -> bytes:
    """A whole file as bytes."""
    return packed(pieces, values or built(pieces), lambda positions: None)


def write_tables(path: Path, pieces: int, values: Values | None = None) -> str:
    path.write_bytes(content(pieces, values))
    return str(path)


def with_byte(values: Values, pieces: int, name: str, index: int, byte: int) -> Values:
    """The same values except for one position."""
    changed = Values()
    for pair in all_pairs(pieces):
        for here in pair:
            content = bytearray(values.all_of(here))
            if here.name() == name:
                content[index] = byte
            changed.add(here, bytes(content))
    return changed


def named(name: str) -> Slice:
    found = slice_named(name)
    assert found is not None
    return found
