"""Requests field by field, what is answered at once, and the commands of searches."""

from __future__ import annotations

import json
import random
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.import_walk import ROOT
from support.web_host import START

from solver.cli.analyse import make_parser
from solver.errors import BoardError, UserError
from solver.games import GAMES, game_named
from solver.search.techniques import Techniques
from solver.web import jobs
from solver.web.answers import ANSWERS, PageRequest, PageSettings, parse_request

INPUTS = ROOT / "inputs"
SETTINGS = PageSettings("1.2.3", compiled=False, puzzles=INPUTS)
EN_PASSANT = (
    "........\n........\n........\n.wb.....\n........\n........\n........\n........\nwhite c6"
)
letters = st.characters(exclude_categories=["Cs"])  # found faster than all of UTF-8
words = st.text(letters, max_size=5)
values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | words,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(words, inner, max_size=3),
    max_leaves=5,
)


def answer(kind: str, settings: PageSettings = SETTINGS, **fields: Any) -> dict[str, Any]:
    return ANSWERS[kind](PageRequest(fields), settings)


def random_position(name: str, seed: int) -> Any:
    """A position somewhere in a random game."""
    game, rng = game_named(name), random.Random(seed)
    here = game.read(game.start(), "start", True).position
    for _ in range(rng.randrange(60)):
        here = rng.choice(here.children() or [here])
    return here


@given(
    st.text(letters, max_size=50) | values.map(json.dumps),
    st.fixed_dictionaries(
        {},
        optional={
            "text": values | st.just(START),
            "game": values | st.sampled_from(["", *GAMES]),
            "variant": values,
            "heuristics": values | st.just(["tuned", "material"]),
            "name": values,
            "heuristic": values | st.sampled_from(["tuned", "material"]),
            "lines": values | st.integers(1, 10),
            "options": st.dictionaries(
                st.sampled_from(jobs.OPTIONS),
                values | st.sampled_from([1, 5, 2.5, "none", "sound", "learned", ["pvs", "etc"]]),
                max_size=4,
            ),
        },
    ),
)
def test_any_request_is_answered_or_refused(text: str, fields: dict[str, Any]) -> None:
    """The command line accepts what was accepted here."""
    with suppress(UserError):
        assert isinstance(parse_request(text.encode()).fields, dict)
    for kind in ("position", "evaluate", "puzzle"):
        with suppress(UserError):
            assert json.dumps(answer(kind, **fields))
    with suppress(UserError):
        words, _ = jobs.analyse_command(PageRequest({"text": START, **fields}))
        arguments = make_parser().parse_intermixed_args(words[1:])
        assert arguments.time <= jobs.MOST_SECONDS


def test_fields_are_checked() -> None:
    request = PageRequest(
        {"n": 5, "x": 1.5, "flag": True, "text": "abc", "names": ["a"], "big": 1e999}
    )
    assert (request.whole("n", 1, 9), request.amount("x", 9)) == (5, 1.5)
    assert (request.text("text", 3), request.some_of("names", ["a"], 1)) == ("abc", ["a"])
    wrong: list[tuple[Any, ...]] = [
        *((request.whole, name, least, 9) for name, least in (("n", 6), ("x", 1), ("flag", 0))),
        *((request.amount, name, 4) for name in ("n", "flag", "big")),
        *((request.text, name, 2) for name in ("text", "n", "missing")),
        *((request.some_of, "names", known, most) for known, most in ((["b"], 1), (["a"], 0))),
        (request.some_of, "text", ["a"], 9),
        (request.one_of, "text", ["abd"]),
        (request.group, "names", ["a"]),
    ]
    for read, *arguments in wrong:
        with pytest.raises(UserError):
            read(*arguments)


def test_hello() -> None:
    hello = answer("hello")
    assert (hello["version"], hello["compiled"]) == ("1.2.3", False)
    assert (hello["watch"], hello["puzzles"]) == (False, True)
    assert "sound" in hello["caches"]
    assert "pvs" in hello["techniques"]
    for name, about in hello["games"].items():
        start = answer("position", text=about["start"])
        assert (start["game"], start["mover"]) == (name, about["sides"][0])
        assert start["text"] == about["start"]
        assert about["default_heuristic"] in about["heuristics"]


