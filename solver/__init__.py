"""Checkmark's solver: the best next move of a two-player board puzzle, and why.  These functions
are the public interface.  Their imports are local so that the command line starts fast."""

from __future__ import annotations

__version__ = "0.1.0"

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from os import PathLike
    from typing import TypedDict, Unpack

    from solver.cli.agent import run_own as run  # noqa: F401
    from solver.games.agent import Agent as Agent
    from solver.games.puzzle import Puzzle
    from solver.games.solve import AnalysedDepth, Request, Solution
    from solver.play.clock import Clock as Clock
    from solver.search.heuristic import Evaluate, Term

    class SearchOptions(TypedDict, total=False):
        """Limits; a heuristic by name, `FILE.py:FUNCTION`, or a function of a position; and the
        techniques to switch off."""

        depth: int | None
        nodes: int | None
        seconds: float | None
        heuristic: str | Evaluate | None
        without: str | Iterable[str]


def read(
    text_or_path: str | PathLike[str], *, game: str = "", variant: str = "", strict: bool = False
) -> Puzzle:
    """A puzzle from a file, or from a text: a board, a FEN or a setup.

    `strict` refuses boards that would be repaired; without it, `puzzle.warnings` says how.
    """
    from os import fspath

    from solver.games.puzzle import is_path, read_puzzle, read_text

    source, content = "text", fspath(text_or_path)
    if not isinstance(text_or_path, str) or is_path(text_or_path):
        source = content
        content = read_text(source, source)
    return read_puzzle(content, source, strict=strict, game_name=game, variant=variant)


def start(game: str, *, variant: str = "", files: int = 8) -> Puzzle:
    """The start position of a game, such as `checkers`."""
    from solver.games.puzzle import start_puzzle

    return start_puzzle(game, files, variant)


def solve(puzzle: Puzzle, **options: Unpack[SearchOptions]) -> Solution:
    """The best move.  Without limits, the answer is reproducible and takes a few seconds."""
    from solver.games.solve import Solver

    return Solver(_going_on(puzzle), _request(**options)).solve()


def analyse(
    puzzle: Puzzle, *, lines: int = 1, **options: Unpack[SearchOptions]
) -> Iterator[AnalysedDepth]:
    """The best moves at every depth, as they are found; stop reading to stop the search."""
    from solver.games.solve import analyse

    request = _request(**options)
    return analyse(_going_on(puzzle), request, lines)


def evaluate(puzzle: Puzzle, heuristic: str = "") -> list[Term]:
    """The terms of a heuristic; totals are for the side that begins."""
    from solver.games.solve import find_terms

    return find_terms(_going_on(puzzle), heuristic)


def explain(puzzle: Puzzle, **options: Unpack[SearchOptions]) -> str:
    """Why the best move is best: the line in words, and what the next best move loses."""
    from solver.explain.why import explain_puzzle

    return explain_puzzle(_going_on(puzzle), _request(**options))


def hint(puzzle: Puzzle, level: int = 2, **options: Unpack[SearchOptions]) -> str:
    """A hint about the best move: 1 the theme, 2 also the piece, 3 also the idea."""
    from solver.explain.why import find_hint

    request = _request(**options)
    return "\n".join(find_hint(_going_on(puzzle), request).sentences(level))


def __getattr__(name: str) -> object:
    """What only the program of an agent needs: `Agent`, `Clock` and `run`."""
    if name not in ("Agent", "Clock", "run"):
        raise AttributeError(f"module 'solver' has no attribute {name!r}")
    if name == "run":
        from solver.cli.agent import run_own

        return run_own
    from solver.games import agent

    found: object = getattr(agent, name)
    return found


def _request(
    depth: int | None = None,
    nodes: int | None = None,
    seconds: float | None = None,
    heuristic: str | Evaluate | None = None,
    without: str | Iterable[str] = "",
) -> Request:
    from solver.games.solve import Request
    from solver.search.limits import Limits
    from solver.search.techniques import Techniques

    return Request(Limits(depth, nodes, seconds), Techniques(without), heuristic)


def _going_on(puzzle: Puzzle) -> Puzzle:
    if puzzle.result is not None:
        from solver.errors import UserError

        raise UserError(f"The game is over: {puzzle.result}.")
    return puzzle
