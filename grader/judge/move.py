"""One move, judged by its value: any move as good as the canonical one is accepted.  Of two certain
wins one is slower only if that is proven.  Where a win is proven and nothing about the given move
is, a search decides: a side that is still ahead gets the benefit of the doubt."""

from __future__ import annotations

from dataclasses import replace

from grader.grading.records import Judgement, Verdict
from grader.judge.answer import AnswerReader, Unreadable, WrittenBoard, write_board
from grader.judge.illegal import find_move
from grader.puzzles.truth import JudgedMove, Truth, Value
from solver.errors import counted
from solver.games import Game, ReadBoard, game_named
from solver.search.position import Position


def judge_move(board: ReadBoard[Position], output: bytes | None, truth: Truth) -> Judgement:
    """The judgement of an answer to the puzzle on this board."""
    rules, position = game_named(truth.game), board.position
    try:
        given = AnswerReader(rules, truth.variant).read(output)
    except Unreadable as error:
        judgement = Judgement(error.verdict, error.reason)
    else:
        given = given.with_kings(write_board(rules, position).cells, board.crowned)
        judgement = replace(_judge_board(rules, position, given, truth), given_board=str(given))
    return replace(judgement, best=truth.best, expected_board=truth.board)


def _judge_board(rules: Game, position: Position, given: WrittenBoard, truth: Truth) -> Judgement:
    if not truth.moves:
        if given.cells == write_board(rules, position).cells:
            reason = "the game was over already; the board is unchanged, as it should be"
            return Judgement(Verdict.EXACT, reason)
        return Judgement(Verdict.ILLEGAL, "the game was over already, so nothing may be moved")
    child = find_move(rules, position, given)
    if isinstance(child, Judgement):
        return child
    moves = {move.board: move for move in truth.moves}
    move = moves[rules.write(child, "board")]
    verdict, reason, comparison = weigh(move, truth)
    return Judgement(verdict, reason, comparison=comparison, move=move.name)


def weigh(move: JudgedMove, truth: Truth) -> tuple[Verdict, str, str]:
    """The verdict on a legal move, the reason, and the comparison with the best move."""
    given = move.value
    best = next(each.value for each in truth.moves if each.name == truth.best[0])
    if move.name == truth.canonical:
        return Verdict.EXACT, "the expected move", ""
    if given.result != best.result:
        if given.result > best.result:
            # The expected board of another course need not be the best.
            return Verdict.EQUAL, "better than the expected move", _compare(given, best)
        if best.result > 0 and not given.certain and given.score > 0:
            return Verdict.SLOWER, say_result(given), could_have(best)
        return Verdict.WORSE, _thrown_away(given, best), _compare(given, best)
    if given.result:
        return _weigh_lengths(given, best, best == truth.value)
    by_search = "" if given.certain and best.certain else " (estimate)"
    if given.score < best.score:
        return Verdict.WORSE, f"a weaker move{by_search}", _compare(given, best)
    if given.score == best.score or best.certain:
        return Verdict.EQUAL, f"as good as the expected move{by_search}", ""
    return Verdict.EQUAL, f"better than the expected move{by_search}", _compare(given, best)


def _weigh_lengths(given: Value, best: Value, is_shortest: bool) -> tuple[Verdict, str, str]:
    """Of two certain wins, or losses.  `is_shortest` if no other move is better than the best:
    then what is not proven to be as short is longer."""
    if _is_slower(given, best, is_shortest):
        return Verdict.SLOWER, say_result(given), could_have(best)
    if given == best and given.proven:
        return Verdict.EQUAL, "as good as the expected move", ""
    if given.proven and best.proven:
        return Verdict.EQUAL, "better than the expected move", _compare(given, best)
    if given.result > 0:
        reason = "as certain a win as the expected move; which is shorter is not proven"
    else:
        reason = "lost like the expected move; which lasts longer is not proven"
    return Verdict.EQUAL, reason, _compare(given, best)


def say_result(value: Value) -> str:
    """What happens after a move, for people: the numbers of a search say nothing to them."""
    if value.result:
        bound = "at most " if value.bounded else ""
        plies = counted(value.most_plies or 0, "ply", "plies")
        return f"{'wins' if value.result > 0 else 'loses'} in {bound}{plies}"
    if value.certain:
        return "draws"
    return "still ahead, but the win is no longer proven" if value.score > 0 else "no win is proven"


def could_have(best: Value) -> str:
    """What follows `wins in 11 plies`: `could win in 7`."""
    if not best.result:
        return "could draw"
    bound = "at most " if best.bounded else ""
    return f"could {'win in' if best.result > 0 else 'hold out'} {bound}{best.most_plies}"


def _compare(given: Value, best: Value) -> str:
    """With the best; a student need not read the estimates of a search."""
    if given == best:
        return ""
    if given.certain and best.certain:
        return f"{given} instead of {best}"
    return could_have(best) if best.certain and given.score < best.score else ""


def _is_slower(given: Value, best: Value, is_shortest: bool) -> bool:
    """Whether a win is longer for certain, or a loss shorter."""
    if given.score >= best.score:
        return False
    if given.result > 0:
        return given.proven or (best.proven and is_shortest)
    return best.proven


def _thrown_away(given: Value, best: Value) -> str:
    if best.result > 0 and not given.certain:
        return "no longer ahead, no win is proven after this move"
    what = "win" if best.result > 0 else "draw" if best.certain else "game"
    return f"the {what} was thrown away: now it is a {given}"
