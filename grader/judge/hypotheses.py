"""What a program with one bug would answer.  A hypothesis is a plain search with at most one bug,
in its rules or in the search.  For each depth and each plain evaluation it gives the set of boards
that it may answer.  The sets for the collection are shipped, by the content of the board."""

from __future__ import annotations

import gzip
import json
from collections.abc import Mapping, Sequence
from contextlib import suppress
from copy import copy
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from solver.games import Game, game_named
from solver.games.bugs import Bug, PlainRules, read_bugs

DEPTHS = range(1, 7)
RIGHT = ""  # the key of the right rules and search
# Also right: they do not look for the end of the game where the search stops, or only for the kind
# that shows without looking for moves.
BLIND, STUCK_BLIND = "blind-leaves", "blind-to-no-move"
ALSO_RIGHT = (BLIND, STUCK_BLIND)
MOST_NODES = 20_000  # of all depths under one evaluation; deeper searches are left out
WIN = 1000
INFINITE = 9999
SHIPPED = Path(__file__).with_name("answers")

SEARCH_BUGS = read_bugs(Path(__file__).with_name("search_bugs.toml"))
FULL_WIDTH = ("opponent-helps", "cache-without-side", "cache-without-depth", "cache-by-board")


class TooManyNodes(Exception):
    """The depth cannot be searched within the limit."""


class PlainSearch:
    """Searches to a fixed depth under one of the plain evaluations, with at most one bug."""

    def __init__(self, rules: PlainRules, bug: str, evaluation: int) -> None:
        self.rules = rules
        self.bug = bug
        self.evaluation = evaluation
        self.best: dict[str, str] = {}  # the best move of shallower searches, to try first
        self.bounds: dict[tuple[str, int], tuple[int, int]] = {}
        self.values: dict[tuple[str, int], int] = {}
        self.nodes = 0

    def find_answers(self, position: str, depth: int) -> frozenset[str]:
        """The boards after the best moves; the board itself if there is no move."""
        if self.bug != "cache-without-side":  # which harms only if depths follow each other
            self.values = {}
        best, found = -INFINITE, [position[:64]]
        for child in self.rules.moves(position):
            if self.bug in FULL_WIDTH:
                value = self._minimax(child, depth - 1, -1)
            elif self.bug == "wrong-cut":
                value = -self._alphabeta(child, depth - 1, -INFINITE, -best)
            else:  # moves as good as the best one are wanted too
                value = -self._alphabeta(child, depth - 1, -INFINITE, 1 - best)
            if value > best:
                best, found = value, []
            if value == best:
                found.append(child[:64])
        return frozenset(found)

    def _evaluate(self, position: str, moves: Sequence[str], depth: int) -> int | None:
        """The value for the side to move, if the search does not go deeper."""
        blind = "" if depth else self.bug
        stuck = not moves and self.bug != "no-move-no-loss" and blind not in ALSO_RIGHT
        if stuck or (blind != BLIND and self.rules.is_lost(position)):
            value = -WIN if self.bug == "equal-wins" else -WIN - depth
            return -value if self.bug == "minimises" else value
        if moves and depth:
            return None
        value = self.rules.evaluate(position)[self.evaluation]
        return -value if self.bug in ("minimises", "evaluation-sign") else value

    def _alphabeta(self, position: str, depth: int, alpha: int, beta: int) -> int:
        """The value for the side to move, or a bound of it outside the window."""
        moves = self.rules.moves(position)
        value = self._evaluate(position, moves, depth)
        if value is not None:
            return value
        low, high = self.bounds.get((position, depth), (-INFINITE, INFINITE))
        if low >= beta or high <= alpha:
            return low if low >= beta else high
        self._count()
        cut = alpha + 1 if self.bug == "wrong-cut" else beta
        first = self.best.get(position)
        best, at = -INFINITE, alpha
        for child in moves if first is None else (first, *moves):
            value = -self._alphabeta(child, depth - 1, -beta, -at)
            if value > best:
                best, at = value, max(value, at)
                if self.bug != "wrong-cut":
                    self.best[position] = child
                if value >= cut:
                    break
        if self.bug != "wrong-cut":
            bounds = (best if best > alpha else low), (best if best < beta else high)
            self.bounds[position, depth] = bounds
        return best

    def _minimax(self, position: str, depth: int, side: int) -> int:
        """The value for the program, whose `side` is 1, by full search with a faulty cache."""
        board = position if self.bug in ("opponent-helps", "cache-without-depth") else position[:64]
        key = board, depth if self.bug in ("opponent-helps", "cache-without-side") else 0
        if key not in self.values:
            self._count()
            moves = self.rules.moves(position)
            value = self._evaluate(position, moves, depth)
            if value is not None:
                self.values[key] = side * value
            else:
                values = [self._minimax(child, depth - 1, -side) for child in moves]
                helped = side == 1 or self.bug == "opponent-helps"
                self.values[key] = max(values) if helped else min(values)
        return self.values[key]

    def _count(self) -> None:
        self.nodes += 1
        if self.nodes > MOST_NODES:
            raise TooManyNodes


