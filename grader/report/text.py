"""Text and numbers for people, and the one way to write a table and CSV."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from html import escape as escape_html
from itertools import count
from operator import attrgetter
from typing import Any
from unicodedata import normalize

# Control characters, lone surrogates, what turns the direction of writing, and noncharacters:
# terminals obey them, XML forbids them, and readers are fooled by them.
UNPRINTABLE = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069"
    "\ufdd0-\ufdef\ufeff\ufff9-\ufffb\ufffe\uffff]"
)
MARKDOWN = re.compile(r"[\\`*_{}\[\]<>|~&$]|:(?=\S)|(?<=www)\.")
FORMULA = tuple("=+-@\uff1d\uff0b\uff0d\uff20")  # spreadsheets read the wide forms too
LONGEST_FILE = 50  # characters of a name without its suffix; a file system counts bytes
RESERVED = re.compile(r"(con|prn|aux|nul|com\d|lpt\d)(\..*)?", re.IGNORECASE)  # by Windows
CUT = " …"
NOTHING = "-"
Column = str | tuple[str, str | Callable[[Any], object]]  # an attribute, or a head and a getter


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


def short_line(text: str, most: int) -> str:
    return shorten(one_line(text), most)


def markdown(text: str) -> str:
    return MARKDOWN.sub(lambda found: f"\\{found[0]}", one_line(text))


class Markup(str):
    """Text that is HTML already; all other text is escaped."""


def escape(text: str) -> str:
    """Harmless in an HTML element and in a quoted attribute."""
    return text if isinstance(text, Markup) else escape_html(printable(text), quote=True)


def breakable(text: str) -> str:
    """With places where a line may end: names are long and have no spaces."""
    return text if isinstance(text, Markup) else re.sub("[/+=:_]", r"\g<0><wbr>", escape(text))


def number(value: float) -> str:
    """At most two decimals, without trailing zeros: `3`, `0.5`, `2.33`."""
    return f"{value:.2f}".rstrip("0").rstrip(".")


def percent(part: float, whole: float) -> str:
    return f"{100 * part / whole:.1f}%" if whole else NOTHING


def cell(value: object) -> str:
    """Any value of a table as text."""
    if isinstance(value, int | float):
        return f"{value:,}" if isinstance(value, int) else f"{value:,.2f}"
    return NOTHING if value is None else str(value)


@dataclass(frozen=True)
class Table:
    """Rows of texts that may come from anywhere; whoever renders the table makes them harmless.

    The first `words` columns hold words, the others numbers.
    """

    title: str
    heads: Sequence[str]
    rows: Sequence[Sequence[str]]
    words: int = 1

    @staticmethod
    def of(title: str, items: Iterable[Any], columns: Iterable[Column], words: int = 1) -> Table:
        """One item per row."""
        pairs = [(each, each) if isinstance(each, str) else each for each in columns]
        getters = [attrgetter(get) if isinstance(get, str) else get for _, get in pairs]
        rows = [[cell(get(item)) for get in getters] for item in items]
        return Table(title, [head for head, _ in pairs], rows, words)

    def __str__(self) -> str:
        """For the terminal."""
        from tabulate import tabulate  # which the judge alone does not need

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
    heads = {name: name for name in columns}
    writer.writerows({name: _safe(each) for name, each in row.items()} for row in (heads, *rows))
    return out.getvalue()


def _safe(value: Any) -> Any:
    """Text that a spreadsheet would run as a formula gets an apostrophe in front."""
    if not isinstance(value, str):
        return value
    text = printable(value)
    return f"'{text}" if text.lstrip().startswith(FORMULA) else text


def file_names(names: Iterable[str]) -> dict[str, str]:
    """A name for the file of each, the same on every system: within its folder, not reserved, and
    different from the others even where case does not count."""
    found: dict[str, str] = {}
    taken: set[str] = set()
    for name in names:
        plain = re.sub(r"[^\w.-]+", "_", normalize("NFKC", name))[:LONGEST_FILE].strip("._-")
        plain = f"_{plain}" if RESERVED.fullmatch(plain) else plain or "submission"
        tries = (plain if place == 1 else f"{plain}-{place}" for place in count(1))
        found[name] = next(each for each in tries if each.casefold() not in taken)
        taken.add(found[name].casefold())
    return found
