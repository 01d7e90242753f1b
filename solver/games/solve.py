"""Solving a puzzle: from a `Request` to a `Solution`."""

from __future__ import annotations

from solver.errors import UserError, check_known
from solver.proof.answer import DEFAULT_NODES, make_search, solve
from solver.proof.prover import Prover
from solver.search.alphabeta import Search
from solver.search.heuristic import NOTHING, OwnHeuristic, is_own, load
from solver.search.limits import Limits, Meter
from solver.search.score import describe, distance, in_words, loss_in, win_in
from solver.search.techniques import Techniques

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from solver.games.puzzle import Puzzle
    from solver.play.game import GameInProgress
    from solver.proof.answer import Answer
    from solver.search.heuristic import Evaluate, Term
    from solver.search.multipv import ComparedMoves
    from solver.search.position import Position
    from solver.search.result import Counters, SearchResult


class Request:
    """Limits, techniques, heuristic and tables; the defaults are those of the plain call.  The
    heuristic is a name, `FILE.py:FUNCTION` or a function; `tables` is a file, by default the one of
    the package."""

    def __init__(
        self,
        limits: Limits | None = None,
        techniques: Techniques | None = None,
        heuristic: str | Evaluate | None = None,
        tables: str = "",
    ) -> None:
        limits = limits or Limits()
        if limits.depth is None and limits.nodes is None and limits.seconds is None:
            limits = Limits(nodes=DEFAULT_NODES, poll=limits.poll)
        self.limits = limits
        self.techniques = techniques or Techniques()
        self.heuristic = heuristic
        self.tables = tables


class Solver:
    """Solves positions of one puzzle's game."""

    def __init__(self, puzzle: Puzzle, request: Request) -> None:
        self.puzzle = puzzle
        self.request = request
        self.heuristic, self.evaluate = find_heuristic(puzzle, request.heuristic)
        has_tables = request.techniques.has("tables")
        self.exact = puzzle.game.tables(request.tables) if has_tables else NOTHING
        self.search: Search | None = None

    def follow(self, game: GameInProgress) -> None:
        """Solve positions of a game from now on: remember the past, and what was found."""
        self.search = self.search or self.make_search()
        self.search.past = game.repeatable

    def make_search(self) -> Search:
        request = self.request
        return make_search(self.evaluate, request.techniques, self.exact, request.limits)

    def solve(self) -> Solution:
        answer = self.answer(self.puzzle.position)
        return Solution(self.puzzle, answer.result, answer)

    def answer(self, position: Position, leave_out: frozenset[int] = frozenset()) -> Answer:
        limits, techniques = self.request.limits, self.request.techniques
        return solve(
            position, self.evaluate, limits, techniques, leave_out, self.exact, self.search
        )

    def find(self, position: Position, leave_out: frozenset[int] = frozenset()) -> SearchResult:
        """The best move of any position, without the children of these indexes."""
        return self.answer(position, leave_out).result


def find_heuristic(puzzle: Puzzle, wanted: str | Evaluate | None) -> tuple[str, Evaluate]:
    """A heuristic and its name: the game's default, a known one, or the user's own."""
    game = puzzle.game
    if wanted is None or wanted == "":
        wanted = game.DEFAULT_HEURISTIC
    if not isinstance(wanted, str):
        name = str(getattr(wanted, "name", getattr(wanted, "__name__", "heuristic")))
        code = getattr(wanted, "__code__", None)
        return name, OwnHeuristic(name, code.co_filename, wanted) if code else wanted
    if is_own(wanted):
        return wanted, load(wanted)
    check_known("heuristic", wanted, game.heuristics(), ", or FILE.py:FUNCTION")
    return wanted, game.evaluator(wanted, puzzle.position)


def find_terms(puzzle: Puzzle, heuristic: str) -> list[Term]:
    name, _ = find_heuristic(puzzle, heuristic)
    if is_own(name):
        raise UserError(f"{name} is a function without terms.")
    return puzzle.game.explain(name, puzzle.position)


