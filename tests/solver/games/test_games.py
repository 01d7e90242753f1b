"""What every game must keep to; a new game is tested here by being in `GAMES`."""

from __future__ import annotations

import random
from typing import Any

import pytest
from support.minimax import Minimax

from solver.explain.story import Way
from solver.games import GAMES, game_named, game_of
from solver.search.alphabeta import Search
from solver.search.heuristic import NOTHING
from solver.search.limits import Limits
from solver.search.position import FORCED, LOST, QUIET, TAKEN
from solver.search.techniques import Techniques


def met_in_games(name: str, games: int = 8) -> list[Any]:
    """The positions of random games from the start to the end, or eighty plies."""
    game, rng = game_named(name), random.Random(7)
    found = []
    for _ in range(games):
        position = game.read(game.start(), "start", True).position
        for _ in range(80):
            found.append(position)
            if not position.children():
                break
            position = rng.choice(position.children())
    return found


@pytest.fixture(scope="module", params=GAMES)
def met(request: pytest.FixtureRequest) -> tuple[Any, list[Any]]:
    return game_named(request.param), met_in_games(request.param)


def test_children_are_the_different_ones_among_the_moves(met: Any) -> None:
    for position in met[1]:
        children, moves = position.children(), position.moves()
        assert len(set(children)) == len(children)
        assert set(children) == set(moves)


def test_choices_are_the_children_made_later(met: Any) -> None:
    for position in met[1]:
        for unique, expected in ((True, position.children()), (False, position.moves())):
            choices = position.choices(unique)
            assert choices.count == len(expected)
            keys = choices.move_keys()
            assert keys == [position.move_key(child) for child in expected]
            for index, key in enumerate(keys):
                assert choices.child(index, key) == expected[index]
            made: list[Any] = []
            while (child := choices.next()) is not None:
                assert choices.index == len(made)
                made.append(child)
            assert made == expected


def test_status_agrees_with_the_children_and_sides_alternate(met: Any) -> None:
    game, positions = met
    for position in positions:
        assert position.mover() in game.SIDES
        assert all(child.mover() != position.mover() for child in position.children())
        gains = [position.move_key(child) >> TAKEN for child in position.children()]
        assert (position.status() == LOST) == (not gains)
        assert position.status() in (LOST, QUIET, FORCED)
        if position.status() == FORCED:
            assert min(gains) > 0


def test_positions_are_values(met: Any) -> None:
    for position in met[1]:
        again = eval(repr(position), {type(position).__name__: type(position)})
        assert again is not position
        assert again == position
        assert hash(again) == hash(position)
        assert again.key() == position.key() < 2**62
        assert str(again) == str(position)


def test_every_format_is_read_as_it_was_written(met: Any) -> None:
    game, positions = met
    for position in positions:
        for form in game.FORMATS:
            read = game.read(game.write(position, form), "test", True)
            assert (str(read.position), read.form, read.warnings) == (str(position), form, [])
        text = game.with_side(position)
        assert text.split("\n")[:8] == str(position).split("\n")
        read = game.read(text, "test", True)
        assert (read.position, read.form, read.warnings) == (position, "board", [])
        assert game_of(text).NAME == game.NAME
    for form in game.FORMATS:
        assert game_of(game.write(positions[0], form)).NAME == game.NAME


def test_the_places_of_a_move_are_those_that_have_changed(met: Any) -> None:
    game, positions = met
    for position in positions:
        before = str(position).split("\n")
        for child in position.children():
            after = str(child).split("\n")
            path, taken = game.move_places(position, child)
            (row, column), (last_row, last_column) = path[0], path[-1]
            changed = {(r, c) for r in range(8) for c in range(8) if before[r][c] != after[r][c]}
            assert changed == {path[0], path[-1], *taken}
            assert before[row][column] != "." != after[last_row][last_column]
            assert all(before[r][c] not in (".", before[row][column]) for r, c in taken)
            assert len(taken) == position.move_key(child) >> TAKEN


def test_an_outcome_ends_a_game_and_moves_have_different_names(met: Any) -> None:
    game, positions = met
    for position in positions:
        outcome = game.outcome(position)
        assert (outcome is not None) == (not position.children())
        if outcome is not None:
            assert outcome.winner != position.mover()
        names = [game.move_name(position, child) for child in position.children()]
        assert len(set(names)) == len(names)


def test_every_heuristic_is_searched_like_the_textbook(met: Any) -> None:
    game, positions = met
    assert game.DEFAULT_HEURISTIC in game.heuristics()
    for name in game.heuristics():
        for position in positions[5::40]:
            if not position.children():
                continue
            evaluate = game.evaluator(name, position)
            result = Search(evaluate, Techniques()).run(position, Limits(depth=3))
            expected = Minimax(evaluate, extend=True).value(position, result.depth)
            assert result.score == expected


def test_terms_add_up_to_the_value_for_the_side_that_begins(met: Any) -> None:
    game, positions = met
    for name in game.heuristics():
        for position in positions[::10]:
            total = sum(term.total for term in game.explain(name, position))
            value = game.evaluator(name, position)(position)
            assert value == (total if position.mover() == game.SIDES[0] else -total)


def test_every_move_can_be_told(met: Any) -> None:
    """By a piece that is there, from the square where it is."""
    game, positions = met
    describer = game.describer()
    assert describer.SIDES == game.SIDES
    kinds = {kind.name: kind for kind in describer.KINDS}
    for position in positions[::3]:
        rows = str(position).split("\n")
        for child in position.children():
            piece = describer.piece(position, child)
            start = game.move_name(position, child, squares=True)[:2]
            letters = kinds[piece.kind].letters
            letter = rows[8 - int(start[1])]["abcdefgh".index(start[0])]
            assert letter == letters[game.SIDES.index(position.mover())]
            assert piece.square in (start, "")
            assert describer.describe_move(position, child).startswith(
                f"the {piece.kind} on {start} "
            )
            assert all(describer.remarks(position, child))
            assert "\n" not in describer.outlook(child)
        counts = [sum(describer.count(position, side)) for side in game.SIDES]
        assert sum(counts) == sum(letter.isalpha() for letter in str(position))


def test_every_line_has_a_theme(met: Any) -> None:
    game, positions = met
    for position in positions[::15]:
        if len(position.children()) < 2:
            continue
        evaluate = game.evaluator(game.DEFAULT_HEURISTIC, position)
        result = Search(evaluate, Techniques()).run(position, Limits(depth=3))
        way = Way(position, result, NOTHING, game.describer(), game.move_name)
        assert all(game.describer().theme(way))


@pytest.mark.parametrize("name", GAMES)
def test_random_positions_have_the_pieces_asked_for_and_can_be_written(name: str) -> None:
    game = game_named(name)
    one, two = random.Random(7).random, random.Random(7).random
    drawn = set()
    for own, other in [(1, 1), (2, 4), (game.MOST_PIECES, game.MOST_PIECES)] * 20:
        position = game.random_position(one, own, other)
        assert position == game.random_position(two, own, other)
        text = game.write(position, "board")
        read = game.read(text, "test", True)
        assert (str(read.position), read.warnings) == (str(position), [])
        letters = [letter for letter in str(position).lower() if letter.isalpha()]
        mine = letters.count(position.mover()[0])
        assert (mine, len(letters) - mine) == (own, other)
        with_side = game.with_side(position)  # another game may have this board too
        assert game_of(with_side) is game or not game.recognises(with_side)
        drawn.add(text)
    assert len(drawn) > 55
