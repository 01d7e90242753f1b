"""Text and numbers for people, and the one way to write a table, CSV and JSON."""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, fields, is_dataclass
from html import escape as escape_html
from math import isfinite
from typing import Any

from tabulate import tabulate

from grader.stats.elo import Strength
from grader.stats.ratios import Ratio
from grader.stats.shares import Share
from grader.stats.wording import interval, signed
from grader.variants.variant import Variant

# Control characters, lone surrogates, what turns the direction of writing, and noncharacters:
# terminals obey them, XML forbids them, and readers are fooled by them.
UNPRINTABLE = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069"
    "\ufdd0-\ufdef\ufeff\ufff9-\ufffb\ufffe\uffff]"
)
MARKDOWN = re.compile(r"[\\`*_{}\[\]<>|~&$]|:(?=\S)|(?<=www)\.")
FORMULA = tuple("=+-@\uff1d\uff0b\uff0d\uff20")  # spreadsheets read the wide forms too
CUT = " …"
NOTHING = "-"
REFERENCE = "1.00 x"


def printable(text: str) -> str:
    """The text with its line breaks, and every other invisible character spelt out."""
    text = text.replace("\r\n", "\n").replace("\t", "    ")
    return UNPRINTABLE.sub(_spell, text)


def _spell(match: re.Match[str]) -> str:
    code = ord(match[0])
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}"


def one_line(text: str) -> str:
    return " ".join(printable(text).split())


def shorten(text: str, most: int) -> str:
    return text if len(text) <= most else text[: max(most - len(CUT), 0)] + CUT


def markdown(text: str) -> str:
    return MARKDOWN.sub(lambda found: f"\\{found[0]}", one_line(text))


class Markup(str):
    """Text that is HTML already; all other text is escaped."""


def escape(text: str) -> str:
    """Harmless in an HTML element and in a quoted attribute."""
    return text if isinstance(text, Markup) else escape_html(printable(text), quote=True)


def number(value: float) -> str:
    """At most two decimals, without trailing zeros: `3`, `0.5`, `2.33`."""
    return f"{value:.2f}".rstrip("0").rstrip(".")


def decimals(value: float | None, digits: int = 2) -> str:
    return NOTHING if value is None else f"{value:,.{digits}f}"


def percent(part: float, whole: float) -> str:
    return f"{100 * part / whole:.1f}%" if whole else NOTHING


def times(ratio: float | None) -> str:
    """In proportion to something else: `0.45 x`."""
    return NOTHING if ratio is None else f"{_digits(ratio)} x"


def _digits(ratio: float) -> str:
    if ratio >= 100:
        return f"{ratio:,.0f}"
    return f"{ratio:.2f}" if ratio >= 0.1 else f"{ratio:.3f}" if ratio >= 0.01 else f"{ratio:.2g}"


def ratio_words(ratio: Ratio | None, is_reference: bool = False) -> str:
    """`0.42 x [0.33, 0.53]`."""
    if is_reference:
        return REFERENCE
    if ratio is None:
        return NOTHING
    return f"{times(ratio.ratio)} [{_digits(ratio.low)}, {_digits(ratio.high)}]"


def share_words(share: Share) -> str:
    """`45 of 60`."""
    return f"{share.kept} of {share.of}" if share.of else NOTHING


def share_interval(share: Share) -> str:
    """`75.0 % [62.8, 84.2]`."""
    if not share.of:
        return NOTHING
    return f"{100 * share.share:.1f} % [{100 * share.low:.1f}, {100 * share.high:.1f}]"


def elo_words(strength: Strength) -> str:
    """`+44.8, -7.1 to +98.7`."""
    return f"{signed(strength.elo)}, {interval(strength.elo_low, strength.elo_high)}"


@dataclass(frozen=True)
class Table:
    """Rows of texts that may come from anywhere; whoever renders the table makes them harmless.

    The first `words` columns hold words, the others numbers.
    """

    title: str
    heads: Sequence[str]
    rows: Sequence[Sequence[str]]
    words: int = 1

    def __str__(self) -> str:
        """For the terminal."""
        align = ["left" if place < self.words else "right" for place in range(len(self.heads))]
        rows = [[one_line(cell) for cell in row] for row in self.rows]
        lines = tabulate(rows, list(self.heads), colalign=align, disable_numparse=True).splitlines()
        return "\n".join(line.rstrip() for line in lines) + "\n"

    def markdown(self) -> str:
        rule = ["---"] * len(self.heads)
        rows = [[markdown(cell) for cell in row] for row in (self.heads, *self.rows)]
        return "\n".join(f"| {' | '.join(row)} |" for row in [rows[0], rule, *rows[1:]])


def to_csv(columns: Sequence[str], rows: Iterable[Mapping[str, Any]]) -> str:
    out = io.StringIO()
    writer = csv.DictWriter(out, columns, lineterminator="\n")
    writer.writeheader()
    writer.writerows({name: _cell(value) for name, value in row.items()} for row in rows)
    return out.getvalue()


def _cell(value: Any) -> Any:
    """Text that a spreadsheet would run as a formula gets an apostrophe in front."""
    if not isinstance(value, str):
        return value
    text = printable(value)
    return f"'{text}" if text.lstrip().startswith(FORMULA) else text


def to_json(value: Any, indent: int | None = None) -> str:
    """Of dataclasses, tuples, dicts and what JSON knows."""
    return json.dumps(_plain(value), indent=indent) + "\n"


def _plain(value: Any) -> Any:
    if isinstance(value, Share):
        return {"kept": value.kept, "of": value.of, "low": value.low, "high": value.high}
    if isinstance(value, Variant):
        return value.as_dict()
    if is_dataclass(value):
        return {field.name: _plain(getattr(value, field.name)) for field in fields(value)}
    if isinstance(value, dict):
        return {key: _plain(each) for key, each in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(each) for each in value]
    if isinstance(value, float) and not isfinite(value):
        return None  # JSON has no infinity: this end of an interval is open
    return value
