"""A server and a browser, one for each file of tests."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from support.analysis_page import AnalysisPage, analysis_page


@pytest.fixture(scope="module")
def visit(tmp_path_factory: pytest.TempPathFactory) -> Iterator[AnalysisPage]:
    with analysis_page(tmp_path_factory.mktemp("profile")) as page:
        yield page
