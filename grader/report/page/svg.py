"""The elements of a drawing.  Colours and fonts are the style sheet's."""

from __future__ import annotations

from collections.abc import Callable

from grader.report.grading.html.markup import escaped
from grader.report.grading.wording import one_line, shortened
from grader.report.page.axis import Axis, shown

WIDTH = 400.0  # of every plot; the page makes it wider or narrower
LETTER = 6.6  # the room that a letter takes, on the average
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


def element(name: str, content: str = "", **attributes: str | float) -> str:
    """`content` is markup; a `_` at the end of an attribute's name is only for Python."""
    written = "".join(
        f' {key.rstrip("_").replace("_", "-")}="{_value(value)}"'
        for key, value in attributes.items()
    )
    return f"<{name}{written}>{content}</{name}>" if content else f"<{name}{written}/>"


def _value(value: str | float) -> str:
    if isinstance(value, str):
        return escaped(value)
    return f"{round(value, 2) + 0.0:g}" if abs(value) < 1e5 else f"{value:.0f}"


def line(x1: float, y1: float, x2: float, y2: float, class_: str) -> str:
    return element("line", x1=x1, y1=y1, x2=x2, y2=y2, class_=class_)


def text(x: float, y: float, words: str, class_: str = "", anchor: str = "start") -> str:
    return element("text", escaped(words), x=x, y=y, class_=class_, text_anchor=anchor)


def picture(label: str, height: float, parts: list[str]) -> str:
    """`label` is for those who cannot see it; the numbers themselves stand in a table."""
    return element(
        "svg",
        "".join(parts),
        class_="plot",
        viewBox=f"0 0 {WIDTH:g} {_value(height)}",
        role="img",
        aria_label=one_line(label),
    )


def marker(series: int, x: float, y: float, tip: str = "") -> str:
    title = element("title", escaped(tip)) if tip else ""
    return element(
        "path",
        title,
        class_=f"marker c{series % COLOURS}",
        d=SHAPES[series % len(SHAPES)],
        transform=f"translate({_value(x)} {_value(y)})",
    )


def swatch(series: int) -> str:
    """How a series is drawn, to stand beside its name."""
    parts = line(0, 6, 30, 6, stroke(series)) + marker(series, 15, 6)
    return element("svg", parts, class_="swatch", viewBox="0 0 30 12", aria_hidden="true")


def stroke(series: int) -> str:
    """The class of a series' line."""
    return f"series c{series % COLOURS} d{series % DASHES}"


def fitting(name: str, room: float) -> str:
    """A name of unknown length in so much room."""
    return shortened(one_line(name), max(4, int(room / LETTER)))


def upright_grid(axis: Axis, top: float, bottom: float, label: Callable[[float], str]) -> list[str]:
    """Lines across the plot at the ticks of an axis that lies below it."""
    parts = [line(axis.at(tick), top, axis.at(tick), bottom, "grid") for tick in axis.ticks]
    for tick in axis.ticks:
        words = label(tick)
        half = len(words) * LETTER / 2
        x = min(max(axis.at(tick), half), WIDTH - half)
        parts.append(text(x, bottom + 15, words, "tick", "middle"))
    return parts


def level_grid(axis: Axis, left: float, right: float) -> list[str]:
    """Lines across the plot at the ticks of an axis that stands at its left."""
    parts = [line(left, axis.at(tick), right, axis.at(tick), "grid") for tick in axis.ticks]
    parts += [text(left - 6, axis.at(tick) + 4, shown(tick), "tick", "end") for tick in axis.ticks]
    return parts
