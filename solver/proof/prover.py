"""Three questions about a position, wins, losses and draws, that share out one budget."""

from __future__ import annotations

from solver.errors import contradiction
from solver.proof.wins import LONGEST, WinProof
from solver.search.cache import MEGABYTES
from solver.search.heuristic import NOTHING, Exact
from solver.search.limits import Limits, Stop
from solver.search.result import Counters, SearchResult
from solver.search.score import UNKNOWN, WIN, distance, is_decisive, loss_in, win_in

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Final, TypeVar

    from mypy_extensions import i64

    from solver.search.heuristic import Evaluate
    from solver.search.position import Position

    F = TypeVar("F", "WinProof", "DrawProof")

# Shares of a budget.  Draws are tried only after a table hit: without tables none can be proven.
WIN_SHARE: Final = 0.6
DRAW_SHARE: Final = 0.1
# If the whole budget is for proofs: near wins, then draws, then wins with the rest.
NEAR_SHARE: Final = 0.25
DRAW_TURN: Final = 0.25


class DrawCounts(Exact):
    """Endgame tables of a game in which a draw counts as a win for one side.  Who reaches a known
    draw, or a win, has won."""

    def __init__(self, exact: Exact, side: str) -> None:
        self.exact: Final = exact
        self.side: Final = side

    def has_scores(self) -> bool:
        return self.exact.has_scores()

    def score(self, position: Position) -> i64:
        known = self.exact.score(position)
        if known == UNKNOWN:
            return UNKNOWN
        if position.mover() == self.side:
            return win_in(1) if known >= 0 else loss_in(2)
        return -WIN if known <= 0 else win_in(1)

    def replies(self, position: Position) -> i64:
        return self.exact.replies(position)


class DrawProof:
    """The aim is at least a draw by the tables.  A game is drawn if both sides can force that."""

    def __init__(self, limits: Limits, exact: Exact = NOTHING, megabytes: i64 = MEGABYTES) -> None:
        self.longest: i64 = min(limits.depth or LONGEST, LONGEST)
        self.limits = limits
        self.exact: Final = exact
        self.megabytes: Final = megabytes
        self.counters = Counters()
        self.aims: dict[str, WinProof] = {}  # by side
        self.asked: i64 = 0

    def allow(self, limits: Limits) -> None:
        self.limits = limits
        for aim in self.aims.values():
            aim.allow(limits)

    def aim_of(self, side: str) -> WinProof:
        if side not in self.aims:
            counted = DrawCounts(self.exact, side)
            self.aims[side] = WinProof(self.limits, counted, self.megabytes // 2)
            self.aims[side].counters = self.counters
        return self.aims[side]

    def forces(self, position: Position, plies: i64) -> bool:
        """Whether the mover can force its aim within the plies, or one more."""
        return self.aim_of(position.mover()).forces(position, plies | 1)

    def yields(self, position: Position, plies: i64) -> bool:
        """Whether the other side reaches its aim within the plies, or one more."""
        child = position.choices().next()
        return child is None or self.aim_of(child.mover()).yields(position, plies + 1 & ~1)

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
        return [child for child in root.children() if self.yields(child, plies - 1)]

    def _result(self, root: Position, plies: i64, evaluate: Evaluate) -> SearchResult:
        counters = self.counters.copy()
        keeping = self.keeping(root, plies | 1)
        if not keeping:
            raise contradiction()
        best = min(keeping, key=evaluate)
        return SearchResult(plies, 0, [best], counters, certain=True)


class Proof:
    """A proven result or None, and its cost.  `asked` is the number of plies within which neither
    side wins, if nothing was proven."""

    def __init__(self, result: SearchResult | None, counters: Counters, asked: int) -> None:
        self.result = result
        self.counters = counters
        self.asked = asked


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
        self.wins = WinProof(limits, exact, megabytes)
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
            return Proof(known, known.counters, 0)
        wins.allow(self.limits.part(WIN_SHARE))
        wins.gives_up = True
        result = wins.run(root)
        wins.gives_up = False
        if result is None and wins.counters.known:
            draws.allow(self.limits.part(DRAW_SHARE))
            result = draws.run(root, self.evaluate)
        return Proof(result, self.counters, wins.asked)

    def finish(self, root: Position, score: int, limits: Limits) -> SearchResult | None:
        """The exact value of a root that is known to be worth this score or more, or less."""
        wins = self.wins
        nodes = None if limits.nodes is None else wins.counters.visited + limits.nodes
        wins.allow(Limits(None, nodes, limits.seconds, limits.poll))
        return wins.run(root, score)

    def go_on(self, root: Position, nodes: int, left: Callable[[], Limits]) -> SearchResult | None:
        """Continue the last attempt, with this many nodes since the beginning, within `left`."""
        known = self.exact.solution(root)
        if known is not None:
            return known
        wins, draws = self.wins, self.draws
        wins.allow(_up_to(nodes, left(), wins))
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
        self._turn(self.wins, ask_wins, int(nodes * NEAR_SHARE))
        if self.wins.counters.known:
            self._turn(self.draws, ask_draws, int(nodes * DRAW_TURN))
        left = nodes - self.draws.counters.visited
        self._turn(self.wins, ask_wins, left)

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


def _up_to(nodes: i64, left: Limits, proof: WinProof | DrawProof) -> Limits:
    """Limits that allow this many nodes in all, and not more than are left."""
    if left.nodes is not None:
        nodes = min(nodes, proof.counters.visited + left.nodes)
    return Limits(None, nodes, left.seconds, left.poll)
