"""Proofs of what a side can force within n plies: yes/no questions that need no heuristic.  What
cannot be forced in 9 plies cannot be forced in 7, so the table keeps the largest n with a proven
*no*, the smallest with a proven *yes*, and for a defender the child that held last."""

from __future__ import annotations

from solver.errors import contradiction
from solver.search.cache import MEGABYTES, GenerationTable, entries_in
from solver.search.heuristic import NOTHING, Exact
from solver.search.limits import Budget, Limits, Stop
from solver.search.position import LOST
from solver.search.result import Counters, SearchResult
from solver.search.score import UNKNOWN, distance, is_decisive, loss_in, win_in

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Final, TypeVar

    from mypy_extensions import i64

    from solver.search.heuristic import Evaluate
    from solver.search.position import Position

    F = TypeVar("F", bound="Forcing")

# An entry packs the child that held (from bit 16), the smallest yes and the largest no.
NOTHING_KNOWN: Final = 0xFF00
LONGEST: Final = 0xFE  # the largest n that an entry can hold
GENERATIONS: Final = 4  # in two tables

# Shares of a budget.  Wins are tried first, draws only after a table hit: without tables no draw
# can be proven.
WIN_SHARE: Final = 0.5
DRAW_SHARE: Final = 0.1
# If the whole budget is for proofs: near wins, then draws, then wins with the rest.
NEAR_SHARE: Final = 0.25
DRAW_TURN: Final = 0.25


