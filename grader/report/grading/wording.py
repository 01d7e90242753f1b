"""Text of unknown origin made harmless to read, and numbers made short."""

from __future__ import annotations

import re

# Control characters, lone surrogates, what turns the direction of writing, and noncharacters:
# terminals obey them, XML forbids them, and readers are fooled by them.
UNPRINTABLE = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069"
    "\ufdd0-\ufdef\ufeff\ufff9-\ufffb\ufffe\uffff]"
)
CUT = " …"


def printable(text: str) -> str:
    """The text with line breaks, and with everything else that is not to be seen spelt out."""
    text = text.replace("\r\n", "\n").replace("\t", "    ")
    return UNPRINTABLE.sub(_spelt, text)


def one_line(text: str) -> str:
    return " ".join(printable(text).split())


def shortened(text: str, most: int) -> str:
    return text if len(text) <= most else text[: max(most - len(CUT), 0)] + CUT


def number(value: float) -> str:
    """At most two decimals, and none that say nothing: `3`, `0.5`, `2.33`."""
    return f"{value:.2f}".rstrip("0").rstrip(".")


def percent(part: float, whole: float) -> str:
    return f"{100 * part / whole:.1f}%" if whole else "-"


def megabytes(kilobytes: int) -> str:
    return f"{kilobytes / 1024:.1f}" if kilobytes else "-"


def _spelt(match: re.Match[str]) -> str:
    code = ord(match[0])
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}"
