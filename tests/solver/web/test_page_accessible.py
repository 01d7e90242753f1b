"""What axe-core, which browsers' own checks are made of, finds wrong with the page."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest
from support.analysis_page import AnalysisPage
from support.command import SHOT
from support.headless_browser import CHROMIUM

AXE = find_spec("axe_playwright_python")  # its Python is not used, only the script that it brings
pytestmark = [
    pytest.mark.skipif(CHROMIUM is None, reason="there is no chromium on this machine"),
    pytest.mark.skipif(AXE is None, reason="axe-playwright-python is not installed"),
]

BOARD = SHOT.strip().replace("\n", "/")
ADDRESSES = {
    "analyse": {"mode": "analyse", "text": BOARD},
    "play": {"mode": "play", "game": "twoflags"},
    "heuristics": {"mode": "heuristics", "text": BOARD, "versus": "centre"},
    "tree": {"mode": "tree", "tree": "((3 12 8) (2 4 6) (14 5 2))"},
    "tree of a position": {"mode": "tree", "text": BOARD},
    "puzzles": {"mode": "puzzles", "puzzle": "checkers/shot-in-nine"},
    "bad address": {"mode": "dance", "text": "x"},
}


def findings(visit: AnalysisPage) -> list[dict[str, Any]]:
    """Everything serious or critical, with the elements it is about."""
    assert AXE is not None
    assert AXE.origin is not None
    script = (Path(AXE.origin).parent / "axe.min.js").read_text("utf-8")
    visit.page.value(f"{script}; true")
    found: list[dict[str, Any]] = visit.page.value(
        "axe.run(document, {resultTypes: ['violations']}).then(result => result.violations"
        ".filter(one => ['serious', 'critical'].includes(one.impact))"
        ".map(one => ({id: one.id, help: one.help,"
        " nodes: one.nodes.map(node => [node.html.slice(0, 200), node.failureSummary])})))"
    )
    return found


def prepare(visit: AnalysisPage, name: str) -> None:
    """Show as much as there is to be seen."""
    visit.go(**ADDRESSES[name])
    if name == "analyse":
        visit.click("#edit", "#compare", ".search .main", "details summary")
        visit.page.wait("document.querySelector('.lines li') !== null")
        visit.click(".search .main")
    elif name == "play":
        visit.click("#play-start")
        visit.squares("e2", "e4")
        visit.page.wait("document.querySelectorAll('#record-moves button').length === 2")
    elif name.startswith("tree"):
        visit.page.wait("document.querySelector('#drawing svg') !== null")
        visit.click("#step-cut-back")
    elif name == "heuristics":
        visit.page.wait("document.querySelector('#ranking td') !== null")
    elif name == "puzzles":
        visit.until("#puzzle-task", "Red is to move")
        visit.squares("c5", "d6")
        visit.until("#verdict", "Right")


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("name", list(ADDRESSES))
def test_nothing_serious_is_found(visit: AnalysisPage, name: str, scheme: str) -> None:
    prepare(visit, name)
    visit.page.emulate(scheme, motion="reduce")
    assert findings(visit) == []
