"""A trace as text: a node a line, the deeper the further to the right."""

from __future__ import annotations

from solver.trace.wording import name, remark

TYPE_CHECKING = False
if TYPE_CHECKING:
    from solver.trace.node import Node
    from solver.trace.telling import Telling

HEAD = ("node", "window", "value", "tag", "")


def render(telling: Telling) -> str:
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
