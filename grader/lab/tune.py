"""Fits a heuristic of checkers to games, by logistic regression.

Every position is labelled with how its game ended and, for a smaller part, with what the player's
search expected: results alone are too noisy.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from grader.lab.self_play import Arrays, numpy
from solver.errors import UserError
from solver.games.checkers.heuristics import HEURISTICS
from solver.games.checkers.patterns import (
    BLOCKS,
    ENTRIES,
    PARTS,
    PHASES,
    PLACES,
    SMALL,
    Patterns,
    fullness,
)
from solver.games.checkers.rules import BLACK, Board
from solver.games.checkers.terms import SideBySide
from solver.search.heuristic import describe_error, is_own, load
from solver.search.position import count

RESULT = 0.6  # of a label; the rest is the score
POINTS = 400 / math.log(10)  # for odds of e to one: 400 stand for odds of ten to one
HELD_OUT = 10  # every tenth game is kept for measuring
RIDGE = 1.0  # samples' worth of belief that a weight is 0: keeps terms apart that occur together
ROUNDS = 20

# The regression of `patterns`.
EPOCHS = 8
BATCH = 1 << 14
RATE = 0.01
STEADY = 1e-4  # the slope below which weights move slowly: those of what seldom occurs
BELIEF = 10.0  # samples' worth of belief that a weight is 0
LARGEST = 3600  # in a table


@dataclass(frozen=True)
class Samples:
    """How often each term occurs, for the mover less for the other side; the label; whether it is
    held out."""

    positions: Arrays
    counts: Arrays
    labels: Arrays
    held_out: Arrays

    def loss(self, logits: Arrays) -> float:
        """The mean negative log-likelihood of what is held out; 0.693 is knowing nothing."""
        np = numpy()
        logits, labels = logits[self.held_out], self.labels[self.held_out]
        return float(np.mean(np.logaddexp(0, logits) - labels * logits))


def take_samples(name: str, positions: Arrays) -> Samples:
    np = numpy()
    count_terms = counter(name)
    try:
        counts = for_boards(count_terms, positions, np.float32)
        if counts.ndim != 2:
            raise ValueError("it must return a list of numbers, always of the same length")
    except Exception as error:  # whatever a function of the user's does
        raise UserError(describe_error(name.rpartition(":")[0], error)) from None
    score = expected(positions["score"] / POINTS)
    labels = RESULT * positions["half_points"] / 2 + (1 - RESULT) * score
    held_out = positions["game"] % HELD_OUT == HELD_OUT - 1
    return Samples(positions, counts, labels, held_out)


def for_boards(find: Callable[[Board], Any], positions: Arrays, kind: type) -> Arrays:
    """What this finds on the board of every position; few boards are in memory at a time."""
    np = numpy()
    found = []
    for batch in batches(positions):
        rows = batch[["own", "enemy", "kings", "side"]].tolist()
        boards = [Board(own, enemy, kings, side) for own, enemy, kings, side in rows]
        found.append(np.array([find(board) for board in boards], kind))
    return np.concatenate(found)


def counter(name: str) -> Callable[[Board], list[int]]:
    """How often each term of a heuristic occurs, for the mover less for the other side; or what a
    function of the user's returns."""
    if is_own(name):
        return load(name).evaluate  # type: ignore[return-value]
    kind = type(HEURISTICS[name])
    units = [kind({other: int(other == key) for other in kind.TERMS}) for key in kind.TERMS]
    return lambda board: [SideBySide.value(unit, board) for unit in units]


def expected(logits: Arrays) -> Arrays:
    """The results that these odds stand for."""
    return 0.5 + 0.5 * numpy().tanh(0.5 * logits)


def fit(counts: Arrays, labels: Arrays) -> Arrays:
    """The weights that make the labels most likely, in logits, by Newton's method."""
    np = numpy()
    held = RIDGE * np.mean(counts**2, axis=0) + 1e-6
    weights = np.zeros(counts.shape[1])
    for _ in range(ROUNDS):
        chances = expected(counts @ weights)
        slope = counts.T @ (labels - chances) - held * weights
        curve = (counts.T * (chances * (1 - chances))) @ counts + np.diag(held)
        weights += np.linalg.solve(curve, slope)
    return weights


