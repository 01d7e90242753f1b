"""Requests of the page, field by field, and those that are answered without a search: the games
there are, a position, what heuristics see in it, puzzles."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Collection
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from solver.errors import UserError, check_known, did_you_mean
from solver.games import GAMES, Game, game_named
from solver.games.bugs import PROBE
from solver.games.puzzle import Puzzle, read_puzzle
from solver.search.position import Position
from solver.search.techniques import CACHES, ORDERINGS, SWITCHES

Answer = dict[str, Any]
MOST_TEXT = 4096  # characters of a position
MOST_HEURISTICS = 8  # in one request
MOST_NAME = 100
TERM_FIELDS = ("title", "first", "second", "weight", "total")


@dataclass(frozen=True)
class PageSettings:
    """What the page shows, and where it is served."""

    version: str
    compiled: bool
    host: str = "127.0.0.1"
    port: int = 0  # 0: any free one
    puzzles: Path | None = None  # a folder with GAME/NAME.txt
    watch: tuple[str, int] | None = None  # the port for spectators of a Two Flags server
    about: str = "Everything runs on this machine."


class PageRequest:
    """One request; every field is checked when it is read."""

    def __init__(self, fields: dict[str, Any]) -> None:
        self.fields = fields

    @property
    def variant(self) -> str:
        return self.text("variant", MOST_NAME, "")

    def has(self, name: str) -> bool:
        return self.fields.get(name) is not None

    def text(self, name: str, most: int, default: str | None = None) -> str:
        value = self._value(name, default)
        if not isinstance(value, str):
            raise UserError(f"{name} must be a text.")
        if len(value) > most:
            raise UserError(f"{name} has {len(value)} characters; at most {most} are allowed.")
        return value

    def whole(self, name: str, least: int, most: int, default: int | None = None) -> int:
        value = self._value(name, default)
        if not isinstance(value, int) or isinstance(value, bool) or not least <= value <= most:
            raise UserError(f"{name} must be a whole number from {least} to {most}.")
        return value

    def amount(self, name: str, most: float) -> float:
        value = self._value(name, None)
        number = isinstance(value, int | float) and not isinstance(value, bool)
        if not number or not math.isfinite(value) or not 0 < value <= most:
            raise UserError(f"{name} must be a number above 0 and up to {most:g}.")
        return float(value)

    def one_of(self, name: str, known: Collection[str], default: str | None = None) -> str:
        value = self.text(name, MOST_NAME, default)
        check_known(name, value, known)
        return value

    def some_of(self, name: str, known: Collection[str], most: int) -> list[str]:
        values = self._value(name, [])
        if not isinstance(values, list) or len(values) > most:
            raise UserError(f"{name} must be a list of at most {most} names.")
        return [PageRequest({name: value}).one_of(name, known) for value in values]

    def group(self, name: str, known: Collection[str]) -> PageRequest:
        """Fields within a field; unknown ones are refused."""
        value = self._value(name, {})
        if not isinstance(value, dict):
            raise UserError(f"{name} must be an object.")
        for inner in value:
            check_known(f"{name} field", inner[:MOST_NAME], known)
        return PageRequest(value)

    def _value(self, name: str, default: Any) -> Any:
        value = self.fields.get(name)
        if value is None:
            value = default
        if value is None:
            raise UserError(f"{name} is missing.")
        return value


def parse_request(content: bytes) -> PageRequest:
    try:
        fields = json.loads(content)
    except (ValueError, RecursionError) as error:
        raise UserError(f"Not JSON: {error}.") from None
    if not isinstance(fields, dict):
        raise UserError('A request is an object such as {"text": "B:W21-32:B1-12"}.')
    return PageRequest(fields)


def read_position(text: str, game_name: str = "", variant: str = "") -> Puzzle:
    """Moves are named by squares, even if the position came as a FEN."""
    return read_puzzle(text, "position", game_name=game_name, variant=variant, notation="squares")


def requested_position(request: PageRequest) -> Puzzle:
    text, game_name = request.text("text", MOST_TEXT), request.one_of("game", ("", *GAMES), "")
    return read_position(text, game_name, request.variant)


def describe_position(puzzle: Puzzle, variant: str) -> Answer:
    """Everything about a position that needs no search."""
    game, here, outcome = puzzle.game, puzzle.position, puzzle.result
    return {
        "game": game.NAME,
        "variant": variant,
        "form": puzzle.form,
        "rows": str(here).split("\n"),
        "mover": puzzle.mover,
        "text": game.with_side(here),
        **{form: _write(puzzle, form) for form in game.FORMATS if form != "board"},
        "outcome": None if outcome is None else outcome.as_dict(),
        "warnings": puzzle.warnings,
        "moves": [] if outcome else [_describe_move(puzzle, child) for child in here.children()],
    }


def _write(puzzle: Puzzle, form: str) -> str | None:
    try:
        return puzzle.write(form)
    except UserError:  # a board that cannot be written in this form
        return None


def _describe_move(puzzle: Puzzle, child: Position) -> Answer:
    game, parent = puzzle.game, puzzle.position
    path, taken = game.move_places(parent, child)
    return {
        "name": puzzle.move_name(parent, child),
        "pdn": game.move_name(parent, child),
        "path": path,
        "taken": taken,
        "progress": game.is_progress(parent, child),
        "text": game.with_side(child),
    }


def answer_hello(request: PageRequest, settings: PageSettings) -> Answer:
    return {
        "version": settings.version,
        "compiled": settings.compiled,
        "games": {name: _describe_game(game_named(name)) for name in GAMES},
        "orderings": ORDERINGS,
        "caches": CACHES,
        "techniques": {each.name: each.about for each in SWITCHES},
        "watch": settings.watch is not None,
        "puzzles": settings.puzzles is not None,
        "about": settings.about,
    }


def _describe_game(game: Game) -> Answer:
    return {
        "title": game.TITLE,
        "sides": game.SIDES,
        "pieces": game.PIECES,
        "plural": game.describer().KINDS[0].plural,
        "line_format": game.FORMATS[1],
        "start": game.with_side(game.read(game.start(), "the start", True).position),
        "heuristics": game.heuristics(),
        "default_heuristic": game.DEFAULT_HEURISTIC,
        "variants": game.VARIANTS,
    }


def answer_evaluate(request: PageRequest, settings: PageSettings) -> Answer:
    """What heuristics see in a position, term by term."""
    puzzle = requested_position(request)
    game, here, outcome = puzzle.game, puzzle.position, puzzle.result
    names = request.some_of("heuristics", game.heuristics(), MOST_HEURISTICS)
    if outcome is not None:
        return {"outcome": outcome.as_dict(), "tables": []}
    tables = [
        {
            "name": name,
            "terms": [
                {field: getattr(term, field) for field in TERM_FIELDS}
                for term in game.explain(name, here)
            ],
            "value": game.evaluator(name, here)(here),
            "mover": here.mover(),
        }
        for name in names
    ]
    return {"outcome": None, "tables": tables, "mover": here.mover()}


def find_puzzles(settings: PageSettings) -> dict[str, Path]:
    """Every puzzle `GAME/NAME` with its file, without probes; no path comes from a request."""
    folder = settings.puzzles
    if folder is None:
        raise UserError("There are no puzzles here. Name their folder: solver serve --puzzles DIR.")
    files = (file for game in GAMES for file in sorted((folder / game).glob("*.txt")))
    wanted = (file for file in files if not file.stem.startswith(f"{PROBE}-"))
    return {f"{file.parent.name}/{file.stem}": file for file in wanted}


def requested_puzzle(request: PageRequest, settings: PageSettings) -> tuple[str, Path, str]:
    """The name of a puzzle, its file and what is in it."""
    name, known = request.text("name", MOST_NAME), find_puzzles(settings)
    if name not in known:
        raise UserError(f"There is no puzzle {name!a}.{did_you_mean(name, list(known))}")
    try:
        return name, known[name], known[name].read_text("utf-8", "surrogateescape")
    except OSError as error:
        raise UserError(f"{name}: {error.strerror}") from None


def expected_file(name: str, file: Path, kind: str) -> Path:
    """The expected answer to a puzzle (`.txt`), or what is known about it (`.json`)."""
    return file.parent.parent.parent / "expected" / f"{name}{kind}"


def answer_puzzles(request: PageRequest, settings: PageSettings) -> Answer:
    """Those with something to find, the easiest first."""
    tasks = (_describe_task(name, file) for name, file in find_puzzles(settings).items())
    return {"puzzles": sorted(filter(None, tasks), key=lambda task: task.pop("effort"))}


def _describe_task(name: str, file: Path) -> Answer | None:
    """What may be known before it is solved; None if it is over, unproven, or no move is better."""
    task = {"name": name, "game": name.partition("/")[0], "stars": 0, "goal": "", "effort": [9]}
    try:
        known = json.loads(expected_file(name, file, ".json").read_text("utf-8"))
        if known["proven"] not in ("all", "best") or len(known["best"]) == len(known["moves"]):
            return None
        stars, *effort = (known["difficulty"][key] for key in ("stars", "depth", "nodes"))
    except (OSError, ValueError, LookupError, TypeError):  # of their own, without a proof
        return task
    effort = [stars, *(math.inf if each is None else each for each in effort)]
    return {**task, "stars": stars, "goal": known["value"].partition(" ")[0], "effort": effort}


def answer_puzzle(request: PageRequest, settings: PageSettings) -> Answer:
    """A puzzle as its file, and as a position."""
    name, _, content = requested_puzzle(request, settings)
    puzzle = read_position(content, name.partition("/")[0])
    return {**describe_position(puzzle, ""), "name": name, "file": content}


ANSWERS: dict[str, Callable[[PageRequest, PageSettings], Answer]] = {
    "hello": answer_hello,
    "position": lambda request, _: describe_position(requested_position(request), request.variant),
    "evaluate": answer_evaluate,
    "puzzles": answer_puzzles,
    "puzzle": answer_puzzle,
}
