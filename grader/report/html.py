"""The HTML kit: one document frame, style sheet and set of elements for all reports.  A policy in
the head lets the browser run our script and nothing else, whatever the body contains."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Mapping, Sequence
from functools import cache
from hashlib import sha256
from importlib.resources import files
from math import ceil, floor, log10

from grader.grading.records import Verdict
from grader.report.boards import Boards
from grader.report.text import Table, breakable, escape, one_line

# Of a chart that is 400 wide and 270 high; the page makes it wider or narrower.
LEFT, RIGHT, TOP, BOTTOM = 90, 386, 30, 228
COLOURS = 6
SHAPES = "●■▲◆▼"  # one less than there are colours, so that the pairs do not soon repeat
MOST_TICKS = 8


def page(
    title: str, about: str, boards: Boards, body: str, links: Mapping[str, str], script: str = ""
) -> str:
    """`links` go to the sections with these ids; `script` is the name of one of our files."""
    items = "".join(f'<li><a href="#{name}">{words}</a></li>' for name, words in links.items())
    nav = f'<nav aria-label="Sections"><ul class="kinds">{items}</ul></nav>' if links else ""
    style, pieces, script = _read("style.css"), _read("pieces.svg"), _read(script)
    policy = f"default-src 'none'; style-src '{_hash(style)}'; script-src '{_hash(script)}'"
    return (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{policy}; img-src data:">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        '<meta name="color-scheme" content="light dark">\n<link rel="icon" href="data:,">\n'
        f"<title>{escape(title)}</title>\n<style>{style}</style>\n</head>\n<body>\n"
        f'<svg class="symbols" aria-hidden="true">{pieces}{boards.symbols()}</svg>\n'
        f'<header><h1>{escape(title)}</h1><p class="when">{escape(about)}</p>{nav}</header>\n'
        f"<main>{body}</main>\n{f'<script>{script}</script>' if script else ''}</body>\n</html>\n"
    )


@cache
def _read(name: str) -> str:
    return (files("grader.report") / name).read_text(encoding="utf-8") if name else ""


def _hash(text: str) -> str:
    return f"sha256-{b64encode(sha256(text.encode()).digest()).decode()}"


def table(content: Table, kind: str = "") -> str:
    """The first cell of a row is its name.  `kind` is a class of the style sheet: `n` if numbers
    stand at the right, `w` for words."""
    kind = kind or ("n" if content.words == 1 else "w")
    heads = "".join(f'<th scope="col">{escape(head)}</th>' for head in content.heads)
    rows = []
    for name, *cells in content.rows:
        others = "".join(f"<td>{escape(cell)}</td>" for cell in cells)
        rows.append(f'<tr><th scope="row">{breakable(name)}</th>{others}</tr>')
    return (
        f'<div class="scroll" role="region" tabindex="0" aria-label="{escape(content.title)}">'
        f'<table class="{kind}"><thead><tr>{heads}</tr></thead>'
        f"<tbody>{''.join(rows)}</tbody></table></div>"
    )


def badge(verdict: Verdict) -> str:
    return f'<span class="badge {colour(verdict)}">{verdict.words}</span>'


def colour(verdict: Verdict) -> str:
    """A class of the style sheet."""
    if verdict.accepted:
        return "good"
    return {Verdict.SLOWER: "part", Verdict.JUDGE_ERROR: "ours"}.get(verdict, "bad")


def line_chart(title: str, series: Mapping[str, Sequence[tuple[int, int]]]) -> str:
    """Nodes on a log scale, by depth, as SVG."""
    depths = [depth for own in series.values() for depth, _ in own]
    first, last = min(depths), max(*depths, min(depths) + 1)
    powers = [log10(max(nodes, 1)) for own in series.values() for _, nodes in own]
    low = floor(min(powers))
    high = max(ceil(max(powers)), low + 1)

    def x(depth: int) -> float:
        return LEFT + 10 + (depth - first) / (last - first) * (RIGHT - LEFT - 10)

    def y(nodes: int) -> float:
        return BOTTOM - (log10(max(nodes, 1)) - low) / (high - low) * (BOTTOM - TOP)

    parts = [_text(0, 14, "nodes (log scale)", "title"), _text(220, 264, "depth", "title")]
    for mark in (10**power for power in range(low, high + 1)):
        parts.append(f'<path class="grid" d="M{LEFT} {y(mark):.1f}H{RIGHT}"/>')
        parts.append(_text(LEFT - 6, y(mark), f"{mark:,}", "tick end"))
    ticks = range(first, last + 1, ceil((last - first) / MOST_TICKS))
    parts += [_text(x(at), BOTTOM + 12, str(at), "tick middle") for at in ticks]
    names = ""
    for number, (name, own) in enumerate(series.items()):
        kind, shape = f"c{number % COLOURS}", SHAPES[number % len(SHAPES)]
        places = [(x(depth), y(nodes)) for depth, nodes in own]
        line = " ".join(f"{right:.1f},{up:.1f}" for right, up in places)
        parts.append(f'<polyline class="series {kind}" points="{line}"/>')
        for (right, up), (depth, nodes) in zip(places, own, strict=True):
            tip = f"{name}, {depth}: {nodes:,} nodes"
            parts.append(_text(right, up, shape, f"marker middle {kind}", tip))
        names += f'<li><span class="marker {kind}">{shape}</span> {escape(name)}</li>'
    label = escape(one_line(f"{title}: {', '.join(series)}"))  # the numbers are in a table
    return (
        f'<figure><figcaption>{escape(title)}</figcaption><svg class="plot" '
        f'viewBox="0 0 400 270" role="img" aria-label="{label}">'
        f'{"".join(parts)}</svg><ul class="kinds">{names}</ul></figure>'
    )


def _text(x: float, y: float, words: str, kind: str, tip: str = "") -> str:
    title = f"<title>{escape(tip)}</title>" if tip else ""
    return f'<text class="{kind}" x="{x:.1f}" y="{y:.1f}">{words}{title}</text>'
