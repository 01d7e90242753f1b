"""The programs that the heuristics come from, as their reports describe them.

Each has its own heuristic, ordering, cache and value of a win, with whatever is unsound about
them, and nothing that the report does not speak of.
"""

from __future__ import annotations

from dataclasses import replace

from grader.variants.variant import Variant

PLAIN = Variant(
    "",
    scouts=False,
    aspiration=False,
    win_bounds=False,
    transposition_cuts=False,
    deepening=False,
    extension=False,
    tables=False,
    ordering="none",
)

PRESETS = {
    "safe-mobile-report": replace(
        PLAIN, heuristic="safe-mobile", ordering="static", cache="unsound-board-depth"
    ),
    "advance-shield-report": replace(
        PLAIN, heuristic="advance-shield", ordering="static", cache="unsound-board"
    ),
    "centre-report": replace(
        PLAIN, heuristic="centre", cache="static-values", terminal="depth-ratio"
    ),
    "six-regions-report": replace(PLAIN, heuristic="six-regions", cache="unsound-window"),
    "two-flags-report": replace(
        PLAIN, heuristic="two-flags", deepening=True, cache="unsound-deeper"
    ),
}
