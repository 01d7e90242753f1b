"""The search: fail-soft alpha-beta with iterative deepening, for any game.

The value of a position and a depth depends on nothing else: every combination of sound
techniques gives the value that plain minimax gives (`solver.search.minimax`), only sooner.
"""

from __future__ import annotations

from solver.search.cache import NO_HINT, Cache, StaticValues
from solver.search.compiled import mypyc_attr
from solver.search.heuristic import NOTHING, Exact, Heuristic, heuristic_of, known_line
from solver.search.limits import Budget, Limits, Stop
from solver.search.ordering import Ordering
from solver.search.position import FORCED, LOST
from solver.search.result import Counters, SearchResult
from solver.search.score import (
    INFINITY,
    MAX_DEPTH,
    MAX_PLY,
    UNKNOWN,
    Window,
    distance,
    loss_in,
    win_in,
    worth,
)
from solver.search.techniques import Techniques

TYPE_CHECKING = False

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Final

    from mypy_extensions import i64

    from solver.search.heuristic import Evaluate, Exact
    from solver.search.limits import Limits
    from solver.search.position import Position
    from solver.search.result import SearchResult
    from solver.search.techniques import Techniques


# The principal variation: the line that both sides are expected to play.


@mypyc_attr(acyclic=True)
class Link:
    """A line of positions: the first one and the rest."""

    __slots__ = ("position", "rest")

    def __init__(self, position: Position, rest: Link | None) -> None:
        self.position = position
        self.rest = rest


def variation(link: Link | None, depth: int, cache: Cache, exact: Exact) -> list[Position]:
    """The line behind the value that a search of this depth has found at the root.

    Where it ended because the cache knew the rest, the cache is asked to go on; where the
    tables did, and somebody wins, they tell the rest.
    """
    line: list[Position] = []
    while link is not None:
        line.append(link.position)
        link = link.rest
    while line and len(line) < depth:
        position = line[-1]
        ply = len(line)
        if cache.exact(cache.name(position), depth - ply, ply) == UNKNOWN:
            break
        if cache.hint == NO_HINT:
            break
        line.append(position.children()[cache.hint])
    return line + known_line(exact, line[-1]) if line else line


# The choice without any search: what the heuristic makes of the children.


def static_choice(
    root: Position, evaluate: Evaluate, exact: Exact, wins: list[int], leave_out: frozenset[int]
) -> tuple[int, list[Position]]:
    """The value for the mover, and the best child as a line, but for those left out."""
    best = -INFINITY
    line: list[Position] = []
    for index, child in enumerate(root.children()):
        if index in leave_out:
            continue
        value = -_value(child, evaluate, exact, wins)
        if value > best:
            best = value
            line = [child]
    return best, line


def _value(child: Position, evaluate: Evaluate, exact: Exact, wins: list[int]) -> int:
    certain = exact.score(child)
    if certain != UNKNOWN:
        return worth(certain, 1, wins)
    return -wins[1] if child.status() == LOST else evaluate(child)


# Which depths a search goes through, one after the other.


def ignore(result: SearchResult) -> None:
    """The listener of those who only want the last finding."""


def depths(
    techniques: Techniques,
    limits: Limits,
    listener: Callable[[SearchResult], None] = ignore,
    known: SearchResult | None = None,
) -> range:
    """The depths to search, after what is known already.

    Where nobody listens and nothing but the depth ends the search, it deepens by two plies:
    the same side has the last move each time, so that one depth says more about the next.
    """
    last = min(limits.depth or MAX_DEPTH, MAX_DEPTH)
    step = 2 if limits.only_depth and listener is ignore else 1
    first = 1 if techniques.has("deepening") else last
    if known is not None:
        first = last + 1 if known.proven else known.depth + 1
    return range(first + (last - first) % step, last + 1, step)


WORTH_PROBING: Final = 4  # depth from which the cache is asked about all children beforehand