class PatternFit:
    """The regression of `patterns` by Adam.  A board counts as much as the same with colours
    exchanged, so an entry of a table and its counterpart share a weight, with opposite signs.  The
    worth of a man by his square is fitted, too, and becomes part of the tables, so that these know
    something of what never occurred."""

    def __init__(self, samples: Samples) -> None:
        np = numpy()
        self.samples = samples
        heuristic = Patterns({})
        positions = samples.positions
        movers = 1 - 2 * (positions["side"] & BLACK).astype(np.int8)
        places = [places_of(batch) for batch in batches(positions)]
        # Terms, then kings and men by their places, turned round for black.
        self.dense = np.concatenate(
            [samples.counts.astype(np.int8), np.concatenate(places) * movers[:, None]], axis=1
        )
        entries = for_boards(heuristic.entries, positions, np.int32)
        full = for_boards(lambda board: fullness(count(board.own | board.enemy)), positions, float)
        full /= PHASES
        self.shares = np.array([full, 1 - full], np.float32).T
        self.shared, self.turned = counterparts()
        self.entries = self.shared[entries]
        self.signs = self.turned[entries] * movers[:, None]
        sizes = self.dense.shape[1], BLOCKS * ENTRIES
        self.terms, self.tables = (np.zeros((size, 2)) for size in sizes)

    def logits(self, batch: Arrays) -> Arrays:
        ends = self.dense[batch] @ self.terms
        for block in range(BLOCKS):
            ends += self.tables[self.entries[batch, block]] * self.signs[batch, block, None]
        return (ends * self.shares[batch]).sum(axis=1)

    def all_logits(self) -> Arrays:
        np = numpy()
        everything = np.arange(len(self.shares))
        return np.concatenate([self.logits(batch) for batch in batches(everything)])

    def slopes(self, batch: Arrays) -> tuple[Arrays, Arrays]:
        """Of the loss, for terms and tables."""
        np = numpy()
        error = expected(self.logits(batch)) - self.samples.labels[batch]
        parts = self.shares[batch] * (error / len(batch))[:, None]
        entries, signs = self.entries[batch].ravel(), self.signs[batch]
        tables = [
            np.bincount(entries, (signs * part[:, None]).ravel(), BLOCKS * ENTRIES)
            for part in parts.T
        ]
        return self.dense[batch].T @ parts, np.array(tables).T

    def run(self, tick: Callable[[], object] = int) -> Arrays:
        """The logits of all positions, with the weights that predict best what is held out."""
        np = numpy()
        chance = np.random.default_rng(1)
        learned = np.flatnonzero(~self.samples.held_out)
        fitted = (self.terms, self.tables)
        means = [np.zeros_like(each) for each in fitted]
        squares = [np.zeros_like(each) for each in fitted]
        best, kept, steps = math.inf, [], 0
        for epoch in range(EPOCHS):
            for batch in batches(chance.permutation(learned)):
                steps += 1
                rate = RATE * (1 - epoch / EPOCHS) / (1 - 0.9**steps)
                slopes = self.slopes(batch)
                for weights, slope, mean, square in zip(
                    fitted, slopes, means, squares, strict=True
                ):
                    slope += BELIEF / len(learned) * weights
                    mean += 0.1 * (slope - mean)
                    square += 0.001 * (slope**2 - square)
                    weights -= rate * mean / (np.sqrt(square / (1 - 0.999**steps)) + STEADY)
            loss = self.samples.loss(self.all_logits())
            if loss < best:
                best, kept = loss, [each.copy() for each in fitted]
            tick()
        self.terms, self.tables = kept
        return self.all_logits()

    def numbers(self) -> Arrays:
        """As in the file: weights in parts of points."""
        np = numpy()
        terms, men = np.split(self.terms * POINTS * PARTS, [-PLACES])
        tables = self.tables[self.shared] * self.turned[:, None] * POINTS * PARTS
        blocks = np.clip(np.rint(tables + spread_men(men)), -LARGEST, LARGEST)
        small = blocks[:, 0] * (1 << SMALL) + blocks[:, 1]
        return np.concatenate([np.rint(terms).ravel(), small]).astype("<i4")


