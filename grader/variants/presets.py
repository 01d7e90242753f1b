"""The programs that the heuristics come from, as their reports describe them.

Each has its own heuristic, ordering, cache and value of a win, with whatever is unsound about
them, and nothing that the report does not mention.
"""

from __future__ import annotations

from grader.variants.variant import Variant
from solver.search.techniques import plain

PRESETS = {
    f"{heuristic}-report": Variant("", heuristic, techniques)
    for heuristic, techniques in {
        "safe-mobile": plain(ordering="static", cache="unsound-board-depth"),
        "advance-shield": plain(ordering="static", cache="unsound-board"),
        "centre": plain(cache="static-values", terminal="depth-ratio"),
        "six-regions": plain(cache="unsound-window"),
        "two-flags": plain("deepening", cache="unsound-deeper"),
    }.items()
}
