"""Hints never give the move away, and name the theme that a puzzle's name promises."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from support.builds import times
from support.explaining import INPUTS, hint_for, hint_of
from support.positions import random_pawns, random_positions

from solver import read
from solver.explain.why import find_hint
from solver.games import game_named
from solver.games.puzzle import Puzzle
from solver.games.solve import Request, Solver
from solver.search.limits import Limits

# The longest beginning of a puzzle's name says which of these its theme must be.
CHECKERS = {
    "both-colours-shot": {"a shot"},
    "both-colours-win-by-blocking": {"shutting in"},
    "choice-of-jumps": {"a choice of jumps", "a multiple jump"},
    "compulsory-jump": {"the only move"},
    "crown-now": {"crowning"},
    "crown-the-other-man": {"a shot"},
    "defence": {"holding out"},
    "double-jump-with-a-king": {"a multiple jump"},
    "draw-by-a-shot": {"a shot"},
    "draw-by-an-exchange": {"an exchange"},
    "draw-crown-in-time": {"crowning"},
    "draw-first-position": {"holding a draw"},
    "draw-one-of-eight": {"holding a draw"},
    "equally-good-defences": {"holding out"},
    "exchange": {"an exchange"},
    "jump-in-a-circle": {"a multiple jump"},
    "light-squares-double-jump": {"a multiple jump"},
    "light-squares-shot": {"a shot"},
    "opposition": {"the opposition"},
    "quadruple-jump": {"the only move"},
    "sacrifice": {"a sacrifice", "ignoring a threat"},
    "shot": {"a shot"},
    "shot-three-for-two-at-once": {"an exchange"},  # the man that has taken three is taken, too
    "three-kings": {"a squeeze"},
    "trap-take": {"a choice of jumps"},
    "triple-jump": {"a multiple jump", "the only move"},
    "two-kings-against-one": {"technique with kings"},
    "win-by-blocking": {"shutting in"},
    "win-by-blocking-at-once": {"no move left"},
}
TWO_FLAGS = {
    "blockade": {"a blockade", "a sacrifice to lock", "a capture", "holding out"},
    "breakthrough": {"a breakthrough"},
    "en-passant-invited": {"inviting en passant"},
    "en-passant-opens": {"en passant"},
    "en-passant-starts": {"en passant"},
    "en-passant-take": {"en passant"},
    "en-passant-with": {"en passant"},
    "race": {"the race", "holding out"},
    "zugzwang": {"zugzwang", "a blockade", "holding out", "an exchange"},
}


def promised(name: str, themes: dict[str, set[str]]) -> set[str]:
    keys = [key for key in themes if f"{name}-".startswith(f"{key}-")]
    return themes[max(keys, key=len)] if keys else set()


CASES = [
    f"{game}/{path.stem}"
    for game, themes in (("checkers", CHECKERS), ("twoflags", TWO_FLAGS))
    for path in sorted((INPUTS / game).glob("*.txt"))
    if promised(path.stem, themes)
]
SOME = [
    pytest.param(name, marks=[] if index % 20 == 1 else pytest.mark.slow)
    for index, name in enumerate(CASES)
]


@pytest.mark.parametrize("name", SOME)
def test_puzzles_have_the_theme_that_their_names_promise(name: str) -> None:
    game, _, puzzle = name.partition("/")
    expected = promised(puzzle, CHECKERS if game == "checkers" else TWO_FLAGS)
    assert hint_for(name, nodes=100_000).theme.name in expected


@pytest.mark.parametrize(
    ("text", "theme", "about"),
    [
        ("B:W24,12:B20,4", "the only move", "what must be taken: a capture is compulsory"),
        ("B:W12:B20", "the only move", "what can move at all: there is only one legal move"),
        ("B:W23:BK27,K26", "the last pieces", "taking all that is left"),
        ("B:W18,19,32:B15,8", "a choice of jumps", "which jump to make"),
        ("Setup Wa7 Wb2 Bh5", "the last step", "the last rank"),
        ("Setup Wd4 Wa2 Be5", "the last pawn", "taking the last pawn of black"),
        ("Setup Wa2 Wb4 Ba4", "no move left", "leaving black without a move"),
        ("Setup We5 Wg5 Be7 Bf7", "a breakthrough", "a sacrifice: give a pawn to open a way"),
        ("Setup Wa5 Wb2 Bh4 Bg7 BLACK", "the race", "a race to the last rank"),
    ],
)
def test_themes(text: str, theme: str, about: str) -> None:
    found = hint_of(text).theme
    assert found.name == theme
    assert found.about.startswith(about)


def test_estimates_have_themes_too() -> None:
    themes = {
        "checkers/middle-game-shot-two-for-one": "a shot",
        "checkers/middle-game-exchange": "an exchange",
        "checkers/opening": "a quiet move",
        "checkers/middle-game-close-the-back-row": "a threat",
    }
    for name, theme in themes.items():
        found = hint_for(name, nodes=5000)
        assert found.stakes.startswith("Nothing is proven here")
        assert found.theme.name == theme


BOARDS = sorted(INPUTS.glob("*/*.txt"))
CIRCLES = [path for path in BOARDS if "circle" in path.stem]
SAMPLE = [
    pytest.param(path, marks=[] if index % 12 == 0 or path in CIRCLES else pytest.mark.slow)
    for index, path in enumerate(BOARDS)
]


def check_hint(puzzle: Puzzle, limits: Limits) -> None:
    """No level names the move, in any notation, or where it ends; no theme has digits."""
    game, position = puzzle.game, puzzle.position
    if game.outcome(position) is not None:
        return
    best = Solver(puzzle, Request(limits)).find(position).best
    hint = find_hint(puzzle, Request(limits))
    names = {game.move_name(position, best, squares) for squares in (False, True)}
    ends = {re.findall(r"[a-h][1-8]|\d+", name)[-1] for name in names}
    assert not any(letter.isdigit() for letter in "".join(hint.theme))
    for level in (1, 2, 3):
        text = " ".join(hint.sentences(level))
        assert not any(name in text for name in names)
        assert not ends & set(re.findall(r"\w+", text))
        assert ("Look at" in text) == (level > 1)
        assert len(hint.sentences(level)) > level


@pytest.mark.parametrize("path", SAMPLE, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_no_hint_names_the_move_or_its_end(path: Path) -> None:
    check_hint(read(path), Limits(nodes=3000))


@pytest.mark.parametrize("seed", range(times(5, 1)))
def test_no_hint_on_random_boards_does(seed: int) -> None:
    """Light squares and both, either side to move, won, lost and drawn."""
    for game, positions in (
        ("checkers", random_positions(times(60, 20), range(2, 9), seed)),
        ("twoflags", random_pawns(times(40, 15), range(2, 13), seed)),
    ):
        for position in positions:
            puzzle = Puzzle(game_named(game), position, "board", "test")
            check_hint(puzzle, Limits(nodes=400))
