"""A trace as text, JSON, Graphviz and HTML."""

from __future__ import annotations

import json
from dataclasses import fields
from enum import Enum
from html import escape
from importlib.resources import files

from solver.trace.nodes import Node, Tag, TraceView

SCHEMA = 1
OPEN_TO = 2  # plies initially open in HTML, besides the principal variation
STYLES = {
    Tag.PV: "",
    Tag.CUT: ', style=filled, fillcolor="#f3d9d3"',
    Tag.ALL: ', style=filled, fillcolor="#e2e6ee"',
    Tag.LEAF: ', shape=ellipse, color="#888888"',
    Tag.OPEN: ", style=dotted",
}
HEAD = ("node", "window", "value", "tag", "")


def render_text(view: TraceView) -> str:
    rows = [HEAD]
    for node in view.nodes:
        tag = f"{node.tag.value}{' *' if node.line else ''}{' scout' if node.scout else ''}"
        rows.append(("  " * node.ply + node.name, node.window, node.worth, tag, node.remark))
    widths = [max(len(row[column]) for row in rows) for column in range(len(HEAD) - 1)]
    lines = [
        "  ".join(
            [*(cell.ljust(width) for cell, width in zip(row, widths, strict=False)), row[-1]]
        ).rstrip()
        for row in rows
    ]
    lines.insert(1, "  ".join("-" * width for width in widths))
    legend = f"{view.head[-1]}; * is the principal variation"
    return "\n".join([*view.head[:-1], legend, "", *lines, *view.foot]) + "\n"


def render_json(view: TraceView) -> str:
    trace = view.trace
    record = {
        "schema": SCHEMA,
        "game": view.subject.name,
        "mover": trace.root.mover(),
        "other": trace.root.children()[0].mover(),
        "hero": trace.hero,
        "depth": trace.result.depth,
        "switches": trace.techniques.as_dict(),
        "method": view.method,
        "value": trace.value,
        "move": view.subject.move(trace.root, trace.result.best),
        "counts": trace.result.counters.as_dict(),
        "complete": view.complete,
        "steps": 2 * len(trace.visits),
    }
    # One node per line: long, but readable.
    nodes = ",\n".join(f"  {json.dumps(_node_record(node))}" for node in view.nodes)
    head = json.dumps(record, indent=1)[:-2]
    return f'{head},\n "nodes": [\n{nodes}\n ]\n}}\n'


def _node_record(node: Node) -> dict[str, object]:
    found = {field.name: getattr(node, field.name) for field in fields(node)}
    return {name: each.value if isinstance(each, Enum) else each for name, each in found.items()}


def render_dot(view: TraceView) -> str:
    shown = {node.id for node in view.nodes}
    lines = [
        "digraph trace {",
        f"  label={_dot_quote(*view.head)};",
        "  labelloc=t; ordering=out;",
        '  node [shape=box, fontname="sans-serif", fontsize=10];',
        '  edge [fontname="sans-serif", fontsize=9, arrowhead=none];',
    ]
    for node in view.nodes:
        lines.append(_dot_node(node))
        if node.parent in shown:
            width = ", penwidth=2.5" if node.line else ""
            lines.append(f"  n{node.parent} -> n{node.id} [label={_dot_quote(node.move)}{width}];")
    for node in view.nodes:  # last, so that they are right of the visited ones
        if node.unseen:
            lines.append(f"  u{node.id} [label={_dot_quote(*node.unseen)}, shape=plaintext];")
            lines.append(f"  n{node.id} -> u{node.id} [style=dashed, label=cut];")
    return "\n".join([*lines, "}"]) + "\n"


def _dot_node(node: Node) -> str:
    label = _dot_quote(*([node.mover] if node.tag is not Tag.LEAF else []), node.window, node.worth)
    width = ", penwidth=2.5" if node.line else ""
    tip = f", tooltip={_dot_quote(node.reason)}" if node.reason else ""
    return f"  n{node.id} [label={label}{STYLES[node.tag]}{width}{tip}];"


def _dot_quote(*lines: str) -> str:
    text = "\\n".join(line.replace("\\", "\\\\").replace('"', '\\"') for line in lines)
    return f'"{text}"'


def render_html(view: TraceView) -> str:
    style = (files("solver.trace") / "trace.css").read_text("utf-8")
    shown = {node.id for node in view.nodes}
    below: dict[int | None, list[Node]] = {}
    for node in view.nodes:
        below.setdefault(node.parent if node.parent in shown else None, []).append(node)
    tree = "".join(_html_item(node, below) for node in below.get(None, []))
    legend = f"{view.head[-1]}; the principal variation is underlined"
    head = "".join(f"<p>{escape(line)}</p>" for line in [*view.head[:-1], legend])
    foot = "".join(f"<p>{escape(line)}</p>" for line in view.foot)
    return (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{escape(view.head[0])}</title>\n<style>\n{style}</style>\n</head>\n<body>\n"
        f"<header><h1>What the search visited</h1>{head}</header>\n"
        f'<main><ul class="tree">\n{tree}</ul></main>\n<footer>{foot}</footer>\n'
        "</body>\n</html>\n"
    )


def _html_item(node: Node, below: dict[int | None, list[Node]]) -> str:
    children = "".join(_html_item(child, below) for child in below.get(node.id, []))
    kind = f"{node.tag.value}{' line' if node.line else ''}"
    inside = f"<ul>\n{children}</ul>" if children else ""
    if node.rows is not None:  # closed: a tree of open boards would be too large
        rows = escape("\n".join(node.rows))
        board = f'<details class="board"><summary>board</summary><pre>{rows}</pre></details>'
        inside = board + inside
    if not inside:
        return f'<li class="{kind}"><div class="row">{_html_row(node)}</div></li>\n'
    is_open = " open" if children and (node.line or node.ply < OPEN_TO) else ""
    return (
        f'<li class="{kind}"><details{is_open}><summary class="row">{_html_row(node)}</summary>'
        f"{inside}</details></li>\n"
    )


def _html_row(node: Node) -> str:
    parts = [
        f'<span class="move">{escape(node.name)}</span>',
        f'<span class="window">{escape(node.window)}</span>',
        f'<span class="value">{escape(node.worth)}</span>',
        f'<span class="tag">{node.tag.value}{", scout" if node.scout else ""}</span>',
    ]
    if node.remark:
        parts.append(f'<span class="why">{escape(node.remark)}</span>')
    return " ".join(parts)


FORMATS = {"text": render_text, "json": render_json, "dot": render_dot, "html": render_html}
