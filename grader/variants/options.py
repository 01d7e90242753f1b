"""What can be said about a variant: the options of the solver, without their dashes."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from grader.variants.variant import Variant
from solver.cli.options import amount, number, one_of
from solver.errors import UserError, did_you_mean
from solver.search.score import MAX_DEPTH
from solver.search.techniques import TECHNIQUES

FIELDS: dict[str, tuple[str, Callable[[str], object]]] = {
    "heuristic": ("heuristic", str),
    "depth": ("depth", number(1, MAX_DEPTH)),
    "nodes": ("nodes", number(1)),
    "time": ("seconds", amount("seconds")),
}
CHOICES = {
    name: one_of(*technique.choices) for name, technique in TECHNIQUES.items() if technique.choices
}
NAMES = {"with": "with_", "without": "without"}  # lists of techniques
KNOWN = (*FIELDS, *CHOICES, *NAMES)


def change(variant: Variant, key: str, value: str) -> Variant:
    """The variant with one option more."""
    try:
        if key in FIELDS:
            field, check = FIELDS[key]
            changes: dict[str, Any] = {field: check(value)}
            return replace(variant, **changes)
        if key in CHOICES:
            return variant.changed(**{key: CHOICES[key](value)})
        if key in NAMES:
            return variant.changed(**{NAMES[key]: value})
    except (argparse.ArgumentTypeError, UserError) as error:
        raise UserError(f"{key}: {error}") from None
    raise unknown(key)


def change_by_words(variant: Variant, words: list[str]) -> Variant:
    """The variant with options such as `ordering=static` and `without=tables,pvs`."""
    for word in words:
        key, equals, value = word.partition("=")
        if not equals and key in KNOWN:
            raise UserError(f"{word}: a value is missing, as in {word}=...")
        variant = change(variant, key, value)
    return variant


def unknown(key: str, known: tuple[str, ...] = KNOWN) -> UserError:
    hint = did_you_mean(key, list(known))
    return UserError(f"a variant has no {key!r}.{hint} Known: {', '.join(known)}")
