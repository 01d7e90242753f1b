"""What an ask for a search becomes on the command line, whatever it holds."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from solver.cli.analyse import make_parser
from solver.errors import UserError
from solver.search.techniques import Techniques
from solver.web import jobs as searches
from solver.web.answers import Ask

START = "B:W21-32:B1-12"
anything = st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5)
options = st.dictionaries(
    st.sampled_from(searches.OPTIONS),
    anything | st.sampled_from([1, 5, 2.5, "none", "sound", "learned", ["pvs", "etc"]]),
    max_size=4,
)


def test_everything_that_can_be_asked() -> None:
    words, text = searches.analysis(
        Ask(
            {
                "text": "Setup We5 Bd7 Bf7 BLACK",
                "variant": "no-en-passant",
                "lines": 4,
                "heuristic": "two-flags",
                "options": {"depth": 7, "seconds": 2, "cache": "none", "without": ["pvs"]},
            }
        )
    )
    assert words[:5] == ["analyse", "-", "--json", "--game", "twoflags"]
    arguments = make_parser().parse_intermixed_args(words[1:])
    assert (arguments.game, arguments.variant) == ("twoflags", "no-en-passant")
    assert (arguments.lines, arguments.heuristic, arguments.depth) == (4, "two-flags", 7)
    assert (arguments.time, arguments.nodes) == (2.0, None)
    assert arguments.techniques == Techniques("pvs,cache")
    assert text.endswith("\nblack")


def test_without_limits_it_goes_on_for_an_hour() -> None:
    words, _ = searches.analysis(Ask({"text": START}))
    arguments = make_parser().parse_intermixed_args(words[1:])
    assert (arguments.time, arguments.depth, arguments.nodes) == (3600.0, None, None)


@pytest.mark.parametrize(
    "fields",
    [
        {"text": ""},
        {"lines": 0},
        {"lines": 11},
        {"heuristic": "mine.py:evaluate"},
        {"heuristic": "race"},
        {"options": []},
        {"options": {"threads": 2}},
        {"options": {"depth": 0}},
        {"options": {"seconds": 1e9}},
        {"options": {"ordering": "best"}},
        {"options": {"without": ["scouts"]}},
        {"options": {"tables": "/etc/passwd"}},
    ],
)
def test_what_cannot_be_asked(fields: dict[str, Any]) -> None:
    with pytest.raises(UserError):
        searches.analysis(Ask({"text": START, **fields}))


@settings(deadline=None)
@given(options, anything | st.integers(1, 10), anything | st.sampled_from(["tuned", "material"]))
def test_whatever_is_asked_the_command_line_understands_it(
    options: dict[str, Any], lines: object, heuristic: object
) -> None:
    ask = Ask({"text": START, "options": options, "lines": lines, "heuristic": heuristic})
    with suppress(UserError):
        words, _ = searches.analysis(ask)
        arguments = make_parser().parse_intermixed_args(words[1:])
        assert arguments.time <= searches.MOST_SECONDS


def test_a_trace_of_a_position_and_of_a_tree() -> None:
    ask = {"text": START, "depth": 3, "with": ["pvs", "etc"], "ordering": "static"}
    words, text = searches.searches_trace(Ask({**ask, "without": ["alpha-beta"], "max_nodes": 500}))
    assert " ".join(words) == (
        "trace - --format json --with pvs,etc --without alpha-beta --ordering static "
        "--max-nodes 500 --depth 3 --game checkers"
    )
    assert text.endswith("\nred")
    words, text = searches.searches_trace(Ask({"tree": "((3 12 8) (2 4 6))"}))
    assert (words, text) == (["trace", "-", "--format", "json", "--tree"], "((3 12 8) (2 4 6))")


@pytest.mark.parametrize(
    "fields",
    [
        {},
        {"depth": 9},
        {"depth": 2, "with": ["magic"]},
        {"depth": 2, "max_nodes": 0},
        {"depth": 2, "heuristic": "x.py:f"},
        {"depth": 2, "text": "........\n" * 8},
        {"tree": 5},
    ],
)
def test_what_cannot_be_traced(fields: dict[str, Any]) -> None:
    with pytest.raises(UserError):
        searches.searches_trace(Ask({"text": START, **fields}))
