"""Where a value stands on the paper, and which values are written beside it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from math import ceil, floor, isfinite, log10

HUGE = 1e300  # so that the width of an axis is a number too
TINY = 1e-300
MOST_TICKS = 6
MOST_LOG_TICKS = 8
SUFFIXES = ((1e12, "T"), (1e9, "G"), (1e6, "M"), (1e3, "k"))
MINUS = "\N{MINUS SIGN}"


@dataclass(frozen=True)
class Axis:
    """From `low` at `start` to `high` at `end`.  What lies beyond stands at the edge."""

    low: float
    high: float
    start: float
    end: float
    ticks: tuple[float, ...]
    log: bool = False

    def at(self, value: float) -> float:
        value = min(max(value, self.low), self.high)
        share = (self._of(value) - self._of(self.low)) / (self._of(self.high) - self._of(self.low))
        return self.start + share * (self.end - self.start)

    def _of(self, value: float) -> float:
        return log10(value) if self.log else value


def linear(values: Iterable[float], start: float, end: float) -> Axis:
    """An axis that ends at round numbers around the values."""
    low, high = _around(values)
    step = _step(high - low)
    first, last = floor(low / step), ceil(high / step)
    ticks = tuple(_rounded(place * step, step) for place in range(first, last + 1))
    return Axis(ticks[0], ticks[-1], start, end, ticks)


def whole(values: Iterable[int], start: float, end: float) -> Axis:
    """An axis of whole numbers, such as depths, from the first to the last."""
    numbers = list(values) or [0]
    low, high = min(numbers), max(numbers)
    step = max(1, ceil(_step((high - low) / 2))) if high > low else 1
    ticks = tuple(float(number) for number in range(low, high + 1, step))
    room = 0 if high > low else 1
    return Axis(low - room, high + room, start, end, ticks)


def logarithmic(values: Iterable[float], start: float, end: float) -> Axis:
    """An axis of equal ratios.  What is not above zero stands at its beginning."""
    positive = [min(max(value, TINY), HUGE) for value in values if isfinite(value) and value > 0]
    low, high = (min(positive), max(positive)) if positive else (1.0, 1.0)
    if high <= low * (1 + 1e-6):  # no room for ticks in between
        low, high = low / 2, high * 2
    marks = _marks(low, high)
    first = max(mark for mark in marks if mark <= low * (1 + 1e-9))
    last = min(mark for mark in marks if mark >= high * (1 - 1e-9))
    inside = [mark for mark in marks if first <= mark <= last]
    return Axis(first, last, start, end, tuple(_thinned(inside)), log=True)


def shown(value: float) -> str:
    """A value as an axis writes it: `0.25`, `1500` as `1.5k`."""
    size, sign = abs(value), MINUS if value < 0 else ""
    if size >= 1e15:
        return f"{sign}{size:.0e}".replace("e+", "e")
    for unit, suffix in SUFFIXES:
        if size >= unit:
            return f"{sign}{size / unit:g}{suffix}"
    return f"{sign}{size:g}"


def _around(values: Iterable[float]) -> tuple[float, float]:
    finite = [min(max(value, -HUGE), HUGE) for value in values if isfinite(value)]
    low, high = (min(finite), max(finite)) if finite else (0.0, 1.0)
    if high - low <= 1e-6 * max(abs(low), abs(high)):
        around = abs(low) / 2 or 1.0
        return low - around, high + around
    return low, high


def _step(width: float) -> float:
    """The distance of ticks: one, two or five times a power of ten."""
    rough = width / (MOST_TICKS - 1)
    power = 10.0 ** floor(log10(rough))
    return next(power * times for times in (1, 2, 5, 10) if power * times >= rough * (1 - 1e-9))


def _rounded(value: float, step: float) -> float:
    return round(value, max(0, -floor(log10(step)))) + 0.0  # no negative zero


def _marks(low: float, high: float) -> list[float]:
    """The ends that an axis may have: powers of ten, and within few of them more."""
    powers = range(floor(log10(low)) - 1, ceil(log10(high)) + 2)
    times = (1, 2, 5) if log10(high / low) < 2 else (1,)
    return [float(f"{each}e{power}") for power in powers for each in times]


def _thinned(marks: list[float]) -> list[float]:
    """So many that labels have room: powers of ten if they are enough, and every so many of them,
    from the last one down."""
    if len(marks) > MOST_LOG_TICKS:
        marks = [mark for mark in marks if log10(mark).is_integer()]
    every = ceil(len(marks) / MOST_LOG_TICKS)
    return marks[::-1][::every][::-1]
