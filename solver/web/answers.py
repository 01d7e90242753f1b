"""What can be answered at once: the games there are, a position, what heuristics see in it."""

from __future__ import annotations

from solver.errors import UserError
from solver.games import GAMES, check_variant, game_named, game_of
from solver.techniques import CACHES, ORDERINGS, SWITCHES

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from solver.games import Game
    from solver.play.game import GameResult
    from solver.web.asking import Ask
    from solver.web.settings import Settings

    Answer = dict[str, Any]

MOST_TEXT = 4096  # characters of a position
MOST_HEURISTICS = 8  # at once
MOST_NAME = 100


class Place:
    """A position that was asked about, with its game and the rules of it."""

    def __init__(self, game: Game, position: Any, form: str, variant: str) -> None:
        self.game = game
        self.position = position
        self.form = form
        self.variant = variant

    @property
    def text(self) -> str:
        return self.game.with_side(self.position)

    def outcome(self) -> GameResult | None:
        return self.game.outcome(self.position)


def read_place(ask: Ask) -> tuple[Place, list[str]]:
    """The position of an ask, and what had to be mended in it."""
    text = ask.text("text", MOST_TEXT)
    name = ask.one_of("game", ("", *GAMES), "")
    return place_of(text, name, ask.text("variant", MOST_NAME, ""))


def place_of(text: str, game_name: str = "", variant: str = "") -> tuple[Place, list[str]]:
    game = game_named(game_name) if game_name else game_of(text)
    check_variant(game, variant)
    read = game.read(text, "position", False, variant)
    position, form, warnings = read.position, read.form, read.warnings
    return Place(game, position, form, variant), [str(warning) for warning in warnings]


def hello(settings: Settings) -> Answer:
    return {
        "version": settings.version,
        "compiled": settings.compiled,
        "games": {name: _game(game_named(name)) for name in GAMES},
        "orderings": ORDERINGS,
        "caches": CACHES,
        "techniques": {each.name: each.about for each in SWITCHES},
        "watch": settings.watch is not None,
        "puzzles": settings.puzzles is not None,
    }


def _game(game: Game) -> Answer:
    position = game.read(game.start(), "the start", True).position
    return {
        "sides": game.SIDES,
        "start": game.with_side(position),
        "heuristics": game.heuristics(),
        "default_heuristic": game.DEFAULT_HEURISTIC,
        "variants": game.VARIANTS,
    }


def position(ask: Ask) -> Answer:
    place, warnings = read_place(ask)
    return described(place, warnings)


def described(place: Place, warnings: list[str]) -> Answer:
    """Everything about a position that takes no search."""
    game, here = place.game, place.position
    outcome = place.outcome()
    return {
        "game": game.NAME,
        "variant": place.variant,
        "form": place.form,
        "rows": str(here).split("\n"),
        "mover": here.mover(),
        "text": place.text,
        **{form: _written(place, form) for form in game.FORMATS if form != "board"},
        "outcome": None if outcome is None else outcome.as_dict(),
        "warnings": warnings,
        "moves": [] if outcome else [_move(game, here, child) for child in here.children()],
    }


def _written(place: Place, form: str) -> str | None:
    try:
        return place.game.write(place.position, form)
    except UserError:  # a board that has no such form
        return None


def _move(game: Game, parent: Any, child: Any) -> Answer:
    path, taken = game.move_places(parent, child)
    return {
        "name": game.move_name(parent, child),
        "squares": game.move_name(parent, child, squares=True),
        "path": path,
        "taken": taken,
        "text": game.with_side(child),
    }


def evaluate(ask: Ask) -> Answer:
    """What heuristics see in a position, term by term."""
    place, _ = read_place(ask)
    game, here = place.game, place.position
    names = ask.some_of("heuristics", game.heuristics(), MOST_HEURISTICS)
    outcome = place.outcome()
    if outcome is not None:
        return {"outcome": outcome.as_dict(), "tables": []}
    return {"outcome": None, "tables": [_table(place, n) for n in names], "mover": here.mover()}


def _table(place: Place, name: str) -> Answer:
    game, here = place.game, place.position
    return {
        "name": name,
        "terms": [
            {
                "title": term.title,
                "first": term.first,
                "second": term.second,
                "weight": term.weight,
                "total": term.total,
            }
            for term in game.explain(name, here)
        ],
        "value": game.evaluator(name, here)(here),
        "mover": here.mover(),
    }
