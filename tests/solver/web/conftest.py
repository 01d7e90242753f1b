"""One server for all tests, and a fresh tab of the browser for every test of the page."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest
from support.analysis_page import AnalysisPage
from support.web_host import Served, served

if TYPE_CHECKING:
    from playwright.sync_api import Page


@pytest.fixture(scope="session")
def server() -> Iterator[Served]:
    with served() as server:
        yield server


@pytest.fixture
def visit(page: Page, server: Served) -> Iterator[AnalysisPage]:
    visit = AnalysisPage(page, server)
    yield visit
    assert not visit.watch.complaints
    assert all(url.startswith(server.url) for url in visit.watch.requests)
