"""What a position is about: each theme on a board, and the puzzles by what their names promise."""

from __future__ import annotations

import pytest
from support.builds import INTERPRETED
from support.explaining import INPUTS, hint_for, hint_of

from solver import read
from solver.explain.describe import Theme

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
EVERY = 3 if INTERPRETED else 1


@pytest.mark.parametrize("name", CASES[::EVERY])
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


def test_a_shot_says_what_for_what() -> None:
    assert hint_for("checkers/shot-give-the-king").theme.about == (
        "a shot: give a king, get a man and a king"
    )


def test_opinions_have_themes_too() -> None:
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


def test_no_theme_has_digits() -> None:
    """A number might be a square's."""
    for name in CASES[:: 3 * EVERY]:
        theme: Theme = hint_for(name, nodes=2000).theme
        assert not any(letter.isdigit() for letter in "".join(theme))


def test_every_case_is_a_puzzle() -> None:
    assert len(CASES) > 100
    assert all(read(INPUTS / f"{name}.txt") for name in CASES[::20])
