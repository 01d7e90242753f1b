"""What a legal move is worth beside the best.

Of two certain wins one is slower only if that is proven.  Where a win is proven and nothing about
the given move is, a search has the last word: who is still ahead gets the benefit of the doubt.
"""

from __future__ import annotations

from grader.grading.records import Verdict
from grader.puzzles.truth import Move, Truth, Value, parse_value
from solver.errors import counted


def weighed(move: Move, truth: Truth, canonical: bool) -> tuple[Verdict, str, str]:
    """The verdict, the reason, and the comparison with the best move."""
    given, best = parse_value(move.value), _best(truth)
    if canonical:
        return Verdict.EXACT, f"the expected move{_measure(given)}", ""
    comparison = f"{given} instead of {best}"
    if given.result != best.result:
        if given.result > best.result:
            # The expected board of another course need not be the best.
            return Verdict.EQUAL, "better than the expected move", comparison
        if best.result > 0 and not given.certain and given.score > 0:
            reason = f"still ahead at depth {given.depth}; whether it wins is not proven"
            return Verdict.SLOWER, reason, comparison
        return Verdict.WORSE, _thrown_away(given, best), comparison
    if given.result:
        return _by_length(given, best, str(best) == truth.value)
    if given.score < best.score:
        return Verdict.WORSE, f"a weaker move{_measure(given, best)}", comparison
    if given.score == best.score or best.certain:
        return Verdict.EQUAL, f"as good as the expected move{_measure(given, best)}", ""
    return Verdict.EQUAL, "better than the expected move", comparison


def _by_length(given: Value, best: Value, is_shortest: bool) -> tuple[Verdict, str, str]:
    """Of two certain wins, or losses.  `is_shortest` if no other move is better than the best:
    then what is not proven to be as short is longer."""
    comparison = f"{given} instead of {best}"
    if _is_slower(given, best, is_shortest):
        plies = counted(given.most_plies or 0, "ply", "plies")
        bound = "at most " if given.bounded else ""
        if given.result > 0:
            return Verdict.SLOWER, f"it wins in {bound}{plies}, later than it could", comparison
        return Verdict.SLOWER, f"it loses in {bound}{plies}, sooner than it must", comparison
    if given == best and given.proven:
        return Verdict.EQUAL, "as good as the expected move", ""
    if given.proven and best.proven:
        return Verdict.EQUAL, "better than the expected move", comparison
    if given.result > 0:
        reason = "as certain a win as the expected move; which is shorter is not proven"
    else:
        reason = "lost like the expected move; which lasts longer is not proven"
    return Verdict.EQUAL, reason, "" if given == best else comparison


def _is_slower(given: Value, best: Value, is_shortest: bool) -> bool:
    """Whether a win is longer for certain, or a loss shorter."""
    if given.score >= best.score:
        return False
    if given.result > 0:
        return given.proven or (best.proven and is_shortest)
    return best.proven


def _best(truth: Truth) -> Value:
    """The canonical move's value, which is that of the first of the best moves."""
    return parse_value(next(move.value for move in truth.moves if move.name == truth.best[0]))


def _measure(*values: Value) -> str:
    """How an unproven value was measured."""
    depths = [value.depth for value in values if value.depth is not None]
    return f", as far as depth {depths[0]} shows" if depths else ""


def _thrown_away(given: Value, best: Value) -> str:
    lost = f": now it is a {given}" if given.certain else ""
    if best.result > 0:
        if given.certain:
            return f"the win was thrown away{lost}"
        return f"no win is proven after this move, searched to depth {given.depth}"
    if best.certain:
        return f"the draw was thrown away{lost}"
    return f"the game was thrown away{lost}"