def batches(order: Arrays) -> list[Arrays]:
    split: list[Arrays] = numpy().array_split(order, len(order) // BATCH + 1)
    return split


def places_of(positions: Arrays) -> Arrays:
    """Where kings and men stand, red ones less black ones as red would see these turned round."""
    np = numpy()
    own, enemy, kings = (positions[name] for name in ("own", "enemy", "kings"))
    black = (positions["side"] & BLACK).astype(bool)
    found = []
    for chosen in (kings, ~kings):
        red, other = (np.where(black, enemy, own) & chosen, np.where(black, own, enemy) & chosen)
        reds, others = (each[:, None] >> np.arange(PLACES) & 1 for each in (red, other))
        found.append((reds - others[:, ::-1]).astype(np.int8))
    return np.concatenate(found, axis=1)


def digits() -> Arrays:
    """What stands on the eight squares of a block, for each entry: 0, 1 or 2."""
    np = numpy()
    return np.arange(ENTRIES)[:, None] // 3 ** np.arange(8) % 3


def counterparts() -> tuple[Arrays, Arrays]:
    """For each entry of the tables: the one whose weight it shares, which is the smaller of it and
    its counterpart, and the sign of that."""
    np = numpy()
    exchanged = np.array([0, 2, 1])[digits()]
    entry = exchanged[:, ::-1] @ 3 ** np.arange(8)
    other = np.concatenate([(BLOCKS - 1 - block) * ENTRIES + entry for block in range(BLOCKS)])
    this = np.arange(BLOCKS * ENTRIES)
    return np.minimum(this, other).astype(np.int32), np.sign(other - this).astype(np.float32) + 0.0


def spread_men(men: Arrays) -> Arrays:
    """What the entries are worth by the places of their men, each shared out to its blocks."""
    np = numpy()
    at = np.arange(8)
    squares = np.array([8 * (b // 3) + b % 3 + at // 2 * 4 + at % 2 for b in range(BLOCKS)])
    times = np.bincount(squares.ravel())[:, None]
    red = men[np.arange(32) + np.arange(32) // 8] / times
    black = -red[::-1]
    stands = digits()
    found = [(stands == 1) @ red[each] + (stands == 2) @ black[each] for each in squares]
    return np.concatenate(found)


@dataclass(frozen=True)
class Tuning:
    """`rows` are the title of each term and its weight before and after, or on a full and on an
    empty board; `content` is the file of weights of `patterns`."""

    rows: list[tuple[str, ...]]
    fitted_to: int
    held_out: int
    guessing: float
    loss: float
    content: bytes = b""


def tune(name: str, positions: Arrays, tick: Callable[[], object] = int) -> Tuning:
    samples = take_samples(name, positions)
    learned = ~samples.held_out
    content = b""
    if isinstance(HEURISTICS.get(name), Patterns):
        pattern_fit = PatternFit(samples)
        logits = pattern_fit.run(tick)
        numbers = pattern_fit.numbers()
        content = numbers.tobytes()
        titles = [title for title, _ in Patterns.TERMS.values()]
        columns = [[f"{n / PARTS:g}" for n in numbers[end : 2 * len(titles) : 2]] for end in (0, 1)]
    else:
        new = [round(POINTS * n) for n in fit(samples.counts[learned], samples.labels[learned])]
        logits = samples.counts @ (numpy().array(new) / POINTS)
        terms = {} if is_own(name) else HEURISTICS[name].TERMS
        titles = [title for title, _ in terms.values()] or [
            f"number {at}" for at in range(len(new))
        ]
        old = [str(weight) for _, weight in terms.values()] or [""] * len(new)
        columns = [old, [str(weight) for weight in new]]
    rows = list(zip(titles, *columns, strict=True))
    counts = (int(learned.sum()), int(samples.held_out.sum()))
    return Tuning(rows, *counts, samples.loss(0 * logits), samples.loss(logits), content)
