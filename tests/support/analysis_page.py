"""The analysis page in a real browser: what a visitor does with it, and what is on it."""

from __future__ import annotations

import json
from time import monotonic
from typing import TYPE_CHECKING, Any, Literal
from urllib.parse import quote

import pytest

from support.browser import Watch, find_barriers
from support.web_host import Served

if TYPE_CHECKING:
    from playwright.sync_api import Page

PATIENCE = 60.0  # seconds
Theme = Literal["light", "dark"]
Screen = tuple[int, int, Theme]
SCREENS: list[Screen] = [
    (width, height, theme)
    for theme in ("light", "dark")
    for width, height in ((1280, 800), (1024, 768), (390, 844))
]


def on_screens(*screens: Screen) -> pytest.MarkDecorator:
    """Run a test of the page on each of these screens."""
    names = [f"{width}-{theme}" for width, _, theme in screens]
    return pytest.mark.parametrize("visit", screens, indirect=True, ids=names)


on_every_screen = on_screens(*SCREENS)
on_three_screens = on_screens(SCREENS[0], SCREENS[4], SCREENS[2])  # what takes longer
PIECES = (
    "[...document.querySelectorAll('#board .square')].map(one => one.dataset.piece.split(' ')[1])"
)


class AnalysisPage:
    """One tab with the page."""

    def __init__(self, page: Page, server: Served) -> None:
        self.page = page
        self.server = server
        self.watch = Watch(page)
        page.set_default_timeout(PATIENCE * 1000)
        page.emulate_media(reduced_motion="reduce")

    def go(self, **state: str) -> None:
        """Load the page at an address with this state."""
        self.visit(self.address_of(state))

    def address_of(self, state: dict[str, str]) -> str:
        pairs = [f"{key}={quote(value, safe='/')}" for key, value in state.items()]
        return f"{self.server.url}#{'&'.join(pairs)}"

    def change(self, **state: str) -> None:
        """Go to another address of the page that is open."""
        self.page.goto(self.address_of(state))

    def visit(self, address: str) -> None:
        self.page.goto("about:blank")  # else another hash would not load the page again
        self.page.goto(address)
        self.wait("document.querySelector('nav [aria-current]') !== null")

    def value(self, expression: str) -> Any:
        return self.page.evaluate(expression)

    def wait(self, expression: str) -> Any:
        """The value of an expression as soon as it is true; the page's policy forbids the `eval`
        that Playwright's own way of waiting needs."""
        end = monotonic() + PATIENCE
        while not (found := self.value(expression)):
            assert monotonic() < end, f"{expression} is never true"
            self.page.wait_for_timeout(50)
        return found

    def another(self) -> AnalysisPage:
        """A second tab on the same server."""
        return AnalysisPage(self.page.context.new_page(), self.server)

    def click(self, *selectors: str) -> None:
        for selector in selectors:
            self.page.click(selector)

    def squares(self, *names: str) -> None:
        self.click(*(f"[data-square={name}]" for name in names))

    def press(self, *keys: str) -> None:
        for key in keys:
            self.page.keyboard.press(key)

    def choose(self, select: str, value: str) -> None:
        self.page.locator(select).first.select_option(value)

    def text(self, selector: str) -> str:
        return next(iter(self.texts(selector)), "").strip()

    def texts(self, selector: str) -> list[str]:
        found: list[str] = self.page.eval_on_selector_all(
            selector, "all => all.map(one => one.innerText)"
        )
        return found

    def until(self, selector: str, words: str) -> str:
        """The text of an element as soon as these words are in it."""
        element = f"document.querySelector({json.dumps(selector)})"
        self.wait(f"({element}?.innerText ?? '').includes({json.dumps(words)})")
        return self.text(selector)

    def until_board(self, rows: str) -> None:
        self.wait(f"{PIECES}.join('') === {json.dumps(rows.replace(chr(10), ''))}")

    def until_idle(self) -> None:
        """Until the server runs no search."""
        end = monotonic() + PATIENCE
        while self.server.children():
            assert monotonic() < end, "a search goes on that nobody wants"
            self.page.wait_for_timeout(50)

    def lose_two_flags(self) -> None:
        """A whole game as Black, against White as the solver plays it from the start."""
        self.go(mode="play", game="twoflags")
        self.choose("#play-side", "black")
        self.choose("#play-level", "full")
        self.click("#play-start")
        status = "document.getElementById('play-status').innerText"
        plies = 1
        while "has won" not in self.wait(f"/Your move|has won/.test({status}) && {status}"):
            plies += 2
            moves = len(self.texts("#legal-moves button"))
            self.click(f"#legal-moves button >> nth={plies % moves}")
            made = f"document.querySelectorAll('#record-moves button').length >= {plies}"
            self.wait(f"{made} || /has won/.test({status})")
        assert self.text("#play-status").startswith("White has won")
        assert len(self.texts("#record-moves button")) <= 33  # as is proven

    def board(self) -> str:
        """The rows of the board from the top."""
        pieces = self.value(PIECES)
        return "\n".join("".join(pieces[at : at + 8]) for at in range(0, 64, 8))

    def label(self, name: str, kind: str = "square") -> str:
        return self.page.get_attribute(f'#board [data-{kind}="{name}"]', "aria-label") or ""

    def bottom(self, selector: str) -> float:
        """Where an element ends, in pixels from the top of the window."""
        box = self.page.locator(selector).first.bounding_box()
        assert box, selector
        return box["y"] + box["height"]

    @property
    def height(self) -> int:
        assert self.page.viewport_size
        return self.page.viewport_size["height"]

    def check_fit(self) -> None:
        """Nothing sticks out at the side."""
        assert self.value("document.documentElement.scrollWidth <= innerWidth")

    def check_access(self, theme: Theme) -> None:
        """Nothing on the page keeps people out."""
        self.page.emulate_media(color_scheme=theme)
        assert find_barriers(self.page) == []

    def address(self) -> str:
        return self.page.url
