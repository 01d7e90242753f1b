"""`solver analyse --why`: the best line in words, and what the next best move loses."""

from __future__ import annotations

from solver.cli.console import drawn, wrapped
from solver.cli.report import value
from solver.cli.why_terms import told_terms
from solver.errors import counted
from solver.explain.compare import (
    GameValue,
    LineEnd,
    compare_ways,
    describe_best,
    describe_certainty,
    describe_change,
    describe_fall,
    describe_gain,
    find_line_end,
    find_rivals,
    further_limits,
    game_value,
)
from solver.explain.describe import join_words, sentence
from solver.explain.story import Way, describe_way, make_way
from solver.search.limits import Limits
from solver.search.score import describe, in_words

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from solver.cli.analyse import Analysis
    from solver.search.result import SearchResult

LONGEST_LINE = 16  # moves that are named of a line


def explanation(analysis: Analysis, results: list[SearchResult]) -> str:
    """All of it, as paragraphs; the search is asked about more moves if some are equally good."""
    return Explanation(analysis, results).text()


class Explanation:
    """What is known about the best move and its rivals."""

    def __init__(self, analysis: Analysis, results: list[SearchResult]) -> None:
        self.analysis = analysis
        self.puzzle = analysis.puzzle
        self.game = analysis.puzzle.game
        self.describer = self.game.describer()
        self.evaluate, self.exact = analysis.solver.evaluate, analysis.solver.exact
        self.heuristic = analysis.request.heuristic or self.game.DEFAULT_HEURISTIC
        self.best = self._way(results[0])
        comparable = [results[0], *(f for f in results[1:] if self._is_comparable(f))]
        self.rivals = find_rivals(self.puzzle.position, comparable, self._ask, self.exact)
        next_best = self.rivals.next_best
        self.other = None if next_best is None else self._way(next_best)

    def _way(self, result: SearchResult) -> Way:
        return make_way(self.puzzle.position, result, self.exact, self.describer, self._name)

    def _name(self, parent: Any, child: Any) -> str:
        return self.game.move_name(parent, child, self.analysis.squares)

    def _is_comparable(self, result: SearchResult) -> bool:
        """Two opinions of different depths are hard to compare; time cannot be had again."""
        best = self.best.result
        timed = self.analysis.request.limits.seconds is not None
        return timed or best.is_fact or result.is_fact or result.depth == best.depth

    def _ask(self, leave_out: frozenset[int]) -> SearchResult:
        """The best of the moves but for these, as deep as the best one if that is an opinion."""
        limits = self.analysis.request.limits
        left = Limits(limits.depth, limits.nodes, self.analysis.seconds_left(limits, 1))
        now = further_limits(left, self.best.result)
        return self.analysis.search.run(self.puzzle.position, now, leave_out=leave_out)

    def text(self) -> str:
        parts = [
            wrapped(f"Why {self.best.names[0]}? {describe_best(self.best, self.rivals)}"),
            drawn(self.game, self.puzzle.position),
            f"{self._story()}\n\n{wrapped(self._end())}",
            *self._rivals(),
            told_terms(self.game, self.heuristic, self.evaluate, self.exact, self.best, self.other),
        ]
        return "\n\n".join(parts)

    def _story(self) -> str:
        rows = describe_way(self.best, self.describer)
        plies = [str(r.ply) if r.ply == r.until else f"{r.ply}-{r.until}" for r in rows]
        numbers = max(len(ply) for ply in plies)
        names = max(len(row.name) for row in rows)
        sides = max(len(side) for side in self.game.SIDES)
        lines = []
        for ply, row in zip(plies, rows, strict=True):
            head = f"{ply:>{numbers}}  {row.side:{sides}}  {row.name:{names}}  "
            lines.append(wrapped(head + row.words, " " * (len(head) + 2)))
        return "\n".join(lines)

    def _end(self) -> str:
        """What is known where the best line stops."""
        way = self.best
        ending = find_line_end(way, self.exact, self.evaluate)
        if ending is LineEnd.OVER:
            return (
                f"{sentence(str(self.game.outcome(way.last)))} {describe_certainty(way)}".rstrip()
            )
        if ending is LineEnd.TABLES:
            known = self.exact.score(way.last)
            told = f"a {in_words(known)} for {way.last.mover()}" if known else "a draw"
            return f"The endgame tables know this position: {told}. {describe_certainty(way)}"
        if ending is LineEnd.PROVEN:
            return describe_certainty(way)
        if ending is LineEnd.BROKEN:
            return (
                f"What the search remembered has cut this line short: its value, "
                f"{value(way.result)}, is an estimate of another position."
            )
        depth = way.result.depth
        deep = f", {counted(depth, 'ply', 'plies')} deep" if depth else ""
        deep += " and after all captures" if way.plies > max(1, depth) else ""
        worth = f"{describe(way.result.score)} for {way.mover}"
        estimate = f"What follows is an estimate: {self.heuristic} says {worth}."
        return f"Here the search stops{deep}. {estimate}"

    def _rivals(self) -> list[str]:
        parts = [self._equal()] if self.rivals.equal else []
        if self.other is not None:
            parts.append(self._next_best(self.other))
        return [wrapped(part) for part in parts]

    def _equal(self) -> str:
        names = [self._name(self.puzzle.position, child) for child in self.rivals.equal]
        proof = "proven" if self.best.result.proven else "as far as this depth can tell"
        if self.other is None:
            both = "Both" if self.rivals.moves == 2 else f"All {self.rivals.moves}"
            return f"{both} moves are equally good ({proof})."
        verb = "is" if len(names) == 1 else "are"
        return f"{join_words(names)} {verb} just as good ({proof})."

    def _next_best(self, other: Way) -> str:
        found = compare_ways(self.best, other)
        rank = "The best of the others" if self.rivals.equal else "Second best"
        told = [f"{rank}: {other.names[0]}, {value(other.result)}."]
        told.append(describe_change(self.best, other, found))
        if found.falls is not None:
            told.append(describe_fall(other, found.falls))
        outcome = self.game.outcome(other.last)
        if outcome is not None and game_value(other.result) is not GameValue.WIN:
            told.append(f"At ply {other.plies} {outcome}.")
        outlook = self.describer.outlook(other.last)
        if outlook:
            told.append(f"Where its line stops, {outlook}.")
        if found.gains is not None:
            told.append(describe_gain(self.best, found.gains))
        more = f" ... ({other.plies} plies)" if other.plies > LONGEST_LINE else ""
        return " ".join(told) + f"\nline: {' '.join(other.names[:LONGEST_LINE])}{more}"
