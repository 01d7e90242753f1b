"""Why a move is best, as text; and hints that do not reveal it."""

from __future__ import annotations

from typing import NamedTuple

from solver.errors import check_known, counted
from solver.explain.compare import (
    GameValue,
    Rivals,
    describe_best,
    describe_certainty,
    describe_change,
    describe_fall,
    describe_gain,
    ends_with_estimate,
    evaluate_end,
    find_rivals,
    further_limits,
    game_value,
)
from solver.explain.describe import Describer, Theme, join_words, number_word, sentence
from solver.explain.layout import render_table, wrap
from solver.explain.story import Way, describe_way
from solver.games.puzzle import Puzzle
from solver.games.solve import BestMoves, Request, Solver, describe_result, describe_value
from solver.search.limits import Limits
from solver.search.position import FORCED, Position
from solver.search.result import SearchResult
from solver.search.score import UNKNOWN, describe, in_words, win_in

LONGEST_LINE = 16  # moves


def explain_puzzle(puzzle: Puzzle, request: Request) -> str:
    best_moves = BestMoves(Solver(puzzle, request))
    return Explanation(best_moves, best_moves.find(2, lambda result, is_proof: None)).text()


def find_hint(puzzle: Puzzle, request: Request) -> Hint:
    """Solve the puzzle and search the other moves: some may be as good."""
    solver = Solver(puzzle, request)
    best = solver.find(puzzle.position)
    found = Explanation(BestMoves(solver), [best])
    hint = make_hint(found.best, found.rivals, found.describer)
    if solver.exact.solution(puzzle.position) is None:
        return hint
    wins = describe_value(best).replace("win", "wins")
    return hint._replace(stakes=sentence(f"{puzzle.mover} {wins}: {found.best.names[0]}"))


