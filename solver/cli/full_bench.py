"""`solver bench --full`: everything that can be compared on this machine, side by side."""

from __future__ import annotations

import json
import platform
import tempfile

from solver.benchmark.contest import Contestant, Start, check_counts, contestants, ratios, spread
from solver.benchmark.rows import ROWS
from solver.cli.progress import Progress
from solver.cli.report import is_compiled, table, version
from solver.cli.words import tell
from solver.errors import counted

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import Namespace
    from collections.abc import Callable

    Record = dict[str, object]

SCHEMA = 1


def run(arguments: Namespace) -> int:
    progress = Progress()
    with tempfile.TemporaryDirectory() as folder:
        start = Start(folder)
        everybody = contestants(is_compiled(), arguments.against, folder)
        try:
            for number in range(1, arguments.rounds + 1):
                for contestant in everybody:
                    if progress.shown:
                        progress.show(f"round {number} of {arguments.rounds}: {contestant.name}")
                    contestant.take_turn()
                everybody = _still_there(everybody, progress)
                start.take_turn()
        finally:
            progress.clear()
    check_counts(everybody)
    if arguments.json:
        print(json.dumps(_record(everybody, start, arguments.rounds), indent=2))
    else:
        _show(everybody, start, arguments.rounds)
    return 0


def _still_there(everybody: list[Contestant], progress: Progress) -> list[Contestant]:
    """Without the guests that could not be measured."""
    for gone in everybody:
        if gone.fault:
            progress.clear()
            tell(f"solver: {gone.fault}; it is left out")
    return [contestant for contestant in everybody if not contestant.fault]


def _record(everybody: list[Contestant], start: Start, rounds: int) -> Record:
    """`counts` are the same everywhere; all else is of this machine and this run."""
    first = everybody[0]
    return {
        "schema": SCHEMA,
        "version": version(),
        "python": platform.python_version(),
        "rounds": rounds,
        "counts": {row: first.counts[row] for row in ROWS},
        "speeds": {
            other.name: {row: spread(speeds) for row, speeds in other.speeds.items()}
            for other in everybody
        },
        "ratios": {
            other.name: {
                row: spread(ratios(first.speeds[row], speeds))
                for row, speeds in other.speeds.items()
            }
            for other in everybody[1:]
        },
        "start": {
            "seconds": spread(start.ours),
            "bare_seconds": spread(start.bare),
            "ratio": spread(ratios(start.ours, start.bare)),
        },
    }


def _show(everybody: list[Contestant], start: Start, rounds: int) -> None:
    first = everybody[0]
    shown: list[tuple[str, ...]] = []
    for row, (unit, _) in ROWS.items():
        for other in everybody:
            if row in other.speeds:
                speed = spread(other.speeds[row])
                cells = [f"{speed['median']:,.0f} {unit}/s", _range(speed, "{:,.0f}".format)]
                times = spread(ratios(first.speeds[row], other.speeds[row]))
                cells += ["", ""] if other is first else [_times(times["median"]), _range(times)]
                shown.append((row, other.name, *cells))
    medians = f"medians of {counted(rounds, 'round')}"
    print(f"{version()}, Python {platform.python_version()}; {medians}\n")
    head = ("what", "who", "speed", "range", f"{first.name} is", "range")
    print(table(shown, head, left=2))
    ratio = spread(ratios(start.ours, start.bare))
    print(
        f"\nstart-up: {_times(ratio['median'])} that of Python itself "
        f"({_range(ratio)}), "
        f"{1000 * spread(start.ours)['median']:.0f} ms"
    )
    counts = ", ".join(f"{row} {first.counts[row]}" for row in ROWS)
    print(f"counts: {counts}")


def _range(values: dict[str, float], write: Callable[[float], str] | None = None) -> str:
    write = write or _times
    return f"{write(values['least'])} to {write(values['most'])}"


def _times(ratio: float) -> str:
    if ratio < 0.95:
        return f"1/{1 / ratio:.3g} x"
    return f"{ratio:,.0f} x" if ratio >= 100 else f"{ratio:.3g} x"
