"""A heuristic's terms at the end of two lines, side by side."""

from __future__ import annotations

from typing import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from solver.heuristic import Term


class Row(NamedTuple):
    """One term: what it adds up to at the end of either line, for one side."""

    title: str
    weight: int
    best: int
    other: int


def side_by_side(best: list[Term], other: list[Term], sign: int) -> list[Row]:
    """The terms that are there in either line; 1 sees them as the side that begins, -1 as the
    one that does not."""
    rows: dict[str, Row] = {}
    for term in best:
        rows[term.title] = Row(term.title, term.weight, sign * term.total, 0)
    for term in other:
        row = rows.get(term.title, Row(term.title, term.weight, 0, 0))
        rows[term.title] = row._replace(other=sign * term.total)
    return [row for row in rows.values() if row.best or row.other]
