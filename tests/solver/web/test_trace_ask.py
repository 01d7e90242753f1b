"""A trace, asked for by a tab."""

from __future__ import annotations

from typing import Any

import pytest
from support.web_host import START, run, served, tab


def traced(**fields: Any) -> list[dict[str, Any]]:
    async def test(port: int) -> list[dict[str, Any]]:
        async with tab(port) as one:
            return await one.all_of(one.ask("trace", **fields))

    with served() as server:
        return run(test(server.port))


def test_the_tree_of_a_position() -> None:
    found, last = traced(text=START, depth=2, ordering="static", heuristic="material")
    trace = found["trace"]
    assert (trace["game"], trace["mover"], trace["depth"]) == ("checkers", "red", 2)
    assert trace["nodes"][0]["parent"] is None
    assert trace["move"]
    assert last == {"id": 1, "done": True}


def test_a_tree_that_is_written_down() -> None:
    found, _ = traced(tree="((3 12 8) (2 4 6) (14 5 2))")
    assert (found["trace"]["game"], found["trace"]["value"]) == ("tree", 3)


@pytest.mark.parametrize("techniques", [["all"], ["mate-distance"], ["etc", "pvs", "deepening"]])
def test_techniques_by_name(techniques: list[str]) -> None:
    found, _ = traced(text=START, depth=3, cache="sound", max_nodes=50, **{"with": techniques})
    assert len(found["trace"]["nodes"]) <= 50


def test_a_tree_that_is_none() -> None:
    (answer,) = traced(tree="((3 12")
    assert "line 1" in answer["error"]