class Explanation:
    """The best move against its rivals; `results` are the best moves, the best first."""

    def __init__(self, best_moves: BestMoves, results: list[SearchResult]) -> None:
        self.best_moves = best_moves
        self.solver = best_moves.solver
        self.puzzle = self.solver.puzzle
        self.game = self.puzzle.game
        self.describer = self.game.describer()
        self.best = self._way(results[0])
        comparable = [results[0], *(f for f in results[1:] if self._is_comparable(f))]
        self.rivals = find_rivals(self.puzzle.position, comparable, self._ask, self.solver.exact)
        next_best = self.rivals.next_best
        self.other = None if next_best is None else self._way(next_best)
        self.is_asked = False

    def _way(self, result: SearchResult) -> Way:
        puzzle, exact = self.puzzle, self.solver.exact
        return Way(puzzle.position, result, exact, self.describer, puzzle.move_name)

    def _is_comparable(self, result: SearchResult) -> bool:
        """Whether depths agree; with a time limit there is no time for another search."""
        best = self.best.result
        timed = self.solver.request.limits.seconds is not None
        return timed or best.is_fact or result.is_fact or result.depth == best.depth

    def _ask(self, leave_out: frozenset[int]) -> SearchResult:
        known = self.best_moves.solved(leave_out)
        if known is not None:
            return known
        limits = self.solver.request.limits
        left = Limits(limits.depth, limits.nodes, self.best_moves.share(1))
        now = further_limits(left, self.best.result)
        return self.best_moves.search.run(self.puzzle.position, now, leave_out=leave_out)

    def compare_with(self, name: str) -> None:
        """Explain this move in place of the second best."""
        names = [
            self.puzzle.move_name(self.puzzle.position, each)
            for each in self.puzzle.position.children()
        ]
        check_known("move", name, names)
        if name != self.best.names[0]:
            others = frozenset(at for at, each in enumerate(names) if each != name)
            self.other, self.is_asked = self._way(self._ask(others)), True

    def text(self) -> str:
        head, *notes = (wrap(note) for note in self._notes())
        end, *others = notes
        story = "\n".join(self._story())
        return "\n\n".join([head, self.puzzle.draw(), f"{story}\n\n{end}", *others, self._terms()])

    def as_dict(self) -> dict[str, object]:
        """For the page: `lines` are what the moves in the texts belong to."""
        head, *notes = self._notes()
        with_side, ways = self.game.with_side, [self.best, *([self.other] if self.other else [])]
        lines = [
            {
                "names": way.names,
                "texts": [with_side(each) for each in way.positions[1:]],
                "value": describe_value(way.result),
                "change": "" if way is self.best else self._change(way),
            }
            for way in ways
        ]
        hint = make_hint(self.best, self.rivals, self.describer)
        return {
            "head": head,
            "story": [row._asdict() for row in describe_way(self.best, self.describer)],
            "notes": notes,
            "terms": self._terms(),
            "lines": lines,
            "hints": [hint.sentences(1), hint.sentences(2)[-1:], hint.sentences(3)[-1:]],
        }

    def _notes(self) -> list[str]:
        """Why it is best, how its line ends, and the other moves."""
        notes = [f"Why {self.best.names[0]}? {describe_best(self.best, self.rivals)}", self._end()]
        notes += [self._equal()] if self.rivals.equal else []
        return notes if self.other is None else [*notes, self._next_best(self.other)]

    def _story(self) -> list[str]:
        rows = describe_way(self.best, self.describer)
        plies = [str(r.ply) if r.ply == r.until else f"{r.ply}-{r.until}" for r in rows]
        numbers = max(len(ply) for ply in plies)
        names = max(len(row.name) for row in rows)
        sides = max(len(side) for side in self.game.SIDES)
        lines = []
        for ply, row in zip(plies, rows, strict=True):
            head = f"{ply:>{numbers}}  {row.side:{sides}}  {row.name:{names}}  "
            lines.append(wrap(head + row.words, " " * (len(head) + 2)))
        return lines

    def _end(self) -> str:
        """What is known at the end of the best line."""
        way, exact = self.best, self.solver.exact
        outcome, known = self.game.outcome(way.last), exact.score(way.last)
        if outcome is not None:
            return f"{sentence(str(outcome))} {describe_certainty(way)}".rstrip()
        if known != UNKNOWN:
            result = f"a {in_words(known)} for {way.last.mover()}" if known else "a draw"
            return f"This position is in the endgame tables: {result}. {describe_certainty(way)}"
        if way.result.is_fact:
            return describe_certainty(way)
        if not ends_with_estimate(way, exact, self.solver.evaluate):
            return (
                "The rest of this line was cached and is not known: its value, "
                f"{describe_result(way.result)}, is an estimate of another position."
            )
        depth = way.result.depth
        deep = f", {counted(depth, 'ply', 'plies')} deep" if depth else ""
        deep += " and after all captures" if way.plies > max(1, depth) else ""
        worth = f"{describe(way.result.score)} for {way.mover}"
        return f"The search stops here{deep}. {self.solver.heuristic} estimates {worth}."

    def _equal(self) -> str:
        names = [self.puzzle.move_name(self.puzzle.position, each) for each in self.rivals.equal]
        proof = "proven" if self.best.result.proven else "at this depth"
        if self.other is None:
            both = "Both" if self.rivals.moves == 2 else f"All {self.rivals.moves}"
            return f"{both} moves are equally good ({proof})."
        verb = "is" if len(names) == 1 else "are"
        return f"{join_words(names)} {verb} just as good ({proof})."

    def _next_best(self, other: Way) -> str:
        rank = "The best of the others" if self.rivals.equal else "Second best"
        rank = "The other move" if self.is_asked else rank
        words = [f"{rank}: {other.names[0]}, {describe_result(other.result)}."]
        words.append(self._change(other))
        outcome, outlook = self.game.outcome(other.last), self.describer.outlook(other.last)
        if outcome is not None and game_value(other.result) is not GameValue.WIN:
            words.append(f"At ply {other.plies} {outcome}.")
        if outlook:
            words.append(f"At the end of its line, {outlook}.")
        words.append(describe_gain(self.best, other))
        more = f" ... ({other.plies} plies)" if other.plies > LONGEST_LINE else ""
        return (
            " ".join(filter(None, words)) + f"\nline: {' '.join(other.names[:LONGEST_LINE])}{more}"
        )

    def _change(self, other: Way) -> str:
        """What a move loses, without naming the best one."""
        words = [describe_change(self.best, other), describe_fall(self.best, other)]
        return " ".join(filter(None, words))

    def _terms(self) -> str:
        """What the heuristic counts at the end of the lines that end with an estimate."""
        solver, name = self.solver, self.solver.heuristic
        ways = [self.best] if self.other is None else [self.best, self.other]
        asked = [way for way in ways if ends_with_estimate(way, solver.exact, solver.evaluate)]
        if not asked:
            return "No line ends with an estimate of the heuristic: there are no terms to show."
        where = "both lines" if len(asked) == 2 else f"the line of {asked[0].names[0]}"
        head = f"What {name} counts at the end of {where}, for {self.best.mover}:"
        if name not in self.game.heuristics():
            worth = [(way.names[0], describe(evaluate_end(way, solver.evaluate))) for way in asked]
            return f"{head}\n\n{render_table(worth, ('line of', 'value'))}"
        return f"{head}\n\n{self._term_table(asked)}"

    def _term_table(self, asked: list[Way]) -> str:
        """One column per line, and their difference if there are two."""
        sign = 1 if self.best.mover == self.game.SIDES[0] else -1
        weights: dict[str, object] = {"sum": ""}
        totals: list[dict[str, int]] = []
        for way in asked:
            terms = self.game.explain(self.solver.heuristic, way.last)
            weights |= {term.title: term.weight for term in terms}
            totals.append({term.title: sign * term.total for term in terms})
        titles = [title for title in weights if any(each.get(title, 0) for each in totals)]
        if not titles:
            return "Everything that it counts is equal on both sides."
        table = {title: [each.get(title, 0) for each in totals] for title in titles}
        table["sum"] = [sum(column) for column in zip(*table.values(), strict=True)]
        head = ["term", "weight", *(way.names[0] for way in asked)]
        if len(asked) == 2:
            head.append("difference")
            for numbers in table.values():
                numbers.append(numbers[0] - numbers[1])
        return render_table([[title, weights[title], *table[title]] for title in table], head)


