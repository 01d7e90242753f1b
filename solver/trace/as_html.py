"""A trace as one static page: nodes that open and close, no script needed."""

from __future__ import annotations

from html import escape
from importlib.resources import files

from solver.trace.wording import name, remark

TYPE_CHECKING = False
if TYPE_CHECKING:
    from solver.trace.node import Node
    from solver.trace.telling import Telling

OPEN_TO = 2  # plies that are open to begin with, besides the principal variation


def render(telling: Telling) -> str:
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
