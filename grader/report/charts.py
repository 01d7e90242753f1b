"""Charts as SVG: bars, intervals and lines.  Colours and fonts are in the style sheet."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import ceil, floor, inf, isfinite, isnan, log10
from typing import NamedTuple

from grader.report.text import escape, one_line, short_line

HUGE = 1e300  # so that the width of an axis is a number too
TINY = 1e-300
MOST_TICKS = 6
MOST_LOG_TICKS = 8
SUFFIXES = ((1e12, "T"), (1e9, "G"), (1e6, "M"), (1e3, "k"))
MINUS = "\N{MINUS SIGN}"
WIDTH = 400.0  # of every chart; the page makes it wider or narrower
LETTER = 6.6  # average width of a letter
ROW = 43.0  # height of a bar or an interval with its name above it
THICK = 16.0  # of a bar
FOOT = 40.0  # for the ticks and the title of an axis
CAP = 5.0  # half the height of the end of a whisker
HEIGHT = 270.0  # of a chart of lines, which leaves these margins:
LEFT, RIGHT, TOP, BOTTOM = 44.0, WIDTH - 14, 30.0, HEIGHT - 42
COLOURS = 6
DASHES = 4
SHAPES = (
    "M-3.5 0a3.5 3.5 0 1 0 7 0a3.5 3.5 0 1 0 -7 0z",
    "M-3.2 -3.2h6.4v6.4h-6.4z",
    "M0 -4.4L4.2 3.4H-4.2z",
    "M0 -4.8L4.4 0L0 4.8L-4.4 0z",
    "M0 4.4L4.2 -3.4H-4.2z",
    "M-4.4 -1.5h2.9v-2.9h3v2.9h2.9v3h-2.9v2.9h-3v-2.9h-2.9z",
    "M-4.5 -2h9v4h-9z",
)  # one more than there are colours, so that the pairs do not soon repeat


class Row(NamedTuple):
    """A bar (of one value) or an interval (value, low, high; infinite or NaN if unknown)."""

    name: str
    label: str
    values: tuple[float, ...]


class Series(NamedTuple):
    name: str
    points: tuple[tuple[int, float], ...]


@dataclass(frozen=True)
class Axis:
    """From `low` at `start` to `high` at `end`.  Values beyond are placed at the edge."""

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


def linear_axis(values: Iterable[float], start: float, end: float) -> Axis:
    """An axis that ends at round numbers around the values."""
    finite = [min(max(value, -HUGE), HUGE) for value in values if isfinite(value)]
    low, high = (min(finite), max(finite)) if finite else (0.0, 1.0)
    if high - low <= 1e-6 * max(abs(low), abs(high)):
        around = abs(low) / 2 or 1.0
        low, high = low - around, high + around
    step = _step(high - low)
    digits = max(0, -floor(log10(step)))
    places = range(floor(low / step), ceil(high / step) + 1)
    ticks = tuple(round(place * step, digits) + 0.0 for place in places)  # no negative zero
    return Axis(ticks[0], ticks[-1], start, end, ticks)


def whole_axis(values: Iterable[int], start: float, end: float) -> Axis:
    """An axis of whole numbers, such as depths, from the first to the last."""
    numbers = list(values) or [0]
    low, high = min(numbers), max(numbers)
    step = max(1, ceil(_step((high - low) / 2))) if high > low else 1
    room = 0 if high > low else 1
    ticks = tuple(float(number) for number in range(low, high + 1, step))
    return Axis(low - room, high + room, start, end, ticks)


def log_axis(values: Iterable[float], start: float, end: float) -> Axis:
    """An axis of equal ratios.  Values that are not above zero are placed at its beginning."""
    positive = [min(max(value, TINY), HUGE) for value in values if isfinite(value) and value > 0]
    low, high = (min(positive), max(positive)) if positive else (1.0, 1.0)
    if high <= low * (1 + 1e-6):  # no room for ticks in between
        low, high = low / 2, high * 2
    powers = range(floor(log10(low)) - 1, ceil(log10(high)) + 2)
    factors = (1, 2, 5) if log10(high / low) < 2 else (1,)
    marks = [float(f"{factor}e{power}") for power in powers for factor in factors]
    first = max(mark for mark in marks if mark <= low * (1 + 1e-9))
    last = min(mark for mark in marks if mark >= high * (1 - 1e-9))
    ticks = [mark for mark in marks if first <= mark <= last]
    if len(ticks) > MOST_LOG_TICKS:
        ticks = [mark for mark in ticks if log10(mark).is_integer()]
    every = ceil(len(ticks) / MOST_LOG_TICKS)
    return Axis(first, last, start, end, tuple(ticks[::-1][::every][::-1]), log=True)


def _step(width: float) -> float:
    """The distance of ticks: one, two or five times a power of ten."""
    rough = width / (MOST_TICKS - 1)
    power = 10.0 ** floor(log10(rough))
    return next(power * times for times in (1, 2, 5, 10) if power * times >= rough * (1 - 1e-9))


def tick_label(value: float) -> str:
    """`0.25`, `1500` as `1.5k`."""
    size, sign = abs(value), MINUS if value < 0 else ""
    if size >= 1e15:
        return f"{sign}{size:.0e}".replace("e+", "e")
    unit, suffix = next((each for each in SUFFIXES if size >= each[0]), (1.0, ""))
    return f"{sign}{size / unit:g}{suffix}"


def bar_chart(title: str, bars: Sequence[Row], unit: str) -> str:
    """On a log scale that begins so far below the least value that its bar can be seen."""
    values = [value for bar in bars for value in bar.values if isfinite(value)]
    least = min((value for value in values if value > 0), default=1.0)
    axis = log_axis([*values, least / 2], 1, WIDTH - 1)
    return _rows(title, unit, axis, bars, [_bar(each, axis) for each in bars])


def _bar(bar: Row, axis: Axis) -> str:
    if not isfinite(bar.values[0]):
        return ""
    begin, end = axis.at(axis.low), axis.at(bar.values[0])
    return _element("rect", "bar", x=begin, y=19, width=max(end - begin, 0.5), height=THICK, rx=2)


def interval_chart(
    title: str, intervals: Sequence[Row], unit: str, zero: float | None = None, log: bool = False
) -> str:
    """`zero` is the value of no effect: 0 of a difference, 1 of a ratio."""
    known = [each for each in intervals if not any(map(isnan, each.values))]
    values = [end for each in known for end in each.values]
    values += [] if zero is None else [zero]
    axis = (log_axis if log else linear_axis)(_widen(values, log), 8, WIDTH - 8)
    shapes = [_whisker(each, axis) if each in known else "" for each in intervals]
    return _rows(title, unit, axis, intervals, shapes, zero)


def _widen(values: list[float], log: bool) -> list[float]:
    """With room for the arrow of an interval that does not end."""
    finite = [value for value in values if isfinite(value) and not (log and value <= 0)]
    if not finite:
        return []
    low, high = min(finite), max(finite)
    beyond = [low / 2, high * 2] if log else [low - (high - low) / 8, high + (high - low) / 8]
    if all(value >= low for value in values):
        beyond[0] = low
    if inf not in values:
        beyond[1] = high
    return [*finite, *beyond]


def _whisker(interval: Row, axis: Axis) -> str:
    y = 27.0
    value, low, high = interval.values
    left, right = axis.at(low), axis.at(high)
    no_low = low == -inf or (axis.log and low <= 0)
    ends = _end(left, y, -1, no_low) + _end(right, y, 1, high == inf)
    dot = _marker(0, axis.at(value), y) if isfinite(value) else ""
    return _line(left, y, right, y, "whisker") + ends + dot


def _end(x: float, y: float, side: int, endless: bool) -> str:
    """A cap, or an arrow."""
    if endless:
        return _element("path", "arrow", d=f"M{x + side * CAP:.1f} {y:.1f}l{-side * 7} -4.5v9z")
    return _line(x, y - CAP, x, y + CAP, "whisker")


def line_chart(
    title: str, series: Sequence[Series], across: str, upwards: str, log: bool = True
) -> str:
    """Points at whole numbers, such as depths."""
    points = [point for each in series for point in each.points if isfinite(point[1])]
    x = whole_axis([place for place, _ in points], LEFT + 10, RIGHT)
    y = (log_axis if log else linear_axis)([value for _, value in points], BOTTOM, TOP)
    parts = [_line(LEFT, y.at(tick), RIGHT, y.at(tick), "grid") for tick in y.ticks]
    parts += [_text(LEFT - 6, y.at(at) + 4, tick_label(at), "tick", "end") for at in y.ticks]
    parts += _grid(x, BOTTOM, BOTTOM)
    parts.append(_text(0, 14, f"{upwards} (log scale)" if log else upwards, "title"))
    parts.append(_text((LEFT + RIGHT) / 2, HEIGHT - 6, across, "title", "middle"))
    parts += [_series(number, each, x, y, upwards) for number, each in enumerate(series)]
    names = [each.name for each in series]
    label = f"{title}: {upwards} by {across}, of {', '.join(names) or 'nothing'}"
    items = "".join(f"<li>{_swatch(n)}{escape(name)}</li>" for n, name in enumerate(names))
    return f'{_picture(label, HEIGHT, parts)}<ul class="kinds">{items}</ul>'


def _series(number: int, series: Series, x: Axis, y: Axis, unit: str) -> str:
    points = [(place, value) for place, value in sorted(series.points) if isfinite(value)]
    places = " ".join(f"{x.at(place):.1f},{y.at(value):.1f}" for place, value in points)
    markers = [
        _marker(number, x.at(place), y.at(value), f"{series.name}, {place}: {value:,.6g} {unit}")
        for place, value in points
    ]
    line = _element("polyline", _stroke(number), points=places) if len(points) > 1 else ""
    return "".join([line, *markers])


def _swatch(series: int) -> str:
    parts = _line(0, 6, 30, 6, _stroke(series)) + _marker(series, 15, 6)
    return f'<svg class="swatch" viewBox="0 0 30 12" aria-hidden="true">{parts}</svg>'


def _rows(
    title: str,
    unit: str,
    axis: Axis,
    rows: Sequence[Row],
    shapes: Sequence[str],
    zero: float | None = None,
) -> str:
    """Named rows above one axis."""
    bottom = ROW * len(rows)
    parts = _grid(axis, 0, bottom)
    if zero is not None:
        parts.append(_line(axis.at(zero), 0, axis.at(zero), bottom, "zero"))
    parts += [_row(each, place, shapes[place]) for place, each in enumerate(rows)]
    foot = f"{unit} (log scale)" if axis.log else unit
    parts.append(_text(WIDTH / 2, bottom + 34, foot, "title", "middle"))
    words = "; ".join(f"{each.name} {each.label}" for each in rows) or "nothing"
    return _picture(f"{title}, {unit}: {words}", bottom + FOOT, parts)


def _row(row: Row, place: int, shape: str) -> str:
    """The name is above the shape, so that it may be long on a narrow screen."""
    room = WIDTH - (len(row.label) + 2) * LETTER
    name = short_line(row.name, max(4, int(room / LETTER)))
    words = _text(0, 13, name, "name") + _text(WIDTH, 13, row.label, "value", "end")
    return f'<g transform="translate(0 {_digits(place * ROW)})">{words}{shape}</g>'


def _grid(axis: Axis, top: float, bottom: float) -> list[str]:
    """Lines across the chart at the ticks of an axis below it."""
    parts = [_line(axis.at(tick), top, axis.at(tick), bottom, "grid") for tick in axis.ticks]
    for tick in axis.ticks:
        words = tick_label(tick)
        half = len(words) * LETTER / 2
        x = min(max(axis.at(tick), half), WIDTH - half)
        parts.append(_text(x, bottom + 15, words, "tick", "middle"))
    return parts


def _picture(label: str, height: float, parts: list[str]) -> str:
    """`label` is for people who cannot see it; the numbers themselves are in a table."""
    return (
        f'<svg class="plot" viewBox="0 0 {WIDTH:g} {_digits(height)}" role="img" '
        f'aria-label="{escape(one_line(label))}">{"".join(parts)}</svg>'
    )


def _marker(series: int, x: float, y: float, tip: str = "") -> str:
    shape = f'd="{SHAPES[series % len(SHAPES)]}" transform="translate({_digits(x)} {_digits(y)})"'
    title = f"<title>{escape(tip)}</title>" if tip else ""
    return f'<path class="marker c{series % COLOURS}" {shape}>{title}</path>'


def _stroke(series: int) -> str:
    return f"series c{series % COLOURS} d{series % DASHES}"


def _line(x1: float, y1: float, x2: float, y2: float, kind: str) -> str:
    return _element("line", kind, x1=x1, y1=y1, x2=x2, y2=y2)


def _text(x: float, y: float, words: str, kind: str, anchor: str = "start") -> str:
    at = f'x="{_digits(x)}" y="{_digits(y)}"'
    return f'<text class="{kind}" {at} text-anchor="{anchor}">{escape(words)}</text>'


def _element(name: str, kind: str, **attributes: str | float) -> str:
    written = "".join(f' {key}="{_digits(value)}"' for key, value in attributes.items())
    return f'<{name} class="{kind}"{written}/>'


def _digits(value: str | float) -> str:
    if isinstance(value, str):
        return value
    return f"{round(value, 2) + 0.0:g}" if abs(value) < 1e5 else f"{value:.0f}"
