"""What all pages of comparisons and matches have around their sections."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from importlib.resources import files

from grader.report.grading.html.boards import Boards
from grader.report.grading.html.document import document
from grader.report.grading.html.markup import escaped


@dataclass(frozen=True)
class Section:
    title: str
    body: str  # HTML


def section(title: str, *parts: str) -> Section:
    return Section(title, "".join(parts))


def page(title: str, about: str, boards: Boards, sections: Sequence[Section]) -> str:
    style = (files("grader.report.page") / "plots.css").read_text(encoding="utf-8")
    head = f'<h1>{escaped(title)}</h1><p class="when">{escaped(about)}</p>'
    links = "".join(
        f'<li><a href="#part{place}">{escaped(each.title)}</a></li>'
        for place, each in enumerate(sections)
    )
    body = "\n".join(
        f'<section id="part{place}"><h2>{escaped(each.title)}</h2>{each.body}</section>'
        for place, each in enumerate(sections)
    )
    nav = f'<nav aria-label="Sections"><ul class="kinds">{links}</ul></nav>'
    return document(title, boards, f"<header>{head}{nav}</header>\n<main>{body}</main>", style)
