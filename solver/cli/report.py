"""Answers in words and as JSON."""

from __future__ import annotations

import json

from solver import __version__
from solver.errors import counted
from solver.search.counters import branching_factor
from solver.search.score import describe, distance, in_words, loss_in, win_in

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from solver.cli.puzzle import Puzzle
    from solver.cli.request import Request
    from solver.proof.answer import Answer
    from solver.search.result import Finding

STATS_SCHEMA = 1
FOUND = (
    *("move", "line", "score", "value", "plies_to_end", "proven", "depth", "nodes"),
    *("proof_effort", "search_effort", "branching_factor"),
)


def is_compiled() -> bool:
    from solver.search import alphabeta as search

    return not str(search.__file__).endswith(".py")


def version() -> str:
    return f"checkmark {__version__} ({'compiled' if is_compiled() else 'pure Python'})"


def value(finding: Finding) -> str:
    """The value and how far it can be trusted."""
    if finding.is_fact:
        return f"proven {worth(finding)}"
    return f"{worth(finding)} at depth {finding.depth}"


def worth(finding: Finding, offset: int = 0) -> str:
    """What a position is worth to its mover, so many plies down the line of the finding."""
    if not finding.decided:
        return in_words(finding.score) if finding.proven else describe(finding.score)
    plies = distance(finding.score) - offset
    # Nothing is sooner than the next move; and what is no fact at all bounds nothing.
    exactly = finding.proven or plies < 3 or not finding.is_fact
    return in_words(win_in(plies) if plies & 1 else loss_in(plies), exactly)


def line_names(puzzle: Puzzle, finding: Finding, squares: bool) -> list[str]:
    """The moves of a line by name."""
    positions = [puzzle.position, *finding.line]
    return [
        puzzle.game.move_name(parent, child, squares)
        for parent, child in zip(positions, finding.line, strict=False)
    ]


def summary(puzzle: Puzzle, answer: Answer, seconds: float, squares: bool) -> str:
    finding = answer.finding
    names = line_names(puzzle, finding, squares)
    mover = puzzle.position.mover()
    return (
        f"{puzzle.source}: {mover} plays {names[0]}, {value(finding)}; "
        f"{answer.nodes} nodes, {seconds:.2f} s\n"
        f"line: {' '.join(names)}{_not_proven(answer)}"
    )


def _not_proven(answer: Answer) -> str:
    """What is left open: how soon somebody could still win."""
    if answer.finding.proven or not answer.proof.asked:
        return ""
    return f"\nproven: nobody wins within {counted(answer.proof.asked, 'ply', 'plies')}"


def stats_json(
    puzzle: Puzzle, answer: Answer | None, seconds: float, request: Request, squares: bool
) -> str:
    """The documented record of one answer; README describes its fields.

    Without an answer the game was over, and what a search would have found is null.
    """
    game, limits = puzzle.game, request.limits
    outcome = game.outcome(puzzle.position)
    best = puzzle.position if answer is None else answer.best
    record = {
        "schema": STATS_SCHEMA,
        "version": __version__,
        "compiled": is_compiled(),
        "game": game.NAME,
        "input": puzzle.source,
        "outcome": None if outcome is None else str(outcome),
        "before": game.write(puzzle.position, "board").split("\n"),
        "after": game.write(best, "board").split("\n"),
        "mover": puzzle.position.mover(),
        **_found(puzzle, answer, squares),
        "seconds": round(seconds, 6),
        "heuristic": request.heuristic or game.DEFAULT_HEURISTIC,
        "switches": request.techniques.as_dict(),
        "limits": {
            "depth": limits.depth,
            "nodes": limits.nodes,
            "seconds": limits.seconds,
            "megabytes": request.techniques.megabytes,
        },
    }
    return json.dumps(record, indent=2) + "\n"


def _found(puzzle: Puzzle, answer: Answer | None, squares: bool) -> dict[str, object]:
    """The part of the record that a search fills."""
    if answer is None:
        return dict.fromkeys(FOUND)
    finding = answer.finding
    names = line_names(puzzle, finding, squares)
    return {
        "move": names[0],
        "line": names,
        "score": finding.score,
        "value": worth(finding),
        "plies_to_end": distance(finding.score) if finding.decided else None,
        "proven": finding.proven,
        "depth": finding.depth,
        "nodes": answer.nodes,
        "proof_effort": answer.proof.effort.as_dict(),
        "search_effort": answer.search_effort.as_dict(),
        "branching_factor": round(branching_factor(finding.effort.visited, finding.depth), 3),
    }


def table(rows: Sequence[Sequence[object]], head: Sequence[str], left: int = 1) -> str:
    """A plain table: the first columns to the left, numbers to the right."""
    cells = [list(head), *([str(cell) for cell in row] for row in rows)]
    widths = [max(len(row[column]) for row in cells) for column in range(len(head))]
    lines = [
        "  ".join(
            cell.ljust(width) if column < left else cell.rjust(width)
            for column, (cell, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in cells
    ]
    lines.insert(1, "  ".join("-" * width for width in widths))
    return "\n".join(lines)
