"""The search: fail-soft alpha-beta with iterative deepening, for any game.

The value of a position and a depth depends on nothing else: every combination of sound
switches gives the value that plain minimax gives (`solver.textbook`), only sooner.
"""

from __future__ import annotations

from solver.cache import NO_HINT, Cache, StaticValues
from solver.compiled import mypyc_attr
from solver.effort import Effort
from solver.exact import NOTHING, Exact, known_line
from solver.finding import Finding
from solver.heuristic import Heuristic, heuristic_of
from solver.limits import Budget, Limits, Stop
from solver.ordering import Ordering
from solver.score import INFINITY, MAX_DEPTH, MAX_PLY, UNKNOWN, worth
from solver.standing import FORCED, LOST
from solver.switches import Switches

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from mypy_extensions import i64

    from solver.evaluate import Evaluate
    from solver.position import Position


@mypyc_attr(acyclic=True)
class Link:
    """A line of positions: the first one and the rest."""

    __slots__ = ("position", "rest")

    def __init__(self, position: Position, rest: Link | None) -> None:
        self.position = position
        self.rest = rest


def _ignore(finding: Finding) -> None:
    """The listener of those who only want the last finding."""


class Search:
    """A search and what it has learned: run it again and the cache is warm."""

    def __init__(self, evaluate: Evaluate, switches: Switches, exact: Exact = NOTHING) -> None:
        heuristic = heuristic_of(evaluate)
        self.static_values: StaticValues | None = switches.make_static_values(heuristic)
        self.heuristic: Heuristic = self.static_values or heuristic
        self.switches = switches
        self.exact: Exact = exact if switches.tables else NOTHING
        self.knowing: bool = self.exact is not NOTHING
        self.alpha_beta: bool = switches.alpha_beta
        self.scouting: bool = switches.alpha_beta and switches.scouts
        self.extension: bool = switches.extension
        self.caching: bool = switches.caches_searches
        self.ordering: Ordering = switches.make_ordering(self.heuristic)
        self.sorting: bool = switches.ordering != "none"
        self.cache: Cache = switches.make_cache()
        self.wins: list[int] = switches.wins
        self.lines: list[Link | None] = [None] * (MAX_PLY + 1)
        self.effort = Effort()
        self.budget = Budget(Limits())
        self.check_at: i64 = 0

    def run(
        self,
        root: Position,
        limits: Limits,
        listener: Callable[[Finding], None] = _ignore,
        leave_out: frozenset[int] = frozenset(),
        known: Finding | None = None,
    ) -> Finding:
        """Search ever deeper, tell the listener about every finished depth, return the last.

        The root must have a legal move.  `leave_out` are indexes of root children to ignore.
        `known` is what was found about this root before: the search goes on from there.
        If the limits do not suffice for a single depth, the heuristic alone chooses.
        """
        self.effort = Effort()
        if self.static_values is not None:
            self.static_values.effort = self.effort
        self.budget = Budget(limits)
        self.check_at = 0
        last = min(limits.depth or MAX_DEPTH, MAX_DEPTH)
        depth = 1 if self.switches.deepening else last
        finding = known
        best: i64 = NO_HINT
        if known is not None:
            depth = last + 1 if known.proven else known.depth + 1
            best = root.children().index(known.best)
        try:
            while depth <= last:
                opinions = self._opinions()
                score, best = self._search_root(root, depth, best, leave_out)
                certain = self._opinions() == opinions
                line = self._line(depth)
                finding = Finding(depth, score, line, self.effort.so_far(), certain)
                listener(finding)
                if finding.proven:
                    break
                depth += 1
        except Stop:
            pass
        return self._first_sight(root, leave_out) if finding is None else finding

    def _opinions(self) -> int:
        """How often the heuristic has had a say, or may have had one in what the cache knew;
        where it had none, every leaf was a fact."""
        return self.effort.evaluated + (self.effort.hits if self.caching else 0)

    def _first_sight(self, root: Position, leave_out: frozenset[int]) -> Finding:
        """What the heuristic makes of the children, without any search: depth 0."""
        best: i64 = -INFINITY
        line: list[Position] = []
        for index, child in enumerate(root.children()):
            if index in leave_out:
                continue
            value: i64 = -self._at_first_sight(child)
            if value > best:
                best = value
                line = [child]
        return Finding(0, best, line, self.effort.so_far())

    def _at_first_sight(self, child: Position) -> i64:
        certain = self.exact.score(child)
        if certain != UNKNOWN:
            return worth(certain, 1, self.wins)
        return -self.wins[1] if child.standing() == LOST else self.heuristic.value(child)

    def _search_root(
        self, root: Position, depth: i64, hint: i64, leave_out: frozenset[int]
    ) -> tuple[int, int]:
        """The value at this depth and the index of the best child.

        Of equal children the first one searched is best: the best of the depth before, then
        by the ordering, then by the order of the rules.
        """
        effort = self.effort
        effort.visited += 1
        effort.expanded += 1
        choices = root.choices()
        effort.generated += choices.count
        choices = self.ordering.order(choices, hint, depth, 0)
        best: i64 = -INFINITY
        best_index: i64 = NO_HINT
        child = choices.next()
        while child is not None:
            if choices.index in leave_out:
                child = choices.next()
                continue
            alpha: i64 = best if self.alpha_beta else -INFINITY
            if self.scouting and best > -INFINITY:
                value = self._scouted(child, depth - 1, alpha, INFINITY, 1)
            else:
                value = -self._value(child, depth - 1, -INFINITY, -alpha, 1)
            if value > best:
                best = value
                best_index = choices.index
                self.lines[0] = Link(child, self.lines[1])
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
        effort = self.effort
        effort.visited += 1
        if effort.visited >= self.check_at:
            self.check_at = self.budget.check(effort.visited)
        self.lines[ply] = None

        # 1. The tables: no search can tell more.
        certain = self.exact.score(position) if self.knowing else UNKNOWN
        if certain != UNKNOWN:
            effort.known += 1
            return worth(certain, ply, self.wins)

        # 2. Leaves: the game is over, or the depth is used up and the position is quiet.
        if depth <= 0:
            standing = position.standing()
            if standing == LOST:
                return -self.wins[ply]
            if standing != FORCED or not self.extension:
                effort.evaluated += 1
                return self.heuristic.value(position)
            depth = 0

        # 3. The cache may know the answer, or at least which child was best.
        hint: i64 = NO_HINT
        name: object = None
        if self.caching and depth:
            effort.probes += 1
            name = self.cache.name(position)
            known = self.cache.probe(name, depth, alpha, beta, ply)
            if known != UNKNOWN:
                effort.hits += 1
                return known
            hint = self.cache.hint

        # 4. The children, the most promising first.
        choices = position.choices()
        effort.expanded += 1
        effort.generated += choices.count
        choices = self.ordering.order(choices, hint, depth, ply) if self.sorting else choices
        child = choices.next()
        if child is None:
            return -self.wins[ply]
        best: i64 = -INFINITY
        best_index: i64 = 0
        floor = alpha
        below = depth - 1
        while child is not None:
            value = (
                self._scouted(child, below, floor, beta, ply + 1)
                if self.scouting and best > -INFINITY
                else -self._value(child, below, -beta, -floor, ply + 1)
            )
            if value > best:
                best = value
                best_index = choices.index
                # 5. The opponent already has better elsewhere: the rest cannot matter.
                if value >= beta:
                    effort.count_cut(ply)
                    self.ordering.cut(position, child, depth, ply)
                    break
                if value > floor:
                    self.lines[ply] = Link(child, self.lines[ply + 1])
                    floor = value if self.alpha_beta else floor
            child = choices.next()

        # 6. Remember.
        if self.caching and depth:
            effort.stores += 1
            self.cache.store(name, depth, alpha, beta, ply, best, best_index)
        return best

    def _line(self, depth: int) -> list[Position]:
        """The principal variation of the search just finished.

        Where a line ended because the cache knew the rest, the cache is asked to go on; where
        the tables did, and somebody wins, they tell the rest.
        """
        line: list[Position] = []
        link = self.lines[0]
        while link is not None:
            line.append(link.position)
            link = link.rest
        while self.caching and line and len(line) < depth:
            position = line[-1]
            ply = len(line)
            if self.cache.exact(self.cache.name(position), depth - ply, ply) == UNKNOWN:
                break
            if self.cache.hint == NO_HINT:
                break
            line.append(position.children()[self.cache.hint])
        return line + known_line(self.exact, line[-1]) if line else line
