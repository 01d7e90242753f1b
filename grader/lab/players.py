"""Variants as players of games."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from grader.grading.records import sha256
from grader.lab.variants import Player, Variant
from solver.errors import FileError, UserError, counted
from solver.play.game import GameInProgress, choose_move
from solver.search.heuristic import is_own
from solver.search.position import Position
from solver.search.result import SearchResult

if TYPE_CHECKING:
    from solver.games import Game


# What a player says to a position: a move, or that it has none.


@dataclass(frozen=True)
class Choice:
    """The position after the move, and how it was found as far as that is known."""

    child: Any
    depth: int | None = None
    score: int | None = None
    nodes: int | None = None


class Forfeit(Exception):
    """A player that has crashed or made no legal move; the words say how."""


@dataclass(frozen=True)
class Searcher:
    """A variant; `sha256` is that of the file of an own heuristic, as it was at the beginning."""

    variant: Variant
    sha256: str = ""

    @property
    def name(self) -> str:
        return self.variant.name

    @property
    def about(self) -> str:
        """The heuristic, and whatever is not as usual."""
        heuristic = self.variant.heuristic or "the usual heuristic"
        return ", ".join([heuristic, *self.variant.techniques.difference, self.limit])

    @property
    def limit(self) -> str:
        return in_words(self.variant)

    def plain(self) -> dict[str, Any]:
        """All that its moves depend on."""
        return {**self.variant.as_dict(), "sha256": self.sha256}


def searcher(variant: Variant) -> Searcher:
    return Searcher(variant, _hash_of(variant))


def in_words(variant: Variant) -> str:
    """`1000 nodes a move`."""
    depth, nodes, seconds = variant.depth, variant.nodes, variant.seconds
    said = [
        f"depth {depth}" if depth is not None else "",
        counted(nodes, "node") if nodes is not None else "",
        f"{seconds:g} s" if seconds is not None else "",
    ]
    return f"{', '.join(filter(None, said)) or 'unlimited'} a move"


def _hash_of(variant: Variant) -> str:
    if not is_own(variant.heuristic):
        return ""
    path = variant.heuristic.rpartition(":")[0]
    try:
        return sha256(Path(path).read_bytes())
    except OSError as error:
        raise FileError(f"{path}: {error.strerror}") from None


class SearcherAtWork(Player):
    """A variant at one game.  An own heuristic is loaded anew for every game, so that none
    depends on another.

    The side that is ahead avoids repetition, as always when the solver plays: a search does not
    know the past, and would draw many games that it wins.
    """

    def __init__(self, searcher: Searcher, game: Game) -> None:
        if _hash_of(searcher.variant) != searcher.sha256:
            raise UserError(f"{searcher.name} has changed since the match began. Begin it anew.")
        super().__init__(searcher.variant, game)

    def choose(self, game: GameInProgress) -> Choice:
        found: list[SearchResult] = []

        def look(position: Position, leave_out: frozenset[int]) -> SearchResult:
            found.append(self.look(position, leave_out))
            return found[-1]

        try:
            child = choose_move(game, look(game.position, frozenset()), look)
        except UserError as error:
            raise Forfeit(str(error)) from None
        chosen = next(each for each in found if each.best == child)
        nodes = sum(each.counters.visited for each in found)
        return Choice(child, chosen.depth, chosen.score, nodes)
