"""A trace as text, JSON and a page."""

from __future__ import annotations

import json
import re
from base64 import b64encode
from hashlib import sha256
from html import escape
from pathlib import Path

from solver.explain.layout import render_table
from solver.trace.nodes import TraceView

SCHEMA = 2
PAGE = Path(__file__).parents[1] / "web/page"
MODULES = ("dom.js", "words.js", "tree_view.js")
STYLES = ("base.css", "layout.css", "panels.css", "tree.css")
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


def render_html(view: TraceView) -> str:
    """A page of its own: the part of the page of `solver serve` that shows a search."""
    index = (PAGE / "index.html").read_text("utf-8")
    widget = index[index.index('<div id="tree-result"') : index.index("<!-- end of the view")]
    modules = "".join((PAGE / name).read_text("utf-8") for name in MODULES)
    facts = render_json(view).replace("<", "\\u003c")
    script = (
        re.sub(r"^import .*\n|^export ", "", modules, flags=re.MULTILINE) + f"showTrace({facts});"
    )
    digest = b64encode(sha256(script.encode()).digest()).decode()
    policy = f"default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-{digest}'"
    styles = "".join((PAGE / name).read_text("utf-8") for name in STYLES)
    return (
        '<!doctype html>\n<html lang="en">\n<meta charset="utf-8">\n<title>A search</title>\n'
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f'<style>{styles}</style>\n<main class="homework">\n<h1>{escape(view.method)}</h1>\n'
        f'{widget}</main>\n<script type="module">{script}</script>\n</html>\n'
    )


FORMATS = {"text": render_text, "json": render_json, "html": render_html}
