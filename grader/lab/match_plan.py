"""What is to be played: by whom, from where, and all that the games depend on."""

from __future__ import annotations

import random
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from pathlib import Path
from typing import Any

import solver
from grader.grading.records import digest, sha256
from grader.lab.engines import Engine
from grader.lab.match_games import Contestant
from grader.lab.sprt import Sprt
from solver import __version__

SOURCES = ("solver", "grader/match", "grader/variants")  # all that moves depend on


@dataclass(frozen=True)
class MatchPlan:
    """Every pairing plays the same openings, in an order that the seed alone decides; so one
    can go on with more pairs, or with a test, without playing anything again."""

    game: str
    contestants: tuple[Contestant, ...]
    openings: tuple[str, ...]  # all there are, in the order of the file
    pairs: int  # of games, for every pairing
    seed: int
    adjudicated: bool
    sprt: Sprt | None = None
    gauntlet: bool = False  # the first one against each of the others, and nobody else

    @property
    def pairings(self) -> list[tuple[Contestant, Contestant]]:
        """Those of the first one come first."""
        pairings = list(combinations(self.contestants, 2))
        return pairings[: len(self.contestants) - 1] if self.gauntlet else pairings

    @cached_property
    def order(self) -> list[str]:
        """The openings in the order in which they are played."""
        order = list(self.openings)
        random.Random(self.seed).shuffle(order)
        return order

    @property
    def conditions(self) -> str:
        """The limits on a move that there are."""
        return " or ".join(dict.fromkeys(each.limit for each in self.contestants))

    @property
    def repeatable(self) -> bool:
        """Whether the same games would be played again: a clock and an engine may differ."""
        return not any(
            isinstance(each, Engine) or each.variant.seconds is not None
            for each in self.contestants
        )

    def header(self) -> dict[str, Any]:
        """All that a game depends on.  What an own heuristic imports is not seen."""
        return {
            "match": __version__,
            "game": self.game,
            "contestants": [each.plain() for each in self.contestants],
            "openings": digest(self.openings),
            "seed": self.seed,
            "adjudicated": self.adjudicated,
            "source": _source_hash(),
        }

    @property
    def key(self) -> str:
        return digest(self.header())[:8]


def _source_hash() -> str:
    """The version stays while somebody works on a heuristic; the games do not."""
    root = Path(solver.__file__).parent.parent
    files = sorted(file for folder in SOURCES for file in (root / folder).rglob("*.py"))
    return digest([(str(file.relative_to(root)), sha256(file.read_bytes())) for file in files])
