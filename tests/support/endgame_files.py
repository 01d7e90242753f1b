"""Endgame tables for tests: those of the package, and small files built on the spot."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from solver.games.checkers.endgame.build import solve_pair
from solver.games.checkers.endgame.file import SHIPPED, Archive, packed
from solver.games.checkers.endgame.slices import Slice, Values, all_pairs, all_slices


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


@cache
def named(name: str) -> Slice:
    return next(here for here in all_slices(len(name) - 1) if here.name() == name)


def pairs_below(name: str) -> list[tuple[Slice, Slice]]:
    """The pairs needed to solve a slice, in order; its own is the last."""
    here = named(name)

    def leads_to(other: Slice) -> bool:
        """By captures and crownings, with the same side to move."""
        return (
            other.own_men <= here.own_men
            and other.own_men + other.own_kings <= here.own_men + here.own_kings
            and other.enemy_men <= here.enemy_men
            and other.enemy_men + other.enemy_kings <= here.enemy_men + here.enemy_kings
        )

    return [pair for pair in all_pairs(here.pieces()) if any(map(leads_to, pair))]
