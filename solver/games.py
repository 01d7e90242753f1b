"""The games there are.  A game is a folder; this is the one place that lists them."""

from __future__ import annotations

from importlib import import_module

from solver.errors import UserError, did_you_mean

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, Protocol

    from solver.errors import Fault
    from solver.evaluate import Evaluate
    from solver.exact import Exact
    from solver.explain.teller import Teller
    from solver.outcome import Outcome
    from solver.term import Term

    Place = tuple[int, int]  # row and column, from 0 at the top left

    class Game(Protocol):
        """What a game's `game` module offers besides its rules."""

        NAME: str
        FORMATS: tuple[str, ...]
        DEFAULT_HEURISTIC: str
        PLAINEST_HEURISTIC: str
        SIDES: tuple[str, str]  # the one that begins first
        PDN_SIDES: tuple[str, str]  # what PDN calls them
        PIECES: dict[str, str]  # colour and kind of each letter on a board
        VARIANTS: tuple[str, ...]  # rule sets besides the usual one
        MOST_PIECES: int  # of a side

        def recognises(self, content: str) -> bool: ...
        def start(self, files: int = 8) -> str: ...
        def read(
            self, content: str, source: str, strict: bool, variant: str = ""
        ) -> tuple[Any, str, list[Fault]]: ...
        def write(self, position: Any, form: str) -> str: ...
        def with_side(self, position: Any) -> str: ...
        def beside(self, position: Any) -> list[str]: ...
        def move_name(self, parent: Any, child: Any, squares: bool = False) -> str: ...
        def move_places(self, parent: Any, child: Any) -> tuple[list[Place], list[Place]]: ...
        def is_progress(self, parent: Any, child: Any) -> bool: ...
        def outcome(self, position: Any) -> Outcome | None: ...
        def heuristics(self) -> dict[str, str]: ...
        def explain(self, name: str, position: Any) -> list[Term]: ...
        def evaluator(self, name: str, position: Any) -> Evaluate: ...
        def teller(self) -> Teller: ...
        def tables(self, path: str = "") -> Exact: ...
        def styles(self) -> dict[str, str]: ...
        def random_position(
            self, chance: Callable[[], float], own: int, other: int, style: str, variant: str = ""
        ) -> Any: ...


GAMES = ("checkers", "twoflags")


def game_of(content: str) -> Game:
    """The game whose text this looks like; the first one if nobody recognises it."""
    for name in GAMES:
        game = game_named(name)
        if game.recognises(content):
            return game
    return game_named(GAMES[0])


def game_named(name: str) -> Game:
    game: Game = import_module(f"solver.{name}.game")
    return game


def check_variant(game: Game, variant: str) -> None:
    if variant and variant not in game.VARIANTS:
        known = f"Known: {', '.join(game.VARIANTS)}." if game.VARIANTS else "It has none."
        hint = did_you_mean(variant, list(game.VARIANTS))
        raise UserError(f"{game.NAME} has no variant {variant!r}.{hint} {known}")