class Search:
    """A search and what it has learned: run it again and the cache is warm."""

    def __init__(self, evaluate: Evaluate, techniques: Techniques, exact: Exact = NOTHING) -> None:
        heuristic = heuristic_of(evaluate)
        self.static_values: StaticValues | None = techniques.make_static_values(heuristic)
        self.heuristic: Heuristic = self.static_values or heuristic
        self.techniques = techniques
        self.exact: Exact = exact if techniques.has("tables") else NOTHING
        self.knowing: bool = self.exact is not NOTHING
        self.alpha_beta: bool = techniques.has("alpha-beta")
        self.scouting: bool = self.alpha_beta and techniques.has("pvs")
        self.aspiring: bool = self.alpha_beta and techniques.has("aspiration")
        in_band = techniques.terminal == "distance"
        self.mate_distance: bool = in_band and techniques.has("mate-distance")
        self.captures: bool = techniques.has("captures")
        self.caching: bool = techniques.caches_searches
        self.remembers_soundly: bool = techniques.remembers_soundly
        probing = self.caching and self.alpha_beta and techniques.has("etc")
        self.probe_from: i64 = WORTH_PROBING if probing else MAX_DEPTH + 1
        self.ordering: Ordering = techniques.make_ordering(self.heuristic)
        self.sorting: bool = techniques.has("ordering")
        self.cache: Cache = techniques.make_cache()
        self.wins: list[int] = techniques.wins
        self.lines: list[Link | None] = [None] * (MAX_PLY + 1)
        self.counters = Counters()
        self.budget = Budget(Limits())
        self.check_at: i64 = 0

    def run(
        self,
        root: Position,
        limits: Limits,
        listener: Callable[[SearchResult], None] = ignore,
        leave_out: frozenset[int] = frozenset(),
        known: SearchResult | None = None,
    ) -> SearchResult:
        """Search ever deeper, tell the listener about every finished depth, return the last.

        The root must have a legal move.  `leave_out` are indexes of root children to ignore.
        `known` is what was found about this root before: the search goes on from there.
        If the limits do not suffice for a single depth, the heuristic alone chooses.
        """
        self.counters = Counters()
        if self.static_values is not None:
            self.static_values.counters = self.counters
        self.budget = Budget(limits)
        self.check_at = 0
        result = known
        best: i64 = NO_HINT if known is None else root.children().index(known.best)
        try:
            for depth in depths(self.techniques, limits, listener, known):
                opinions = self._opinions()
                guess = UNKNOWN if result is None or not self.aspiring else result.score
                score, best = self._search_in(Window(guess), root, depth, best, leave_out)
                certain = self._opinions() == opinions
                line = variation(self.lines[0], depth, self.cache, self.exact)
                counters = self.counters.so_far()
                result = SearchResult(depth, score, line, counters, certain, self.remembers_soundly)
                listener(result)
                if result.proven or (result.decided and distance(score) <= depth):
                    break
        except Stop:
            pass
        if result is not None:
            return result
        score, line = static_choice(root, self.heuristic, self.exact, self.wins, leave_out)
        return SearchResult(0, score, line, self.counters.so_far())

    def _opinions(self) -> int:
        """How often the heuristic has had a say, or may have had one in what the cache knew;
        where it had none, every leaf was a fact."""
        return self.counters.evaluated + (self.counters.hits if self.caching else 0)

    def _search_in(
        self, window: Window, root: Position, depth: i64, hint: i64, leave_out: frozenset[int]
    ) -> tuple[int, int]:
        """The value at this depth and the index of the best child, the window being widened
        until the value is in there."""
        while True:
            value, best = self._search_root(root, depth, window, hint, leave_out)
            if window.holds(value):
                return value, best

    def _search_root(
        self, root: Position, depth: i64, window: Window, hint: i64, leave_out: frozenset[int]
    ) -> tuple[int, int]:
        """The value at this depth, as `_value` means it, and the index of the best child.

        Of equal children the first one searched is best: the best of the depth before, then
        by the order of the rules, or else by heuristic value.
        """
        counters = self.counters
        counters.visited += 1
        counters.expanded += 1
        choices = root.choices()
        counters.generated += choices.count
        choices = self.ordering.order(choices, hint, depth, 0)
        floor: i64 = window.alpha
        beta: i64 = window.beta
        best: i64 = -INFINITY
        best_index: i64 = NO_HINT
        child = choices.next()
        while child is not None and best < beta:
            if choices.index not in leave_out:
                value = (
                    self._scouted(child, depth - 1, floor, beta, 1)
                    if self.scouting and best > -INFINITY
                    else -self._value(child, depth - 1, -beta, -floor, 1)
                )
                if value > best:
                    best = value
                    best_index = choices.index
                    self.lines[0] = Link(child, self.lines[1])
                    floor = max(floor, best) if self.alpha_beta else floor
            child = choices.next()
        return best, best_index

    def _scouted(self, child: Position, depth: i64, alpha: i64, beta: i64, ply: i64) -> i64:
        """The value for its parent's mover of a child that is not the first.

        A scout with a window of one point asks whether this one is better at all; mostly it is
        not, and then that was cheap.
        """
        ceiling = alpha + 1 if depth > 0 else beta
        value = -self._value(child, depth, -ceiling, -alpha, ply)
        if ceiling <= value < beta:
            value = -self._value(child, depth, -beta, -alpha, ply)
        return value

    def _value(self, position: Position, depth: i64, alpha: i64, beta: i64, ply: i64) -> i64:
        """The value of the position for its mover, searched `depth` plies deep.

        Between alpha and beta the result is the exact minimax value.  A result at or below
        alpha is an upper bound of it, a result at or above beta a lower bound.
        `self.lines[ply]` is then the line behind an exact result.
        """
        counters = self.counters
        counters.visited += 1
        if counters.visited >= self.check_at:
            self.check_at = self.budget.check(counters.visited)
        self.lines[ply] = None

        # 1. The tables: no search can tell more.
        certain = self.exact.score(position) if self.knowing else UNKNOWN
        if certain != UNKNOWN:
            counters.known += 1
            return worth(certain, ply, self.wins)

        # 2. Leaves: the game is over, or the depth is used up and the position is quiet.
        if depth <= 0:
            status = position.status()
            if status == LOST:
                return -self.wins[ply]
            if status != FORCED or not self.captures:
                counters.evaluated += 1
                return self.heuristic.value(position)
            depth = 0

        # 3. Bounds and the cache may know the answer, the cache at least which child was best.
        name = self.cache.name(position) if self.caching and depth else None
        known = self._known(position, name, depth, alpha, beta, ply)
        if known != UNKNOWN:
            return known
        hint = self.cache.hint

        # 4. The children, the most promising first.
        choices = position.choices()
        counters.expanded += 1
        counters.generated += choices.count
        probing = depth >= self.probe_from
        known = self._without_search(position, depth, beta, ply) if probing else UNKNOWN
        if known != UNKNOWN:
            return known
        choices = self.ordering.order(choices, hint, depth, ply) if self.sorting else choices
        child = choices.next()
        if child is None:
            return self._at_the_end(position, ply)
        best: i64 = -INFINITY
        best_index: i64 = 0
        floor = alpha
        first = True
        while child is not None:
            value = (
                self._scouted(child, depth - 1, floor, beta, ply + 1)
                if self.scouting and not first
                else -self._value(child, depth - 1, -beta, -floor, ply + 1)
            )
            first = False
            if value > best:
                best = value
                best_index = choices.index
                # 5. The opponent already has better elsewhere: the rest cannot matter.
                if value >= beta:
                    counters.count_cut(ply)
                    self.ordering.cut(position, child, depth, ply)
                    break
                if value > floor:
                    self.lines[ply] = Link(child, self.lines[ply + 1])
                    floor = value if self.alpha_beta else floor
            child = choices.next()

        # 6. Remember.
        if self.caching and depth:
            counters.stores += 1
            self.cache.store(name, depth, alpha, beta, ply, best, best_index)
        return best

    def _at_the_end(self, position: Position, ply: i64) -> i64:
        """The value of a position without children: lost, but in trees that have leaves."""
        if position.status() == LOST:
            return -self.wins[ply]
        self.counters.evaluated += 1
        return self.heuristic.value(position)

    def _known(
        self, position: Position, name: object, depth: i64, alpha: i64, beta: i64, ply: i64
    ) -> i64:
        """The value of a position that need not be looked into, or `UNKNOWN`."""
        self.cache.hint = NO_HINT
        if self.mate_distance:
            # No game is won before the next move, nor lost before the one after it.
            if win_in(ply + 1) <= alpha:
                return win_in(ply + 1)
            if loss_in(ply + 2) >= beta and position.status() != LOST:
                return loss_in(ply + 2)
        if name is None:
            return UNKNOWN
        self.counters.probes += 1
        known = self.cache.probe(name, depth, alpha, beta, ply)
        if known != UNKNOWN:
            self.counters.hits += 1
        return known

    def _without_search(self, position: Position, depth: i64, beta: i64, ply: i64) -> i64:
        """The value of a position if the cache knows that one of its children is too good for
        the opponent to let it be; else `UNKNOWN`."""
        for child in position.children():
            value = self.cache.probe(self.cache.name(child), depth - 1, -beta, INFINITY, ply + 1)
            if value <= -beta:
                self.counters.hits += 1
                return -value
        return UNKNOWN
