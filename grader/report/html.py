"""The HTML kit: one document frame, style sheet and set of elements for all reports.

A page needs no network.  A policy in its head lets the browser run our script and nothing else,
whatever the body contains.
"""

from __future__ import annotations

import re
from base64 import b64encode
from collections.abc import Mapping, Sequence
from hashlib import sha256
from importlib.resources import files

from grader.grading.records import Verdict
from grader.report.boards import Boards
from grader.report.text import Markup, Table, escape


def page(title: str, about: str, boards: Boards, sections: Mapping[str, str]) -> str:
    """Sections by their titles, with links to them at the top."""
    links = [
        Markup(f'<a href="#part{place}">{escape(name)}</a>') for place, name in enumerate(sections)
    ]
    body = "\n".join(
        f'<section id="part{place}"><h2>{escape(name)}</h2>{content}</section>'
        for place, (name, content) in enumerate(sections.items())
    )
    nav = f'<nav aria-label="Sections">{bullets(links, "kinds")}</nav>'
    return document(title, about, boards, body, nav)


def document(
    title: str, about: str, boards: Boards, body: str, nav: str = "", script: str = ""
) -> str:
    style, pieces, script = own_file("style.css"), own_file("pieces.svg"), own_file(script)
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


def own_file(name: str) -> str:
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


def figure(caption: str, chart: str) -> str:
    return f"<figure><figcaption>{escape(caption)}</figcaption>{chart}</figure>"


def beside(*parts: str) -> str:
    """Figures, as many in a row as there is room for."""
    return f'<div class="beside">{"".join(parts)}</div>' if any(parts) else ""


def cards(items: Sequence[tuple[str, str, str]]) -> str:
    """Of titles, words and figures of boards."""
    articles = "".join(
        f'<article class="card"><h3>{escape(title)}</h3><p>{escape(words)}</p>'
        f'<div class="boards">{figures}</div></article>'
        for title, words, figures in items
    )
    return f'<div class="cards disputes">{articles}</div>'


def paragraph(words: str) -> str:
    return f'<p class="note">{escape(words)}</p>' if words else ""


def bullets(items: Sequence[str], kind: str) -> str:
    entries = "".join(f"<li>{escape(item)}</li>" for item in items)
    return f'<ul class="{kind}">{entries}</ul>' if items else ""


def tiles(facts: Mapping[str, object]) -> str:
    """The few numbers to see first."""
    cells = "".join(
        f"<div><dt>{escape(name)}</dt><dd>{escape(str(value))}</dd></div>"
        for name, value in facts.items()
    )
    return f'<dl class="tiles">{cells}</dl>'


def badge(verdict: Verdict) -> str:
    return f'<span class="badge {colour(verdict)}">{verdict.words}</span>'


def colour(verdict: Verdict) -> str:
    """A class of the style sheet."""
    if verdict.accepted:
        return "good"
    return {Verdict.SLOWER: "part", Verdict.JUDGE_ERROR: "ours"}.get(verdict, "bad")
