"""What the heuristic counts at the end of the lines that `solver analyse --why` tells."""

from __future__ import annotations

from solver.cli.puzzle import is_own
from solver.cli.report import table
from solver.explain.compare import LineEnd, evaluate_end, find_line_end
from solver.explain.describe import pair_terms
from solver.search.score import describe

TYPE_CHECKING = False
if TYPE_CHECKING:
    from solver.explain.story import Way
    from solver.games import Game
    from solver.search.heuristic import Evaluate, Exact


def told_terms(
    game: Game, heuristic: str, evaluate: Evaluate, exact: Exact, best: Way, other: Way | None
) -> str:
    """The terms of the lines that end with an opinion, and why the others have none."""
    ways = [best] if other is None else [best, other]
    endings = [find_line_end(way, exact, evaluate) for way in ways]
    asked = [way for way, end in zip(ways, endings, strict=True) if end is LineEnd.HORIZON]
    silent = [
        f"that of {way.names[0]} {'was cut short' if end is LineEnd.BROKEN else 'ends with a fact'}"
        for way, end in zip(ways, endings, strict=True)
        if end is not LineEnd.HORIZON
    ]
    if LineEnd.BROKEN in endings and not asked:
        return f"No terms can be told: of the lines, {' and '.join(silent)}."
    if not asked:
        end = "The line ends with a fact" if other is None else "Both lines end with facts"
        return f"{end}: no heuristic is asked there."
    why = f" ({silent[0]})" if silent else ""
    where = "both lines" if len(asked) == 2 else f"the line of {asked[0].names[0]}"
    head = f"What {heuristic} says about the end of {where}, for {best.mover}{why}:"
    if is_own(heuristic):
        worth = [(way.names[0], describe(evaluate_end(way, evaluate))) for way in asked]
        return f"{head}\n\n{table(worth, ('line of', 'value'))}"
    return f"{head}\n\n{_table(game, heuristic, asked)}"


def _table(game: Game, heuristic: str, asked: list[Way]) -> str:
    """One column for each line, and their difference if there are two."""
    best, other = asked[0], asked[-1]
    sign = 1 if best.mover == game.SIDES[0] else -1
    rows = pair_terms(game.explain(heuristic, best.last), game.explain(heuristic, other.last), sign)
    if not rows:
        return "Nothing that it counts is more on one side than on the other."
    cells = [[row.title, row.weight, row.best, row.other] for row in rows]
    cells.append(["sum", "", sum(row.best for row in rows), sum(row.other for row in rows)])
    head = ["term", "weight", best.names[0], other.names[0]]
    if len(asked) == 1:
        return table([row[:3] for row in cells], head[:3])
    together = [[*cell, row.best - row.other] for cell, row in zip(cells, rows, strict=False)]
    sums = cells[-1]
    together.append([*sums, sum(row.best - row.other for row in rows)])
    return table(together, [*head, "difference"])
