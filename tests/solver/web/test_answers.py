"""What is answered at once: games, positions, heuristics."""

from __future__ import annotations

import json
import random
from contextlib import suppress
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.positions import board

from solver.errors import BoardError, UserError
from solver.games import GAMES, game_named
from solver.web import answers
from solver.web.answers import Ask, BadAsk, parse_ask
from solver.web.server import Settings

SETTINGS = Settings(version="1.2.3", compiled=False)
EN_PASSANT = (
    "........\n........\n........\n.wb.....\n........\n........\n........\n........\nwhite c6"
)


def position(text: str, **fields: Any) -> dict[str, Any]:
    return answers.position(Ask({"text": text, **fields}))


def played(name: str, seed: int) -> Any:
    """A position somewhere in a random game."""
    game, rng = game_named(name), random.Random(seed)
    here = game.read(game.start(), "start", True).position
    for _ in range(rng.randrange(60)):
        children = here.children()
        if not children:
            break
        here = rng.choice(children)
    return here


# --- asks --------------------------------------------------------------------------------------

values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3)
    ),
    max_leaves=5,
)


@given(st.text(max_size=50) | values.map(json.dumps))
def test_any_text_is_an_ask_or_refused(text: str) -> None:
    try:
        ask = parse_ask(text)
    except BadAsk:
        return
    assert isinstance(ask.number, int)
    assert isinstance(ask.kind, str)


@settings(deadline=None)
@given(
    st.fixed_dictionaries(
        {},
        optional={
            "text": values | st.just("B:W21-32:B1-12"),
            "game": values | st.sampled_from(["", *GAMES]),
            "variant": values,
            "heuristics": values | st.just(["tuned", "material"]),
        },
    )
)
def test_any_fields_are_answered_or_refused(fields: dict[str, Any]) -> None:
    for answer in (answers.position, answers.evaluate):
        with suppress(UserError):
            assert json.dumps(answer(Ask(fields)))


def test_fields_are_what_they_must_be() -> None:
    ask = Ask({"n": 5, "x": 1.5, "flag": True, "text": "abc", "names": ["a"], "big": 1e999})
    assert (ask.whole("n", 1, 9), ask.amount("x", 9), ask.flag("flag")) == (5, 1.5, True)
    assert (ask.text("text", 3), ask.some_of("names", ["a"], 1)) == ("abc", ["a"])
    for wrong in (
        lambda: ask.whole("n", 6, 9),
        lambda: ask.whole("x", 1, 9),
        lambda: ask.whole("flag", 0, 9),
        lambda: ask.amount("flag", 9),
        lambda: ask.amount("big", 9),
        lambda: ask.amount("n", 4),
        lambda: ask.text("text", 2),
        lambda: ask.text("n", 9),
        lambda: ask.text("missing", 9),
        lambda: ask.flag("n"),
        lambda: ask.one_of("text", ["abd"]),
        lambda: ask.some_of("names", ["b"], 1),
        lambda: ask.some_of("names", ["a"], 0),
        lambda: ask.some_of("text", ["a"], 9),
        lambda: ask.group("names", ["a"]),
    ):
        with pytest.raises(UserError):
            wrong()


# --- hello -------------------------------------------------------------------------------------


def test_hello_tells_what_there_is_to_choose_from() -> None:
    hello = answers.hello(SETTINGS)
    assert (hello["version"], hello["compiled"]) == ("1.2.3", False)
    assert (hello["watch"], hello["puzzles"]) == (False, False)
    assert set(hello["games"]) == set(GAMES)
    assert "sound" in hello["caches"]
    assert "learned" in hello["orderings"]
    assert "pvs" in hello["techniques"]
    for name, about in hello["games"].items():
        start = position(about["start"])
        assert (start["game"], start["mover"]) == (name, about["sides"][0])
        assert start["text"] == about["start"]
        assert about["default_heuristic"] in about["heuristics"]


# --- positions ---------------------------------------------------------------------------------


@pytest.mark.parametrize("name", GAMES)
def test_the_text_of_a_position_reads_back(name: str) -> None:
    game = game_named(name)
    for seed in range(60):
        here = played(name, seed)
        told = position(game.with_side(here))
        assert (told["game"], told["mover"]) == (name, here.mover())
        assert told["rows"] == str(here).split("\n")
        assert position(told["text"]) == told
        assert (told["outcome"] is None) == bool(told["moves"])


