"""The analysis page in a real browser: what a visitor does with it, and what is to be seen."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from time import monotonic, sleep
from typing import Any
from urllib.parse import quote

from support.headless_browser import PATIENCE, Page, browser
from support.web_host import Served, served


class AnalysisPage:
    """One tab with the page."""

    def __init__(self, page: Page, server: Served) -> None:
        self.page = page
        self.server = server

    def go(self, **state: str) -> None:
        """Load the page anew, at an address that says so much."""
        self.page.emulate(motion="reduce")
        self.page.resize(1280, 900)
        self.page.visit("about:blank")
        pairs = [f"{key}={quote(value, safe='/')}" for key, value in state.items()]
        self.page.visit(f"{self.server.url}#{'&'.join(pairs)}")
        self.settle()

    def settle(self) -> None:
        """Until a mode is shown."""
        self.page.wait("document.querySelector('nav [aria-current]') !== null")

    def another(self) -> AnalysisPage:
        """A second tab on the same server."""
        return AnalysisPage(self.page.another(), self.server)

    def click(self, *selectors: str) -> None:
        for selector in selectors:
            self.page.click(selector)

    def squares(self, *names: str) -> None:
        """Click squares of the board."""
        self.click(*(f"[data-square={name}]" for name in names))

    def choose(self, select: str, value: str) -> None:
        """An option of a select, as the keyboard would."""
        self.page.value(
            f"(() => {{ const one = document.querySelector({json.dumps(select)});"
            f" one.value = {json.dumps(value)};"
            " one.dispatchEvent(new Event('change', {bubbles: true})); })()"
        )

    def text(self, selector: str) -> str:
        return str(self.page.value(f"{_found(selector)}?.innerText ?? ''")).strip()

    def texts(self, selector: str) -> list[str]:
        found: list[str] = self.page.value(
            f"[...document.querySelectorAll({json.dumps(selector)})].map(one => one.innerText)"
        )
        return found

    def until(self, selector: str, words: str) -> str:
        """What an element says, as soon as these words are in it."""
        inside = f"({_found(selector)}?.innerText ?? '')"
        self.page.wait(f"{inside}.includes({json.dumps(words)})")
        return self.text(selector)

    def shown(self, selector: str) -> bool:
        return bool(self.page.value(f"{_found(selector)}?.checkVisibility() ?? false"))

    def attribute(self, selector: str, name: str) -> Any:
        return self.page.value(f"{_found(selector)}.getAttribute({json.dumps(name)})")

    def board(self) -> str:
        """The rows of the board as they are drawn from the top."""
        pieces: list[str] = self.page.value(
            "[...document.querySelectorAll('#board .square')]"
            ".map(one => one.dataset.piece.split(' ')[1])"
        )
        return "\n".join("".join(pieces[at : at + 8]) for at in range(0, 64, 8))

    def until_board(self, rows: str) -> None:
        drawn = (
            "[...document.querySelectorAll('#board .square')]"
            ".map(one => one.dataset.piece.split(' ')[1]).join('')"
        )
        self.page.wait(f"{drawn} === {json.dumps(rows.replace(chr(10), ''))}")

    def until_idle(self) -> None:
        """Until the server has no search going."""
        end = monotonic() + PATIENCE
        while self.server.children():
            assert monotonic() < end, "a search goes on that nobody wants"
            sleep(0.02)

    def label(self, square: str) -> str:
        return self.label_of("square", square)

    def label_of(self, kind: str, name: str) -> str:
        """How a square calls itself that has this `square` or `number`."""
        return str(self.attribute(f'#board [data-{kind}="{name}"]', "aria-label"))

    def address(self) -> str:
        return str(self.page.value("location.href"))


def _found(selector: str) -> str:
    return f"document.querySelector({json.dumps(selector)})"


@contextmanager
def analysis_page(profile: Path, *words: str) -> Iterator[AnalysisPage]:
    """The page, on a server of its own, in a browser of its own."""
    with served(*words) as server, browser(profile) as page:
        yield AnalysisPage(page, server)
        assert not page.complaints, page.complaints
