"""Fail-soft alpha-beta with iterative deepening, for any game.  Every combination of sound
techniques gives the value of plain minimax, only faster."""

from __future__ import annotations

from solver.search.cache import NO_HINT, Cache, StaticValues
from solver.search.compiled import mypyc_attr
from solver.search.heuristic import NOTHING, Exact, Heuristic, heuristic_of, known_line
from solver.search.limits import Budget, Limits, Stop
from solver.search.ordering import Ordering
from solver.search.position import FORCED, LOST
from solver.search.result import Counters, SearchResult
from solver.search.score import (
    DECISIVE,
    INFINITY,
    MAX_DEPTH,
    MAX_PLY,
    UNKNOWN,
    Window,
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

    from solver.search.heuristic import Evaluate
    from solver.search.position import Position

NEVER_FUTILE: Final = 5  # depth
FUTILE: Final = 60  # points above beta, and for each ply of depth
FUTILE_PLY: Final = 40
WORTH_PROBING: Final = 4  # depth from which all children are looked up in the cache first


@mypyc_attr(acyclic=True)
class Link:
    """A line of positions: the first one and the rest."""

    __slots__ = ("position", "rest")

    def __init__(self, position: Position, rest: Link | None) -> None:
        self.position = position
        self.rest = rest


def ignore(result: SearchResult) -> None:
    """The listener of callers that only need the last result."""


def depths(
    techniques: Techniques, limits: Limits, step: int = 1, known: SearchResult | None = None
) -> range:
    """The depths to search, starting after a known result."""
    last = min(limits.depth or MAX_DEPTH, MAX_DEPTH)
    first = 1 if techniques.has("deepening") else last
    if known is not None:
        first = last + 1 if known.proven else known.depth + 1
    return range(first + (last - first) % step, last + 1, step)


class Search:
    """A search with its cache and move statistics; a second run starts warm.  It never prints, and
    never plays from an unfinished depth."""

    def __init__(self, evaluate: Evaluate, techniques: Techniques, exact: Exact = NOTHING) -> None:
        heuristic = heuristic_of(evaluate)
        self.static_values: StaticValues | None = techniques.make_static_values(heuristic)
        self.heuristic: Heuristic = self.static_values or heuristic
        self.techniques = techniques
        self.exact: Exact = exact if techniques.has("tables") else NOTHING
        self.has_tables: bool = self.exact.has_scores()
        self.alpha_beta: bool = techniques.has("alpha-beta")
        self.pvs: bool = self.alpha_beta and techniques.has("pvs")
        self.aspiration: bool = self.alpha_beta and techniques.has("aspiration")
        in_band = techniques.terminal == "distance"
        self.mate_distance: bool = in_band and techniques.has("mate-distance")
        self.captures: bool = techniques.has("captures")
        self.caching: bool = techniques.caches_searches
        probing = self.caching and self.alpha_beta and techniques.has("etc")
        self.probe_from: i64 = WORTH_PROBING if probing else MAX_DEPTH + 1
        self.ordering: Ordering = techniques.make_ordering(self.heuristic)
        self.sorting: bool = techniques.has("ordering")
        self.cache: Cache = techniques.make_cache()
        self.wins: list[int] = techniques.wins
        self.lines: list[Link | None] = [None] * (MAX_PLY + 1)
        self.playing: bool = techniques.has("playing")
        self.past: set[int] = set()  # keys of the game, for draws by repetition
        self.path: list[int] = [0] * (MAX_PLY + 1)  # keys from the root to the current position
        self.forced: list[bool] = [False] * (MAX_PLY + 1)  # whether those must capture
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
        """Search deeper and deeper, report each finished depth to the listener, return the last.

        The root must have a legal move.  `leave_out` are indexes of root children to ignore;
        `known` is an earlier result to continue from.  If the limits do not allow a single depth,
        the heuristic alone chooses.  With a depth limit only and no listener, depth grows by two
        plies: the same side then moves last each time, so one depth predicts the next better.
        """
        self.counters = Counters()
        if self.static_values is not None:
            self.static_values.counters = self.counters
        self.budget = Budget(limits)
        self.check_at = 0
        self.path[0] = root.key()
        self.forced[0] = root.status() == FORCED
        step = 2 if limits.only_depth and listener is ignore else 1
        sound = self.techniques.remembers_soundly
        result = known
        best: i64 = NO_HINT if known is None else root.children().index(known.best)
        try:
            for depth in depths(self.techniques, limits, step, known):
                opinions = self._opinions()
                window = Window(UNKNOWN if result is None or not self.aspiration else result.score)
                hint = best
                score, best = self._search_root(root, depth, window, hint, leave_out)
                while not window.holds(score):
                    score, best = self._search_root(root, depth, window, hint, leave_out)
                certain = self._opinions() == opinions
                line = self._variation(depth)
                result = SearchResult(depth, score, line, self.counters.copy(), certain, sound)
                listener(result)
                if result.settled:
                    break
        except Stop:
            pass
        return self._static_choice(root, leave_out) if result is None else result

    def _opinions(self) -> int:
        """How often the heuristic was used, or may have been for cached values; if this does not
        change during a search, every leaf was exact."""
        return self.counters.evaluated + (self.counters.hits if self.caching else 0)

    def _static_choice(self, root: Position, leave_out: frozenset[int]) -> SearchResult:
        """The best child by heuristic value, without any search."""
        best = -INFINITY
        line: list[Position] = []
        for index, child in enumerate(root.children()):
            if index in leave_out:
                continue
            certain = self.exact.score(child)
            if certain != UNKNOWN:
                value = -worth(certain, 1, self.wins)
            else:
                value = self.wins[1] if child.status() == LOST else -self.heuristic.value(child)
            if value > best:
                best = value
                line = [child]
        return SearchResult(0, best, line, self.counters.copy())

    def _variation(self, depth: int) -> list[Position]:
        """The principal variation, extended from the cache and the endgame tables."""
        line: list[Position] = []
        link = self.lines[0]
        while link is not None:
            line.append(link.position)
            link = link.rest
        cache = self.cache
        while line and len(line) < depth:
            position = line[-1]
            ply = len(line)
            if cache.probe(position, depth - ply, -INFINITY, INFINITY, ply) == UNKNOWN:
                break
            if cache.hint == NO_HINT:
                break
            line.append(position.children()[cache.hint])
        return line + known_line(self.exact, line[-1]) if line else line

    def _search_root(
        self, root: Position, depth: i64, window: Window, hint: i64, leave_out: frozenset[int]
    ) -> tuple[int, int]:
        """The value (see `_value`) and the index of the best child.  Of equal children the first
        one searched is best."""
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
                    self._later_value(child, depth - 1, floor, beta, 1)
                    if self.pvs and best > -INFINITY
                    else -self._value(child, depth - 1, -beta, -floor, 1)
                )
                if value > best:
                    best = value
                    best_index = choices.index
                    self.lines[0] = Link(child, self.lines[1])
                    floor = max(floor, best) if self.alpha_beta else floor
            child = choices.next()
        return best, best_index

    def _later_value(self, child: Position, depth: i64, alpha: i64, beta: i64, ply: i64) -> i64:
        """PVS: a one-point window asks whether a later child is better; usually it is not."""
        ceiling = alpha + 1 if depth > 0 else beta
        value = -self._value(child, depth, -ceiling, -alpha, ply)
        if ceiling <= value < beta:
            value = -self._value(child, depth, -beta, -alpha, ply)
        return value

    def _value(self, position: Position, depth: i64, alpha: i64, beta: i64, ply: i64) -> i64:
        """The value of the position for its mover, searched `depth` plies deep.  Exact between
        alpha and beta; an upper bound at or below alpha, a lower bound at or above beta.
        `self.lines[ply]` is then the line of an exact result."""
        counters = self.counters
        counters.visited += 1
        if counters.visited >= self.check_at:
            self.check_at = self.budget.check(counters.visited)
        self.lines[ply] = None

        # 1. Endgame tables: exact, nothing to search.
        certain = self.exact.score(position) if self.has_tables else UNKNOWN
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
        depth += self._extension(position, ply) if self.playing and depth else 0

        # 3. Mate distance or the cache may answer; the cache may name the best child.
        known = self._known(position, depth, alpha, beta, ply)
        if known != UNKNOWN:
            return known
        key = self.cache.key
        hint = self.cache.hint

        # 4. Children; a cached one may be good enough for a cutoff.
        choices = position.choices()
        counters.expanded += 1
        counters.generated += choices.count
        probing = depth >= self.probe_from
        known = self._known_by_child(position, depth, beta, ply) if probing else UNKNOWN
        if known != UNKNOWN:
            return known
        choices = self.ordering.order(choices, hint, depth, ply) if self.sorting else choices
        child = choices.next()
        if child is None:
            return self._value_at_end(position, ply)

        # 5. Search the children, the most promising first.
        best: i64 = -INFINITY
        best_index: i64 = 0
        floor = alpha
        first = True
        while child is not None:
            value = (
                self._later_value(child, depth - 1, floor, beta, ply + 1)
                if self.pvs and not first
                else -self._value(child, depth - 1, -beta, -floor, ply + 1)
            )
            first = False
            if value > best:
                best = value
                best_index = choices.index
                # 6. Cutoff: the opponent has a better choice elsewhere.
                if value >= beta:
                    counters.count_cut(ply)
                    self.ordering.cut(position, child, depth, ply)
                    break
                if value > floor:
                    self.lines[ply] = Link(child, self.lines[ply + 1])
                    floor = value if self.alpha_beta else floor
            child = choices.next()

        # 7. Store.
        if self.caching and depth:
            counters.stores += 1
            self.cache.store(key, depth, alpha, beta, ply, best, best_index)
        return best

    def _value_at_end(self, position: Position, ply: i64) -> i64:
        """Of a position without children: lost, unless it is a leaf of a tree."""
        if position.status() == LOST:
            return -self.wins[ply]
        self.counters.evaluated += 1
        return self.heuristic.value(position)

    def _known(self, position: Position, depth: i64, alpha: i64, beta: i64, ply: i64) -> i64:
        """The value without a search, or `UNKNOWN`."""
        cache = self.cache
        cache.hint = NO_HINT
        if self.mate_distance and (alpha >= DECISIVE or beta <= -DECISIVE):
            # No game is won before the next move, nor lost before the one after it.
            if win_in(ply + 1) <= alpha:
                return win_in(ply + 1)
            if loss_in(ply + 2) >= beta and position.status() != LOST:
                return loss_in(ply + 2)
        if depth == 0:
            return UNKNOWN
        if self.playing and self._repeats(position.key(), ply):
            self.counters.evaluated += 1  # nobody is forced to repeat: no proof
            return 0
        if self.caching:
            self.counters.probes += 1
            known = cache.probe(position, depth, alpha, beta, ply)
            if known != UNKNOWN:
                self.counters.hits += 1
                return known
        return self._futile(position, depth, alpha, beta, ply) if self.playing else UNKNOWN

    # The technique `playing`.

    def _extension(self, position: Position, ply: i64) -> i64:
        """An exchange, a capture that answers a capture, counts as one ply."""
        forced = position.status() == FORCED
        self.forced[ply] = forced
        return 1 if forced and self.forced[ply - 1] else 0

    def _repeats(self, key: i64, ply: i64) -> bool:
        """Whether the position has occurred before, in the game or on the way from the root."""
        self.path[ply] = key
        earlier = ply - 4
        while earlier >= 0:
            if self.path[earlier] == key:
                return True
            earlier -= 2
        return len(self.past) > 0 and key in self.past

    def _futile(self, position: Position, depth: i64, alpha: i64, beta: i64, ply: i64) -> i64:
        """The heuristic value if it is so far above the window that the few plies left will hardly
        change that, or `UNKNOWN`."""
        if depth >= NEVER_FUTILE or beta - alpha > 1 or self.forced[ply] or beta >= DECISIVE:
            return UNKNOWN
        value = self.heuristic.value(position)
        if value < beta + FUTILE + FUTILE_PLY * depth:
            return UNKNOWN
        self.counters.evaluated += 1
        return value

    def _known_by_child(self, position: Position, depth: i64, beta: i64, ply: i64) -> i64:
        """Enhanced transposition cutoff: the value if a cached child allows one, or `UNKNOWN`."""
        for child in position.children():
            value = self.cache.probe(child, depth - 1, -beta, INFINITY, ply + 1)
            if value <= -beta:
                self.counters.hits += 1
                return -value
        return UNKNOWN
