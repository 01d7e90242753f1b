"""What a legal move is worth beside the best."""

from __future__ import annotations

from grader.truth import Move, Truth
from grader.truth.values import Value, parse_value
from grader.verdicts import Verdict
from solver.errors import counted


def weighed(move: Move, truth: Truth, canonical: bool) -> tuple[Verdict, str, str]:
    """The verdict, the reason, and the comparison with the best move."""
    given, best = parse_value(move.value), _best(truth)
    if canonical:
        return Verdict.EXACT, f"the expected move{_measure(given)}", ""
    if given.score > best.score:
        # The expected board of another course need not be the best.
        return Verdict.EQUAL, "better than the expected move", f"{given} instead of {best}"
    if given.score == best.score:
        return Verdict.EQUAL, f"as good as the expected move{_measure(given)}", ""
    comparison = f"{given} instead of {best}"
    if given.result != best.result:
        return Verdict.WORSE, _thrown_away(given, best), comparison
    if not given.result:
        reason = f"a weaker move, as far as depth {given.depth} shows"
        return Verdict.WORSE, reason, comparison
    plies = counted(given.plies or 0, "ply").replace("plys", "plies")
    if given.result > 0:
        return Verdict.SLOWER, f"it wins in {plies}, later than it could", comparison
    return Verdict.SLOWER, f"it loses in {plies}, sooner than it must", comparison


def _best(truth: Truth) -> Value:
    """The canonical move's value, which is that of the first of the best moves."""
    return parse_value(next(move.value for move in truth.moves if move.name == truth.best[0]))


def _measure(value: Value) -> str:
    """How an unproven value was measured."""
    return "" if value.proven else f", as far as depth {value.depth} shows"


def _thrown_away(given: Value, best: Value) -> str:
    lost = f": now it is a {given}" if given.proven else ""
    if best.result > 0:
        if given.proven:
            return f"the win was thrown away{lost}"
        return f"no win is proven after this move, searched to depth {given.depth}"
    if best.proven:
        return f"the draw was thrown away{lost}"
    return f"the game was thrown away{lost}"
