"""A real Chromium without a window, driven by Playwright; one for the whole run."""

from __future__ import annotations

import asyncio
import json
import shutil
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
FLAGS = ["--no-sandbox", "--disable-gpu"]  # it often runs as root, and shows only our own pages
SERIOUS = """axe.run(document, OPTIONS).then(result => result.violations
  .filter(one => ['serious', 'critical'].includes(one.impact))
  .map(one => [one.id, one.help, ...one.nodes.map(node => node.html.slice(0, 200))]))"""


@pytest.fixture(scope="session")
def chromium() -> Iterator[tuple[Browser, Any]]:
    """The browser and Playwright's event loop.

    The loop counts as running for as long as the browser is there, and would be in the way of
    tests with a loop of their own; so it is hidden while no test uses the browser.
    """
    api = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
    if CHROMIUM is None:
        pytest.skip("chromium is not installed")
    with api.sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        loop = asyncio._get_running_loop()
        asyncio._set_running_loop(None)
        yield browser, loop
        asyncio._set_running_loop(loop)
        browser.close()


@pytest.fixture
def browser(chromium: tuple[Browser, Any]) -> Iterator[Browser]:
    browser, loop = chromium
    asyncio._set_running_loop(loop)
    yield browser
    asyncio._set_running_loop(None)


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    """A page with a profile of its own."""
    context = browser.new_context(viewport={"width": 1200, "height": 900})
    yield context.new_page()
    context.close()


class Watch:
    """The addresses that a page requests, and what its console complains about."""

    def __init__(self, page: Page) -> None:
        self.requests: list[str] = []
        self.complaints: list[str] = []
        page.on("request", lambda request: self.requests.append(request.url))
        page.on("pageerror", lambda error: self.complaints.append(str(error)))
        page.on("console", self._hear)

    def _hear(self, message: Any) -> None:
        if message.type in ("error", "warning"):
            self.complaints.append(message.text)


def find_barriers(page: Page, *rules: str) -> Any:
    """What axe-core finds that keeps people out of a page, if it is serious; by these rules, or
    by all of them."""
    package = find_spec("axe_playwright_python")
    if package is None or package.origin is None:
        pytest.skip("axe-playwright-python is not installed")
    if not page.evaluate("'axe' in window"):
        page.evaluate(f"{(Path(package.origin).parent / 'axe.min.js').read_text('utf-8')}; true")
    options = {"resultTypes": ["violations"], **({"runOnly": list(rules)} if rules else {})}
    return page.evaluate(SERIOUS.replace("OPTIONS", json.dumps(options)))


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Every test in the browser is slow: Chromium takes longer to start than most tests to run."""
    for item in items:
        if "chromium" in getattr(item, "fixturenames", ()):
            item.add_marker(pytest.mark.slow)
