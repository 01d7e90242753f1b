"""What the solver finds out about a puzzle's moves: proofs where it can, opinions where it cannot.

Proofs are questions with a yes or a no, asked about all moves alike: "is it over in n plies?" is
asked about each before the next n.  For the rest, a search reaches the same depth for every move.
Counts of nodes bound both, so that the same puzzle has the same truth on every machine.
"""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from grader.puzzles.find import Case, read_board
from grader.puzzles.truth import (
    Move,
    Proven,
    Source,
    Truth,
    Value,
    canonical,
    check_truth,
    how_much_proven,
    read_truth,
)
from solver.forcing import LONGEST
from solver.games import game_named
from solver.holding import Holding
from solver.limits import Limits, Stop
from solver.score import UNKNOWN, is_decisive, loss_in, win_in
from solver.search import Search
from solver.shortest import ShortestWin
from solver.standing import LOST
from solver.techniques import Techniques

if TYPE_CHECKING:
    from solver.exact import Exact
    from solver.finding import Finding
    from solver.games import Game

DEPTH = 10
NODES = 120_000  # about a second in plain Python, for the proof and again for the search
FIRST_SHARE = 0.25  # of the nodes, for wins and losses that are near
DRAW_SHARE = 0.25  # for draws, where the tables were met; the rest is for wins and losses again


class Evidence:
    """What is known about one move, for the side that makes it."""

    def __init__(self, child: Any, exact: Exact) -> None:
        self.child = child
        self.value: Value | None = None
        self.source = Source.NONE
        self.asked = 1  # it is neither won nor lost in so many plies, unless `value` says so
        self.holds = False  # the mover has at least a draw after it
        self.is_held = False  # so has the other side
        known = exact.score(child)
        if known != UNKNOWN:
            self._know(Value(known).after_a_ply(), Source.TABLES)
        elif child.standing() == LOST:
            self._know(Value(win_in(1)), Source.SEARCH)

    def _know(self, value: Value, source: Source) -> None:
        self.value = value
        self.source = source

    @property
    def can_win(self) -> bool:
        """As far as is known."""
        return not self.is_held if self.value is None else self.value.result > 0

    def ask_for_an_end(self, proof: ShortestWin) -> None:
        """Whether it is over in one ply more than was asked before."""
        plies = self.asked + 1
        child, after = self.child, self.asked
        if plies & 1:
            if not self.is_held and proof.yields(child, after):
                self._know(Value(win_in(plies)), Source.SEARCH)
        elif not self.holds and proof.forces(child, after):
            self._know(Value(loss_in(plies)), Source.SEARCH)
        self.asked = plies

    def ask_for_a_draw(self, proof: Holding, plies: int) -> None:
        self.is_held = self.is_held or proof.forces(self.child, plies)
        self.holds = self.holds or proof.yields(self.child, plies)
        if self.is_held and self.holds:
            self._know(Value(0), Source.SEARCH)


class Inquiry:
    """All questions about the moves of one position."""

    def __init__(self, children: list[Any], exact: Exact, nodes: int) -> None:
        self.moves = [Evidence(child, exact) for child in children]
        self.ends = ShortestWin(Limits(nodes=nodes), exact)
        self.draws = Holding(Limits(nodes=nodes), exact)
        self.nodes = nodes

    @property
    def visited(self) -> int:
        return int(self.ends.effort.visited + self.draws.effort.visited)

    @property
    def open(self) -> list[Evidence]:
        return [move for move in self.moves if move.value is None]

    @property
    def asked(self) -> int:
        """Every win or loss in up to so many plies is proven."""
        return min((move.asked for move in self.open), default=0)

    def ask(self) -> None:
        """As much as the nodes allow."""
        self._ask_for_ends(int(self.nodes * FIRST_SHARE))
        if self.ends.effort.known:
            self._ask_for_draws(int(self.nodes * DRAW_SHARE))
        self._ask_for_ends(self.nodes - int(self.draws.effort.visited))

    def _ask_for_ends(self, nodes: int) -> None:
        self.ends.allow(Limits(nodes=nodes))
        try:
            while self.open and self.asked < LONGEST:
                asked = self.asked
                for move in self.open:
                    if move.asked == asked:
                        move.ask_for_an_end(self.ends)
        except Stop:
            pass

    def _ask_for_draws(self, nodes: int) -> None:
        self.draws.allow(Limits(nodes=nodes))
        try:
            for plies in range(1, LONGEST + 1):
                for move in self.open:
                    move.ask_for_a_draw(self.draws, plies)
        except Stop:
            pass


