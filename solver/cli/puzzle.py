"""What the user wants solved: a position with the game and the format it came in."""

from __future__ import annotations

from solver.cli.files import read_text
from solver.errors import UserError, did_you_mean
from solver.games import check_variant, game_named, game_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from solver.games import Game
    from solver.play.game import GameResult
    from solver.search.heuristic import Evaluate


def is_own(heuristic: str) -> bool:
    """Whether a heuristic is named by file and function, `my.py:evaluate`.

    Here and not in `own_heuristic`, which a plain call has no need to load.
    """
    return heuristic.rpartition(":")[0].endswith(".py")


class Puzzle:
    """A position that was read, and where it was read from."""

    def __init__(self, game: Game, position: Any, form: str, source: str) -> None:
        self.game = game
        self.position = position
        self.form = form
        self.source = source

    def tell_outcome(self) -> GameResult | None:
        """How the game has ended, if it has, said on standard error too."""
        outcome = self.game.outcome(self.position)
        if outcome is not None:
            _tell(f"solver: {self.source}: {outcome}")
        return outcome

    def format_or(self, wanted: str | None) -> str:
        """The format to write: the wanted one, or the one that was read."""
        known = self.game.FORMATS
        if wanted is not None and wanted not in known:
            hint = did_you_mean(wanted, list(known))
            raise UserError(f"There is no format {wanted!r}.{hint} Known: {', '.join(known)}.")
        return wanted or self.form

    def evaluator(self, name: str | None) -> Evaluate:
        """The named heuristic, the game's default, or the user's own function."""
        name = self.game.DEFAULT_HEURISTIC if name is None else name
        if is_own(name):
            from solver.cli.console import own_heuristic

            return own_heuristic(name)
        self.check_heuristic(name)
        return self.game.evaluator(name, self.position)

    def check_heuristic(self, name: str) -> None:
        known = list(self.game.heuristics())
        if name not in known:
            raise UserError(
                f"There is no heuristic {name!r}.{did_you_mean(name, known)} "
                f"Known: {', '.join(known)}, or FILE.py:FUNCTION."
            )


def _tell(message: str) -> None:
    """Most calls have nothing to say, and need not load how."""
    from solver.cli.console import tell

    tell(message)


def read_puzzle(
    path: str, *, strict: bool = False, game_name: str | None = None, variant: str = ""
) -> Puzzle:
    """The puzzle in a file, or on standard input for `-`."""
    source = source_of(path)
    content = read_text(path, source)
    return puzzle_in(content, source, strict=strict, game_name=game_name, variant=variant)


def source_of(path: str) -> str:
    """What messages call it."""
    return "standard input" if path == "-" else path


def puzzle_in(
    content: str,
    source: str,
    *,
    strict: bool = False,
    game_name: str | None = None,
    variant: str = "",
) -> Puzzle:
    """The puzzle that a text is; warnings go to standard error."""
    game = game_of(content) if game_name is None else game_named(game_name)
    check_variant(game, variant)
    read = game.read(content, source, strict, variant)
    for warning in read.warnings:
        _tell(f"solver: warning: {source}: {warning}")
    return Puzzle(game, read.position, read.form, source)


def start_puzzle(game_name: str, files: int = 8, variant: str = "") -> Puzzle:
    """The position that a game begins with."""
    game = game_named(game_name)
    check_variant(game, variant)
    position = game.read(game.start(files), "the start", True, variant).position
    return Puzzle(game, position, "board", "the start")
