"""A trace as a graph for Graphviz: `dot -Tsvg`."""

from __future__ import annotations

from solver.trace.node import Tag

TYPE_CHECKING = False
if TYPE_CHECKING:
    from solver.trace.node import Node
    from solver.trace.telling import Telling

STYLES = {
    Tag.PV: "",
    Tag.CUT: ', style=filled, fillcolor="#f3d9d3"',
    Tag.ALL: ', style=filled, fillcolor="#e2e6ee"',
    Tag.LEAF: ', shape=ellipse, color="#888888"',
    Tag.OPEN: ", style=dotted",
}


def render(telling: Telling) -> str:
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
