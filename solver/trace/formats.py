"""A trace as text and JSON."""

from __future__ import annotations

import json

from solver.explain.layout import render_table
from solver.trace.nodes import TraceView

SCHEMA = 2
COLUMNS = ("node", "window", "value", "tag", "")


def render_text(view: TraceView) -> str:
    rows = []
    for node in view.nodes:
        tag = f"{node.tag}{' *' if node.line else ''}{' scout' if node.scout else ''}"
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
        "switches": trace.techniques.values,
        "method": view.method,
        "value": trace.value,
        "move": view.subject.move(trace.root, trace.result.best),
        "counts": trace.result.counters.as_dict(),
        "complete": len(view.nodes) == len(trace.visits),
        "steps": 2 * len(trace.visits),
    }
    # One node per line: long, but readable.
    nodes = ",\n".join(f"  {json.dumps(vars(node))}" for node in view.nodes)
    head = json.dumps(record, indent=1)[:-2]
    return f'{head},\n "nodes": [\n{nodes}\n ]\n}}\n'


FORMATS = {"text": render_text, "json": render_json}
