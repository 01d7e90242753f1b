"""Answers in words and as JSON."""

from __future__ import annotations

import json

from solver import __version__
from solver.errors import counted
from solver.search.result import branching_factor
from solver.search.score import describe, distance, in_words, loss_in, win_in

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from solver.cli.puzzle import Puzzle
    from solver.cli.request import Request
    from solver.proof.answer import Answer
    from solver.search.result import SearchResult

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


def value(result: SearchResult) -> str:
    """The value and how far it can be trusted."""
    if result.is_fact:
        return f"proven {worth(result)}"
    return f"{worth(result)} at depth {result.depth}"


def worth(result: SearchResult, offset: int = 0) -> str:
    """What a position is worth to its mover, so many plies down the line of the finding."""
    if not result.decided:
        return in_words(result.score) if result.proven else describe(result.score)
    plies = distance(result.score) - offset
    # Nothing is sooner than the next move; and what is no fact at all bounds nothing.
    exactly = result.proven or plies < 3 or not result.is_fact
    return in_words(win_in(plies) if plies & 1 else loss_in(plies), exactly)


def line_names(puzzle: Puzzle, result: SearchResult, squares: bool) -> list[str]:
    """The moves of a line by name."""
    positions = [puzzle.position, *result.line]
    return [
        puzzle.game.move_name(parent, child, squares)
        for parent, child in zip(positions, result.line, strict=False)
    ]


def summary(puzzle: Puzzle, answer: Answer, seconds: float, squares: bool) -> str:
    result = answer.result
    names = line_names(puzzle, result, squares)
    mover = puzzle.position.mover()
    return (
        f"{puzzle.source}: {mover} plays {names[0]}, {value(result)}; "
        f"{answer.nodes} nodes, {seconds:.2f} s\n"
        f"line: {' '.join(names)}{_not_proven(answer)}"
    )


def _not_proven(answer: Answer) -> str:
    """What is left open: how soon somebody could still win."""
    if answer.result.proven or not answer.proof.asked:
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
    result = answer.result
    names = line_names(puzzle, result, squares)
    return {
        "move": names[0],
        "line": names,
        "score": result.score,
        "value": worth(result),
        "plies_to_end": distance(result.score) if result.decided else None,
        "proven": result.proven,
        "depth": result.depth,
        "nodes": answer.nodes,
        "proof_effort": answer.proof.counters.as_dict(),
        "search_effort": answer.search_counters.as_dict(),
        "branching_factor": round(branching_factor(result.counters.visited, result.depth), 3),
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
