"""Asks for a search, as words of the command line: every search is a `solver` of its own."""

from __future__ import annotations

from solver.errors import UserError
from solver.score import MAX_DEPTH
from solver.techniques import ALL, CACHES, ORDERINGS, REMOVABLE
from solver.web.answers import MOST_NAME, MOST_TEXT, read_place

TYPE_CHECKING = False
if TYPE_CHECKING:
    from solver.web.answers import Place
    from solver.web.asking import Ask

MOST_LINES = 10
MOST_NODES = 10**12
MOST_SECONDS = 3600.0  # somebody may have forgotten a tab
MEGABYTES = 100  # for each search: there may be many
MOST_TRACED = 100_000
DEEPEST_TRACE = 8
OPTIONS = ("depth", "nodes", "seconds", "ordering", "cache", "without")


def analysis(ask: Ask) -> tuple[list[str], str]:
    """The words of `solver analyse` and what it reads."""
    place, _ = read_place(ask)
    options = ask.group("options", OPTIONS)
    words = ["analyse", "-", "--json", *_board(place), *_heuristic(ask, place)]
    words += ["--lines", str(ask.whole("lines", 1, MOST_LINES, 1)), "--hash", str(MEGABYTES)]
    for name, most in (("depth", MAX_DEPTH), ("nodes", MOST_NODES)):
        if options.has(name):
            words += [f"--{name}", str(options.whole(name, 1, most))]
    seconds = options.amount("seconds", MOST_SECONDS) if options.has("seconds") else MOST_SECONDS
    words += ["--time", f"{seconds:f}", *_choices(options)]
    return words, place.text


def trace(ask: Ask) -> tuple[list[str], str]:
    """The words of `solver trace` and what it reads: a position, or a tree."""
    words = ["trace", "-", "--format", "json", *_names(ask, "with"), *_choices(ask)]
    if ask.has("max_nodes"):
        words += ["--max-nodes", str(ask.whole("max_nodes", 1, MOST_TRACED))]
    if ask.has("tree"):
        return [*words, "--tree"], ask.text("tree", MOST_TEXT)
    place, _ = read_place(ask)
    if place.outcome() is not None:
        raise UserError(f"{place.outcome()}; there is nothing to search.")
    depth = ask.whole("depth", 1, DEEPEST_TRACE)
    return [*words, "--depth", str(depth), *_board(place), *_heuristic(ask, place)], place.text


def _board(place: Place) -> list[str]:
    variant = ["--variant", place.variant] if place.variant else []
    return ["--game", place.game.NAME, *variant]


def _heuristic(ask: Ask, place: Place) -> list[str]:
    """By name only: a page may not have files of this computer run."""
    if not ask.text("heuristic", MOST_NAME, ""):
        return []
    return ["--heuristic", ask.one_of("heuristic", place.game.heuristics())]


def _choices(options: Ask) -> list[str]:
    words = _names(options, "without")
    for name, known in (("ordering", ORDERINGS), ("cache", CACHES)):
        if options.has(name):
            words += [f"--{name}", options.one_of(name, known)]
    return words


def _names(options: Ask, option: str) -> list[str]:
    names = options.some_of(option, [*REMOVABLE, ALL], len(REMOVABLE) + 1)
    return [f"--{option}", ",".join(names)] if names else []