@pytest.mark.parametrize("name", GAMES)
def test_the_moves_of_a_position_lead_to_its_children(name: str) -> None:
    game = game_named(name)
    for seed in range(30):
        here = played(name, seed)
        moves = position(game.with_side(here))["moves"]
        assert [move["text"] for move in moves] == [
            game.with_side(child) for child in here.children()
        ]
        for move in moves:
            rows = position(move["text"], game=name)["rows"]
            (row, column), (last_row, last_column) = move["path"][0], move["path"][-1]
            assert rows[row][column] == "."
            assert rows[last_row][last_column] != "."


def test_other_ways_of_writing_a_position_are_told_too() -> None:
    told = position("W:WK6,K9:BK15")
    assert (told["form"], told["fen"], told["mover"]) == ("fen", "W:WK6,K9:BK15", "black")
    told = position("Setup We5 Bd7 Bf7 BLACK")
    assert (told["form"], told["setup"]) == ("setup", "Setup We5 Bd7 Bf7 BLACK")
    both = position("r.......\n" * 4 + "........\n" * 4)
    assert both["fen"] is None


def test_en_passant_is_kept() -> None:
    told = position(EN_PASSANT)
    assert told["text"] == EN_PASSANT
    (take,) = [move for move in told["moves"] if move["taken"]]
    assert (take["name"], take["path"], take["taken"]) == ("b5c6", [(3, 1), (2, 2)], [(3, 2)])
    with pytest.raises(BoardError, match="not played here"):
        position(EN_PASSANT, variant="no-en-passant")


def test_a_board_that_had_to_be_mended_comes_with_a_warning() -> None:
    told = position(".r......\n" + "........\n" * 6 + "r.......")
    assert told["rows"][0] == ".R......"
    assert told["warnings"] == ["line 1, column 2: a red man on its crowning row would be a king"]


def test_a_game_that_is_over_has_an_outcome_and_no_moves() -> None:
    told = position("........\n" * 7 + "r.......")
    assert told["outcome"] == {"winner": "red", "reason": "black has no piece left"}
    assert told["moves"] == []
    evaluated = answers.evaluate(Ask({"text": told["text"], "heuristics": ["tuned"]}))
    assert (evaluated["outcome"]["winner"], evaluated["tables"]) == ("red", [])


def test_a_jump_is_told_square_by_square() -> None:
    told = position(
        "........\n........\n........\n....b...\n........\n..b.....\n.r......\n.......b"
    )
    (move,) = told["moves"]
    assert move["path"] == [(6, 1), (4, 3), (2, 5)]
    assert sorted(move["taken"]) == [(3, 4), (5, 2)]


def test_whose_game_it_is() -> None:
    empty = "........\n" * 8
    assert position(empty)["game"] == "checkers"
    assert position(empty, game="twoflags")["game"] == "twoflags"
    for fields in ({"game": "chess"}, {"variant": "flying"}, {"text": "x" * 5000}):
        with pytest.raises(UserError):
            answers.position(Ask({"text": empty, **fields}))


# --- heuristics --------------------------------------------------------------------------------


@pytest.mark.parametrize("name", GAMES)
def test_tables_add_up_to_the_value(name: str) -> None:
    game = game_named(name)
    names = list(game.heuristics())
    for seed in range(20):
        here = played(name, seed)
        told = answers.evaluate(Ask({"text": game.with_side(here), "heuristics": names}))
        for heuristic, table in zip(names, told["tables"], strict=False):
            total = sum(term["total"] for term in table["terms"])
            sign = 1 if table["mover"] == game.SIDES[0] else -1
            assert (table["name"], table["value"]) == (heuristic, sign * total)
            assert table["value"] == game.evaluator(heuristic, here)(here)


def test_heuristics_are_known_names_and_not_many() -> None:
    start = str(board("B:W21-32:B1-12"))
    for names in (["mine.py:evaluate"], ["tuned"] * 9, "tuned", [5]):
        with pytest.raises(UserError):
            answers.evaluate(Ask({"text": start, "heuristics": names}))
