"""The best line against the others.  Everything is from the point of view of the mover at the root;
proofs and estimates are labelled as such."""

from __future__ import annotations

from enum import Enum
from typing import NamedTuple

from solver.errors import counted
from solver.explain.describe import describe_trade, name_pieces, sentence
from solver.proof.prover import Prover
from solver.search.limits import Limits
from solver.search.position import LOST
from solver.search.score import UNKNOWN, describe, distance, win_in

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from solver.explain.story import Way
    from solver.search.heuristic import Evaluate, Exact
    from solver.search.position import Position
    from solver.search.result import SearchResult

    Ask = Callable[[frozenset[int]], SearchResult]

EARLY = 8  # plies
MOST_MOVES = 8  # named one by one
# Nodes to prove all best moves, as a multiple of the proof of one.
TIMES_THE_PROOF = 8
LEAST_NODES = 2_000
# Share of the nodes for the other moves.  Two estimates need the same depth, which costs more.
AFTER_PROOF, AFTER_ESTIMATE = 0.5, 2.0


class GameValue(Enum):
    """What is proven about a move."""

    WIN = "win"
    DRAW = "draw"
    LOSS = "loss"
    UNPROVEN = "unproven"


def game_value(result: SearchResult) -> GameValue:
    if not result.is_fact:
        return GameValue.UNPROVEN
    if result.score == 0:
        return GameValue.DRAW
    return GameValue.WIN if result.score > 0 else GameValue.LOSS


def plies_to_end(result: SearchResult) -> int | None:
    """An upper bound for the length of a win or loss; None if wins are not counted in plies."""
    return distance(result.score) if result.decided else None


def ends_with_estimate(way: Way, exact: Exact, evaluate: Evaluate) -> bool:
    """Whether the value of a line is what the heuristic says about its end.  It is not if the value
    is a fact, or if the rest of the line was cached."""
    if way.result.is_fact or way.last.status() == LOST or exact.score(way.last) != UNKNOWN:
        return False
    return evaluate_end(way, evaluate) == way.result.score


def evaluate_end(way: Way, evaluate: Evaluate) -> int:
    value = evaluate(way.last)
    return value if way.last.mover() == way.mover else -value


class Rivals(NamedTuple):
    """`equal` are other moves as good as the best; `next_best` is the best of the rest, or None;
    `moves` counts all legal moves."""

    equal: list[Position]
    next_best: SearchResult | None
    moves: int


def find_rivals(root: Position, known: list[SearchResult], ask: Ask, exact: Exact) -> Rivals:
    """Compare the best move with the others.  `known` are results of the best moves, the best
    first; `ask` finds the best move except the children with these indexes."""
    best, children = known[0], root.children()
    equal: list[Position] = []
    if best.proven:
        nodes = LEAST_NODES + TIMES_THE_PROOF * best.counters.visited
        moves = Prover(Limits(nodes=nodes), exact).best_moves(root, best.score)  # none: unfinished
        equal = [move for move in moves if move != best.best]
    found = [result for result in known[1:] if result.best not in equal]
    while len(equal) + 1 < len(children):
        if not found:
            seen = [best.best, *equal]
            found = [ask(frozenset(children.index(child) for child in seen))]
        result = found.pop(0)
        if not is_as_good(best, result):
            return Rivals(equal, result, len(children))
        equal.append(result.best)
    return Rivals(equal, None, len(children))


def is_as_good(one: SearchResult, two: SearchResult) -> bool:
    """Whether two moves have the same value, proven or estimated at the same depth."""
    if one.score != two.score:
        return False
    if one.is_fact or two.is_fact:
        return one.proven and two.proven
    return one.depth == two.depth


def further_limits(limits: Limits, best: SearchResult) -> Limits:
    """The limits of a search for the next best move."""
    if best.is_fact:
        return Limits(limits.depth, limits.part(AFTER_PROOF).nodes, limits.seconds)
    return Limits(max(1, best.depth), limits.part(AFTER_ESTIMATE).nodes, limits.seconds)


def describe_best(way: Way, rivals: Rivals) -> str:
    result, value = way.result, game_value(way.result)
    only = "it is the only legal move, and " if rivals.moves == 1 else ""
    if value is GameValue.WIN:
        if result.score == win_in(1) and not only:
            return "It wins at once."
        whatever = "" if only else f", whatever {way.other} does"
        return sentence(f"{only or 'it '}wins by force{_in_plies(result)}{whatever}")
    if value is GameValue.DRAW:
        return sentence(f"{only}holds the draw" if only else "it holds the draw; no move is better")
    if value is GameValue.LOSS:
        if result.proven and rivals.next_best is not None:
            return sentence(f"every move loses; this one holds out longest{_in_plies(result, '')}")
        return sentence(f"{only or 'every move '}loses{_in_plies(result)}")
    if only:
        return f"It is the only legal move; its value is an estimate, {_estimate(result)}."
    if result.depth == 0:
        return "Best by the heuristic alone (estimate); nothing was searched."
    return f"Best by search (estimate): {_estimate(result)}."


def describe_certainty(way: Way) -> str:
    result, value = way.result, game_value(way.result)
    if value is GameValue.UNPROVEN:
        return f"Both sides had other moves, so the value is an estimate: {_estimate(result)}."
    if value is GameValue.DRAW:
        return "Proven: both sides can force at least a draw."
    winner, loser = (way.mover, way.other)[:: 1 if value is GameValue.WIN else -1]
    if not result.proven:
        return sentence(f"proven; whether {winner} can win sooner is not")
    if result.score == win_in(1):
        return ""
    return sentence(f"proven: {winner} cannot win sooner, and {loser} cannot hold out longer")


