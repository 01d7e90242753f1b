"""What can be going on in a checkers puzzle: jumps, crownings, shots, endings."""

from __future__ import annotations

from itertools import pairwise

from checkers_puzzle import (
    Checkers,
    Motif,
    Puzzle,
    both,
    crowns,
    jumped,
    mover,
    only_one_best,
    only_one_wins,
    path,
    rank,
    taken,
    wins,
)

from grader.puzzles.truth import Move
from solver.checkers.rules import Board
from solver.limits import Limits
from solver.position import Position
from solver.shortest import ShortestWin
from solver.standing import FORCED


def must_jump(puzzle: Puzzle) -> bool:
    return len(puzzle.truth.moves) == 1 and taken(puzzle.best) > 0


def may_choose_a_jump(puzzle: Puzzle) -> bool:
    return len(puzzle.truth.moves) > 1 and taken(puzzle.best) > 0


def takes(number: int, piece: str = "rR") -> Motif:
    """The best move takes so many."""
    return lambda puzzle: taken(puzzle.best) == number and mover(puzzle, puzzle.best) in piece


def takes_most(puzzle: Puzzle) -> bool:
    return only_one_wins(puzzle) and taken(puzzle.best) > max(map(taken, puzzle.others))


def takes_fewer(puzzle: Puzzle) -> bool:
    """Whoever takes more loses."""
    return wins(puzzle) and taken(puzzle.best) < max(map(taken, puzzle.worth("loss")), default=0)


def jumps_with(*pieces: str) -> Motif:
    """Jumps of exactly these different pieces are to choose from."""

    def check(puzzle: Puzzle) -> bool:
        starts = {path(move)[0] for move in puzzle.truth.moves}
        kinds = sorted(puzzle.piece(start) for start in starts)
        return may_choose_a_jump(puzzle) and kinds == sorted(pieces)

    return check


def goes_back(puzzle: Puzzle) -> bool:
    squares = path(puzzle.best)
    return mover(puzzle, puzzle.best) == "R" and rank(squares[-1]) < rank(squares[0])


def goes_both_ways(puzzle: Puzzle) -> bool:
    """The king goes up and down in one move."""
    ranks = [rank(square) for square in path(puzzle.best)]
    steps = [after - before for before, after in pairwise(ranks)]
    return min(steps) < 0 < max(steps)


def goes_in_a_circle(puzzle: Puzzle) -> bool:
    return path(puzzle.best)[0] == path(puzzle.best)[-1]


def starts_down(puzzle: Puzzle) -> bool:
    first, second, *_ = path(puzzle.best)
    return rank(second) < rank(first)


def black_behind(rows: list[str], man: str, victims: str, ahead: int) -> bool:
    """Whether a man could jump backwards if men could."""
    return any(
        rows[row][column] == man
        and rows[row + ahead][column + step] in victims
        and rows[row + 2 * ahead][column + 2 * step] == "."
        for row in range(8)
        for column in range(8)
        for step in (-1, 1)
        if 0 <= column + 2 * step < 8 and 0 <= row + 2 * ahead < 8
    )


def red_could_jump_back(puzzle: Puzzle) -> bool:
    return not taken(puzzle.best) and black_behind(puzzle.rows, "r", "bB", 1)


def goes_past_a_man(puzzle: Puzzle) -> bool:
    """Black could take what has moved if men jumped backwards, and cannot take anything."""
    rows = puzzle.truth.board.split("\n")
    before = black_behind(puzzle.rows, "b", "rR", -1)
    jumps = [jumped(puzzle.after, reply) for reply in puzzle.after.children()]
    return not before and black_behind(rows, "b", "rR", -1) and not any(jumps)


def could_be_crowned(puzzle: Puzzle) -> bool:
    """By a step, if there were nothing to take."""
    ahead = [
        (column + step)
        for column in range(8)
        for step in (-1, 1)
        if puzzle.rows[1][column] == "r" and 0 <= column + step < 8
    ]
    return any(puzzle.rows[0][column] == "." for column in ahead)


