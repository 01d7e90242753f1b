"""One server for all tests, and a fresh tab of the browser for every test of the page."""

from __future__ import annotations

from collections.abc import Iterator
from inspect import iscoroutinefunction
from typing import TYPE_CHECKING

import pytest
from support.analysis_page import AnalysisPage, Screen
from support.web_host import Served, run, served

if TYPE_CHECKING:
    from playwright.sync_api import Browser


def pytest_pyfunc_call(pyfuncitem: pytest.Function) -> bool | None:
    """Tests may be coroutines."""
    if not iscoroutinefunction(pyfuncitem.obj):
        return None
    names = pyfuncitem._fixtureinfo.argnames
    run(pyfuncitem.obj(**{name: pyfuncitem.funcargs[name] for name in names}))
    return True


@pytest.fixture(scope="session")
def server() -> Iterator[Served]:
    with served() as server:
        yield server


@pytest.fixture
def visit(
    request: pytest.FixtureRequest, browser: Browser, server: Served
) -> Iterator[AnalysisPage]:
    """In the context of the test before, which has the page's scripts compiled."""
    screen: Screen = getattr(request, "param", (1200, 900, "light"))
    width, height, theme = screen
    context = next(iter(browser.contexts), None) or browser.new_context()
    visit = AnalysisPage(context.new_page(), server)
    visit.page.set_viewport_size({"width": width, "height": height})
    visit.page.emulate_media(color_scheme=theme)
    yield visit
    visit.value("localStorage.clear()")
    visit.page.close()
    assert not visit.watch.complaints
    assert all(url.startswith(server.url) for url in visit.watch.requests)
