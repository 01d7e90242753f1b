"""Caches of bounded size for search values.  `SoundCache` is the one to use; `UnsoundCache` repeats
common mistakes for comparison."""

from __future__ import annotations

from mmap import mmap

from solver.search.compiled import mypyc_attr
from solver.search.heuristic import Heuristic
from solver.search.result import Counters
from solver.search.score import DECISIVE, INFINITY, UNKNOWN, WIN, distance, from_here

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Final

    from mypy_extensions import i64

    from solver.search.position import Position

MEGABYTES: Final = 300  # by default
# Per dictionary entry.  Measured: 120 right before a dictionary grows, 166 right after.
ENTRY_BYTES: Final = 168
CRUDE: Final = 2  # entries of unsound caches are tuples, twice as large

# A pair in plain Python with its numbers; compiled, it takes 64.  Both builds have as many.
PAIR_BYTES: Final = 232
SHALLOW: Final = 2  # entries up to this depth have a table that fits the processor's cache
SHALLOW_PAIRS: Final = 8191
GROWTH: Final = 4

# The bits of an entry with the searched depth.
DEPTH_SHIFT: Final = 10
DEPTH_MASK: Final = 0xFF

NO_HINT: Final = -1

# How a stored value relates to the true one.
EXACT: Final = 0
LOWER: Final = 1  # the true value is at least this
UPPER: Final = 2  # the true value is at most this

# The bits of a `BoundTable` entry.
CHECK_AT: Final = 21
CHECK_MASK: Final = (1 << 41) - 1
COST_MASK: Final = 0x1F << 16
SCORE_BITS: Final = 21
SCORE_MASK: Final = (1 << SCORE_BITS) - 1


def entries_in(megabytes: i64) -> i64:
    return (megabytes << 20) // ENTRY_BYTES


class GenerationTable:
    """Entries (not negative) by key, in two generations.  When the young one is full, it replaces
    the old one; at most twice `generation` entries are kept."""

    def __init__(self, generation: i64) -> None:
        self.generation: Final = generation
        self.young: dict[object, int] = {}
        self.old: dict[object, int] = {}

    def get(self, key: object) -> i64:
        entry: i64 = self.young.get(key, -1)
        if entry < 0 and self.old:
            entry = self.old.get(key, -1)
        return entry

    def put(self, key: object, entry: i64) -> None:
        if len(self.young) >= self.generation:
            self.age()
        self.young[key] = entry

    def age(self) -> None:
        self.old = self.young
        self.young = {}

    def __len__(self) -> int:
        return len(self.young) + len(self.old)


