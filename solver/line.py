"""The whole line from a position to the end of the game, both sides playing their best."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from solver.finding import Finding
    from solver.position import Position

    Choose = Callable[[Position, frozenset[int]], Finding]

REPETITIONS = 3
QUIET_PLIES = 80  # forty moves each


class Step:
    """One move of a line: the `offset`-th after its finding was made."""

    def __init__(self, parent: Position, child: Position, finding: Finding, offset: int) -> None:
        self.parent = parent
        self.child = child
        self.finding = finding
        self.offset = offset


def ignore_step(step: Step) -> None:
    """The listener of those who only want the whole line."""


class Line:
    """The positions of a game from the first to the last, and why it stopped short of an
    end, or an empty string if somebody has lost."""

    def __init__(self, positions: list[Position], unfinished: str) -> None:
        self.positions = positions
        self.unfinished = unfinished


def play_out(
    position: Position,
    choose: Choose,
    is_progress: Callable[[Position, Position], bool],
    listener: Callable[[Step], None] = ignore_step,
) -> Line:
    """Play until a side has lost, a position occurs for the third time, or forty moves each
    went by without progress.

    `choose` answers for a position and the indexes of children that it must leave out.  The
    line of a win or loss that is certain is followed to its end without asking again.  The
    listener is told every step as it is made.
    """
    positions = [position]
    planned: dict[Position, Finding] = {}
    times: dict[Position, int] = {}
    quiet = 0
    while position.children():
        times[position] = times.get(position, 0) + 1
        drawn = draw_by(times[position], quiet)
        if drawn:
            return Line(positions, drawn)
        if position not in planned:
            planned[position] = choose(position, frozenset())
        finding = planned[position]
        steps = finding.line if finding.decided else [next_step(position, finding, choose, times)]
        for offset, step in enumerate(steps):
            listener(Step(position, step, finding, offset))
            quiet = 0 if is_progress(position, step) else quiet + 1
            position = step
            positions.append(position)
    return Line(positions, "")


def draw_by(times: int, quiet: int) -> str:
    """Why a game is a draw if its position occurs so many times, so many plies after the last
    progress; empty if it is none."""
    if times >= REPETITIONS:
        return "a draw: the same position for the third time"
    if quiet >= QUIET_PLIES:
        return "a draw: forty moves each without progress"
    return ""


def next_step(
    position: Position, finding: Finding, choose: Choose, times: dict[Position, int]
) -> Position:
    """The best move; but who is ahead does not go back to where the game has been before, other
    than on the way of a proven win, which comes nearer to its end with every move."""
    if finding.score <= 0 or finding.proven or finding.best not in times:
        return finding.best
    children = position.children()
    repeated = frozenset(index for index, child in enumerate(children) if child in times)
    if len(repeated) == len(children):
        return finding.best
    other = choose(position, repeated)
    return other.best if other.score > 0 else finding.best
