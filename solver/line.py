"""The whole line from a position to the end of the game, both sides playing their best."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from solver.finding import Finding
    from solver.position import Position

REPETITIONS = 3
QUIET_PLIES = 80  # forty moves each


class Line:
    """The positions of a game from the first to the last, and why it stopped short of an
    end, or an empty string if somebody has lost."""

    def __init__(self, positions: list[Position], unfinished: str) -> None:
        self.positions = positions
        self.unfinished = unfinished


def play_out(
    position: Position,
    choose: Callable[[Position], Finding],
    is_progress: Callable[[Position, Position], bool],
) -> Line:
    """Play until a side has lost, a position occurs for the third time, or forty moves each
    went by without progress.  A proven line is followed to its end without asking again."""
    positions = [position]
    planned: dict[Position, Position] = {}
    times: dict[Position, int] = {}
    quiet = 0
    while position.children():
        times[position] = times.get(position, 0) + 1
        if times[position] == REPETITIONS:
            return Line(positions, "a draw: the same position for the third time")
        if quiet == QUIET_PLIES:
            return Line(positions, "a draw: forty moves each without a capture or a man's step")
        if position not in planned:
            finding = choose(position)
            steps = finding.line if finding.proven else finding.line[:1]
            planned.update(zip([position, *steps], steps, strict=False))
        child = planned[position]
        quiet = 0 if is_progress(position, child) else quiet + 1
        position = child
        positions.append(position)
    return Line(positions, "")
