"""What the solver finds out about a puzzle's moves.  "Is it over in n plies?" is asked about each
move before the next n.  For what is not proven, a search reaches the same depth for every move.
Counts of nodes bound both, so that the same puzzle has the same truth on every machine."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache

from grader.puzzles.find import Case, board_of
from grader.puzzles.truth import (
    JudgedMove,
    Proven,
    Source,
    Truth,
    Value,
    canonical,
    how_much_proven,
    read_truth,
)
from solver.errors import UserError
from solver.games import Game, ReadBoard, game_named
from solver.proof.prover import DrawProof, Prover
from solver.proof.wins import LONGEST, WinProof
from solver.search.alphabeta import Search
from solver.search.heuristic import Exact
from solver.search.limits import Limits
from solver.search.position import LOST, Position
from solver.search.result import SearchResult
from solver.search.score import UNKNOWN, is_decisive, loss_in, win_in
from solver.search.techniques import Techniques

DEPTH = 10
NODES = 120_000  # about a second in plain Python, for the proof and again for the search


class Evidence:
    """What is proven about one move, for the side that makes it."""

    def __init__(self, child: Position, exact: Exact) -> None:
        self.child = child
        self.value: Value | None = None
        self.source = Source.NONE
        self.asked = 1  # plies in which it is neither won nor lost, unless `value` says so
        self.holds = False  # the mover has at least a draw after it
        self.is_held = False  # so has the other side
        known = exact.score(child)
        if known != UNKNOWN:
            self._know(Value(known).after_a_ply(), Source.TABLES)
        elif child.status() == LOST:
            self._know(Value(win_in(1)))

    def _know(self, value: Value, source: Source = Source.SEARCH) -> None:
        self.value = value
        self.source = source

    def may_win(self, value: Value) -> bool:
        """Whether a win is still possible, if a search gives it this value."""
        if value.certain:
            return value.result > 0
        return not self.is_held if self.value is None else self.value.result > 0

    def ask_for_an_end(self, proof: WinProof) -> None:
        """Whether it is over in one ply more than was asked before."""
        plies = self.asked + 1
        if plies & 1:
            if not self.is_held and proof.yields(self.child, self.asked):
                self._know(Value(win_in(plies)))
        elif not self.holds and proof.forces(self.child, self.asked):
            self._know(Value(loss_in(plies)))
        self.asked = plies

    def ask_for_a_draw(self, proof: DrawProof, plies: int) -> None:
        self.is_held = self.is_held or proof.forces(self.child, plies)
        self.holds = self.holds or proof.yields(self.child, plies)
        if self.is_held and self.holds:
            self._know(Value(0))


class Findings:
    """Everything that was found about a position that is not over: the value of every move, and
    what follows from them."""

    def __init__(
        self, rules: Game, position: Position, depth: int, nodes: int, exact: Exact
    ) -> None:
        self.rules = rules
        self.position = position
        self.children = position.children()
        self.moves = [Evidence(child, exact) for child in self.children]
        self.nodes = self._prove(nodes, exact)
        self.searched = 0  # the depth that the search of all open moves has reached
        estimates = iter(self._search(depth, nodes, exact) if self.open else ())
        self.values = [move.value or next(estimates) for move in self.moves]
        self.value = self._root_value()

    @property
    def open(self) -> list[Evidence]:
        return [move for move in self.moves if move.value is None]

    @property
    def asked(self) -> int:
        """Every win or loss in up to this number of plies is proven."""
        return min((move.asked for move in self.open), default=0)

    def _prove(self, nodes: int, exact: Exact) -> int:
        """As much as the nodes allow; the result is how many were visited."""
        prover = Prover(Limits(nodes=nodes), exact)
        prover.take_turns(self._ask_for_ends, self._ask_for_draws)
        return prover.visited

    def _ask_for_ends(self, proof: WinProof) -> None:
        while self.open and self.asked < LONGEST:
            asked = self.asked
            for move in self.open:
                if move.asked == asked:
                    move.ask_for_an_end(proof)

    def _ask_for_draws(self, proof: DrawProof) -> None:
        for plies in range(1, LONGEST + 1):
            for move in self.open:
                move.ask_for_a_draw(proof, plies)

    def _search(self, depth: int, nodes: int, exact: Exact) -> list[Value]:
        """Estimates of the open moves: as deep as the nodes allow for all of them, and no
        deeper than that depth."""
        evaluate = self.rules.evaluator(self.rules.DEFAULT_HEURISTIC, self.position)
        search = Search(evaluate, Techniques(), exact)
        children = [move.child for move in self.open]
        values = [Value(-search.heuristic(child), 1) for child in children]
        known: list[SearchResult | None] = [None] * len(children)
        self.searched = 1
        visited = 0
        for wanted in range(2, depth + 1):
            for at, child in enumerate(children):
                limits = Limits(depth=wanted - 1, nodes=nodes - visited)
                result = search.run(child, limits, known=known[at])
                visited += int(search.counters.visited)
                if result.depth < wanted - 1 and not result.proven:
                    self.nodes += visited
                    return values
                known[at] = result
            values = [_after(result, wanted) for result in known if result is not None]
            self.searched = wanted
        self.nodes += visited
        return values

    def _root_value(self) -> Value:
        """The best value, as carefully as the others make it necessary."""
        best = max(self.values, key=_rank)
        pairs = list(zip(self.moves, self.values, strict=True))
        if best.result > 0:
            sooner = any(
                move.may_win(value) and max(move.asked, self.searched) < (best.most_plies or 0)
                for move, value in pairs
                if not value.proven
            )
            return replace(best, bounded=best.bounded or sooner)
        if best.result < 0 or all(value.certain for value in self.values):
            return best
        if Value(0) in self.values and not any(move.may_win(value) for move, value in pairs):
            return Value(0)
        return replace(best, depth=self.searched)

    @property
    def best(self) -> list[int]:
        """The indexes of the best moves."""
        top = self.value if self.value.proven else max(self.values, key=_rank)
        return [index for index, value in enumerate(self.values) if value == top]

    def truth(self, canonical: Position, form: str, variant: str = "") -> Truth:
        """With the move to that child as the canonical one."""
        rules, position = self.rules, self.position
        moves = tuple(
            JudgedMove(
                name=rules.move_name(position, move.child, True),
                board=rules.write(move.child, "board"),
                value=value,
                source=move.source
                if move.value
                else Source.SEARCH
                if value.certain
                else Source.NONE,
            )
            for move, value in zip(self.moves, self.values, strict=True)
        )
        chosen = self.children.index(canonical)
        others = [
            index
            for index, value in enumerate(self.values)
            if index != chosen and _is_as_good(value, self.values[chosen])
        ]
        return Truth(
            game=rules.NAME,
            variant=variant,
            mover=position.mover(),
            value=self.value,
            proof=self._describe_proof({move.source for move in moves}),
            best=tuple(moves[index].name for index in (chosen, *others)),
            moves=moves,
            board=rules.write(canonical, form),
            proven=how_much_proven(self.values, self.value),
            canonical=moves[chosen].name,
        )

    def _describe_proof(self, sources: set[Source]) -> str:
        if sources == {Source.TABLES}:
            return "every move looked up in the endgame tables"
        if not self.searched:
            also = " and looked up in the endgame tables" if Source.TABLES in sources else ""
            return f"every move proven by search{also}"
        return (
            f"wins and losses within {self.asked} plies proven; "
            f"the rest searched to depth {self.searched}"
        )


def _after(result: SearchResult, depth: int) -> Value:
    """The value of a move for its mover, from what was found about the position after it."""
    if result.proven or is_decisive(result.score):
        return replace(Value(result.score).after_a_ply(), bounded=not result.proven)
    return Value(-result.score, depth)


def find(rules: Game, position: Position, depth: int = DEPTH, nodes: int = NODES) -> Findings:
    """What the solver makes of a position that is not over."""
    return Findings(rules, position, depth, nodes, tables_of(rules.NAME))


def find_truth(
    rules: Game,
    board: ReadBoard[Position],
    expected_text: str | None = None,
    *,
    variant: str = "",
    source: str = "the puzzle",
    depth: int = DEPTH,
    nodes: int = NODES,
) -> Truth:
    """Every legal move with its value.  The expected board is canonical; it must be the board
    after a legal move, or the input itself if nothing can be moved.  Without one, the first of
    the best moves is canonical."""
    position, form = board.position, board.form
    wanted = None
    if expected_text is not None:
        wanted = canonical(rules, position, expected_text, source, variant)
    if rules.outcome(position) is not None:
        return over(rules, position, form, variant)
    findings = find(rules, position, depth, nodes)
    return findings.truth(wanted or findings.children[findings.best[0]], form, variant)


def over(rules: Game, position: Position, form: str, variant: str = "") -> Truth:
    """The truth about a game that has ended."""
    return Truth(
        game=rules.NAME,
        variant=variant,
        mover=position.mover(),
        proof=str(rules.outcome(position)),
        board=rules.write(position, form),
        proven=Proven.OVER,
    )


@lru_cache(maxsize=8)
def tables_of(game: str) -> Exact:
    """What is known for certain about a game, loaded once."""
    return game_named(game).tables()


def _rank(value: Value) -> tuple[int, bool]:
    return value.score, value.proven


def _is_as_good(value: Value, chosen: Value) -> bool:
    """The same, or better; but no estimate is better than a draw."""
    is_estimate = chosen == Value(0) and not value.certain
    return value == chosen or (value.score > chosen.score and not is_estimate)


@lru_cache(maxsize=1024)
def truth_of(case: Case) -> Truth:
    """From the proof beside the puzzle, or, where there is none, from our own solver."""
    if case.truth is not None:
        return case.truth
    rules, board = game_named(case.game), board_of(case)
    expected = case.expected.decode("utf-8", "replace")
    if case.proof:
        return read_truth(case.proof, rules, board.position, expected, case.name)
    return find_truth(rules, board, expected or None, source=str(case.expected_path))


def truth_or_fault(case: Case) -> Truth | str:
    """The truth, or why there is none, which makes the puzzle useless but no other one."""
    try:
        return truth_of(case)
    except UserError as error:
        return str(error)
    except Exception as error:
        return f"{case.name}: the truth about it was not found: {error!r}"