def describe_change(best: Way, other: Way) -> str:
    """What another move changes about the value."""
    one, two = best.result, other.result
    before, after = game_value(one), game_value(two)
    if before is after:
        return _describe_same_value(best, other, before)
    if after is GameValue.UNPROVEN:
        return _describe_unproven(best, other, before)
    lost = {
        GameValue.WIN: f"the win{_in_plies(one)} is thrown away: ",
        GameValue.DRAW: "the draw is thrown away: ",
        GameValue.LOSS: "",
        GameValue.UNPROVEN: "this is proven: ",
    }[before]
    if after is GameValue.LOSS:
        return sentence(f"{lost}{best.other} wins{_in_plies(two)}")
    if after is GameValue.DRAW:
        return sentence(f"{lost}with best play it is a draw")
    return sentence(f"{lost}it wins{_in_plies(two)}")


def _describe_same_value(best: Way, other: Way, value: GameValue) -> str:
    one, two = best.result, other.result
    if value is GameValue.DRAW:
        return "It is a draw as well."
    if value is GameValue.UNPROVEN:
        if one.depth != two.depth:
            depths = f"{two.depth} and not {one.depth}"
            return f"It was searched to depth {depths}, so the two are hard to compare."
        less = f"{counted(one.score - two.score, 'point')} less than the best move"
        return f"It looks {_favours(other)} (estimate), {less}."
    wins = value is GameValue.WIN
    as_well = f"It {'wins' if wins else 'loses'} as well"
    end, other_end = plies_to_end(one), plies_to_end(two)
    if other_end is None:
        return f"{as_well}."
    if end is None or end == other_end or not (one.proven and two.proven):
        return f"{as_well},{_in_plies(two)}; the shortest way is not proven."
    plies = counted(abs(end - other_end), "ply", "plies")
    if wins:
        return f"{as_well}, but takes {plies} longer: {other_end} instead of {end}."
    return f"{as_well}, and {plies} sooner: after {other_end} instead of {end}."


def _describe_unproven(best: Way, other: Way, before: GameValue) -> str:
    looks = f"looks {_favours(other)} (estimate)"
    if before is GameValue.WIN:
        win = f"the proven win{_in_plies(best.result)}"
        return f"Instead of {win}, it leads to a position that {looks}."
    if before is GameValue.LOSS:
        end = plies_to_end(best.result)
        within = "" if end is None else f", after {counted(end, 'ply', 'plies')} at the latest"
        return f"It loses as well{within}; how soon is not proven."
    if other.result.score > 0:
        return f"It {looks}, but cannot be better than a draw; whether it draws is not proven."
    return f"Whether it holds the draw is not proven; it {looks}."


def _favours(way: Way) -> str:
    if way.result.score == 0:
        return "even"
    return f"better for {way.mover if way.result.score > 0 else way.other}"


def _estimate(result: SearchResult) -> str:
    return f"{describe(result.score)} at depth {result.depth}"


def _in_plies(result: SearchResult, first: str = " in") -> str:
    """` in 9 plies`, ` in at most 9 plies`; empty if unknown."""
    plies = plies_to_end(result)
    if plies is None:
        return ""
    most = "" if result.proven else " at most"
    return f"{first or ','}{most} {counted(plies, 'ply', 'plies')}"


def describe_fall(best: Way, other: Way) -> str:
    """Where the other line loses material that the best one keeps, if it does."""
    ledger, kept = other.ledger, min(best.ledger.ahead[-1], 0)
    ply = _end_of_turn(other, ledger.first_lasting(lambda gain: gain < kept))
    if not ply or game_value(other.result) is GameValue.WIN:
        return ""
    taken, lost = ledger.trade(1, ply)
    if ledger.points(lost) <= ledger.points(taken):
        loss = f"has let {other.other} get a king"
    elif sum(taken):
        loss = f"has given {describe_trade(ledger.kinds, lost, taken)}, and does not recover"
    else:
        loss = f"has lost {name_pieces(ledger.kinds, lost)}, and gets nothing for it"
    return sentence(f"{_after(other, ply)} {loss}")


def describe_gain(best: Way, other: Way) -> str:
    """Where the best line wins material that the other one never has, if it does."""
    ledger, most = best.ledger, max(other.ledger.ahead)
    first = ledger.first_lasting(lambda gain: gain > most)
    ply = _end_of_turn(best, first) if first <= other.plies else 0
    if not ply or game_value(other.result) is GameValue.WIN:
        return ""
    taken, lost = ledger.trade(1, ply)
    if ledger.points(taken) <= ledger.points(lost):
        gain = "has a new king"
    elif sum(lost):
        gain = f"has won {describe_trade(ledger.kinds, taken, lost)}"
    else:
        gain = f"has won {name_pieces(ledger.kinds, taken)}"
    return sentence(f"on the best line, {_after(best, ply)} {gain}")


def _end_of_turn(way: Way, ply: int) -> int:
    """The last ply of the exchange with this ply; 0 late in a line that ends the game, where
    material is a consequence and not a reason."""
    ply = next((last for first, last in way.ledger.exchanges() if first <= ply <= last), ply)
    return 0 if way.last.status() == LOST and (ply > EARLY or ply == way.plies) else ply


def _after(way: Way, ply: int) -> str:
    moves = " ".join(way.names[:ply]) if ply <= MOST_MOVES else f"{way.names[0]} and best play"
    return f"after {moves} (ply {ply}) {way.mover}"
