"""A variant: one way to search, by its name on the command line (`centre-report+depth=4`)."""

from __future__ import annotations

import argparse
import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from solver.cli.options import amount, number, one_of
from solver.cli.own import OwnFunction
from solver.errors import FileError, UserError, did_you_mean
from solver.games import GAMES, Game, game_named
from solver.play.game import GameInProgress
from solver.search.alphabeta import Search, ignore
from solver.search.heuristic import NOTHING, is_own
from solver.search.limits import Limits
from solver.search.position import Position
from solver.search.result import SearchResult
from solver.search.score import MAX_DEPTH
from solver.search.techniques import PLAYING, TECHNIQUES, Techniques, plain

DEFAULT = "default"
USUAL = Techniques()


@dataclass(frozen=True)
class Variant:
    """A limit that is None is left to the command line."""

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
        return {**about, **self.techniques.values, **limits}

    def limited(
        self, depth: int | None = None, nodes: int | None = None, seconds: float | None = None
    ) -> Variant:
        """With these limits, if it has none of its own."""
        if (self.depth, self.nodes, self.seconds) != (None, None, None):
            return self
        return replace(self, depth=depth, nodes=nodes, seconds=seconds)

    @property
    def limit(self) -> str:
        """`1000 nodes`."""
        found = {"depth {}": self.depth, "{} nodes": self.nodes, "{:g} s": self.seconds}
        words = [form.format(value) for form, value in found.items() if value is not None]
        return ", ".join(words) or "unlimited"

    @property
    def settings(self) -> str:
        """The heuristic, the limit, and everything that is not the default."""
        heuristic = self.heuristic or "default heuristic"
        return ", ".join([heuristic, *self.techniques.difference, self.limit])

    def heuristic_for(self, game: Game) -> str:
        return self.heuristic or game.DEFAULT_HEURISTIC

    def plays(self, game_name: str) -> bool:
        """Whether it has a heuristic for the game; one from a file may have it for every game."""
        game = game_named(game_name)
        name = self.heuristic_for(game)
        return is_own(name) or name in game.heuristics()


# The five seeds that the heuristics come from, as their reports describe them: heuristic, ordering,
# cache and value of a win, with everything that is unsound, and nothing that is not mentioned.
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

# The options of a variant are those of the solver, without their dashes.
OPTIONS: dict[str, Callable[[Variant, str], Variant]] = {
    "heuristic": lambda variant, name: replace(variant, heuristic=name),
    "depth": lambda variant, word: replace(variant, depth=number(1, MAX_DEPTH)(word)),
    "nodes": lambda variant, word: replace(variant, nodes=number(1)(word)),
    "time": lambda variant, word: replace(variant, seconds=amount("seconds")(word)),
    **{
        name: lambda variant, word, name=name: variant.changed(  # type: ignore[misc]
            **{name: one_of(*TECHNIQUES[name].choices)(word)}
        )
        for name, technique in TECHNIQUES.items()
        if technique.choices
    },
    "with": lambda variant, names: variant.changed(with_=names),
    "without": lambda variant, names: variant.changed(without=names),
}


def make_names_unique(variants: Sequence[Variant]) -> list[Variant]:
    """The same variants; one with the name of an earlier one gets a number."""
    found: dict[str, Variant] = {}
    for variant in variants:
        name, count = variant.name, 1
        while name in found:
            count += 1
            name = f"{variant.name}#{count}"
        found[name] = replace(variant, name=name)
    return list(found.values())


def variant_named(name: str, usual: Techniques = USUAL) -> Variant:
    """`usual` are the techniques of all but the presets."""
    if not name.strip():
        raise UserError(f"The name of a variant is empty. Try '{DEFAULT}'.")
    # A `+` in the path of a heuristic is part of the path.
    path, colon, rest = name.partition(".py:")
    base, *words = rest.split("+") if colon else name.split("+")
    variant = _find_base(path + colon + base if colon else base, usual)
    try:
        for word in words:
            key, equals, value = word.partition("=")
            if key in OPTIONS and not equals:
                raise UserError(f"{key}: a value is missing, as in {key}=...")
            variant = _change(variant, key, value)
        if variant.heuristic:
            _check_heuristic(variant.heuristic)
    except UserError as error:
        raise UserError(f"{name}: {error}") from None
    return replace(variant, name=name)


def _change(variant: Variant, key: str, value: str) -> Variant:
    """The variant with one more option."""
    if key not in OPTIONS:
        hint = did_you_mean(key, list(OPTIONS))
        raise UserError(f"a variant has no option {key!r}.{hint} Known: {', '.join(OPTIONS)}")
    try:
        return OPTIONS[key](variant, value)
    except (argparse.ArgumentTypeError, UserError) as error:
        raise UserError(f"{key}: {error}") from None


def _find_base(name: str, usual: Techniques) -> Variant:
    if name == DEFAULT:
        return Variant(name, techniques=usual)
    if name in PRESETS:
        return PRESETS[name]
    _check_heuristic(name)
    return Variant(name, name, usual)


def _check_heuristic(name: str) -> None:
    if is_own(name):
        path = name.rpartition(":")[0]
        if not os.path.isfile(path):
            raise FileError(f"{path}: there is no such file")
        return
    heuristics = [each for game in GAMES for each in game_named(game).heuristics()]
    if name not in heuristics:
        known = [DEFAULT, *heuristics, *PRESETS]
        raise UserError(
            f"There is no variant {name!r}.{did_you_mean(name, known)}"
            f" Known: {', '.join(known)}, or FILE.py:FUNCTION."
        )


class Player:
    """A variant that searches positions of one game.  The same position always gets the same
    answer: no proof comes first, and nothing is remembered from one position to the next, except
    by `playing` in a match."""

    def __init__(self, variant: Variant, game: Game) -> None:
        self.variant = variant
        self.game = game
        self._exact = game.tables() if variant.techniques.has("tables") else NOTHING
        self._own = OwnFunction(variant.heuristic) if is_own(variant.heuristic) else None
        self._kept: Search | None = None

    def follow(self, game: GameInProgress) -> None:
        """The game goes on from here."""
        if self.variant.techniques.has(PLAYING):
            self._kept = self._kept or self._make_search(game.position)
            self._kept.past = game.repeatable

    def search(
        self,
        position: Position,
        leave_out: frozenset[int] = frozenset(),
        listener: Callable[[SearchResult], None] = ignore,
    ) -> SearchResult:
        """The position must have a legal move besides those to be left out."""
        variant = self.variant
        limits = Limits(variant.depth, variant.nodes, variant.seconds)
        search = self._kept or self._make_search(position)
        return search.run(position, limits, listener, leave_out)

    def _make_search(self, position: Position) -> Search:
        name = self.variant.heuristic_for(self.game)
        evaluate = self._own or self.game.evaluator(name, position)
        return Search(evaluate, self.variant.techniques, self._exact)
