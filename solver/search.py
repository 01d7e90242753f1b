"""The search: fail-soft alpha-beta with iterative deepening, for any game.

The value of a position and a depth depends on nothing else: every combination of sound
switches gives the value that plain minimax gives (`solver.textbook`), only sooner.
"""

from __future__ import annotations

from solver.cache import NO_HINT, UNKNOWN, Cache
from solver.effort import Effort
from solver.limits import POLL_EVERY, UNLIMITED, Limits, Stop
from solver.ordering import Ordering
from solver.score import INFINITY, MAX_DEPTH, MAX_PLY, distance, is_decisive
from solver.standing import FORCED, LOST
from solver.switches import Switches

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from mypy_extensions import i64

    from solver.limits import Poll
    from solver.position import Evaluate, Position


class Link:
    """A line of positions: the first one and the rest."""

    __slots__ = ("position", "rest")

    def __init__(self, position: Position, rest: Link | None) -> None:
        self.position = position
        self.rest = rest


class Finding:
    """What one finished depth has found: the best child, its value and the line behind it."""

    def __init__(self, depth: int, score: int, line: list[Position], effort: Effort) -> None:
        self.depth = depth
        self.score = score
        self.line = line
        self.effort = effort

    @property
    def best(self) -> Position:
        return self.line[0]

    @property
    def proven(self) -> bool:
        """No deeper search can change the value: the win or loss is within the depth."""
        return is_decisive(self.score) and distance(self.score) <= self.depth


def _ignore(finding: Finding) -> None:
    """The listener of those who only want the last finding."""


