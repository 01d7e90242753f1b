"""Openings: the lists that come with the package, and those of users."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from support.builds import times

from grader.lab.match import as_text, every_opening, is_lost, read_openings, shipped
from solver.games import GAMES, game_named


@pytest.mark.parametrize("name", GAMES)
def test_the_shipped_list_is_what_the_command_writes(name: str) -> None:
    """Every opening is there or left out; a sample, of both kinds, is searched again."""
    game = game_named(name)
    text = shipped(game).read_text()
    kept = set(text.splitlines())
    openings = every_opening(game)
    assert text == as_text(game, [(moves, moves in kept) for moves in openings])
    chance = random.Random(name)
    some = times(60, 1)
    for can_be_played in (True, False):
        these = [moves for moves in openings if (moves in kept) is can_be_played]
        for moves in chance.sample(these, min(some, len(these))):
            assert is_lost(game, openings[moves]) is not can_be_played, moves


def test_three_plies_of_checkers() -> None:
    game = game_named("checkers")
    assert len(every_opening(game)) == 216
    assert len(read_openings(game)) == 174
    assert "10-14 21-17 14x21" not in shipped(game).read_text()  # a man is lost at once


def test_an_image_in_a_mirror_is_the_same_opening() -> None:
    firsts = {moves[0] for moves in every_opening(game_named("twoflags"), 1)}
    assert firsts == set("abcd")


def test_a_list_of_ones_own(tmp_path: Path) -> None:
    path = tmp_path / "mine.txt"
    path.write_text("\ufeff# mine\n11-15 23-19  # a classic\n\nB:W18:B1\r\n11-15 23-19\n")
    game = game_named("checkers")
    found = read_openings(game, path)
    assert found[1:] == ["B:W18:B1"]
    assert found[0].startswith("B:W19,21,22,24,")
    path.write_text("a2a4 h7h5\nSetup Wa2 Bh7 BLACK\n")
    assert read_openings(game_named("twoflags"), path)[1] == "Setup Wa2 Bh7 BLACK"
