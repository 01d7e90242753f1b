"""What can be answered at once: the games there are, a position, what heuristics see in it."""

from __future__ import annotations

import json
import math

from solver.errors import UserError, did_you_mean
from solver.games import GAMES, check_variant, game_named, game_of
from solver.search.techniques import CACHES, ORDERINGS, SWITCHES

TYPE_CHECKING = False

if TYPE_CHECKING:
    from collections.abc import Collection
    from typing import Any

    from solver.games import Game
    from solver.play.game import GameResult
    from solver.web.server import Settings


if TYPE_CHECKING:
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


# What a tab asks for, field by field; whatever is not as it must be gets a clear word.


MOST_ID = 1 << 53  # beyond it a browser cannot count


class BadAsk(UserError):
    """An ask that cannot be understood, and its number if that much is plain."""

    def __init__(self, message: str, number: int | None = None) -> None:
        super().__init__(message)
        self.number = number


class Ask:
    """One ask; every field is checked when it is taken."""

    def __init__(self, fields: dict[str, Any], number: int = 0, kind: str = "") -> None:
        self.fields = fields
        self.number = number
        self.kind = kind

    def has(self, name: str) -> bool:
        return self.fields.get(name) is not None

    def text(self, name: str, most: int, default: str | None = None) -> str:
        value = self._value(name, default)
        if not isinstance(value, str):
            raise UserError(f"{name} must be a text.")
        if len(value) > most:
            raise UserError(f"{name} has {len(value)} characters; at most {most} are read.")
        return value

    def flag(self, name: str) -> bool:
        value = self._value(name, False)
        if not isinstance(value, bool):
            raise UserError(f"{name} must be true or false.")
        return value

    def whole(self, name: str, least: int, most: int, default: int | None = None) -> int:
        value = self._value(name, default)
        if not isinstance(value, int) or isinstance(value, bool) or not least <= value <= most:
            raise UserError(f"{name} must be a whole number from {least} to {most}.")
        return value

    def amount(self, name: str, most: float) -> float:
        """A number above 0."""
        value = self._value(name, None)
        number = isinstance(value, int | float) and not isinstance(value, bool)
        if not number or not math.isfinite(value) or not 0 < value <= most:
            raise UserError(f"{name} must be a number above 0 and up to {most:g}.")
        return float(value)

    def one_of(self, name: str, known: Collection[str], default: str | None = None) -> str:
        return _known(name, self._value(name, default), known)

    def some_of(self, name: str, known: Collection[str], most: int) -> list[str]:
        values = self._value(name, [])
        if not isinstance(values, list) or len(values) > most:
            raise UserError(f"{name} must be a list of at most {most} names.")
        return [_known(name, value, known) for value in values]

    def group(self, name: str, known: Collection[str]) -> Ask:
        """Fields within a field; none but the known ones."""
        value = self._value(name, {})
        if not isinstance(value, dict):
            raise UserError(f"{name} must be an object.")
        for inner in value:
            _known(name, inner, known)
        return Ask(value)

    def _value(self, name: str, default: Any) -> Any:
        value = self.fields.get(name)
        if value is None:
            value = default
        if value is None:
            raise UserError(f"{name} is missing.")
        return value


def _known(name: str, value: Any, known: Collection[str]) -> str:
    if not isinstance(value, str) or value not in known:
        hint = did_you_mean(value[:100], list(known)) if isinstance(value, str) else ""
        shown = ascii(value)[:100]
        raise UserError(f"{name}: {shown} is not one of {', '.join(known)}.{hint}")
    return value


def parse_ask(text: str) -> Ask:
    """The ask that a message is; raises `BadAsk`."""
    try:
        fields = json.loads(text, parse_constant=_no_number)
    except (ValueError, RecursionError) as error:
        raise BadAsk(f"This is not JSON: {error}.") from None
    if not isinstance(fields, dict):
        raise BadAsk('An ask is an object like {"id": 1, "ask": "hello"}.')
    number = fields.get("id")
    if not isinstance(number, int) or isinstance(number, bool) or not 0 <= number < MOST_ID:
        raise BadAsk("An ask needs an id, a whole number from 0 on.")
    kind = fields.get("ask")
    if not isinstance(kind, str):
        raise BadAsk('An ask says what it asks for, like {"id": 1, "ask": "hello"}.', number)
    return Ask(fields, number, kind)


def _no_number(word: str) -> float:
    raise ValueError(f"{word} is no number of JSON")
