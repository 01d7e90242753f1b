"""The HTML kit: one document frame, style sheet and set of elements for all reports.

A page needs no network.  A policy in its head lets the browser run our script and nothing else,
whatever the body contains.
"""

from __future__ import annotations

import re
from base64 import b64encode
from functools import cache
from hashlib import sha256
from importlib.resources import files

from grader.grading.records import Verdict
from grader.report.boards import Boards
from grader.report.text import Markup, Table, escape


def page(title: str, about: str, boards: Boards, body: str, nav: str = "", script: str = "") -> str:
    """`script` is the name of one of our files."""
    style, pieces, script = _read("style.css"), _read("pieces.svg"), _read(script)
    policy = f"default-src 'none'; style-src '{_hash(style)}'; script-src '{_hash(script)}'"
    return (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{policy}; img-src data:">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        '<meta name="color-scheme" content="light dark">\n<link rel="icon" href="data:,">\n'
        f"<title>{escape(title)}</title>\n<style>{style}</style>\n</head>\n<body>\n"
        f'<svg class="symbols" aria-hidden="true">{pieces}{boards.symbols()}</svg>\n'
        f'<header><h1>{escape(title)}</h1><p class="when">{escape(about)}</p>{nav}</header>\n'
        f"<main>{body}</main>\n{f'<script>{script}</script>' if script else ''}</body>\n</html>\n"
    )


@cache
def _read(name: str) -> str:
    return (files("grader.report") / name).read_text(encoding="utf-8") if name else ""


def _hash(text: str) -> str:
    return f"sha256-{b64encode(sha256(text.encode()).digest()).decode()}"


def table(content: Table, kind: str = "") -> str:
    """The first cell of a row is its name.  A wide table scrolls, the page does not.

    `kind` is a class of the style sheet: `n` if numbers stand at the right, `w` for words.
    """
    kind = kind or ("n" if content.words == 1 else "w")
    heads = "".join(f'<th scope="col">{escape(head)}</th>' for head in content.heads)
    rows = []
    for name, *cells in content.rows:
        others = "".join(f"<td>{escape(cell)}</td>" for cell in cells)
        rows.append(f'<tr><th scope="row">{_breakable(name)}</th>{others}</tr>')
    return (
        f'<div class="scroll" role="region" tabindex="0" aria-label="{escape(content.title)}">'
        f'<table class="{kind}"><thead><tr>{heads}</tr></thead>'
        f"<tbody>{''.join(rows)}</tbody></table></div>"
    )


def _breakable(text: str) -> str:
    """With places where a line may end: names are long and have no spaces."""
    return text if isinstance(text, Markup) else re.sub("[/+=:_]", r"\g<0><wbr>", escape(text))


def badge(verdict: Verdict) -> str:
    return f'<span class="badge {colour(verdict)}">{verdict.words}</span>'


def colour(verdict: Verdict) -> str:
    """A class of the style sheet."""
    if verdict.accepted:
        return "good"
    return {Verdict.SLOWER: "part", Verdict.JUDGE_ERROR: "ours"}.get(verdict, "bad")
