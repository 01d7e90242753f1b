"""The chart of a comparison as SVG: nodes by depth.  Colours and fonts are in the style sheet."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import ceil, floor, inf, log10

from grader.report.text import escape, one_line

LARGEST, LEAST = 1e12, 1e-9  # shown; anything beyond is placed at the edge
MOST_TICKS = 8
SUFFIXES = ((1e12, "T"), (1e9, "G"), (1e6, "M"), (1e3, "k"))
WIDTH, HEIGHT = 400.0, 270.0  # the page makes it wider or narrower; with these margins:
LEFT, RIGHT, TOP, BOTTOM = 44.0, WIDTH - 14, 30.0, HEIGHT - 42
COLOURS = 6
SHAPES = (
    "M-3.5 0a3.5 3.5 0 1 0 7 0a3.5 3.5 0 1 0 -7 0z",
    "M-3.2 -3.2h6.4v6.4h-6.4z",
    "M0 -4.4L4.2 3.4H-4.2z",
    "M0 -4.8L4.4 0L0 4.8L-4.4 0z",
    "M0 4.4L4.2 -3.4H-4.2z",
)  # one less than there are colours, so that the pairs do not soon repeat


@dataclass(frozen=True)
class Axis:
    """From the first tick at `start` to the last at `end`."""

    ticks: Sequence[float]
    start: float
    end: float
    log: bool = False

    def at(self, value: float) -> float:
        low, high = self.ticks[0], self.ticks[-1]
        value = min(max(value, low), high)
        if self.log:
            value, low, high = log10(value), log10(low), log10(high)
        return self.start + (value - low) / (high - low) * (self.end - self.start)


def whole_axis(values: Sequence[int], start: float, end: float) -> Axis:
    """Ticks are whole numbers from the least value on."""
    first, last = min(values), max(*values, min(values) + 1)
    every = ceil((last - first) / (MOST_TICKS - 1))
    return Axis(range(first, last + every, every), start, end)


def log_axis(values: Iterable[float], start: float, end: float) -> Axis:
    """Ticks are powers of ten around the values above 0; of few, also two and five times as
    much."""
    known = [min(max(value, LEAST), LARGEST) for value in values if 0 < value < inf]
    low, high = min(known), max(known)
    if high <= low * (1 + 1e-6):
        low, high = low / 2, high * 2
    bottom, top = floor(log10(low)), ceil(log10(high))
    if high < 100 * low:
        marks = [float(f"{factor}e{at}") for at in range(bottom, top + 1) for factor in (1, 2, 5)]
        first = max(mark for mark in marks if mark <= low)
        last = min(mark for mark in marks if mark >= high)
        ticks = [mark for mark in marks if first <= mark <= last]
    else:
        every = ceil((top - bottom) / (MOST_TICKS - 1))
        ticks = [10.0**power for power in range(bottom, top + every, every)]
    return Axis(ticks, start, end, log=True)


def tick_label(value: float) -> str:
    """`0.25`, `1500` as `1.5k`."""
    unit, suffix = next((each for each in SUFFIXES if value >= each[0]), (1.0, ""))
    return f"{value / unit:g}{suffix}"


def line_chart(title: str, series: Mapping[str, Sequence[tuple[int, int]]]) -> str:
    """Nodes on a log scale, by depth."""
    points = [point for own in series.values() for point in own]
    x = whole_axis([depth for depth, _ in points], LEFT + 10, RIGHT)
    y = log_axis([nodes for _, nodes in points], BOTTOM, TOP)
    parts = [_line(LEFT, y.at(tick), RIGHT, y.at(tick), "grid") for tick in y.ticks]
    parts += [_text(LEFT - 6, y.at(at) + 4, tick_label(at), "tick", "end") for at in y.ticks]
    parts += [_text(x.at(at), BOTTOM + 15, tick_label(at), "tick", "middle") for at in x.ticks]
    parts.append(_text(0, 14, "nodes (log scale)", "title"))
    parts.append(_text((LEFT + RIGHT) / 2, HEIGHT - 6, "depth", "title", "middle"))
    names = ""
    for number, (name, own) in enumerate(series.items()):
        places = [(x.at(depth), y.at(nodes)) for depth, nodes in own]
        line = " ".join(f"{right:.1f},{up:.1f}" for right, up in places)
        parts.append(f'<polyline class="series c{number % COLOURS}" points="{line}"/>')
        parts += [
            _marker(number, *at, f"{name}, {depth}: {nodes:,} nodes")
            for at, (depth, nodes) in zip(places, own, strict=True)
        ]
        names += f"<li>{_swatch(number)}{escape(name)}</li>"
    label = escape(one_line(f"{title}: {', '.join(series)}"))  # the numbers are in a table
    return (
        f'<figure><figcaption>{escape(title)}</figcaption><svg class="plot" '
        f'viewBox="0 0 {WIDTH:g} {HEIGHT:g}" role="img" aria-label="{label}">'
        f'{"".join(parts)}</svg><ul class="kinds">{names}</ul></figure>'
    )


def _swatch(series: int) -> str:
    parts = _line(0, 6, 30, 6, f"series c{series % COLOURS}") + _marker(series, 15, 6)
    return f'<svg class="swatch" viewBox="0 0 30 12" aria-hidden="true">{parts}</svg>'


def _marker(series: int, x: float, y: float, tip: str = "") -> str:
    shape = f'd="{SHAPES[series % len(SHAPES)]}" transform="translate({x:.2f} {y:.2f})"'
    title = f"<title>{escape(tip)}</title>" if tip else ""
    return f'<path class="marker c{series % COLOURS}" {shape}>{title}</path>'


def _line(x1: float, y1: float, x2: float, y2: float, kind: str) -> str:
    return f'<line class="{kind}" x1="{x1:.2f}" y1="{y1:.2f}" x2="{x2:.2f}" y2="{y2:.2f}"/>'


def _text(x: float, y: float, words: str, kind: str, anchor: str = "start") -> str:
    at = f'x="{x:.2f}" y="{y:.2f}" text-anchor="{anchor}"'
    return f'<text class="{kind}" {at}>{escape(words)}</text>'