class Solution:
    """The best move of a puzzle, its value and its line.  `score` is the value as an integer for
    the mover; `proven` says that it is exact."""

    def __init__(self, puzzle: Puzzle, result: SearchResult, answer: Answer | None = None) -> None:
        self.puzzle = puzzle
        self.result = result
        self.answer = answer  # None for one line of several
        self.score = result.score
        self.depth = result.depth
        self.proven = result.proven

    @property
    def line(self) -> list[str]:
        """The best moves of both sides, as far as known."""
        return self.puzzle.line_names(self.result.line)

    @property
    def move(self) -> str:
        return self.puzzle.move_name(self.puzzle.position, self.result.best)

    @property
    def board(self) -> Puzzle:
        """The puzzle after the best move."""
        return self.puzzle.at(self.result.best)

    @property
    def value(self) -> str:
        """`win in 9`, `draw`, `+12`."""
        return describe_value(self.result)

    @property
    def counters(self) -> Counters:
        if self.answer is None:
            return self.result.counters
        return self.answer.proof.counters.plus(self.answer.search_counters)

    @property
    def nodes(self) -> int:
        return self.counters.visited

    def __repr__(self) -> str:
        certainty = "proven" if self.proven else f"depth {self.depth}"
        return f"<{self.move}, {self.value}, {certainty}>"


def describe_value(result: SearchResult, offset: int = 0) -> str:
    """The value for the mover, `offset` plies down the line of the result."""
    if not result.decided:
        return in_words(result.score) if result.proven else describe(result.score)
    plies = distance(result.score) - offset
    # Below three plies nothing can be faster; an estimate is not a bound.
    exactly = result.proven or plies < 3 or not result.is_fact
    return in_words(win_in(plies) if plies & 1 else loss_in(plies), exactly)


def describe_result(result: SearchResult) -> str:
    """The value and whether it is proven."""
    if result.is_fact:
        return f"proven {describe_value(result)}"
    return f"{describe_value(result)} at depth {result.depth}"


class BestMoves:
    """The best moves of a puzzle, one search each; the others as deep as the first."""

    def __init__(self, solver: Solver) -> None:
        self.solver = solver
        self.root = solver.puzzle.position
        self.limits = solver.request.limits
        self.search = solver.make_search()
        self.meter = Meter(self.limits)

    def find(
        self, count: int, listener: Callable[[SearchResult, bool], None]
    ) -> list[SearchResult]:
        """At most `count` moves, the best first.  Other moves get half as many nodes each; seconds
        are shared.  The listener gets every depth of the best move, and whether it is a proof."""
        children = self.root.children()
        limits = Limits(self.limits.depth, self.limits.nodes, self.share(count))
        techniques = self.solver.request.techniques
        best = solve(
            self.root,
            self.solver.evaluate,
            limits,
            techniques,
            exact=self.solver.exact,
            search=self.search,
            listener=listener,
        ).result
        results = [best]
        nodes = limits.part(0.5).nodes
        depth = limits.depth or (None if best.proven else max(1, best.depth))
        while len(results) < min(count, len(children)):
            chosen = frozenset(children.index(result.best) for result in results)
            known = self.solved(chosen)
            if known is None:
                now = Limits(depth, nodes, self.share(count - len(results)))
                known = self.search.run(self.root, now, leave_out=chosen)
                depth = depth or (None if known.proven else max(1, known.depth))
            results.append(known)
        return results

    def solved(self, leave_out: frozenset[int]) -> SearchResult | None:
        """What was proven before, unless a depth is asked for."""
        return self.search.exact.solution(self.root, leave_out) if not self.limits.depth else None

    def share(self, searches: int) -> float | None:
        """The seconds for the next of that many searches."""
        seconds = self.meter.left(0).seconds
        return None if seconds is None else max(seconds / searches, 0.01)


class AnalysedDepth:
    """The best moves after one depth, the best first; with `is_proof`, the proven result."""

    def __init__(self, puzzle: Puzzle, found: ComparedMoves) -> None:
        self.depth = found.depth
        self.lines = [Solution(puzzle, result) for result in found.results]
        self.counters = found.counters  # of everything so far
        self.is_proof = found.proof

    @property
    def proven(self) -> bool:
        return self.lines[0].proven

    def __repr__(self) -> str:
        return f"<depth {self.depth}: {', '.join(repr(line) for line in self.lines)}>"


def analyse(puzzle: Puzzle, request: Request, lines: int) -> Iterator[AnalysedDepth]:
    """Deeper and deeper, until everything is settled or the limits are used up."""
    from solver.search.multipv import BestMovesSearch

    solver, limits, techniques = Solver(puzzle, request), request.limits, request.techniques
    megabytes = max(1, techniques.megabytes // 2)  # the other half is for the proof
    search = Search(solver.evaluate, techniques.changed(megabytes=megabytes), solver.exact)
    prover = None
    if limits.depth is None:
        prover = Prover(Limits(), solver.exact, solver.evaluate, max(1, megabytes // 2))
    for found in BestMovesSearch(puzzle.position, search, lines, limits, prover).run():
        yield AnalysedDepth(puzzle, found)
