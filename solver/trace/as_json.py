"""A trace as JSON; README describes its fields."""

from __future__ import annotations

import json
from dataclasses import fields
from enum import Enum

TYPE_CHECKING = False
if TYPE_CHECKING:
    from solver.trace.node import Node
    from solver.trace.telling import Telling

SCHEMA = 1


def render(telling: Telling) -> str:
    trace = telling.trace
    record = {
        "schema": SCHEMA,
        "game": telling.subject.NAME,
        "mover": trace.root.mover(),
        "other": trace.root.children()[0].mover(),
        "hero": trace.hero,
        "depth": trace.finding.depth,
        "switches": trace.techniques.as_dict(),
        "method": telling.method,
        "value": trace.value,
        "move": telling.subject.move(trace.root, trace.finding.best),
        "counts": trace.effort.as_dict(),
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