class Findings:
    """Everything that was found about a position that is not over: the value of every move, and
    what follows from them."""

    def __init__(self, rules: Game, position: Any, depth: int, nodes: int, exact: Exact) -> None:
        self.rules = rules
        self.position = position
        self.children = position.children()
        self.inquiry = Inquiry(self.children, exact, nodes)
        self.inquiry.ask()
        self.searched = 0
        self.nodes = self.inquiry.visited
        self.values = self._values(depth, nodes, exact)
        self.value = self._root_value()

    def _values(self, depth: int, nodes: int, exact: Exact) -> list[Value]:
        left = [move.child for move in self.inquiry.open]
        evaluate = self.rules.evaluator(self.rules.DEFAULT_HEURISTIC, self.position)
        opinions = _Opinions(Search(evaluate, Techniques(), exact), left)
        if left:
            opinions.deepen(depth, nodes)
            self.searched = opinions.depth
            self.nodes += opinions.visited
        searched = iter(opinions.values)
        return [move.value or next(searched) for move in self.inquiry.moves]

    def _root_value(self) -> Value:
        """The best value, said as carefully as all the others make it necessary."""
        best = max(self.values, key=_rank)
        pairs = list(zip(self.inquiry.moves, self.values, strict=True))
        if best.result > 0:
            other = any(self._may_win_in(*pair, best.most_plies or 0) for pair in pairs)
            return replace(best, bounded=best.bounded or other)
        if best.result < 0 or all(value.certain for value in self.values):
            return best
        if Value(0) in self.values and not any(_may_win(*pair) for pair in pairs):
            return Value(0)
        return replace(best, depth=self.searched)

    def _may_win_in(self, move: Evidence, value: Value, plies: int) -> bool:
        """Whether a move of unproven value may win as soon as that, for all that is known."""
        asked = max(move.asked, self.searched)
        return not value.proven and _may_win(move, value) and asked < plies

    @property
    def best(self) -> list[int]:
        """The indexes of the best moves."""
        top = self.value if self.value.proven else max(self.values, key=_rank)
        return [index for index, value in enumerate(self.values) if value == top]

    def truth(self, canonical: Any, form: str, variant: str = "") -> Truth:
        """With the move to that child for the canonical one."""
        rules, position = self.rules, self.position
        chosen = self.children.index(canonical)
        moves = tuple(
            Move(rules.move_name(position, child, True), rules.write(child, "board"), *value)
            for child, value in zip(self.children, self._in_words(), strict=True)
        )
        others = [
            index
            for index, value in enumerate(self.values)
            if index != chosen and _is_as_good(value, self.values[chosen])
        ]
        return Truth(
            game=rules.NAME,
            variant=variant,
            mover=position.mover(),
            value=str(self.value),
            proof=self._proof(),
            best=tuple(moves[index].name for index in (chosen, *others)),
            moves=moves,
            board=rules.write(canonical, form),
            proven=how_much_proven(self.values, self.value),
        )

    def _in_words(self) -> list[tuple[str, Source]]:
        """The value of every move, and where it comes from."""
        return [
            (str(value), move.source if move.value else _source(value))
            for move, value in zip(self.inquiry.moves, self.values, strict=True)
        ]

    def _proof(self) -> str:
        sources = {source for _, source in self._in_words()}
        if sources == {Source.TABLES}:
            return "every move looked up in the endgame tables"
        if not self.searched:
            also = " and looked up in the endgame tables" if Source.TABLES in sources else ""
            return f"every move proven by search{also}"
        return (
            f"wins and losses within {self.inquiry.asked} plies proven; "
            f"the rest searched to depth {self.searched}"
        )


