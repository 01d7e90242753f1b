"""What the page reckons with, module by module, where it runs: in the browser."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from support.analysis_page import AnalysisPage
from support.headless_browser import CHROMIUM

pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="there is no chromium on this machine")

SAME_PAGE = settings(
    max_examples=50, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
GAMES = {
    "checkers": {"variants": [], "heuristics": {"tuned": ""}},
    "twoflags": {"variants": ["no-en-passant"], "heuristics": {"race": ""}},
}
TREES = st.recursive(
    st.integers(-99, 99), lambda inner: st.lists(inner, min_size=1, max_size=4), max_leaves=12
)
HALF = 0.5


@pytest.fixture(autouse=True, scope="module")
def opened(visit: AnalysisPage) -> None:
    visit.go()


def call(visit: AnalysisPage, module: str, expression: str, *values: Any) -> Any:
    """An expression in which `m` is the module and `v` the values."""
    given = json.dumps(values)
    return visit.page.value(f"import('/{module}.js').then(m => (v => {expression})({given}))")


@SAME_PAGE
@given(
    state=st.fixed_dictionaries(
        {},
        optional={
            "mode": st.sampled_from(["analyse", "tree", "puzzles"]),
            "text": st.text(st.characters(codec="utf-8", exclude_characters="/")).map(str.strip),
            "tree": st.text(st.characters(codec="utf-8", exclude_characters="\n")).map(str.strip),
            "depth": st.sampled_from("12345678"),
            "variant": st.just("no-en-passant"),
        },
    )
)
def test_whatever_is_written_into_an_address_is_read_back(
    visit: AnalysisPage, state: dict[str, str]
) -> None:
    # The page trims by its own idea of blanks, which is wider than Python's.
    trimmed = call(visit, "address", "Object.entries(v[0]).map(([k, t]) => [k, t.trim()])", state)
    found = call(visit, "address", "m.read(m.written(v[0]), v[1])", state, GAMES)
    assert found == {"state": {key: text for key, text in trimmed if text}, "faults": []}


@SAME_PAGE
@given(text=st.text(st.characters(codec="utf-8"), max_size=80))
def test_no_address_breaks_the_reading(visit: AnalysisPage, text: str) -> None:
    found = call(visit, "address", "m.read('#' + v[0], v[1])", text, GAMES)
    assert set(found["state"]) <= {
        *("mode", "game", "variant", "text", "heuristic", "versus", "puzzle", "tree", "depth")
    }


@SAME_PAGE
@given(tree=st.lists(TREES, min_size=1, max_size=4))
def test_a_homework_tree_is_read_as_it_was_written(visit: AnalysisPage, tree: list[Any]) -> None:
    text = json.dumps(tree).replace(",", "").replace("[", "(").replace("]", ")")
    assert call(visit, "homework", "m.written(m.homework(v[0]))", text) == text
    first = call(visit, "homework", "m.childrenAt(m.homework(v[0]), '1').length", text)
    assert first == (len(tree[0]) if isinstance(tree[0], list) else 0)


@SAME_PAGE
@given(score=st.integers(-999_999, 999_999), piece=st.integers(1, 1000))
def test_the_bar_is_fair_to_both_sides(visit: AnalysisPage, score: int, piece: int) -> None:
    share, other, more = call(
        visit,
        "value_bar",
        "[0, 1, 2].map(at => m.share(v[at], v[3]))",
        score,
        -score,
        score + 1,
        piece,
    )
    assert 0 <= share <= more <= 1
    assert share + other == pytest.approx(1)
    assert (share > HALF) == (score > 0)


KINGS = {"rows": ["R......."] + ["........"] * 6 + [".......B"]}
STEP = {"path": [[0, 0], [1, 1]], "taken": []}


def plies(texts: list[str], **move: Any) -> list[dict[str, Any]]:
    return [{"position": {**KINGS, "text": text}, "move": {**STEP, **move}} for text in texts]


def test_the_third_time_is_a_draw(visit: AnalysisPage) -> None:
    texts = ["a", "b", "c", "d", "a", "b", "c", "d"]
    assert call(visit, "draws", "m.draw(v[0])", plies(texts)) == ""
    words = call(visit, "draws", "m.draw(v[0])", plies([*texts, "a"]))
    assert words == "the same position for the third time"


def test_forty_moves_each_without_progress_are_a_draw(visit: AnalysisPage) -> None:
    quiet = plies([str(ply) for ply in range(81)])
    assert call(visit, "draws", "m.draw(v[0])", quiet).startswith("forty moves each")
    assert call(visit, "draws", "m.draw(v[0])", quiet[:-1]) == ""
    quiet[5]["move"] = {**STEP, "taken": [[4, 4]]}
    assert call(visit, "draws", "m.draw(v[0])", quiet) == ""