class Forcing:
    """One proof attempt; a subclass defines the aim, the tables serve all questions."""

    def __init__(self, limits: Limits, exact: Exact = NOTHING, megabytes: i64 = MEGABYTES) -> None:
        self.longest: i64 = min(limits.depth or LONGEST, LONGEST)
        self.budget = Budget(limits)
        self.check_at: i64 = 0
        self.counters = Counters()
        self.exact: Final = exact
        self.has_tables: Final = exact.has_scores()
        self.asked: i64 = 0  # plies answered about the root
        generation = max(1, entries_in(megabytes) // GENERATIONS)
        self.forced = GenerationTable(generation)
        self.yielded = GenerationTable(generation)

    def forget(self) -> None:
        self.forced = GenerationTable(self.forced.generation)
        self.yielded = GenerationTable(self.yielded.generation)

    def allow(self, limits: Limits) -> None:
        """Continue with other limits; nodes are counted from the beginning."""
        self.budget = Budget(limits)
        self.check_at = 0

    def cost(self) -> i64:
        """The time for a node, in nodes of an ordinary search."""
        return 1

    def is_reached(self, score: i64, plies: i64) -> bool:
        """Whether a known score, for the side that aims, meets the aim within the plies."""
        raise NotImplementedError

    def is_reached_at_once(self, child: Position) -> bool:
        """Whether the move to this child, with one ply left, meets the aim."""
        return child.status() == LOST

    def forces(self, position: Position, plies: i64) -> bool:
        """Whether the mover can force its aim within the plies."""
        self._visit()
        if self.has_tables:
            known = self.exact.score(position)
            if known != UNKNOWN:
                self.counters.known += 1
                return self.is_reached(known, plies)
        self.counters.probes += 1
        key: object = position.key()
        entry = self.forced.get(key)
        if entry < 0:
            entry = NOTHING_KNOWN
        if plies >= entry >> 8 or plies <= entry & 0xFF:
            self.counters.hits += 1
            return plies >= entry >> 8
        for child in self._children(position):
            if self.is_reached_at_once(child) if plies == 1 else self.yields(child, plies - 1):
                self.forced.put(key, plies << 8 | entry & 0xFF)
                return True
        self.forced.put(key, entry & 0xFF00 | plies)
        return False

    def yields(self, position: Position, plies: i64) -> bool:
        """Whether the other side reaches its aim within the plies against every defence."""
        self._visit()
        if self.has_tables:
            known = self.exact.score(position)
            if known != UNKNOWN:
                self.counters.known += 1
                return self.is_reached(-known, plies)
        self.counters.probes += 1
        key: object = position.key()
        entry = self.yielded.get(key)
        if entry < 0:
            entry = NOTHING_KNOWN
        if plies >= entry >> 8 & 0xFF or plies <= entry & 0xFF:
            self.counters.hits += 1
            return plies >= entry >> 8 & 0xFF
        children = self._children(position)
        held: i64 = entry >> 16
        if children and not self.forces(children[held], plies - 1):
            self.yielded.put(key, entry & ~0xFF | plies)
            return False
        index: i64 = 0
        for child in children:
            if index != held and not self.forces(child, plies - 1):
                self.yielded.put(key, index << 16 | entry & 0xFF00 | plies)
                return False
            index += 1
        self.yielded.put(key, entry & ~0xFF00 | plies << 8)
        return True

    def _visit(self) -> None:
        counters = self.counters
        counters.visited += 1
        if counters.visited >= self.check_at:
            self.check_at = self.budget.check(counters.visited)

    def _children(self, position: Position) -> list[Position]:
        children = position.children()
        counters = self.counters
        counters.expanded += 1
        counters.stores += 1
        counters.generated += len(children)
        return children


class WinProof(Forcing):
    """The aim is a win within n plies, for n = 1, 2, ..."""

    def is_reached(self, score: i64, plies: i64) -> bool:
        return score >= win_in(plies)

    def run(self, root: Position) -> SearchResult | None:
        """The fastest win of the root's mover, or the longest defence of a lost root.  The root
        must have a legal move.  None if neither is proven within the limits; `asked` is then the
        last answered n.  Of equally fast wins the first in the order of the rules is taken."""
        known = self.exact.score(root)
        if known != UNKNOWN:
            self.counters.known += 1
            if known == 0:
                self.asked = self.longest
                return None
            self.asked = distance(known)
            return self._result(root, self.asked)
        try:
            while self.asked < self.longest:
                plies = self.asked + 1
                proven = self.forces(root, plies) if plies & 1 else self.yields(root, plies)
                self.asked = plies
                if proven:
                    return self._result(root, plies)
        except Stop:
            pass
        return None

    def best_children(self, root: Position, plies: i64) -> list[Position]:
        """All children that win, or lose, in the plies that `run` has proven."""
        self.allow(Limits())
        return self.ending_in(root, plies)

    def ending_in(self, root: Position, plies: i64) -> list[Position]:
        """The same within the limits."""
        children = root.children()
        if plies & 1:
            return [child for child in children if self._is_lost_in(child, plies - 1)]
        if plies == 2:
            return children
        return [child for child in children if not self.forces(child, plies - 3)]

    def _is_lost_in(self, position: Position, plies: i64) -> bool:
        return position.status() == LOST or (plies > 0 and self.yields(position, plies))

    def _result(self, root: Position, plies: i64) -> SearchResult:
        """The score and the whole line; nearly all of it is in the tables."""
        score = win_in(plies) if plies & 1 else loss_in(plies)
        counters = self.counters.copy()
        self.allow(Limits())  # the line must be complete
        line: list[Position] = []
        position = root
        for left in range(plies, 0, -1):
            if left & 1:
                position = self._winning_child(position, left)
            else:
                position = self._holding_child(position, left)
            line.append(position)
        return SearchResult(plies, score, line, counters)

    def _winning_child(self, position: Position, plies: i64) -> Position:
        for child in position.children():
            if self._is_lost_in(child, plies - 1):
                return child
        raise contradiction()

    def _holding_child(self, position: Position, plies: i64) -> Position:
        """The child that loses last: the one that held when two plies fewer were asked."""
        children = position.children()
        if plies == 2:
            return children[0]
        if self.exact.score(position) == UNKNOWN:
            self.yields(position, plies - 2)
            return children[self.yielded.get(position.key()) >> 16]
        for child in children:
            if not self.forces(child, plies - 3):
                return child
        raise contradiction()


class DrawProof(Forcing):
    """The aim is at least a draw by the tables.  A game is drawn if both sides can force that."""

    def is_reached(self, score: i64, plies: i64) -> bool:
        return score >= 0

    def is_reached_at_once(self, child: Position) -> bool:
        known = self.exact.score(child)
        return child.status() == LOST if known == UNKNOWN else known <= 0

    def run(self, root: Position, evaluate: Evaluate) -> SearchResult | None:
        """A draw that both sides can force, with the best such move by the heuristic, or None."""
        known = self.exact.score(root)
        if known != UNKNOWN:
            return self._result(root, 1, evaluate) if known == 0 else None
        held = yielded = False
        try:
            while self.asked < self.longest:
                plies = self.asked + 1
                held = held or self.forces(root, plies)
                yielded = yielded or self.yields(root, plies)
                self.asked = plies
                if held and yielded:
                    return self._result(root, plies, evaluate)
        except Stop:
            pass
        return None

    def keeping(self, root: Position, plies: i64) -> list[Position]:
        """The children that keep the draw within the plies; possibly not all of them."""
        self.allow(Limits())
        if plies == 1:
            return [child for child in root.children() if self.is_reached_at_once(child)]
        return [child for child in root.children() if self.yields(child, plies - 1)]

    def _result(self, root: Position, plies: i64, evaluate: Evaluate) -> SearchResult:
        counters = self.counters.copy()
        keeping = self.keeping(root, plies)
        if not keeping:
            raise contradiction()
        best = min(keeping, key=evaluate)
        return SearchResult(plies, 0, [best], counters, certain=True)


class Proof:
    """A proven result or None, its cost, and the share of the limits that was used.  `asked` is the
    number of plies within which neither side wins, if nothing was proven."""

    def __init__(
        self, result: SearchResult | None, counters: Counters, asked: int, share: float
    ) -> None:
        self.result = result
        self.counters = counters
        self.asked = asked
        self.share = share


def equal(position: Position) -> int:
    """The heuristic of callers that need any drawing move."""
    return 0


class Prover:
    """Proofs about one tree with one budget; `megabytes` are for each of the two aims."""

    def __init__(
        self,
        limits: Limits,
        exact: Exact = NOTHING,
        evaluate: Evaluate = equal,
        megabytes: i64 = MEGABYTES,
    ) -> None:
        self.limits = limits
        self.exact = exact
        self.evaluate = evaluate
        self.wins = win_proof(limits, exact, megabytes)
        self.draws = DrawProof(limits, exact, megabytes)

    @property
    def visited(self) -> int:
        return self.wins.counters.visited + self.draws.counters.visited

    @property
    def counters(self) -> Counters:
        return self.wins.counters.plus(self.draws.counters)

    def prove(self, root: Position) -> Proof:
        """A win, loss or draw, with shares of the limits."""
        wins, draws = self.wins, self.draws
        known = self.exact.solution(root)
        if known is not None:
            return Proof(known, known.counters, 0, WIN_SHARE)
        limits = self.limits.part(WIN_SHARE)
        if limits.nodes is not None:
            limits.nodes = max(1, limits.nodes // wins.cost())
        wins.allow(limits)
        result = wins.run(root)
        if result is not None or not wins.counters.known:
            return Proof(result, wins.counters, wins.asked, WIN_SHARE)
        wins.forget()
        draws.allow(self.limits.part(DRAW_SHARE))
        result = draws.run(root, self.evaluate)
        return Proof(result, self.counters, wins.asked, WIN_SHARE + DRAW_SHARE)

    def go_on(self, root: Position, nodes: int, left: Callable[[], Limits]) -> SearchResult | None:
        """Continue the last attempt, with this many nodes since the beginning, within `left`."""
        known = self.exact.solution(root)
        if known is not None:
            return known
        wins, draws = self.wins, self.draws
        wins.allow(_up_to(nodes // wins.cost(), left(), wins))
        result = wins.run(root)
        if result is None and wins.counters.known:
            share = int(nodes * DRAW_SHARE / WIN_SHARE)
            draws.allow(_up_to(share, left(), draws))
            result = draws.run(root, self.evaluate)
        return result

    def take_turns(
        self, ask_wins: Callable[[WinProof], None], ask_draws: Callable[[DrawProof], None]
    ) -> None:
        """Let a caller ask both kinds of questions until the nodes are used up."""
        nodes = self.limits.nodes or 0
        self._turn(self.wins, ask_wins, int(nodes * NEAR_SHARE) // self.wins.cost())
        if self.wins.counters.known:
            self._turn(self.draws, ask_draws, int(nodes * DRAW_TURN))
        left = nodes - self.draws.counters.visited
        self._turn(self.wins, ask_wins, left // self.wins.cost())

    def _turn(self, proof: F, ask: Callable[[F], None], nodes: i64) -> None:
        proof.allow(Limits(nodes=nodes))
        try:
            ask(proof)
        except Stop:
            return

    def best_moves(self, position: Position, wanted: i64) -> list[Position]:
        """The best children, if the position is proven to be worth exactly `wanted`; else none."""
        try:
            if not is_decisive(wanted):
                return self._drawing(position)
            if wanted > 0:
                return self._winning(position, distance(wanted))
            return self._losing(position, distance(wanted))
        except Stop:
            return []

    def _winning(self, position: Position, plies: i64) -> list[Position]:
        """The moves that win in that many plies, if no move wins faster."""
        wins = self.wins
        # Cheap check first: many positions are won faster.
        soon = plies // 2 | 1
        if soon < plies and wins.forces(position, soon):
            return []
        if not wins.forces(position, plies) or (plies > 1 and wins.forces(position, plies - 2)):
            return []
        return wins.ending_in(position, plies)

    def _losing(self, position: Position, plies: i64) -> list[Position]:
        """The moves that lose in that many plies, if all lose and none lasts longer."""
        wins = self.wins
        if not wins.yields(position, plies) or (plies > 2 and wins.yields(position, plies - 2)):
            return []
        return wins.ending_in(position, plies)

    def _drawing(self, position: Position) -> list[Position]:
        """The moves that draw, if no move wins and all others lose.  Without tables for the
        position, n grows until every move is proven to hold or to lose."""
        known = self.exact.score(position)
        unknown = position.children()
        if known != UNKNOWN:
            return [] if known else [child for child in unknown if self.exact.score(child) == 0]
        wins, draws = self.wins, self.draws
        kept: list[Position] = []
        held = False
        for plies in range(1, wins.longest):
            if plies & 1 and wins.forces(position, plies):
                return []
            held = held or draws.yields(position, plies)
            undecided: list[Position] = []
            for child in unknown:
                if draws.yields(child, plies):
                    kept.append(child)
                elif not (plies & 1 and wins.forces(child, plies)):
                    undecided.append(child)
            unknown = undecided
            if not unknown and (held or not kept):
                return kept
        return []


def win_proof(limits: Limits, exact: Exact, megabytes: i64 = MEGABYTES) -> WinProof:
    """The kind of proof that suits the game."""
    if not exact.game_ends():
        return WinProof(limits, exact, megabytes)
    from solver.proof.value import ValueProof

    return ValueProof(limits, exact, megabytes)


def _up_to(nodes: i64, left: Limits, proof: Forcing) -> Limits:
    """Limits that allow this many nodes in all, and not more than are left."""
    if left.nodes is not None:
        nodes = min(nodes, proof.counters.visited + left.nodes)
    return Limits(None, nodes, left.seconds, left.poll)
