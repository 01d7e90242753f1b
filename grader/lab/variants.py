"""A variant: one way to search, and its name."""

from __future__ import annotations

import argparse
import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from grader.puzzles.settings import read_toml
from solver.cli.console import own_heuristic
from solver.cli.options import amount, number, one_of
from solver.errors import FileError, UserError, did_you_mean
from solver.games import GAMES, game_named
from solver.search.alphabeta import Search
from solver.search.heuristic import NOTHING, is_own
from solver.search.limits import Limits
from solver.search.score import MAX_DEPTH
from solver.search.techniques import TECHNIQUES, Techniques, plain

if TYPE_CHECKING:
    from solver.games import Game
    from solver.search.heuristic import Evaluate
    from solver.search.result import SearchResult


USUAL = Techniques()


@dataclass(frozen=True)
class Variant:
    """A limit that is None is left to others."""

    name: str
    heuristic: str = ""  # the default of the game
    techniques: Techniques = USUAL
    depth: int | None = None
    nodes: int | None = None
    seconds: float | None = None

    def changed(self, *, with_: str = "", without: str = "", **choices: str) -> Variant:
        """With other techniques."""
        techniques = self.techniques.changed(with_=with_, without=without, megabytes=0, **choices)
        return replace(self, techniques=techniques)

    def as_dict(self) -> dict[str, Any]:
        """As in JSON records."""
        limits = {"depth": self.depth, "nodes": self.nodes, "seconds": self.seconds}
        about = {"name": self.name, "heuristic": self.heuristic}
        return {**about, **self.techniques.as_dict(), **limits}

    def limits(self) -> Limits:
        return Limits(self.depth, self.nodes, self.seconds)

    @property
    def is_limited(self) -> bool:
        return (self.depth, self.nodes, self.seconds) != (None, None, None)

    def limited(
        self, depth: int | None = None, nodes: int | None = None, seconds: float | None = None
    ) -> Variant:
        """With these limits, if it has none of its own."""
        if self.is_limited:
            return self
        return replace(self, depth=depth, nodes=nodes, seconds=seconds)

    def heuristic_for(self, game: Game) -> str:
        return self.heuristic or game.DEFAULT_HEURISTIC

    def plays(self, game_name: str) -> bool:
        """Whether it has a heuristic for the game; a user's own may have one for every game."""
        game = game_named(game_name)
        name = self.heuristic_for(game)
        return ":" in name or name in game.heuristics()


def told_apart(variants: Sequence[Variant]) -> list[Variant]:
    """The same variants; whoever has the name of an earlier one gets a number."""
    apart: dict[str, Variant] = {}
    for variant in variants:
        name, count = variant.name, 1
        while name in apart:
            count += 1
            name = f"{variant.name}#{count}"
        apart[name] = replace(variant, name=name)
    return list(apart.values())


# What can be said about a variant: the options of the solver, without their dashes.


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


# The programs that the heuristics come from, as their reports describe them.
#
# Each has its own heuristic, ordering, cache and value of a win, with whatever is unsound about
# them, and nothing that the report does not mention.


PRESETS = {
    f"{heuristic}-report": Variant("", heuristic, techniques)
    for heuristic, techniques in {
        "safe-mobile": plain(ordering="static", cache="unsound-board-depth"),
        "advance-shield": plain(ordering="static", cache="unsound-board"),
        "centre": plain(cache="static-values", terminal="depth-ratio"),
        "six-regions": plain(cache="unsound-window"),
        "two-flags": plain("deepening", cache="unsound-deeper"),
    }.items()
}


# Variants by their names on the command line, or from a file.
#
# centre                          a heuristic, with everything else as usual
# six-regions+ordering=static     and something else
# my.py:evaluate+without=tables   a heuristic of one's own
# centre-report+depth=4           a preset
# default+nodes=5000              the game's usual heuristic
#
# A file holds one table for each:
#
# [quick]
# base = "centre-report"          # any name as above
# depth = 4
# ordering = "static"
# without = ["tables", "pvs"]


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


# A variant at work on one game: the same position always gets the same answer.
#
# It searches and does nothing else: no proof comes first, and nothing is remembered from one
# position to the next, so that what is measured is the variant.


class Player:
    def __init__(self, variant: Variant, game: Game) -> None:
        self.variant = variant
        self.game = game
        self._exact = game.tables() if variant.techniques.has("tables") else NOTHING
        self._own = own_heuristic(variant.heuristic) if is_own(variant.heuristic) else None

    def look(self, position: Any, leave_out: frozenset[int] = frozenset()) -> SearchResult:
        """What it makes of a position that has a legal move besides those to be left out."""
        search = Search(self._evaluate(position), self.variant.techniques, self._exact)
        return search.run(position, self.variant.limits(), leave_out=leave_out)

    def _evaluate(self, position: Any) -> Evaluate:
        if self._own is not None:
            return self._own
        return self.game.evaluator(self.variant.heuristic_for(self.game), position)
