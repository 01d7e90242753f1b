"""What can be said about a variant: the options of the solver, without their dashes."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from typing import Any

from solver.cli.arguments import amount, number, one_of
from solver.errors import UserError, did_you_mean
from solver.score import MAX_DEPTH
from solver.techniques import CACHES, ORDERINGS, TERMINALS

VALUES: dict[str, tuple[str, Callable[[str], object]]] = {
    "heuristic": ("heuristic", str),
    "ordering": ("ordering", one_of(*ORDERINGS)),
    "cache": ("cache", one_of(*CACHES)),
    "terminal": ("terminal", one_of(*TERMINALS)),
    "depth": ("depth", number(1, MAX_DEPTH)),
    "nodes": ("nodes", number(1)),
    "time": ("seconds", amount("seconds")),
}
SWITCHES = (
    *("alpha-beta", "scouts", "aspiration", "win-bounds", "transposition-cuts", "deepening"),
    *("extension", "tables"),
)
KNOWN = (*VALUES, *(f"no-{name}" for name in SWITCHES))


def fields_of(words: list[str]) -> dict[str, Any]:
    """The fields of a variant that words such as `ordering=static` and `no-tables` set."""
    fields: dict[str, Any] = {}
    for word in words:
        key, equals, value = word.partition("=")
        if equals:
            fields |= field_of(key, value)
        elif word.removeprefix("no-") in SWITCHES:
            fields[word.removeprefix("no-").replace("-", "_")] = not word.startswith("no-")
        elif word in VALUES:
            raise UserError(f"{word}: a value is missing, as in {word}=...")
        else:
            raise unknown(word)
    return fields


def field_of(key: str, value: str) -> dict[str, Any]:
    if key not in VALUES:
        raise unknown(key)
    field, check = VALUES[key]
    try:
        return {field: check(value)}
    except argparse.ArgumentTypeError as error:
        raise UserError(f"{key}: {error}") from None


def unknown(key: str, known: tuple[str, ...] = KNOWN) -> UserError:
    hint = did_you_mean(key, list(known))
    return UserError(f"a variant has no {key!r}.{hint} Known: {', '.join(known)}")
