"""Lines move by move: what is taken and crowned on them, and their moves in words."""

from __future__ import annotations

import pytest
from support.command import SHOT
from support.explaining import puzzle_of, way

from solver.explain.describe import describe_trade, join_words, name_pieces, sentence
from solver.explain.story import Way, describe_way
from solver.games import game_named
from solver.proof.wins import WinProof
from solver.search.limits import Limits

KINDS = game_named("checkers").describer().KINDS
LINE = "19-23 30x21 23x14x5 21-17 7-10 17-14 10x17 13-9 5x14"
MIXED = "........\n..b.....\n........\n.r......\n.......b\n..r...r.\n........\n........"
LIGHT = "........\n........\n..b.....\n........\n....r...\n........\n........\n........"


def test_words() -> None:
    for counts, words in (
        ((0, 0), "nothing"),
        ((1, 0), "a man"),
        ((1, 1), "a man and a king"),
        ((0, 13), "13 kings"),
    ):
        assert name_pieces(KINDS, counts) == words
    for gained, given, words in (
        ((2, 0), (1, 0), "two men for one"),
        ((1, 0), (2, 0), "one man for two"),
        ((1, 0), (1, 0), "a man for a man"),
        ((0, 2), (0, 2), "two kings for two"),
        ((2, 1), (0, 1), "two men and a king for a king"),
        ((1, 0), (0, 0), "a man for nothing"),
    ):
        assert describe_trade(KINDS, gained, given) == words
    assert join_words(["a", "b", "c"]) == "a, b and c"
    assert sentence("red wins") == "Red wins."


def test_a_shot_ply_by_ply() -> None:
    """Black's quiet step to g5 ends the shot; later it must give more men."""
    ledger = way(SHOT, LINE, 0).ledger
    assert [ledger.takes(ply) for ply in range(11)] == [0, 0, 1, 2, 0, 0, 0, 1, 0, 1, 0]
    assert ledger.taken(3) == (2, 0)
    assert ledger.ahead == [0, 0, -2, 2, 2, 2, 2, 4, 4, 6]
    assert ledger.combination() == 3
    assert ledger.trade(1, 3) == ((2, 0), (1, 0))
    assert ledger.exchanges() == [(1, 3), (6, 9)]
    assert [ledger.first_lasting(level.__lt__) for level in (0, 4, 6)] == [3, 9, 0]
    assert ledger.first_lasting(lambda gain: gain < 0) == 0
    assert way(SHOT, "7-10 30x21", 0).ledger.first_lasting(lambda gain: gain < 0) == 2


def test_crownings_count_for_their_side() -> None:
    ledger = way("B:W6:B24", "24-28 6-2 28-32", 0).ledger
    assert [ledger.crowns(ply) for ply in (1, 2, 3)] == [False, True, True]
    assert ledger.ahead == [0, 0, -1, 0]
    landed = way("Setup Wa7 Bh5", "a7a8", 0).ledger  # the pawn is still there
    assert (landed.ahead, landed.crowns(1)) == ([0, 0], False)


def describe_moves(text: str, moves: str) -> list[str]:
    """What each move does."""
    line, describer = way(text, moves, 0), puzzle_of(text).game.describer()
    return [row.words for row in describe_way(line, describer)]


def test_a_shot() -> None:
    assert describe_moves(SHOT, "19-23 30x21 23x14x5 21-17") == [
        "the king on c5 goes to d6; black must take the man on g7",
        "the man on f8 takes the man on g7 and lands on h6; red must take two men",
        "the king on d6 jumps via f4 to h2 and takes two men; that makes two men for one",
        "the man on h6 steps to g5",
    ]


@pytest.mark.parametrize(
    ("text", "move", "words"),
    [
        ("B:W12:B20", "20-24", "the man on a5 steps to b6 (the only move)"),
        (
            "B:W12,27:B23",
            "23x32",
            "the man on d6 takes the man on c7, lands on b8 and is crowned (the only move)",
        ),
        (MIXED, "b5-a6", "the man on b5 steps to a6; black must take the man on g3"),
        (LIGHT, "15-18", "the man on e4 steps to d5; black must take the man on d5"),
        ("Setup Wa2 Wh2 Ba7 Bh7 Bd7", "a2a4", "the pawn on a2 goes two squares to a4"),
        ("Setup Wa7 Bh5", "a7a8", "the pawn on a7 reaches the last rank on a8 (the only move)"),
        ("Setup Wd4 Be5", "d4e5", "the pawn on d4 takes the last pawn"),
    ],
)
def test_moves_in_words(text: str, move: str, words: str) -> None:
    assert describe_moves(text, move) == [words]


def test_en_passant() -> None:
    first, second = describe_moves("Setup We2 Wa2 Bd4 Be7 Ba7", "e2e4 d4e3")
    assert first.startswith("the pawn on e2 goes two squares to e4; black can take it en passant")
    assert second == "the pawn on d4 takes the pawn on e4 en passant and lands on e3"


def test_long_lines_have_gaps() -> None:
    """The First Position, 61 plies: one king is taken, one man crowned, the last king taken."""
    puzzle = puzzle_of("W:WK19,K23:B12,K28")
    game, exact, describer = puzzle.game, puzzle.game.tables(), puzzle.game.describer()
    result = WinProof(Limits(), exact).run(puzzle.position)
    assert result is not None
    rows = describe_way(Way(puzzle.position, result, exact, describer, game.move_name), describer)
    assert len(rows) < 20
    assert [row.ply for row in rows[1:]] == [row.until + 1 for row in rows[:-1]]
    assert rows[-1].until == 61
    gaps = [row for row in rows if row.ply < row.until]
    assert gaps[0].words == "25 plies in which nothing is taken or crowned"
    assert all(not row.name and not row.side for row in gaps)
