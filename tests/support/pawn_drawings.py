"""Two Flags boards as rows of text, to be drawn in tests, at random or by hypothesis."""

from __future__ import annotations

import random
from itertools import product
from typing import Any

from hypothesis import strategies as st

from solver.games.twoflags import game as twoflags
from support import naive_twoflags as naive
from support.naive_twoflags import Game

VARIANT = {True: "", False: "no-en-passant"}  # by whether en passant is played
SWAP = str.maketrans("wb", "bw")


def pawns(text: str, variant: str = "") -> Any:
    """A position from a setup or a board text that may be indented."""
    lines = [line.strip() for line in text.strip().splitlines()]
    return twoflags.read("\n".join(lines), "test", True, variant).position


def position_of(game: Game) -> Any:
    """The solver's position of a game."""
    return pawns(naive.text_of(game), VARIANT[game.en_passant])


def game_of(text: str, variant: str = "") -> Game:
    """The slow twin's game of a text."""
    position = pawns(text, variant)
    *rows, last = twoflags.write(position, "board").split("\n")
    mover, _, passed = last.partition(" ")
    return Game(tuple(rows), mover, passed, variant == "")


def shown(position: Any) -> str:
    """All that a text can say about a position."""
    return twoflags.write(position, "board")


def mirrored(game: Game) -> Game:
    """Left and right change places."""
    passed = "hgfedcba"["abcdefgh".index(game.passed[0])] + game.passed[1] if game.passed else ""
    return game._replace(rows=tuple(row[::-1] for row in game.rows), passed=passed)


def exchanged(game: Game) -> Game:
    """The board turned upside down, black in white's place and the other side to move."""
    rows = tuple(row.translate(SWAP) for row in reversed(game.rows))
    passed = game.passed and f"{game.passed[0]}{9 - int(game.passed[1])}"
    return game._replace(rows=rows, mover=naive.OTHER[game.mover], passed=passed)


def passable(game: Game) -> list[str]:
    """The squares that the last move may have gone past in two steps."""
    rank, before, after = (6, 7, 5) if game.mover == "white" else (3, 2, 4)
    enemy = naive.OTHER[game.mover][0]
    return [
        naive.name_of(file, rank)
        for file in range(8)
        if naive.at(game.rows, file, after) == enemy
        and naive.at(game.rows, file, rank) == naive.at(game.rows, file, before) == "."
    ]


FILLINGS = ("." * 12 + "wb", "...wb", ".wb", "....w.bb")


@st.composite
def any_game(draw: st.DrawFn) -> Game:
    """Pawns anywhere on ranks 2 to 7, now and then one that has landed; either side to move,
    either rule set, and if the board allows it a square of en passant."""
    filling = draw(st.sampled_from(FILLINGS))
    numbers = draw(st.binary(min_size=48, max_size=48))
    squares = "".join(filling[number % len(filling)] for number in numbers)
    ends = ("........", "........")
    if draw(st.integers(0, 9)) == 0:
        ends = draw(st.sampled_from([("...w....", "........"), ("........", "b......b")]))
    rows = (ends[0], *(squares[at : at + 8] for at in range(0, 48, 8)), ends[1])
    game = Game(rows, draw(st.sampled_from(["white", "black"])), "", draw(st.booleans()))
    if game.en_passant and passable(game) and draw(st.booleans()):
        game = game._replace(passed=draw(st.sampled_from(passable(game))))
    return game


def random_game(rng: random.Random, count: int, en_passant: bool = True) -> Game:
    """So many pawns on random squares of ranks 2 to 7, half of them of each colour; every
    third time, if it is played, with a pawn that can be taken en passant."""
    mover = rng.choice(("white", "black"))
    squares = list(product(range(8), range(2, 8)))
    file, before, between, to = rng.randrange(7), *((7, 6, 5) if mover == "white" else (2, 3, 4))
    pawns: dict[tuple[int, int], str] = {}
    passed = ""
    if en_passant and rng.random() < 1 / 3:
        enemy, own = rng.sample((file, file + 1), 2)
        pawns = {(enemy, to): naive.OTHER[mover], (own, to): mover}
        passed = naive.name_of(enemy, between)
        taken = {(enemy, before), (enemy, between), *pawns}
        squares = [square for square in squares if square not in taken]
    for square in rng.sample(squares, count - len(pawns)):
        pawns[square] = ("white", "black")[len(pawns) % 2]
    return Game(naive.drawn(pawns), mover, passed, en_passant)
