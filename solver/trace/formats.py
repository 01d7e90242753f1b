"""A trace as text, JSON and Graphviz."""

from __future__ import annotations

import json
from dataclasses import fields
from enum import Enum

from solver.explain.layout import render_table
from solver.trace.nodes import Node, Tag, TraceView

SCHEMA = 1
STYLES = {
    Tag.PV: "",
    Tag.CUT: ', style=filled, fillcolor="#f3d9d3"',
    Tag.ALL: ', style=filled, fillcolor="#e2e6ee"',
    Tag.LEAF: ', shape=ellipse, color="#888888"',
}
COLUMNS = ("node", "window", "value", "tag", "")


def render_text(view: TraceView) -> str:
    rows = []
    for node in view.nodes:
        tag = f"{node.tag.value}{' *' if node.line else ''}{' scout' if node.scout else ''}"
        rows.append(("  " * node.ply + node.name, node.window, node.worth, tag, node.remark))
    head = "\n".join(view.head)
    table = render_table(rows, COLUMNS, left=len(COLUMNS))
    text = f"{head}; * is the principal variation\n\n{table}\n"
    if view.left_out:
        text += f"\n{view.left_out} more nodes; --max-nodes and --only choose others\n"
    return text


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
        "complete": len(view.nodes) == len(trace.visits),
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


FORMATS = {"text": render_text, "json": render_json, "dot": render_dot}
