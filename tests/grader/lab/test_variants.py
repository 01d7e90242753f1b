"""Variants: how they are named, and what they answer."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.positions import board

from grader.lab.variants import PRESETS, Player, Variant, make_names_unique, variant_named
from solver.games import GAMES, game_named
from solver.search.techniques import CACHES, REMOVABLE, Techniques

GAME = game_named("checkers")
POSITION = board("B:W18,22,27:B1,5,K6")


def test_names_of_variants() -> None:
    assert variant_named("centre") == Variant("centre", "centre")
    default = variant_named("default")
    assert all(default.plays(name) for name in GAMES)
    assert default.heuristic_for(GAME) == GAME.DEFAULT_HEURISTIC
    name = "six-regions+ordering=static+cache=none+without=tables,pvs+depth=6+time=0.5"
    techniques = Techniques("tables,pvs,cache", ordering="static")
    assert variant_named(name) == Variant(name, "six-regions", techniques, depth=6, seconds=0.5)
    preset = variant_named("centre-report+with=tables+nodes=10")
    assert preset.techniques.terminal == "depth-ratio"
    assert preset.techniques.has("tables")
    assert (preset.depth, preset.nodes) == (None, 10)


def test_every_technique_can_be_left_out() -> None:
    usual = Techniques().values
    for name in REMOVABLE:
        changed = variant_named(f"material+without={name}").techniques.values
        different = {each for each in usual if changed[each] != usual[each]}
        assert different == {name}


def test_presets_are_of_all_unsound_policies_and_play_one_game_each() -> None:
    caches = {preset.techniques.cache for preset in PRESETS.values()}
    assert caches == set(CACHES) - {"none", "sound"}
    for name in PRESETS:
        variant = variant_named(name)
        assert variant.name == name
        assert sum(variant.plays(game) for game in GAMES) == 1


def test_equal_names_get_numbers_and_own_limits_come_first() -> None:
    variants = make_names_unique([Variant(name) for name in ("a", "b", "a", "a#2")])
    assert [each.name for each in variants] == ["a", "b", "a#2", "a#2#2"]
    assert Variant("a").limited(depth=3).depth == 3
    assert Variant("a", nodes=5).limited(depth=3) == Variant("a", nodes=5)


def test_an_own_heuristic_prints_to_stderr(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "mine+plus.py"
    file.write_text("print('loaded')\n\ndef worst(position):\n    print('asked')\n    return 7\n")
    variant = variant_named(f"{file}:worst+depth=1+without=captures")
    assert variant.depth == 1
    assert variant.plays("twoflags")
    assert Player(variant, GAME).search(POSITION).score == -7
    printed = capsys.readouterr()
    assert printed.err.startswith("loaded\nasked\n")
    assert not printed.out