class RecentBounds:
    """Two bounds of a score by key.  An entry is the bounds, or negative if there is none."""

    def __init__(self, megabytes: i64) -> None:
        self.table: Final = GenerationTable(max(1, entries_in(megabytes) // 2))

    def fill(self) -> i64:
        """How full the memory is, in percent."""
        return 50 * len(self.table) // self.table.generation

    def get(self, key: i64) -> i64:
        return self.table.get(key)

    def low(self, entry: i64) -> i64:
        return (entry & SCORE_MASK) - WIN

    def high(self, entry: i64) -> i64:
        return (entry >> SCORE_BITS) - WIN

    def put(self, key: i64, low: i64, high: i64, nodes: i64) -> None:
        """Narrow the bounds of a key; the answer has cost that many nodes."""
        entry = self.table.get(key)
        if entry >= 0:
            low = max(low, self.low(entry))
            high = min(high, self.high(entry))
        self.table.put(key, high + WIN << SCORE_BITS | low + WIN)

    def restore(self, key: i64, entry: i64) -> None:
        """The same with the bounds of an entry from any table of this kind."""
        self.put(key, self.low(entry), self.high(entry), 0)


class BoundTable(RecentBounds):
    """The same in a fixed number of slots, for long proofs.  A full pair of slots forgets the entry
    that cost fewer nodes.  An entry is the part of the key that the place does not tell, the bits
    of its cost, and the bounds."""

    def __init__(self, megabytes: i64) -> None:
        super().__init__(0)
        self.pairs: i64 = megabytes << 16
        self.slots: Final = memoryview(mmap(-1, megabytes << 20)).cast("q")
        self.used: i64 = 0

    def fill(self) -> i64:
        return 50 * self.used // self.pairs

    def get(self, key: i64) -> i64:
        place = key % self.pairs * 2
        check = key // self.pairs & CHECK_MASK
        entry: i64 = self.slots[place]
        if entry >> CHECK_AT == check and entry:
            return entry
        entry = self.slots[place + 1]
        if entry >> CHECK_AT == check and entry:
            return entry
        return -1

    def low(self, entry: i64) -> i64:
        return score_of(entry & 0xFF)

    def high(self, entry: i64) -> i64:
        return score_of(entry >> 8 & 0xFF)

    def put(self, key: i64, low: i64, high: i64, nodes: i64) -> None:
        cost: i64 = 1
        while nodes:
            nodes >>= 1
            cost += 1
        self.restore(key, cost << 16 | code_of(high) << 8 | code_of(low))

    def restore(self, key: i64, entry: i64) -> None:
        check = key // self.pairs & CHECK_MASK
        place = key % self.pairs * 2
        old: i64 = self.slots[place]
        other: i64 = self.slots[place + 1]
        if not (old >> CHECK_AT == check and old) and (
            (other >> CHECK_AT == check and other) or other & COST_MASK < old & COST_MASK
        ):
            place += 1
            old = other
        low = entry & 0xFF
        high = entry >> 8 & 0xFF
        cost = entry & COST_MASK
        if old == 0:
            self.used += 1
        elif old >> CHECK_AT == check:
            low = max(low, old & 0xFF)
            high = min(high, old >> 8 & 0xFF)
            cost = max(cost, old & COST_MASK)
        self.slots[place] = check << CHECK_AT | cost | high << 8 | low


def code_of(score: i64) -> i64:
    """A score as a byte.  All above 253 plies are 128, like a draw."""
    if score > 0:
        return max(128, 255 - (WIN - score >> 1))
    return min(128, WIN + score >> 1)


def score_of(code: i64) -> i64:
    if code > 128:
        return WIN - 2 * (255 - code) - 1
    return 2 * code - WIN if code < 128 else 0


@mypyc_attr(acyclic=True)
class EntryPair:
    """Two entries of one place in a `PairTable`, with their keys: the deepest and the latest."""

    __slots__ = ("deepest", "deepest_key", "latest", "latest_key")

    def __init__(self) -> None:
        self.deepest_key: i64 = -1
        self.deepest: i64 = 0
        self.latest_key: i64 = -1
        self.latest: i64 = 0


NO_PAIR: Final = EntryPair()  # in all places that are not used yet


class PairTable:
    """Entries (not negative) of searches by key, two at each place.  A pair is made once and then
    overwritten: compiled, that is several times as fast as a dictionary.  The table grows to
    `most` pairs."""

    def __init__(self, most: i64) -> None:
        self.most: Final = max(1, most)
        self.pairs: list[EntryPair] = [NO_PAIR]
        self.places: i64 = 1
        self.used: i64 = 0

    def put(self, key: i64, entry: i64) -> None:
        place = key % self.places
        pair = self.pairs[place]
        if pair.deepest_key == key:
            pair.deepest = entry
        elif pair.deepest >> DEPTH_SHIFT & DEPTH_MASK > entry >> DEPTH_SHIFT & DEPTH_MASK:
            pair.latest_key = key
            pair.latest = entry
        elif pair is not NO_PAIR:
            pair.latest_key = pair.deepest_key
            pair.latest = pair.deepest
            pair.deepest_key = key
            pair.deepest = entry
        elif self.used >= self.places // 2 and self.places < self.most:
            self._grow()
            self.put(key, entry)
        else:
            pair = EntryPair()
            pair.deepest_key = key
            pair.deepest = entry
            self.pairs[place] = pair
            self.used += 1

    def _grow(self) -> None:
        known = self.pairs
        self.places = min(self.most, GROWTH * self.places + SHALLOW_PAIRS)
        self.pairs = [NO_PAIR] * self.places
        self.used = 0
        for pair in known:
            if pair.latest_key >= 0:
                self.put(pair.latest_key, pair.latest)
            if pair.deepest_key >= 0:
                self.put(pair.deepest_key, pair.deepest)


class Cache:
    """No cache, and the interface of the others.  Values are for the mover, counted from the root;
    `ply` is the distance from the root.  After `probe`, `key` is the position's, and `hint` the
    index of the child that was best when stored, or `NO_HINT`."""

    def __init__(self) -> None:
        self.key: i64 = 0
        self.hint: i64 = NO_HINT

    def probe(self, position: Position, depth: i64, alpha: i64, beta: i64, ply: i64) -> i64:
        """The value, or a bound that decides this window, or `UNKNOWN`."""
        return UNKNOWN

    def store(
        self, key: i64, depth: i64, alpha: i64, beta: i64, ply: i64, value: i64, best: i64
    ) -> None:
        """Store the value of a search of `depth` plies with this window."""


class SoundCache(Cache):
    """Stores value, depth, bound and best child.  An entry answers for its own depth only; a proven
    win or loss for every depth that can see it. Scores of `unstorable` size are not kept (terminal
    values that depend on the ply).  With `deeper`, deeper searches answer too, which is unsound."""

    def __init__(
        self, unstorable: i64 = INFINITY + 1, megabytes: i64 = MEGABYTES, deeper: bool = False
    ) -> None:
        super().__init__()
        self.deeper: Final = deeper
        self.unstorable: Final = unstorable
        pairs: i64 = (megabytes << 20) // PAIR_BYTES
        self.shallow: Final = PairTable(min(SHALLOW_PAIRS, pairs // 4))
        self.deep: Final = PairTable(pairs - self.shallow.most)

    def probe(self, position: Position, depth: i64, alpha: i64, beta: i64, ply: i64) -> i64:
        key = position.key()
        self.key = key
        table = self.deep if depth > SHALLOW else self.shallow
        pair = table.pairs[key % table.places]
        if pair.deepest_key == key:
            entry = pair.deepest
        elif pair.latest_key == key:
            entry = pair.latest
        else:
            self.hint = NO_HINT
            return UNKNOWN
        self.hint = entry & 0xFF
        value = (entry >> 18) - INFINITY
        stored = entry >> DEPTH_SHIFT & DEPTH_MASK
        if value >= DECISIVE or value <= -DECISIVE:
            # A win in n plies, found by a search of at least n plies, holds for all that deep.
            if stored != depth and distance(value) > min(depth, stored):
                return UNKNOWN
            value = from_here(value, -ply)
        elif stored < depth or (stored > depth and not self.deeper):
            return UNKNOWN
        bound = entry >> 8 & 3
        if bound == EXACT or (value >= beta if bound == LOWER else value <= alpha):
            return value
        return UNKNOWN

    def store(
        self, key: i64, depth: i64, alpha: i64, beta: i64, ply: i64, value: i64, best: i64
    ) -> None:
        if value >= self.unstorable or value <= -self.unstorable:
            return
        bound = UPPER if value <= alpha else LOWER if value >= beta else EXACT
        kept = value if -DECISIVE < value < DECISIVE else from_here(value, ply)
        entry = kept + INFINITY << 18 | depth << DEPTH_SHIFT | bound << 8 | min(best, 0xFF)
        table = self.deep if depth > SHALLOW else self.shallow
        table.put(key, entry)


# How a cache treats the search depth.
IGNORED: Final = 0
IN_KEY: Final = 1  # a value for each depth
AT_LEAST: Final = 2  # an entry answers for its own depth and for less

# What each unsound policy compares.  All treat bounds as values.
POLICIES = {
    # name: (side to move, depth, window)
    "unsound-board": (False, IGNORED, False),
    "unsound-board-depth": (False, IN_KEY, False),
    "unsound-deeper": (True, AT_LEAST, False),
    "unsound-window": (True, IGNORED, True),
}


class UnsoundCache(Cache):
    """Does not compare everything that a value depends on.  Without the side to move, values are
    for the side at the root."""

    def __init__(self, policy: str, megabytes: i64 = MEGABYTES) -> None:
        super().__init__()
        compared = POLICIES[policy]
        self.side: Final = compared[0]
        self.depth: Final = compared[1]
        self.window: Final = compared[2]
        self.most: Final = entries_in(megabytes) // CRUDE
        self.values: dict[tuple[int, int], tuple[int, int, int, int]] = {}

    def probe(self, position: Position, depth: i64, alpha: i64, beta: i64, ply: i64) -> i64:
        key = position.key() if self.side else position.board_key()
        self.key = key
        entry = self.values.get((key, depth if self.depth == IN_KEY else 0))
        if entry is None or (self.depth == AT_LEAST and entry[1] < depth):
            return UNKNOWN
        if self.window and (entry[2] != alpha or entry[3] != beta):
            return UNKNOWN
        return entry[0] if self.side or not ply & 1 else -entry[0]

    def store(
        self, key: i64, depth: i64, alpha: i64, beta: i64, ply: i64, value: i64, best: i64
    ) -> None:
        if len(self.values) >= self.most:
            self.values.clear()
        kept = value if self.side or not ply & 1 else -value
        reach = depth if self.depth == AT_LEAST else 0
        window = (alpha, beta) if self.window else (0, 0)
        self.values[key, depth if self.depth == IN_KEY else 0] = (kept, reach, *window)


class StaticValues(Heuristic):
    """Remembers heuristic values by board, negated for the other turn.  Unsound for a heuristic
    that counts something for the mover alone."""

    def __init__(self, heuristic: Heuristic, megabytes: i64 = MEGABYTES) -> None:
        self.heuristic = heuristic
        self.most: Final = entries_in(megabytes) // CRUDE
        self.values: dict[int, tuple[int, int]] = {}
        self.counters = Counters()

    def value(self, position: Position) -> i64:
        counters = self.counters
        counters.probes += 1
        board = position.board_key()
        turn = position.key()
        known = self.values.get(board)
        if known is None:
            counters.stores += 1
            value = self.heuristic.value(position)
            if len(self.values) >= self.most:
                self.values.clear()
            self.values[board] = (value, turn)
            return value
        counters.hits += 1
        return known[0] if known[1] == turn else -known[0]