@pytest.mark.parametrize("name", GAMES)
def test_positions_moves_and_terms(name: str) -> None:
    """A position reads back, its moves lead to its children, its terms add up to the value."""
    game = game_named(name)
    heuristics = list(game.heuristics())
    for seed in range(6):
        here = random_position(name, seed)
        found = answer("position", text=game.with_side(here))
        assert (found["game"], found["mover"]) == (name, here.mover())
        assert found["rows"] == str(here).split("\n")
        assert answer("position", text=found["text"]) == found
        assert (found["outcome"] is None) == bool(found["moves"])
        texts = [move["text"] for move in found["moves"]]
        assert texts == [game.with_side(child) for child in here.children()]
        for move in found["moves"]:
            rows = answer("position", text=move["text"], game=name)["rows"]
            (row, column), (last_row, last_column) = move["path"][0], move["path"][-1]
            assert rows[row][column] == "."
            assert rows[last_row][last_column] != "."
        tables = answer("evaluate", text=found["text"], heuristics=heuristics)["tables"]
        for heuristic, table in zip(heuristics, tables, strict=False):
            sign = 1 if table["mover"] == game.SIDES[0] else -1
            assert table["name"] == heuristic
            assert table["value"] == sign * sum(term["total"] for term in table["terms"])
            assert table["value"] == game.evaluator(heuristic, here)(here)


def test_special_positions() -> None:
    found = answer("position", text="W:WK6,K9:BK15")
    assert (found["form"], found["fen"], found["mover"]) == ("fen", "W:WK6,K9:BK15", "black")
    found = answer("position", text="Setup We5 Bd7 Bf7 BLACK")
    assert (found["form"], found["setup"]) == ("setup", "Setup We5 Bd7 Bf7 BLACK")
    assert answer("position", text="r.......\n" * 4 + "........\n" * 4)["fen"] is None
    repaired = answer("position", text=".r......\n" + "........\n" * 6 + "r.......")
    assert repaired["rows"][0] == ".R......"
    assert [word[:16] for word in repaired["warnings"]] == ["line 1, column 2"]
    over = answer("position", text="........\n" * 7 + "r.......")
    assert over["outcome"] == {"winner": "red", "reason": "black has no piece left"}
    assert answer("evaluate", text=over["text"], heuristics=["tuned"])["tables"] == []
    jump = "........\n........\n........\n....b...\n........\n..b.....\n.r......\n.......b"
    (move,) = answer("position", text=jump)["moves"]
    assert move["path"] == [(6, 1), (4, 3), (2, 5)]
    assert sorted(move["taken"]) == [(3, 4), (5, 2)]
    kings = answer("position", text="B:WK32,22:BK1,5")["moves"]
    assert {move["pdn"]: move["progress"] for move in kings} == {"1-6": False, "5-9": True}
    empty = "........\n" * 8
    assert answer("position", text=empty)["game"] == "checkers"
    assert answer("position", text=empty, game="twoflags")["game"] == "twoflags"
    found = answer("position", text=EN_PASSANT)
    assert found["text"] == EN_PASSANT
    (take,) = [move for move in found["moves"] if move["taken"]]
    assert (take["name"], take["path"], take["taken"]) == ("b5c6", [(3, 1), (2, 2)], [(3, 2)])
    with pytest.raises(BoardError):
        answer("position", text=EN_PASSANT, variant="no-en-passant")


OUTSIDE = ("", "checkers", "../inputs/checkers/opening", "/etc/passwd", "checkers/\0")


def test_refused_answers() -> None:
    refused: list[tuple[str, str, Any]] = [
        ("position", "game", "chess"),
        ("position", "variant", "x"),
        ("position", "text", "x" * 5000),
        *(
            ("evaluate", "heuristics", names)
            for names in (["mine.py:evaluate"], ["tuned"] * 9, "tuned", [5])
        ),
        *(("puzzle", "name", name) for name in (*OUTSIDE, "checkers/openning")),
    ]
    for kind, name, bad in refused:
        with pytest.raises(UserError):
            answer(kind, SETTINGS, **{"text": START, name: bad})