@dataclass(frozen=True)
class AnswerSets:
    """What every hypothesis may answer to one board."""

    boards: tuple[str, ...]  # all possible answers, each of 64 squares
    sets: tuple[frozenset[int], ...]  # different sets of them, by their numbers
    # For each hypothesis the number of its set, evaluation by evaluation, in each every depth.
    chosen: Mapping[str, Sequence[int]]


def hypotheses(game: Game) -> tuple[Bug, ...]:
    return (*game.bugs(), *SEARCH_BUGS)


@cache
def find_answer_sets(name: str, position: str) -> AnswerSets:
    """For a game and a position as `solver.games.bugs` writes it."""
    shipped = _load(name).get(position)
    return compute_answer_sets(name, position) if shipped is None else shipped


def compute_answer_sets(name: str, position: str) -> AnswerSets:
    game = game_named(name)
    right = _remember(game.plain_rules())
    answers = {key: _search_all(right, key, position) for key in (RIGHT, *ALSO_RIGHT)}
    for bug in game.bugs():
        rules = _remember(game.plain_rules(bug.key))
        answers[bug.key] = _search_all(rules, RIGHT, position)
    answers |= {bug.key: _search_all(right, bug.key, position) for bug in SEARCH_BUGS}
    boards = sorted({board for found in answers.values() for each in found for board in each})
    numbers = {board: number for number, board in enumerate(boards)}
    sets = list(dict.fromkeys(each for found in answers.values() for each in found))
    places = {each: number for number, each in enumerate(sets)}
    return AnswerSets(
        tuple(boards),
        tuple(frozenset(numbers[board] for board in each) for each in sets),
        {key: [places[each] for each in found] for key, found in answers.items()},
    )


def _search_all(rules: PlainRules, bug: str, position: str) -> list[frozenset[str]]:
    """The answers in the order of `AnswerSets.chosen`.  A depth that takes too long is taken to
    be like the one before it."""
    found: list[frozenset[str]] = []
    for evaluation in range(len(rules.evaluate(position))):
        search = PlainSearch(rules, bug, evaluation)
        answers: frozenset[str] = frozenset()
        for depth in DEPTHS:
            with suppress(TooManyNodes):
                answers = search.find_answers(position, depth)
            found.append(answers)
    every = frozenset(child[:64] for child in rules.moves(position)) or found[-1]
    for usual in (found[-len(DEPTHS) :], [every] * len(DEPTHS)):
        found += [rules.prefer(position, each, habit) for habit in rules.habits for each in usual]
    return found


def _remember(rules: PlainRules) -> PlainRules:
    """The same rules, which work out a position only once."""
    same = copy(rules)
    same.moves = cache(rules.moves)  # type: ignore[method-assign]
    same.evaluate = cache(rules.evaluate)  # type: ignore[method-assign]
    return same


@cache
def _load(name: str) -> Mapping[str, AnswerSets]:
    """What is shipped for a game, by position."""
    path = SHIPPED / f"{name}.json.gz"
    if not path.is_file():
        return {}
    plain = json.loads(gzip.decompress(path.read_bytes()))
    return {
        position: AnswerSets(tuple(boards), tuple(map(frozenset, sets)), chosen)
        for position, (boards, sets, chosen) in plain.items()
    }
