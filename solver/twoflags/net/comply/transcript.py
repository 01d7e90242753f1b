"""Who said what, and when: the evidence that goes with a failed check."""

from __future__ import annotations

import time
from typing import NamedTuple

WE_SAY = ">"
IT_SAYS = "<"
NOTE = "-"


class Entry(NamedTuple):
    seconds: float  # since the check began
    sign: str
    text: str

    def __str__(self) -> str:
        return f"{self.seconds:7.3f} {self.sign} {self.text}"


class Transcript:
    """Entries in the order of time; what was said is shown as it went over the wire."""

    def __init__(self) -> None:
        self.started = time.monotonic()
        self.entries: list[Entry] = []

    def _add(self, sign: str, text: str) -> None:
        self.entries.append(Entry(time.monotonic() - self.started, sign, text))

    def said(self, text: str, who: str = "") -> None:
        self._add(who + WE_SAY, ascii(text)[1:-1])

    def heard(self, text: str, who: str = "") -> None:
        self._add(who + IT_SAYS, ascii(text)[1:-1])

    def note(self, text: str, who: str = "") -> None:
        self._add(who + NOTE, text)

    def lines(self) -> list[str]:
        return [str(entry) for entry in self.entries]
