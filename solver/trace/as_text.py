"""A trace as text: a node a line, the deeper the further to the right."""

from __future__ import annotations

from solver.trace.node import Tag
from solver.trace.wording import unseen

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
    return "\n".join([*telling.head, "", *lines, *telling.foot]) + "\n"


def _cells(node: Node) -> tuple[str, ...]:
    name = f"{node.path} {node.move}" if node.move != node.path.rpartition(".")[2] else node.path
    tag = f"{node.tag.value}{' *' if node.line else ''}{' scout' if node.scout else ''}"
    return "  " * node.ply + (name or node.mover), node.window, node.worth, tag, _remark(node)


def _remark(node: Node) -> str:
    """The reason, but for plain leaves, which need none; what the cut has spared."""
    if node.tag is Tag.LEAF and node.kind == "heuristic":
        return ""
    asked = "the cache is asked" if node.cache == "asked" else ""
    return "; ".join(part for part in (node.reason, unseen(node.unseen), asked) if part)
