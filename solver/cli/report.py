"""Solutions in words and as JSON, and the version."""

from __future__ import annotations

import json

from solver import __version__
from solver.errors import counted
from solver.games.solve import Solution, Solver, describe_result
from solver.search import alphabeta
from solver.search.result import branching_factor
from solver.search.score import distance

STATS_SCHEMA = 1
FOUND = (
    *("move", "line", "score", "value", "plies_to_end", "proven", "depth", "nodes"),
    *("proof_effort", "search_effort", "branching_factor"),
)


def is_compiled() -> bool:
    return not str(alphabeta.__file__).endswith(".py")


def version() -> str:
    return f"checkmark {__version__} ({'compiled' if is_compiled() else 'pure Python'})"


def summary(solution: Solution, seconds: float) -> str:
    """Move, value, node count and line; and how soon somebody could still win."""
    puzzle, result, answer = solution.puzzle, solution.result, solution.answer
    text = (
        f"{puzzle.source}: {puzzle.mover} plays {solution.move}, {describe_result(result)}; "
        f"{counted(solution.nodes, 'node')}, {seconds:.2f} s\nline: {' '.join(solution.line)}"
    )
    if answer is None or result.proven or not answer.proof.asked:
        return text
    return f"{text}\nproven: nobody wins within {counted(answer.proof.asked, 'ply', 'plies')}"


def stats_json(solver: Solver, solution: Solution | None, seconds: float) -> str:
    """The documented record of one solution.

    Without a solution the game was over, and what a search would have found is null.
    """
    puzzle, request = solver.puzzle, solver.request
    outcome, limits = puzzle.result, request.limits
    after = puzzle if solution is None else solution.board
    record = {
        "schema": STATS_SCHEMA,
        "version": __version__,
        "compiled": is_compiled(),
        "game": puzzle.game.NAME,
        "input": puzzle.source,
        "outcome": None if outcome is None else str(outcome),
        "before": str(puzzle).split("\n"),
        "after": str(after).split("\n"),
        "mover": puzzle.mover,
        **_found(solution),
        "seconds": round(seconds, 6),
        "heuristic": solver.heuristic,
        "switches": request.techniques.as_dict(),
        "limits": {
            "depth": limits.depth,
            "nodes": limits.nodes,
            "seconds": limits.seconds,
            "megabytes": request.techniques.megabytes,
        },
    }
    return json.dumps(record, indent=2) + "\n"


def _found(solution: Solution | None) -> dict[str, object]:
    """The part of the record that a search fills."""
    if solution is None or solution.answer is None:
        return dict.fromkeys(FOUND)
    result, answer = solution.result, solution.answer
    return {
        "move": solution.move,
        "line": solution.line,
        "score": solution.score,
        "value": solution.value,
        "plies_to_end": distance(result.score) if result.decided else None,
        "proven": solution.proven,
        "depth": solution.depth,
        "nodes": solution.nodes,
        "proof_effort": answer.proof.counters.as_dict(),
        "search_effort": answer.search_counters.as_dict(),
        "branching_factor": round(branching_factor(result.counters.visited, result.depth), 3),
    }