def another_man_could_be_crowned(puzzle: Puzzle) -> bool:
    men = {path(move)[0] for move in puzzle.truth.moves if crowns(puzzle, move)}
    return len(men) > 1


def crowns_elsewhere(puzzle: Puzzle) -> bool:
    return only_one_wins(puzzle) and any(crowns(puzzle, move) for move in puzzle.others)


def stops_crowned(puzzle: Puzzle, move: Move) -> bool:
    """A black piece beside the new king could be jumped if the move went on."""
    rows = move.board.split("\n")
    column = "abcdefgh".index(path(move)[-1][0])
    beside = [(column + step, column + 2 * step) for step in (-1, 1)]
    onward = any(
        0 <= over < 8 and 0 <= to < 8 and rows[1][over] in "bB" and rows[2][to] == "."
        for over, to in beside
    )
    return taken(move) > 0 and crowns(puzzle, move) and onward


def gives_to_take(given: int, back: int, at_once: bool = False) -> Motif:
    """The only best move lets black take so many, one after the other or at once, each time by
    force; then red takes at least so many in one move, and wins."""
    jumps = [given] if at_once else [1] * given
    return both(wins, only_one_best, lambda p: _is_shot(p.position, p.after, jumps, back))


def _is_shot(position: Checkers, step: Checkers, given: list[int], back: int) -> bool:
    replies = step.children()
    if jumped(position, step) or len(replies) != 1 or jumped(step, replies[0]) != given[0]:
        return False
    answers = replies[0].children()
    if len(given) > 1:
        return any(_is_shot(replies[0], answer, given[1:], back) for answer in answers)
    return max((jumped(replies[0], answer) for answer in answers), default=0) >= back


def gives_a(piece: str) -> Motif:
    """Black's forced jump takes such a piece and no other."""

    def check(puzzle: Puzzle) -> bool:
        (reply,) = puzzle.after.children()
        rows = str(puzzle.after), str(reply)
        return jumped(puzzle.after, reply) > 0 and all(
            rows[0].count(each) - rows[1].count(each) == (each == piece) for each in "rR"
        )

    return check


def sacrifices(puzzle: Puzzle) -> bool:
    """After the only winning move, which takes nothing, black has to take."""
    return only_one_wins(puzzle) and takes(0)(puzzle) and puzzle.after.standing() == FORCED


def takes_two_for_one(puzzle: Puzzle) -> bool:
    """One is given, and two are taken at once."""
    return _is_shot(puzzle.position, puzzle.after, [1], 2)


def exchanges(puzzle: Puzzle) -> bool:
    return _is_shot(puzzle.position, puzzle.after, [1], 1) and not takes_two_for_one(puzzle)


def line_of(puzzle: Puzzle) -> list[Position]:
    finding = ShortestWin(Limits(nodes=100_000)).run(puzzle.position)
    assert finding is not None
    return [puzzle.position, *finding.line]


def ends_blocked(puzzle: Puzzle) -> bool:
    last = line_of(puzzle)[-1]
    return "b" in str(last).lower() and not last.children()


def ends_taken(puzzle: Puzzle) -> bool:
    return "b" not in str(line_of(puzzle)[-1]).lower()


def ends_with(pieces: str, number: int = 1) -> Motif:
    """So many black pieces of the kind are left, and cannot move."""
    return lambda puzzle: (
        sum(str(line_of(puzzle)[-1]).count(piece) for piece in pieces) >= number
        and ends_blocked(puzzle)
    )


def takes_at_last(number: int) -> Motif:
    def check(puzzle: Puzzle) -> bool:
        before, last = line_of(puzzle)[-2:]
        assert isinstance(before, Board)
        assert isinstance(last, Board)
        return ends_taken(puzzle) and jumped(before, last) == number

    return check