class Search:
    """A search and what it has learned: run it again and the cache is warm."""

    def __init__(self, evaluate: Evaluate, switches: Switches) -> None:
        self.evaluate: Evaluate = switches.make_evaluate(evaluate)
        self.switches = switches
        self.alpha_beta: bool = switches.alpha_beta
        self.extension: bool = switches.extension
        self.caching: bool = switches.cache not in ("none", "static-values")
        self.ordering: Ordering = switches.make_ordering(self.evaluate)
        self.ordered: bool = switches.ordering != "none"
        self.cache: Cache = switches.make_cache()
        self.wins: list[int] = switches.wins
        self.lines: list[Link | None] = [None] * (MAX_PLY + 1)
        self.poll: Poll = Limits().clock()
        self._reset(UNLIMITED)

    def _reset(self, node_limit: i64) -> None:
        self.node_limit = node_limit
        self.check_at: i64 = 0
        self.visited: i64 = 0
        self.expanded: i64 = 0
        self.evaluated: i64 = 0
        self.generated: i64 = 0
        self.alpha_cuts: i64 = 0
        self.beta_cuts: i64 = 0
        self.probes: i64 = 0
        self.hits: i64 = 0
        self.stores: i64 = 0

    def run(
        self,
        root: Position,
        limits: Limits,
        listener: Callable[[Finding], None] = _ignore,
        leave_out: frozenset[int] = frozenset(),
    ) -> Finding:
        """Search ever deeper, tell the listener about every finished depth, return the last.

        The root must have a legal move.  `leave_out` are indexes of root children to ignore.
        If the limits do not suffice for a single depth, the heuristic alone chooses.
        """
        self._reset(limits.nodes or UNLIMITED)
        self.poll = limits.clock()
        last = min(limits.depth or MAX_DEPTH, MAX_DEPTH)
        depth = 1 if self.switches.deepening else last
        finding: Finding | None = None
        best: i64 = NO_HINT
        try:
            while depth <= last:
                score, best = self._search_root(root, depth, best, leave_out)
                finding = Finding(depth, score, self._line(depth), self._effort())
                listener(finding)
                if finding.proven:
                    break
                depth += 1
        except Stop:
            pass
        return self._first_sight(root, leave_out) if finding is None else finding

    def _first_sight(self, root: Position, leave_out: frozenset[int]) -> Finding:
        """What the heuristic makes of the children, without any search: depth 0."""
        best: i64 = -INFINITY
        line: list[Position] = []
        for index, child in enumerate(root.children()):
            if index in leave_out:
                continue
            lost = child.standing() == LOST
            value: i64 = self.wins[1] if lost else -self.evaluate(child)
            if value > best:
                best = value
                line = [child]
        return Finding(0, best, line, self._effort())

    def _search_root(
        self, root: Position, depth: i64, hint: i64, leave_out: frozenset[int]
    ) -> tuple[int, int]:
        """The value at this depth and the index of the best child.

        Of equal children the first one searched is best: the best of the depth before, then
        by the ordering, then by the order of the rules.
        """
        self.visited += 1
        self.expanded += 1
        children = root.children()
        self.generated += len(children)
        order = self.ordering.order(root, children, hint, 0)
        best: i64 = -INFINITY
        best_index: i64 = NO_HINT
        for index in order:
            if index in leave_out:
                continue
            child = children[index]
            alpha: i64 = best if self.alpha_beta else -INFINITY
            value = -self._value(child, depth - 1, -INFINITY, -alpha, 1)
            if value > best:
                best = value
                best_index = index
                self.lines[0] = Link(child, self.lines[1])
        return best, best_index

    def _value(self, position: Position, depth: i64, alpha: i64, beta: i64, ply: i64) -> i64:
        """The value of the position for its mover, searched `depth` plies deep.

        Between alpha and beta the result is the exact minimax value.  A result at or below
        alpha is an upper bound of it, a result at or above beta a lower bound.
        `self.lines[ply]` is then the line behind an exact result.
        """
        self.visited += 1
        if self.visited >= self.check_at:
            self._check()
        self.lines[ply] = None

        # 1. Leaves: the game is over, or the depth is used up and the position is quiet.
        if depth <= 0:
            standing = position.standing()
            if standing == LOST:
                return -self.wins[ply]
            if standing != FORCED or not self.extension:
                self.evaluated += 1
                return self.evaluate(position)
            depth = 0

        # 2. The cache may know the answer, or at least which child was best.
        hint: i64 = NO_HINT
        if self.caching and depth:
            self.probes += 1
            known = self.cache.probe(position, depth, alpha, beta, ply)
            if known != UNKNOWN:
                self.hits += 1
                return known
            hint = self.cache.hint

        # 3. The children, the most promising first.
        children = position.children()
        self.expanded += 1
        self.generated += len(children)
        if not children:
            return -self.wins[ply]
        best: i64 = -INFINITY
        best_index: i64 = 0
        floor = alpha
        below = depth - 1
        for index in self.ordering.order(position, children, hint, ply):
            child = children[index]
            value = -self._value(child, below, -beta, -floor, ply + 1)
            if value > best:
                best = value
                best_index = index
                self.lines[ply] = Link(child, self.lines[ply + 1])
                if self.alpha_beta and value > floor:
                    floor = value
                    # 4. The opponent already has better elsewhere: the rest cannot matter.
                    if value >= beta:
                        if ply & 1:
                            self.alpha_cuts += 1
                        else:
                            self.beta_cuts += 1
                        self.ordering.cut(position, child, depth, ply)
                        break

        # 5. Remember.
        if self.caching and depth:
            self.stores += 1
            self.cache.store(position, depth, alpha, beta, ply, best, best_index)
        return best

    def _check(self) -> None:
        """Called now and then: stops the search when a limit is reached."""
        if self.visited > self.node_limit:
            raise Stop
        self.poll()
        self.check_at = min(self.visited + POLL_EVERY, self.node_limit + 1)

    def _line(self, depth: int) -> list[Position]:
        """The principal variation of the search just finished.

        Where a line ended because the cache knew the rest, the cache is asked to go on.
        """
        line: list[Position] = []
        link = self.lines[0]
        while link is not None:
            line.append(link.position)
            link = link.rest
        while self.caching and line and len(line) < depth:
            position = line[-1]
            ply = len(line)
            if self.cache.exact(position, depth - ply, ply) == UNKNOWN:
                break
            if self.cache.hint == NO_HINT:
                break
            line.append(position.children()[self.cache.hint])
        return line

    def _effort(self) -> Effort:
        effort = Effort()
        effort.visited = self.visited
        effort.expanded = self.expanded
        effort.evaluated = self.evaluated
        effort.generated = self.generated
        effort.alpha_cuts = self.alpha_cuts
        effort.beta_cuts = self.beta_cuts
        effort.probes = self.probes
        effort.hits = self.hits
        effort.stores = self.stores
        return effort