# Hints.


class Hint(NamedTuple):
    """No sentence names the move or its target, unless it was proven before."""

    stakes: str
    theme: Theme
    piece: str  # `the king on c5`
    equal: int  # other moves that are as good

    def sentences(self, level: int) -> list[str]:
        lines = [self.stakes, f"Think of {self.theme.about}."]
        if self.equal:
            moves = "other move is" if self.equal == 1 else "other moves are"
            lines.append(
                sentence(f"{number_word(self.equal)} {moves} as good as the one this hint is about")
            )
        if level > 1:
            lines.append(f"Look at {self.piece}.")
        return [*lines, self.theme.idea] if level > 2 else lines


def make_hint(way: Way, rivals: Rivals, describer: Describer[Position]) -> Hint:
    if rivals.moves == 1:
        theme = _only_move(way)
    elif game_value(way.result) is GameValue.LOSS:
        theme = _holding_out(way, len(rivals.equal) + 1 == rivals.moves)
    else:
        theme = describer.theme(way)
    return Hint(_stakes(way, rivals), theme, _piece(way, describer), len(rivals.equal))


def _stakes(way: Way, rivals: Rivals) -> str:
    value = game_value(way.result)
    if value is GameValue.WIN:
        if way.result.score == win_in(1):
            return sentence(f"{way.mover} can win at once")
        return sentence(f"{way.mover} can force a win{_uniqueness(rivals, value)}")
    if value is GameValue.DRAW:
        return sentence(f"{way.mover} can hold a draw at best{_uniqueness(rivals, value)}")
    if value is GameValue.LOSS:
        return sentence(f"{way.mover} is lost if {way.other} plays well")
    return f"Nothing is proven here: the hint is about the best move for {way.mover} by search."


def _uniqueness(rivals: Rivals, value: GameValue) -> str:
    """Says if all other moves are proven to be worse."""
    if rivals.equal or rivals.next_best is None:
        return ""
    worse = {GameValue.LOSS} if value is GameValue.DRAW else {GameValue.DRAW, GameValue.LOSS}
    return "; only one move does" if game_value(rivals.next_best) in worse else ""


def _piece(way: Way, describer: Describer[Position]) -> str:
    piece = describer.piece(way.root, way.positions[1])
    if piece.square:
        return f"the {piece.kind} on {piece.square}"
    index = [kind.name for kind in describer.KINDS].index(piece.kind)
    alone = describer.count(way.root, way.mover)[index] == 1
    return f"your {piece.kind if alone else describer.KINDS[index].plural}"


def _only_move(way: Way) -> Theme:
    if way.root.status() == FORCED:
        about = "what must be taken: a capture is compulsory, and there is only one"
    else:
        about = "what can move at all: there is only one legal move"
    return Theme("the only move", about, "There is nothing to decide here; look at the reply.")


def _holding_out(way: Way, equally: bool) -> Theme:
    if equally:
        about = "holding out: all moves lose, and equally soon"
        idea = f"No move is worse than another: see what {way.other} has to find after each."
        return Theme("holding out", about, idea)
    if way.ledger.takes(1):
        idea = f"Take what you can, and compare how long {way.other} needs after each capture."
    elif way.ledger.takes(2):
        idea = f"Taking costs {way.other} time: giving a piece may last longest."
    elif way.ledger.crowns(1):
        idea = "A king can run away longer than a man."
    else:
        idea = f"For every move, count how many moves {way.other} needs after it."
    return Theme("holding out", "holding out: all moves lose, but not equally soon", idea)