def test_puzzles(tmp_path: Path) -> None:
    puzzles = {puzzle["name"]: puzzle for puzzle in answer("puzzles")["puzzles"]}
    assert puzzles["checkers/shot-in-nine"]["goal"] == "win"
    assert puzzles["checkers/defence-last-longest"]["goal"] == "loss"
    assert {"checkers/blocked", "checkers/opening", "checkers/probe-01"}.isdisjoint(puzzles)
    stars = [puzzle["stars"] for puzzle in puzzles.values()]
    assert stars == sorted(stars)  # the easiest first
    for name in puzzles:
        known = json.loads((ROOT / "expected" / f"{name}.json").read_text())
        assert len(known["best"]) < len(known["moves"])
    puzzle = answer("puzzle", name="twoflags/race-lone-pawns")
    assert puzzle["file"] == (INPUTS / "twoflags" / "race-lone-pawns.txt").read_text()
    assert (puzzle["game"], bool(puzzle["moves"])) == ("twoflags", True)
    assert set(puzzles["checkers/shot-in-nine"]) == {"name", "game", "stars", "goal"}
    with pytest.raises(UserError, match="--puzzles"):
        answer("puzzles", PageSettings("1", compiled=False))
    folder = tmp_path / "checkers"
    folder.mkdir()
    (folder / "large.txt").write_text("." * 5000)
    (folder / "bytes.txt").write_bytes(b"\xff" * 64)
    own = answer("puzzles", PageSettings("1", compiled=False, puzzles=tmp_path))["puzzles"]
    assert [(puzzle["stars"], puzzle["goal"]) for puzzle in own] == [(0, ""), (0, "")]
    for name in ("checkers/large", "checkers/bytes"):
        with pytest.raises(UserError):
            answer("puzzle", PageSettings("1", compiled=False, puzzles=tmp_path), name=name)


def test_command_of_an_analysis() -> None:
    options = {"depth": 7, "seconds": 2, "cache": "none", "without": ["pvs"]}
    fields = {"text": "Setup We5 Bd7 Bf7 BLACK", "variant": "no-en-passant", "lines": 4}
    words, text = jobs.analyse_command(
        PageRequest({**fields, "heuristic": "two-flags", "options": options})
    )
    assert words[:5] == ["analyse", "-", "--json", "--game", "twoflags"]
    arguments = make_parser().parse_intermixed_args(words[1:])
    assert (arguments.game, arguments.variant) == ("twoflags", "no-en-passant")
    assert (arguments.lines, arguments.heuristic, arguments.depth) == (4, "two-flags", 7)
    assert (arguments.time, arguments.nodes) == (2.0, None)
    assert arguments.techniques == Techniques("pvs,cache")
    assert text.endswith("\nblack")
    arguments = make_parser().parse_intermixed_args(
        jobs.analyse_command(PageRequest({"text": START}))[0][1:]
    )
    assert (arguments.time, arguments.depth, arguments.nodes) == (3600.0, None, None)


def test_command_of_a_trace() -> None:
    fields: dict[str, Any] = {
        "text": START,
        "depth": 3,
        "with": ["pvs", "etc"],
        "ordering": "static",
    }
    fields |= {"without": ["alpha-beta"], "max_nodes": 500}
    words, text = jobs.trace_command(PageRequest(fields))
    assert " ".join(words) == (
        "trace - --format json --with pvs,etc --without alpha-beta --ordering static "
        "--max-nodes 500 --depth 3 --game checkers"
    )
    assert text.endswith("\nred")
    words, text = jobs.trace_command(PageRequest({"tree": "((3 12 8) (2 4 6))"}))
    assert " ".join(words) == "trace - --format json --max-nodes 100000 --tree"
    assert text == "((3 12 8) (2 4 6))"


BAD_OPTIONS = ({"depth": 0}, {"seconds": 1e9}, {"ordering": "best"}, {"without": ["scouts"]})
BAD_ANALYSES: dict[str, tuple[Any, ...]] = {
    "text": ("",),
    "lines": (0, 11),
    "heuristic": ("mine.py:evaluate", "race"),
    "options": ([], {"tables": "/etc/passwd"}, *BAD_OPTIONS),
}
BAD_TRACES: dict[str, tuple[Any, ...]] = {
    "depth": (None, 9),
    "with": (["magic"],),
    "max_nodes": (0,),
    "heuristic": ("x.py:f",),
    "text": ("........\n" * 8,),
    "tree": (5,),
}


def test_refused_searches() -> None:
    for command, fields in (
        (jobs.analyse_command, BAD_ANALYSES),
        (jobs.trace_command, BAD_TRACES),
    ):
        for name, bad in ((name, bad) for name, values in fields.items() for bad in values):
            with pytest.raises(UserError):
                command(PageRequest({"text": START, "depth": 2, name: bad}))
