"""An agent's games in words: a summary for the screen, a report in Markdown."""

from __future__ import annotations

from solver.errors import counted
from solver.techniques import TECHNIQUES
from solver.twoflags.net.journal import GamePlayed, MovePlayed, Summary, summarised

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from solver.techniques import Techniques

MOVE_COLUMNS = (
    *("move", "played", "depth", "nodes", "score"),
    *("seconds", "left", "ponder", "legal moves", "effective branching"),
)


def summary_lines(games: list[GamePlayed]) -> list[str]:
    """A line for each game, and one for all."""
    lines = [f"game {i}: {g.colour}, {_result(g)}; {g.ending}" for i, g in enumerate(games, 1)]
    total = summarised(games)
    if total.moves:
        lines.append(f"{counted(total.games, 'game')}, {total.won} won; {_numbers(total)}")
    return lines


def _result(game: GamePlayed) -> str:
    if not game.ending.winner:
        return "unfinished"
    return "won" if game.won else "lost"


def _numbers(total: Summary) -> str:
    least, average, most = total.depths
    return (
        f"depth {least} to {most}, {average:.1f} on average; {total.nodes} nodes, "
        f"{total.seconds:.1f} s; ponder hits {total.ponder_hits} of {total.ponder_guesses}; "
        f"effective branching factor {total.branching:.2f}"
    )


def report(games: list[GamePlayed], name: str, heuristic: str, techniques: Techniques) -> str:
    """What a course asks for: depths, branching, time, and how it was searched."""
    total = summarised(games)
    least, average, most = total.depths
    speed = total.nodes / total.seconds if total.seconds else 0.0
    rows = [
        ("games", f"{total.games}, {total.won} won"),
        ("moves", total.moves),
        ("search depth, least", least),
        ("search depth, average", f"{average:.2f}"),
        ("search depth, most", most),
        ("branching factor of the game (legal moves)", f"{total.choices:.2f}"),
        ("effective branching factor", f"{total.branching:.2f}"),
        ("positions visited", total.nodes),
        ("positions a second", f"{speed:.0f}"),
        ("seconds used", f"{total.seconds:.2f}"),
        ("ponder hits", f"{total.ponder_hits} of {total.ponder_guesses}"),
        ("heuristic", heuristic),
        ("techniques", ", ".join(filter(techniques.has, TECHNIQUES))),
    ]
    title = f"# Games of {name}" if name else "# Games"
    parts = [title, "", *_table(("", ""), rows)]
    for number, game in enumerate(games, 1):
        parts += ["", f"## Game {number}: {game.colour}, {_result(game)}", ""]
        parts += [f"{game.ending}. Dialect: {game.dialect or 'unknown'}.", ""]
        parts += _table(MOVE_COLUMNS, [_row(move) for move in game.moves])
    return "\n".join(parts) + "\n"


def _row(move: MovePlayed) -> tuple[object, ...]:
    ponder = {None: "", True: "hit", False: "miss"}[move.ponder_hit]
    left = "" if move.left is None else f"{move.left:.1f}"
    branching = "" if move.branching is None else f"{move.branching:.2f}"
    return (
        *(move.number, move.name, move.depth, move.nodes, move.score),
        *(f"{move.seconds:.2f}", left, ponder, move.choices, branching),
    )


def _table(head: tuple[str, ...], rows: Sequence[tuple[object, ...]]) -> list[str]:
    """A Markdown table."""
    lines = [head, ("---",) * len(head), *rows]
    return ["| " + " | ".join(str(cell) for cell in line) + " |" for line in lines]
