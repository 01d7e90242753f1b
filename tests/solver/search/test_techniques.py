"""The table of techniques: what its names mean in options, records and other choices."""

from __future__ import annotations

import pytest

from solver.errors import UserError
from solver.search.techniques import PLAYING, REMOVABLE, TECHNIQUES, Techniques, names_in, plain


def test_everything_is_on_by_default_and_off_without_all() -> None:
    assert {name for name in TECHNIQUES if not Techniques().has(name)} == {PLAYING}
    assert not any(Techniques("all").has(name) for name in REMOVABLE)
    assert Techniques("all").changed(with_="all") == Techniques()


def test_plain_is_alpha_beta_and_what_is_named() -> None:
    chosen = plain("tables", cache="sound")
    assert [name for name in REMOVABLE if chosen.has(name)] == ["alpha-beta", "cache", "tables"]
    assert chosen.changed(without="tables,cache") == plain()
    played = Techniques().changed(with_=PLAYING)
    assert (played.difference, played.remembers_soundly) == ([PLAYING], False)
    assert played.changed(without=PLAYING) == Techniques()


def test_what_is_not_as_usual_is_named() -> None:
    assert Techniques().difference == []
    chosen = Techniques("tables,pvs", ordering="static", terminal="depth-ratio")
    assert chosen.difference == ["without pvs, tables", "ordering static", "terminal depth-ratio"]


def test_equal_techniques_are_equal_keys() -> None:
    assert len({Techniques("pvs"), Techniques().changed(without=["pvs"]), Techniques()}) == 2
    assert Techniques(megabytes=1) != Techniques()


def test_an_unknown_name_is_explained() -> None:
    assert names_in(" pvs, tables,") == ["pvs", "tables"]
    for switch in ("ordering", "cache", "terminal"):
        known = ", ".join(TECHNIQUES[switch].choices)
        with pytest.raises(ValueError, match=f"^'best' is not one of {known}$"):
            Techniques(**{switch: "best"})  # type: ignore[arg-type]
    with pytest.raises(UserError, match=r"no technique 'table'\. Did you mean 'tables'\? Known: "):
        names_in("pvs,table")
