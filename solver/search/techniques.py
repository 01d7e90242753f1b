"""The search techniques.  `TECHNIQUES` is the only list of their names, defaults and texts."""

from __future__ import annotations

from solver.errors import check_known
from solver.search.cache import MEGABYTES, POLICIES, Cache, SoundCache, StaticValues, UnsoundCache
from solver.search.ordering import LearnedOrdering, Ordering, StaticOrdering
from solver.search.score import BY_DEPTH_RATIO, BY_DISTANCE, INFINITY

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from solver.search.heuristic import Heuristic

NONE = "none"
ALL = "all"
PLAYING = "playing"
ORDERINGS = {
    NONE: "the order of the rules",
    "static": "by heuristic value",
    "learned": "cached move, captures, killers, moves that force a capture, history",
}
CACHES = {
    NONE: "nothing is remembered",
    "sound": "value by position, depth and bound",
    "static-values": "heuristic values only, negated for the other turn; "
    "unsound for heuristics that favour the mover",
    "unsound-board": "value by board alone",
    "unsound-board-depth": "value by board and depth, bounds taken for values",
    "unsound-deeper": "value by position, of any search as deep or deeper, bounds taken for values",
    "unsound-window": "value by position and window, whatever the depth",
}
TERMINALS = {"distance": "1000000 - plies", "depth-ratio": "100000 // (plies + 1)"}


class Technique:
    """A technique, on by default, or with a choice.  `sound`: values are the same with and without
    it."""

    def __init__(
        self,
        name: str,
        about: str,
        *,
        sound: bool = True,
        default: bool | str = True,
        choices: dict[str, str] | None = None,
    ) -> None:
        self.name = name
        self.about = about
        self.sound = sound
        self.default = default
        self.choices = choices or {}
        self.off: bool | str = NONE if NONE in self.choices else False


TECHNIQUES = {
    technique.name: technique
    for technique in (
        Technique("alpha-beta", "skip moves that cannot matter; without it, plain minimax"),
        Technique("ordering", "which move first", default="learned", choices=ORDERINGS),
        Technique("cache", "remember positions", default="sound", choices=CACHES),
        Technique("deepening", "search depth after depth; without it, --depth at once"),
        Technique("pvs", "test all moves but the first with a window of one point"),
        Technique("aspiration", "begin with a narrow window around the last value"),
        Technique("mate-distance", "skip wins that come too late"),
        Technique("etc", "cut by what the cache knows of children"),
        # These two see more than minimax of the same depth.
        Technique("captures", "follow captures to their end", sound=False),
        Technique("tables", "look up endgames in tables", sound=False),
        # This one is for games, where the past and the clock count.
        Technique(
            PLAYING,
            "draw by repetition, count an exchange as one ply, accept deeper cached values, "
            "skip what is far above the window",
            sound=False,
            default=False,
        ),
        Technique("terminal", "value of a win", sound=False, default="distance", choices=TERMINALS),
    )
}
USUAL = [technique for technique in TECHNIQUES.values() if technique.default]
SWITCHES = [technique for technique in USUAL if not technique.choices]
REMOVABLE = [technique.name for technique in USUAL if technique.name != "terminal"]


def names_in(names: str | Iterable[str]) -> list[str]:
    """The names in a list such as `pvs,tables`; `all` means every technique."""
    words = names.split(",") if isinstance(names, str) else list(names)
    found = [word.strip() for word in words if word.strip()]
    for word in found:
        if word != ALL:
            check_known("technique", word, [*REMOVABLE, PLAYING])
    return REMOVABLE if ALL in found else found


def plain(with_: str | Iterable[str] = "", **choices: str) -> Techniques:
    """Alpha-beta, and nothing else unless it is named."""
    names = ["alpha-beta", *names_in(with_)]
    return Techniques(ALL).changed(with_=names, megabytes=MEGABYTES, **choices)


class Techniques:
    """The techniques of one search, by default all.  `megabytes` limits the cache."""

    __slots__ = ("megabytes", "values")

    def __init__(
        self, without: str | Iterable[str] = "", *, megabytes: int = MEGABYTES, **choices: str
    ) -> None:
        self.megabytes = megabytes
        self.values = {name: technique.default for name, technique in TECHNIQUES.items()}
        self.values |= {name: TECHNIQUES[name].off for name in names_in(without)}
        for name, choice in choices.items():
            known = TECHNIQUES[name].choices
            if choice not in known:
                raise ValueError(f"{choice!r} is not one of {', '.join(known)}")
            self.values[name] = choice

    def changed(
        self,
        *,
        with_: str | Iterable[str] = "",
        without: str | Iterable[str] = "",
        megabytes: int = 0,
        **choices: str,
    ) -> Techniques:
        """A copy with some techniques switched on or off."""
        changed = Techniques(megabytes=megabytes or self.megabytes, **choices)
        on = {name: TECHNIQUES[name].default or True for name in names_in(with_)}
        off = {name: TECHNIQUES[name].off for name in names_in(without)}
        chosen = {name: changed.values[name] for name in choices}
        changed.values = {**self.values, **on, **off, **chosen}
        return changed

    def has(self, name: str) -> bool:
        return self.values[name] != TECHNIQUES[name].off

    @property
    def difference(self) -> list[str]:
        """The differences from the default: `without tables`, `ordering static`."""
        missing = [technique.name for technique in SWITCHES if not self.has(technique.name)]
        words = [f"without {', '.join(missing)}"] if missing else []
        words += [PLAYING] if self.has(PLAYING) else []
        return words + [
            f"{name} {self.values[name]}"
            for name, technique in TECHNIQUES.items()
            if technique.choices and self.values[name] != technique.default
        ]

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Techniques) and self._key() == other._key()

    def __hash__(self) -> int:
        return hash(self._key())

    def _key(self) -> tuple[object, ...]:
        return self.megabytes, *self.values.values()

    def __repr__(self) -> str:
        return f"Techniques({', '.join(self.difference)})"

    @property
    def ordering(self) -> str:
        return str(self.values["ordering"])

    @property
    def cache(self) -> str:
        return str(self.values["cache"])

    @property
    def terminal(self) -> str:
        return str(self.values["terminal"])

    @property
    def wins(self) -> list[int]:
        return BY_DISTANCE if self.terminal == "distance" else BY_DEPTH_RATIO

    @property
    def caches_searches(self) -> bool:
        return self.cache not in (NONE, "static-values")

    @property
    def remembers_soundly(self) -> bool:
        return not (self.cache.startswith("unsound") or self.has(PLAYING))

    def make_ordering(self, heuristic: Heuristic) -> Ordering:
        if self.ordering == "learned":
            return LearnedOrdering()
        return StaticOrdering(heuristic) if self.ordering == "static" else Ordering()

    def make_cache(self) -> Cache:
        if self.cache == "sound":
            unstorable = INFINITY + 1 if self.terminal == "distance" else self.wins[-1]
            return SoundCache(unstorable, self.megabytes, self.has(PLAYING))
        if self.cache in POLICIES:
            return UnsoundCache(self.cache, self.megabytes)
        return Cache()

    def make_static_values(self, heuristic: Heuristic) -> StaticValues | None:
        return StaticValues(heuristic, self.megabytes) if self.cache == "static-values" else None
