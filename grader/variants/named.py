"""Variants by their names on the command line, or from a file.

    centre                          a heuristic, with everything else as usual
    six-regions+ordering=static     and something else
    my.py:evaluate+without=tables   a heuristic of one's own
    centre-report+depth=4           a preset
    default+nodes=5000              the game's usual heuristic

A file holds one table for each:

    [quick]
    base = "centre-report"          # any name as above
    depth = 4
    ordering = "static"
    without = ["tables", "pvs"]
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from grader.puzzles.settings import read_toml
from grader.variants.options import KNOWN, NAMES, change, change_by_words, unknown
from grader.variants.presets import PRESETS
from grader.variants.variant import Variant
from solver.errors import FileError, UserError, did_you_mean
from solver.games import GAMES, game_named
from solver.search.heuristic import is_own

DEFAULT = "default"


def variants_named(names: Sequence[str], file: Path | None = None) -> list[Variant]:
    """In the order of the names; without names, all of the file."""
    known = read_variants(file) if file is not None else {}
    return [variant_named(name, known) for name in names or known]


def variant_named(name: str, known: Mapping[str, Variant] | None = None) -> Variant:
    known = known or {}
    if name in known:
        return known[name]
    base, words = _parts(name)
    found = _base(base, known)
    try:
        return _named(change_by_words(found, words), name)
    except UserError as error:
        raise UserError(f"{name}: {error}") from None


def read_variants(path: Path) -> dict[str, Variant]:
    variants: dict[str, Variant] = {}
    for name, table in read_toml(path).items():
        try:
            if not isinstance(table, dict):
                raise UserError(f"a variant is a table, as in [{name}]")
            if not name.strip():
                raise UserError("a variant has a name, as in [mine]")
            variants[name] = _from_table(name, table, path.parent)
        except UserError as error:
            kind = FileError if isinstance(error, FileError) else UserError
            raise kind(f"{path}: {name}: {error}") from None
    if not variants:
        raise UserError(f"{path}: there is no variant in it. A table such as [mine] is one.")
    return variants


def _from_table(name: str, table: dict[str, Any], folder: Path) -> Variant:
    table = dict(table)
    base = table.pop("base", DEFAULT)
    if not isinstance(base, str):
        raise UserError(f"base: {base!r} is not a name")
    variant = variant_named(_beside(folder, base))
    for key, value in table.items():
        if key not in KNOWN:
            raise unknown(key, ("base", *KNOWN))
        if key in NAMES and isinstance(value, list):
            value = ",".join(map(str, value))
        text = _beside(folder, str(value)) if key == "heuristic" else str(value)
        variant = change(variant, key, text)
    return _named(variant, name)


def _beside(folder: Path, name: str) -> str:
    """An own heuristic is looked for where the file of variants lies."""
    return os.path.join(folder, name) if is_own(name) else name


def _named(variant: Variant, name: str) -> Variant:
    if variant.heuristic:
        _check_heuristic(variant.heuristic)
    return replace(variant, name=name)


def _parts(name: str) -> tuple[str, list[str]]:
    """The base and the options; a `+` in the path of an own heuristic is part of the path."""
    path, colon, rest = name.partition(".py:")
    if not colon:
        path, rest = "", name
    base, *words = rest.split("+")
    return path + colon + base, words


def _base(name: str, known: Mapping[str, Variant]) -> Variant:
    if name in known:
        return known[name]
    if name in PRESETS:
        return PRESETS[name]
    if name == DEFAULT:
        return Variant(name)
    _check_heuristic(name, known)
    return Variant(name, name)


def _check_heuristic(name: str, also: Mapping[str, Variant] | None = None) -> None:
    if is_own(name):
        path = name.rpartition(":")[0]
        if not os.path.isfile(path):
            raise FileError(f"{path}: there is no such file")
        return
    heuristics = [each for game in GAMES for each in game_named(game).heuristics()]
    if name not in heuristics:
        known = [DEFAULT, *heuristics, *PRESETS, *(also or {})]
        raise UserError(
            f"There is no variant {name!r}.{did_you_mean(name, known)}"
            f" Known: {', '.join(known)}, or FILE.py:FUNCTION."
        )