class _Opinions:
    """The values of some moves, by a search that goes equally deep for each."""

    def __init__(self, search: Search, children: list[Any]) -> None:
        self.search = search
        self.children = children
        self.depth = 1
        self.visited = 0
        self.values = [Value(-search.heuristic(child), 1) for child in children]
        self._found: list[Finding | None] = [None] * len(children)

    def deepen(self, depth: int, nodes: int) -> None:
        """As deep as the nodes allow for all, and no deeper than that depth."""
        for wanted in range(2, depth + 1):
            found = []
            for child, known in zip(self.children, self._found, strict=True):
                limits = Limits(depth=wanted - 1, nodes=nodes - self.visited)
                finding = self.search.run(child, limits, known=known)
                self.visited += int(self.search.effort.visited)
                if finding.depth < wanted - 1 and not finding.proven:
                    return
                found.append(finding)
            self._found = [*found]
            self.values = [_after(finding, wanted) for finding in found]
            self.depth = wanted


def _after(finding: Finding, depth: int) -> Value:
    """The value of a move for its mover, from what was found about the position after it."""
    if finding.proven or is_decisive(finding.score):
        return replace(Value(finding.score).after_a_ply(), bounded=not finding.proven)
    return Value(-finding.score, depth)


def find(rules: Game, position: Any, depth: int = DEPTH, nodes: int = NODES) -> Findings:
    """What the solver makes of a position that is not over."""
    return Findings(rules, position, depth, nodes, tables_of(rules.NAME))


def find_truth(
    game: str,
    input_text: str,
    expected_text: str,
    *,
    variant: str = "",
    source: str = "the puzzle",
    depth: int = DEPTH,
    nodes: int = NODES,
) -> Truth:
    """Every legal move with its value.  The expected board is canonical; it must be the board
    after a legal move, or the input itself if nothing can be moved."""
    rules = game_named(game)
    read = read_board(game, input_text, variant, source)
    position, form = read.position, read.form
    expected = canonical(rules, position, expected_text, source, variant)
    if rules.outcome(position) is not None:
        return over(rules, position, form, variant)
    findings = find(rules, position, depth, nodes)
    return findings.truth(expected, form, variant)


def over(rules: Game, position: Any, form: str, variant: str = "") -> Truth:
    """The truth about a game that has ended."""
    return Truth(
        game=rules.NAME,
        variant=variant,
        mover=position.mover(),
        value="",
        proof=str(rules.outcome(position)),
        best=(),
        moves=(),
        board=rules.write(position, form),
        proven=Proven.OVER,
    )


@lru_cache(maxsize=8)
def tables_of(game: str) -> Exact:
    """What is known for certain about a game, loaded once."""
    return game_named(game).tables()


def _rank(value: Value) -> tuple[int, bool]:
    return value.score, value.proven


def _source(value: Value) -> Source:
    return Source.SEARCH if value.certain else Source.NONE


def _may_win(move: Evidence, value: Value) -> bool:
    return value.result > 0 if value.certain else move.can_win


def _is_as_good(value: Value, chosen: Value) -> bool:
    """The same, or better; but no opinion is better than a draw."""
    is_opinion_of_a_draw = chosen == Value(0) and not value.certain
    return value == chosen or (value.score > chosen.score and not is_opinion_of_a_draw)


@lru_cache(maxsize=1024)
def truth_of(case: Case) -> Truth:
    """From the proof beside the puzzle, or, where there is none, from our own solver."""
    expected = case.expected.decode("utf-8", "replace")
    if case.proof:
        truth = read_truth(case.proof, expected, case.name)
        check_truth(truth, case.text, case.name)
        return truth
    return find_truth(case.game, case.text, expected)
