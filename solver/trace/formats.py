"""A trace as text: a node a line, the deeper the further to the right."""

from __future__ import annotations

import json
from dataclasses import fields
from enum import Enum
from html import escape
from importlib.resources import files

from solver.trace.reasons import name, remark
from solver.trace.trace import Tag

TYPE_CHECKING = False

if TYPE_CHECKING:
    from solver.trace.reasons import Telling
    from solver.trace.trace import Node


HEAD = ("node", "window", "value", "tag", "")


def render_text(telling: Telling) -> str:
    rows = [HEAD, *(_cells(node) for node in telling.nodes)]
    widths = [max(len(row[column]) for row in rows) for column in range(len(HEAD) - 1)]
    lines = [
        "  ".join(
            [*(cell.ljust(width) for cell, width in zip(row, widths, strict=False)), row[-1]]
        ).rstrip()
        for row in rows
    ]
    lines.insert(1, "  ".join("-" * width for width in widths))
    legend = f"{telling.head[-1]}; * is the principal variation"
    return "\n".join([*telling.head[:-1], legend, "", *lines, *telling.foot]) + "\n"


def _cells(node: Node) -> tuple[str, ...]:
    tag = f"{node.tag.value}{' *' if node.line else ''}{' scout' if node.scout else ''}"
    return "  " * node.ply + name(node), node.window, node.worth, tag, remark(node)


# A trace as JSON; README describes its fields.


SCHEMA = 1


def render_json(telling: Telling) -> str:
    trace = telling.trace
    record = {
        "schema": SCHEMA,
        "game": telling.subject.NAME,
        "mover": trace.root.mover(),
        "other": trace.root.children()[0].mover(),
        "hero": trace.hero,
        "depth": trace.result.depth,
        "switches": trace.techniques.as_dict(),
        "method": telling.method,
        "value": trace.value,
        "move": telling.subject.move(trace.root, trace.result.best),
        "counts": trace.counters.as_dict(),
        "complete": telling.complete,
        "steps": 2 * len(trace.visits),
    }
    # A node a line: large, but still to be read.
    nodes = ",\n".join(f"  {json.dumps(_record(node))}" for node in telling.nodes)
    head = json.dumps(record, indent=1)[:-2]
    return f'{head},\n "nodes": [\n{nodes}\n ]\n}}\n'


def _record(node: Node) -> dict[str, object]:
    found = {field.name: getattr(node, field.name) for field in fields(node)}
    return {name: each.value if isinstance(each, Enum) else each for name, each in found.items()}


# A trace as a graph for Graphviz: `dot -Tsvg`.


STYLES = {
    Tag.PV: "",
    Tag.CUT: ', style=filled, fillcolor="#f3d9d3"',
    Tag.ALL: ', style=filled, fillcolor="#e2e6ee"',
    Tag.LEAF: ', shape=ellipse, color="#888888"',
    Tag.OPEN: ", style=dotted",
}


def render_dot(telling: Telling) -> str:
    shown = {node.id for node in telling.nodes}
    lines = [
        "digraph trace {",
        f"  label={_quoted(*telling.head)};",
        "  labelloc=t; ordering=out;",
        '  node [shape=box, fontname="sans-serif", fontsize=10];',
        '  edge [fontname="sans-serif", fontsize=9, arrowhead=none];',
    ]
    for node in telling.nodes:
        lines.append(_node(node))
        if node.parent in shown:
            width = ", penwidth=2.5" if node.line else ""
            lines.append(f"  n{node.parent} -> n{node.id} [label={_quoted(node.move)}{width}];")
    for node in telling.nodes:  # last, to stand to the right of what was looked at
        lines += _unseen(node)
    return "\n".join([*lines, "}"]) + "\n"


def _node(node: Node) -> str:
    label = _quoted(*([node.mover] if node.tag is not Tag.LEAF else []), node.window, node.worth)
    width = ", penwidth=2.5" if node.line else ""
    tip = f", tooltip={_quoted(node.reason)}" if node.reason else ""
    return f"  n{node.id} [label={label}{STYLES[node.tag]}{width}{tip}];"


def _unseen(node: Node) -> list[str]:
    if not node.unseen:
        return []
    return [
        f"  u{node.id} [label={_quoted(*node.unseen)}, shape=plaintext];",
        f"  n{node.id} -> u{node.id} [style=dashed, label=cut];",
    ]


def _quoted(*lines: str) -> str:
    text = "\\n".join(line.replace("\\", "\\\\").replace('"', '\\"') for line in lines)
    return f'"{text}"'


# A trace as one static page: nodes that open and close, no script needed.


OPEN_TO = 2  # plies that are open to begin with, besides the principal variation


def render_html(telling: Telling) -> str:
    style = (files("solver.trace") / "trace.css").read_text("utf-8")
    shown = {node.id for node in telling.nodes}
    below: dict[int | None, list[Node]] = {}
    for node in telling.nodes:
        below.setdefault(node.parent if node.parent in shown else None, []).append(node)
    tree = "".join(_item(node, below) for node in below.get(None, []))
    legend = f"{telling.head[-1]}; the principal variation is underlined"
    head = "".join(f"<p>{escape(line)}</p>" for line in [*telling.head[:-1], legend])
    foot = "".join(f"<p>{escape(line)}</p>" for line in telling.foot)
    return (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{escape(telling.head[0])}</title>\n<style>\n{style}</style>\n</head>\n<body>\n"
        f"<header><h1>What the search has looked at</h1>{head}</header>\n"
        f'<main><ul class="tree">\n{tree}</ul></main>\n<footer>{foot}</footer>\n'
        "</body>\n</html>\n"
    )


def _item(node: Node, below: dict[int | None, list[Node]]) -> str:
    """A node and what is below it.  Recursion is as deep as the search was."""
    children = "".join(_item(child, below) for child in below.get(node.id, []))
    kind = f"{node.tag.value}{' line' if node.line else ''}"
    inside = _board(node) + (f"<ul>\n{children}</ul>" if children else "")
    if not inside:
        return f'<li class="{kind}"><div class="row">{_says(node)}</div></li>\n'
    is_open = " open" if children and (node.line or node.ply < OPEN_TO) else ""
    return (
        f'<li class="{kind}"><details{is_open}><summary class="row">{_says(node)}</summary>'
        f"{inside}</details></li>\n"
    )


def _says(node: Node) -> str:
    parts = [
        f'<span class="move">{escape(name(node))}</span>',
        f'<span class="window">{escape(node.window)}</span>',
        f'<span class="value">{escape(node.worth)}</span>',
        f'<span class="tag">{node.tag.value}{", scout" if node.scout else ""}</span>',
    ]
    if remark(node):
        parts.append(f'<span class="why">{escape(remark(node))}</span>')
    return " ".join(parts)


def _board(node: Node) -> str:
    """Folded away: a tree of boards could not be overlooked."""
    if node.rows is None:
        return ""
    rows = escape("\n".join(node.rows))
    return f'<details class="board"><summary>board</summary><pre>{rows}</pre></details>'


FORMATS = {"text": render_text, "json": render_json, "dot": render_dot, "html": render_html}
