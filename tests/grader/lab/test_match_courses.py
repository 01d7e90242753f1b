"""A pairing under way: what counts does not depend on what is finished first."""

from __future__ import annotations

import random
import re
from dataclasses import replace
from pathlib import Path

import pytest

from grader.lab.elo import Pentanomial, strength_of
from grader.lab.match import Course, MatchPlan
from grader.lab.match_log import kept_games
from grader.lab.match_results import Game, Pair, Standing
from grader.lab.players import searcher
from grader.lab.sprt import Decision, Sprt
from grader.lab.variants import variant_named
from solver.errors import FileError, UserError

PLAYERS = ("me", "you")


def pair(number: int, half_points: int) -> Pair:
    """Of so many half points for me."""
    points = (half_points // 2, half_points - half_points // 2)
    winners = [("you", "", "me")[each] for each in points]
    return Pair(number, tuple(Game(PLAYERS, "", (), winner, "") for winner in winners))


@pytest.mark.parametrize("seed", range(20))
def test_the_test_decides_on_the_same_pairs_in_any_order(seed: int) -> None:
    chance = random.Random(seed)
    pairs = [pair(at + 1, chance.choice((1, 2, 2, 3, 4, 4))) for at in range(60)]
    inorder = Course(60, Sprt(0, 100))
    for each in pairs:
        inorder.take(each, "me")
    mixed = Course(60, Sprt(0, 100))
    for each in chance.sample(pairs, 60):
        mixed.take(each, "me")
    assert mixed.pairs == inorder.pairs == pairs[: len(inorder.pairs)]
    assert mixed.verdict == inorder.verdict
    assert inorder.verdict is not None
    if len(inorder.pairs) < 60:
        assert inorder.verdict.decision is not Decision.UNDECIDED


def test_points_are_counted_and_not_computed_from_the_score() -> None:
    counts = Pentanomial((21, 11, 9, 7, 2))
    assert Standing(1, "me", counts, strength_of(counts)).points == 29.0


def test_who_plays_whom() -> None:
    four = tuple(
        searcher(variant_named(name)) for name in ("centre", "material", "race", "default")
    )
    plan = MatchPlan("checkers", four, (), 1, 1, True)
    everybody = [(first.name, second.name) for first, second in plan.pairings]
    assert len(everybody) == len({frozenset(each) for each in everybody}) == 6
    gauntlet = [each.name for pairing in replace(plan, gauntlet=True).pairings for each in pairing]
    assert gauntlet == ["centre", "material", "centre", "race", "centre", "default"]


def test_the_seed_alone_decides_the_order() -> None:
    openings = tuple(map(str, range(20)))
    orders = [MatchPlan("checkers", (), openings, 5, seed, True).order for seed in (1, 1, 2)]
    assert orders[0] == orders[1] != orders[2]
    assert sorted(orders[0]) == sorted(openings) != orders[0]


def test_one_match_at_a_time_writes_to_a_journal(tmp_path: Path) -> None:
    path = tmp_path / "match.jsonl"
    with kept_games(path, {"match": 1}) as kept:
        kept.add(0, pair(1, 3))
        with (
            pytest.raises(UserError, match="another match is at work with this file"),
            kept_games(path, {"match": 1}),
        ):
            pass
    with kept_games(path, {"match": 1}) as kept:
        assert kept.pairs == {(0, 1): pair(1, 3)}


@pytest.mark.parametrize(
    ("written", "changed"),
    [
        (b'"pairing": 0', b'"pairing": 7'),
        (b'"number": 1', b'"number": 2'),
        (b'"winner": "me"', b'"winner": "you"'),
        (b'"games": [', b'"games": [[], '),
        (b'"sha256"', b'"sha255"'),
        (b'{"pairing"', b"[" * 100_000),
    ],
)
def test_a_changed_line_of_a_journal_is_refused(
    written: bytes, changed: bytes, tmp_path: Path
) -> None:
    path = tmp_path / "match.jsonl"
    with kept_games(path, {"match": 1}) as kept:
        kept.add(0, pair(1, 3))
    content = path.read_bytes()
    assert written in content
    path.write_bytes(content.replace(written, changed))
    with pytest.raises(UserError, match="line 2 is not"), kept_games(path, {"match": 1}):
        pass


def test_a_journal_is_a_file() -> None:
    with (
        pytest.raises(FileError, match="/dev/null: not a file that can keep games"),
        kept_games(Path("/dev/null"), {"match": 1}),
    ):
        pass


def test_who_has_changed_is_told(tmp_path: Path) -> None:
    path = tmp_path / "match.jsonl"
    plain = [searcher(variant_named(name)).plain() for name in ("centre", "material")]
    with kept_games(path, {"match": 1, "contestants": plain}):
        pass
    plain[1] = {**plain[1], "sha256": "another"}
    with (
        pytest.raises(UserError, match=re.escape("other contestants (material has changed)")),
        kept_games(path, {"match": 1, "contestants": plain}),
    ):
        pass


def test_a_gap_holds_up_what_comes_after_it() -> None:
    course = Course(3, None)
    for number in (3, 2):
        course.take(pair(number, 4), "me")
        assert course.pairs == []
    course.take(pair(1, 0), "me")
    assert [each.half_points("me") for each in course.pairs] == [0, 4, 4]
    assert course.is_over
