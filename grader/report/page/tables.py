"""Tables, and plots beside the table that holds their numbers."""

from __future__ import annotations

import re
from collections.abc import Sequence

from grader.report.grading.html.markup import escaped


class Markup(str):
    """Text that is HTML already; all other text is made harmless."""


def table(label: str, heads: Sequence[str], rows: Sequence[Sequence[str]], kind: str = "n") -> str:
    """The first cell of a row is its name.  Wide tables scroll, and the page does not.

    `kind` is a class of the style sheet: numbers stand at the right, words (`w`) do not.
    """
    top = "".join(f'<th scope="col">{_markup(head)}</th>' for head in heads)
    return (
        f'<div class="scroll" role="region" tabindex="0" aria-label="{escaped(label)}">'
        f'<table class="{kind}"><thead><tr>{top}</tr></thead>'
        f"<tbody>{''.join(map(_row, rows))}</tbody></table></div>"
    )


def figure(caption: str, plot: str) -> str:
    return f"<figure><figcaption>{escaped(caption)}</figcaption>{plot}</figure>"


def beside(*parts: str) -> str:
    """Figures and tables, as many in a row as there is room for."""
    return f'<div class="beside">{"".join(parts)}</div>' if any(parts) else ""


def paragraph(words: str, kind: str = "note") -> str:
    return f'<p class="{kind}">{escaped(words)}</p>'


def listed(items: Sequence[str], kind: str) -> str:
    entries = "".join(f"<li>{_markup(item)}</li>" for item in items)
    return f'<ul class="{kind}">{entries}</ul>' if items else ""


def tiles(facts: dict[str, str]) -> str:
    """The few numbers to see first."""
    shown = "".join(
        f"<div><dt>{escaped(name)}</dt><dd>{escaped(value)}</dd></div>"
        for name, value in facts.items()
    )
    return f'<dl class="tiles">{shown}</dl>'


def _row(cells: Sequence[str]) -> str:
    name, *others = map(_markup, cells)
    name = name if isinstance(cells[0], Markup) else breakable(name)
    return f'<tr><th scope="row">{name}</th>{"".join(f"<td>{cell}</td>" for cell in others)}</tr>'


def breakable(markup: str) -> str:
    """With places where a line may end: names are long, and have no spaces."""
    return re.sub("[/+=:_]", r"\g<0><wbr>", markup)


def _markup(cell: str) -> str:
    return cell if isinstance(cell, Markup) else escaped(cell)
