"""Numbers, lists and sentences as people write them."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from solver.explain.teller import Kind

NUMBERS = (
    *("no", "one", "two", "three", "four", "five", "six"),
    *("seven", "eight", "nine", "ten", "eleven", "twelve"),
)


def spelled(number: int) -> str:
    return NUMBERS[number] if number < len(NUMBERS) else str(number)


def listed(words: Sequence[str]) -> str:
    """`a`, `a and b`, `a, b and c`."""
    return " and ".join([", ".join(words[:-1]), words[-1]] if len(words) > 1 else words)


def sentence(words: str) -> str:
    """With a capital letter and a full stop."""
    return f"{words[:1].upper()}{words[1:]}."


def pieces(kinds: Sequence[Kind], counts: Sequence[int]) -> str:
    """`a man`, `two men`, `a man and a king`; `nothing`."""
    named = [
        f"a {kind.name}" if count == 1 else f"{spelled(count)} {kind.plural}"
        for kind, count in zip(kinds, counts, strict=True)
        if count
    ]
    return listed(named) if named else "nothing"


def traded(kinds: Sequence[Kind], gained: Sequence[int], given: Sequence[int]) -> str:
    """What a side got for what: `two men for one`, `a king for a man`."""
    rows = [row for row in zip(kinds, gained, given, strict=True) if row[1] or row[2]]
    if len(rows) == 1:
        kind, got, gave = rows[0]
        if got and gave and got + gave > 2:
            return f"{spelled(got)} {kind.plural if got > 1 else kind.name} for {spelled(gave)}"
    return f"{pieces(kinds, gained)} for {pieces(kinds, given)}"
