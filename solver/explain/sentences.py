"""What a way is worth, and what another one loses, in sentences.

A fact is told as one, an opinion as one; everything is seen by the mover of the root.
"""

from __future__ import annotations

from solver.errors import counted
from solver.explain.compare import Result, plies_to_end, result_of
from solver.explain.describe import pieces, sentence, traded
from solver.search.score import describe

TYPE_CHECKING = False
if TYPE_CHECKING:
    from solver.explain.compare import Difference, Rivals, Turn
    from solver.explain.story import Trade, Way
    from solver.search.result import SearchResult

MOST_MOVES = 8  # that are named one by one


def verdict(way: Way, rivals: Rivals) -> str:
    """What the best move achieves."""
    search_result, result = way.result, result_of(way.result)
    if rivals.moves == 1:
        return sentence(f"it is the only legal move{_only(way)}")
    if result is Result.WIN:
        if way.plies == 1:
            return "It wins at once."
        return sentence(f"it wins by force{_in_plies(search_result)}, whatever {way.other} does")
    if result is Result.DRAW:
        return "It holds the draw, and no move does better."
    if result is Result.LOSS:
        if search_result.proven and rivals.next_best is not None:
            return sentence(
                f"every move loses; this one holds out longest{_in_plies(search_result, '')}"
            )
        return sentence(f"every move loses{_in_plies(search_result)}")
    if search_result.depth == 0:
        return "Nothing was searched: the heuristic alone likes it best."
    return sentence(f"the search likes it best: {_opinion(search_result)}")


def _only(way: Way) -> str:
    search_result, result = way.result, result_of(way.result)
    if result is Result.WIN:
        return f", and wins by force{_in_plies(search_result)}"
    if result is Result.LOSS:
        return f", and loses{_in_plies(search_result)}"
    return (
        ", and holds the draw"
        if result is Result.DRAW
        else f"; its worth is {_opinion(search_result)}"
    )


def certainty(way: Way) -> str:
    """How far the value of a line can be trusted."""
    search_result, result = way.result, result_of(way.result)
    if result is Result.OPEN:
        return sentence(f"but both sides had other moves, so it remains {_opinion(search_result)}")
    if result is Result.DRAW:
        return "Proven: both sides can force at least a draw."
    winner, loser = (way.mover, way.other) if result is Result.WIN else (way.other, way.mover)
    if not search_result.proven:
        return sentence(f"proven; whether {winner} can win sooner is not")
    if way.plies == 1:
        return ""
    return sentence(f"proven: {winner} cannot win sooner, and {loser} cannot hold out longer")


def what_changes(best: Way, other: Way, found: Difference) -> str:
    """What becomes of the result."""
    if found.before is found.after:
        return _same_result(best, other, found)
    if found.after is Result.OPEN:
        return _unproven(best, other, found)
    result = other.result
    thrown = {
        Result.WIN: f"the win{_in_plies(best.result)} is thrown away: ",
        Result.DRAW: "the draw is thrown away: ",
        Result.LOSS: "",
        Result.OPEN: "this is known for certain: ",
    }[found.before]
    if found.after is Result.LOSS:
        return sentence(f"{thrown}{best.other} wins{_in_plies(result)}")
    if found.after is Result.DRAW:
        return sentence(f"{thrown}with best play nobody wins")
    return sentence(f"{thrown}it wins{_in_plies(result)}")


def _same_result(best: Way, other: Way, found: Difference) -> str:
    if found.before is Result.OPEN:
        return _opinions(best, other, found)
    if found.before is Result.DRAW:
        return "It is a draw as well."
    wins = found.before is Result.WIN
    as_well = f"it {'wins' if wins else 'loses'} as well"
    one, two = plies_to_end(best.result), plies_to_end(other.result)
    if found.plies:
        far = counted(found.plies, "ply", "plies")
        if wins:
            return sentence(f"{as_well}, but takes {far} longer: {two} instead of {one}")
        return sentence(f"{as_well}, and {far} sooner: after {two} instead of {one}")
    if two is None:
        return sentence(as_well)
    return sentence(f"{as_well},{_in_plies(other.result)}; how soon at best is not proven")


def _unproven(best: Way, other: Way, found: Difference) -> str:
    """Where a fact gives way to an opinion."""
    looks = _looks(other)
    if found.before is Result.WIN:
        return sentence(
            f"the win{_in_plies(best.result)} becomes a game that looks {looks}: an opinion and "
            "no longer a proof"
        )
    if found.before is Result.DRAW and other.result.score > 0:
        return sentence(
            f"to the search it looks {looks}, but there cannot be more in it than the draw, and "
            "whether it holds that is not proven"
        )
    if found.before is Result.DRAW:
        return sentence(f"whether it holds the draw is not proven; it looks {looks}")
    end = plies_to_end(best.result)
    within = "" if end is None else f", after {counted(end, 'ply', 'plies')} at the latest"
    return sentence(f"it loses as well{within}; how soon is not proven")


def _opinions(best: Way, other: Way, found: Difference) -> str:
    if found.points is None:
        depths = f"{other.result.depth} and not {best.result.depth}"
        return sentence(f"it was searched to depth {depths}, so the two are hard to compare")
    points = counted(found.points, "point")
    return sentence(f"it looks {_looks(other)}, {points} less than the best: an opinion, too")


def _looks(way: Way) -> str:
    if way.result.score == 0:
        return "even"
    return f"better for {way.mover if way.result.score > 0 else way.other}"


def _opinion(result: SearchResult) -> str:
    return f"an opinion, {describe(result.score)} at depth {result.depth}"


def _in_plies(result: SearchResult, first: str = " in") -> str:
    """` in 9 plies`, ` in at most 9 plies`; nothing where the distance is not known."""
    plies = plies_to_end(result)
    if plies is None:
        return ""
    most = "" if result.proven else " at most"
    return f"{first or ','}{most} {counted(plies, 'ply', 'plies')}"


def where_it_falls(way: Way, turn: Turn) -> str:
    """The ply from which on something is lost, and stays so."""
    return sentence(f"{_after(way, turn.ply)} {_lost(way, turn.trade)}")


def where_it_gains(way: Way, turn: Turn) -> str:
    """The ply by which the best way has won what the other one does not."""
    return sentence(f"on the best line, {_after(way, turn.ply)} {_won(way, turn.trade)}")


def _after(way: Way, ply: int) -> str:
    moves = " ".join(way.names[:ply]) if ply <= MOST_MOVES else f"{way.names[0]} and best play"
    return f"after {moves} (ply {ply}) {way.mover}"


def _lost(way: Way, trade: Trade) -> str:
    """By captures; if these were even, by a king."""
    kinds, points = way.ledger.kinds, way.ledger.points
    if points(trade.lost) <= points(trade.taken):
        return f"has let {way.other} be crowned"
    if sum(trade.taken):
        return f"has given {traded(kinds, trade.lost, trade.taken)}, and does not make up for it"
    return f"has lost {pieces(kinds, trade.lost)}, and gets nothing for it"


def _won(way: Way, trade: Trade) -> str:
    kinds, points = way.ledger.kinds, way.ledger.points
    if points(trade.taken) <= points(trade.lost):
        return "has been crowned"
    if sum(trade.lost):
        return f"has got {traded(kinds, trade.taken, trade.lost)}"
    return f"has won {pieces(kinds, trade.taken)}"
