"""Lines told move by move."""

from __future__ import annotations

import pytest
from support.command import SHOT
from support.explaining import puzzle_of, way

from solver.explain.story import describe_way, make_way
from solver.games import game_named
from solver.proof.prover import ShortestWin
from solver.search.limits import Limits

MIXED = "........\n..b.....\n........\n.r......\n.......b\n..r...r.\n........\n........"
LIGHT = "........\n........\n..b.....\n........\n....r...\n........\n........\n........"


def told(text: str, moves: str) -> list[str]:
    """What each move does."""
    return [
        row.words for row in describe_way(way(text, moves, 0), puzzle_of(text).game.describer())
    ]


def test_a_shot() -> None:
    assert told(SHOT, "19-23 30x21 23x14x5 21-17") == [
        "the king on c5 goes to d6; black must take the man on g7",
        "the man on f8 takes the man on g7 and lands on h6; red must take two men",
        "the king on d6 jumps via f4 to h2 and takes two men; that makes two men for one",
        "the man on h6 steps to g5",
    ]


def test_rows_say_who_plays_what() -> None:
    rows = describe_way(way(SHOT, "19-23 30x21", 0), game_named("checkers").describer())
    assert [row[:4] for row in rows] == [(1, 1, "red", "19-23"), (2, 2, "black", "30x21")]


@pytest.mark.parametrize(
    ("text", "move", "words"),
    [
        ("B:W12:B25", "25-30", "the man on g7 steps to f8 and is crowned"),
        ("B:W12:B20", "20-24", "the man on a5 steps to b6 (the only move)"),
        ("B:W19:BK27", "27-24", "the king on c7 goes to b6; threatens the man on c5"),
        ("W:W31:BK15", "31-27", "the man on d8 steps to c7"),
        (
            "B:W12,27:B23",
            "23x32",
            "the man on d6 takes the man on c7, lands on b8 and is crowned (the only move)",
        ),
        (
            "B:W24:B20",
            "20x27",
            "the man on a5 takes the last man and lands on c7 (the only move)",
        ),
        (
            "B:W12,18,10,9,17:BK22",
            "22x15x6x13x22",
            "the king on f6 jumps via d4, f2 and h4 in a circle back to f6 and takes four men "
            "(the only move)",
        ),
        (
            "B:W32,K24,K18:BK10",
            "10-14",
            "the king on e3 goes to f4; black must take the king on f4",
        ),
        (MIXED, "b5-a6", "the man on b5 steps to a6; black must take the man on g3"),
        (LIGHT, "15-18", "the man on e4 steps to d5; black must take the man on d5"),
    ],
)
def test_moves_of_checkers(text: str, move: str, words: str) -> None:
    assert told(text, move) == [words]


@pytest.mark.parametrize(
    ("text", "move", "words"),
    [
        ("Setup Wa4 Wc2 Ba6 Bc7", "a4a5", "the pawn on a4 steps to a5; it stops the pawn on a6"),
        (
            "Setup Wa4 Wc2 Ba6 Bc7 BLACK",
            "a6a5",
            "the pawn on a6 steps to a5; it stops the pawn on a4",
        ),
        ("Setup Wa2 Wh2 Ba7 Bh7 Bd7", "a2a4", "the pawn on a2 goes two squares to a4"),
        ("Setup Wa7 Bh5", "a7a8", "the pawn on a7 reaches the last rank on a8 (the only move)"),
        ("Setup Wd4 Be5", "d4e5", "the pawn on d4 takes the last pawn"),
        (
            "Setup We4 Bh7",
            "e4e5",
            "the pawn on e4 steps to e5 (the only move); white wins the race from here",
        ),
        (
            "Setup Wd4 Wa2 Be5 Ba7",
            "d4e5",
            "the pawn on d4 takes the pawn on e5; now the pawn on e5 is passed; "
            "white wins the race from here",
        ),
    ],
)
def test_moves_of_two_flags(text: str, move: str, words: str) -> None:
    assert told(text, move) == [words]


def test_en_passant() -> None:
    first, second = told("Setup We2 Wa2 Bd4 Be7 Ba7", "e2e4 d4e3")
    assert first.startswith("the pawn on e2 goes two squares to e4; black can take it en passant")
    assert second == "the pawn on d4 takes the pawn on e4 en passant and lands on e3"


def test_a_breakthrough() -> None:
    assert told("Setup We5 Wg5 Be7 Bf7", "e5e6 f7e6 g5g6") == [
        "the pawn on e5 steps to e6; black can take it; it stops the pawn on e7",
        "the pawn on f7 takes the pawn on e6; now the pawns on g5 and e6 are passed; "
        "white wins the race from here",
        "the pawn on g5 steps to g6 (the only move)",
    ]


def test_a_long_line_leaves_out_what_is_not_worth_telling() -> None:
    """The First Position, 61 plies: one king is taken, one man crowned, the last king taken."""
    puzzle = puzzle_of("W:WK19,K23:B12,K28")
    game, exact, describer = puzzle.game, puzzle.game.tables(), puzzle.game.describer()
    finding = ShortestWin(Limits(), exact).run(puzzle.position)
    assert finding is not None
    rows = describe_way(
        make_way(puzzle.position, finding, exact, describer, game.move_name), describer
    )
    assert len(rows) < 20
    assert [row.ply for row in rows[1:]] == [row.until + 1 for row in rows[:-1]]
    assert rows[-1].until == 61
    gaps = [row for row in rows if row.ply < row.until]
    assert gaps[0].words == "25 plies in which nothing is taken or crowned"
    assert all(not row.name and not row.side for row in gaps)
