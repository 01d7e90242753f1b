"""Bars of shares: of what parts a whole consists, in a fixed order from bad to good."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from grader.report.grading.html.markup import escaped
from grader.report.page.bars import ROW, THICK, name_and_value
from grader.report.page.svg import LETTER, WIDTH, element, picture, text

MARGIN = 8


@dataclass(frozen=True)
class Stack:
    name: str
    counts: tuple[int, ...]
    label: str


def stack_chart(title: str, stacks: Sequence[Stack], kinds: Sequence[str]) -> str:
    """Each count is written in its part where there is room for it."""
    parts = [_row(stack, place * ROW) for place, stack in enumerate(stacks)]
    words = "; ".join(
        f"{stack.name}: "
        + ", ".join(f"{kind} {count}" for kind, count in zip(kinds, stack.counts, strict=True))
        for stack in stacks
    )
    return picture(f"{title}: {words or 'nothing'}", ROW * len(stacks) + MARGIN, parts)


def _row(stack: Stack, top: float) -> str:
    parts = [name_and_value(stack.name, stack.label, top)]
    total = sum(stack.counts)
    x = 0.0
    for kind, count in enumerate(stack.counts):
        width = WIDTH * (count / total) if total else 0.0
        if count:
            shape = element(
                "rect", class_=f"part p{kind}", x=x, y=top + 19, width=width, height=THICK
            )
            parts.append(shape)
        if count and width > (len(str(count)) + 1) * LETTER:
            number = text(x + width / 2, top + 31, str(count), f"count p{kind}", "middle")
            parts.append(number)
        x += width
    return "".join(parts)


def kinds_legend(kinds: Sequence[str]) -> str:
    """Which part is which, in their order."""
    items = "".join(
        f'<li><svg viewBox="0 0 10 10" aria-hidden="true"><rect class="p{kind}" width="10" '
        f'height="10"/></svg>{escaped(name)}</li>'
        for kind, name in enumerate(kinds)
    )
    return f'<ul class="kinds">{items}</ul>'
