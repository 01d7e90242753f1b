"""What a server is asked to do."""

from __future__ import annotations

from dataclasses import dataclass

from solver.twoflags.net.openings import Openings


@dataclass(frozen=True)
class Settings:
    """The defaults are those of the command line."""

    host: str = "127.0.0.1"
    port: int = 9999  # 0: any free one
    spectator_port: int | None = None  # None: the one after `port`
    dialects: tuple[str, str] = ("auto", "auto")  # of the first and the second player
    minutes: float = 5.0  # 0: without clocks
    games: int | None = None  # None: one, or as many as the first player asks for
    openings: Openings | None = None  # None: the start, or what a player proposes
    variant: str | None = None  # None: without en passant if neither player's dialect has it
    relay: bool = False
    patience: float = 120.0
    forever: bool = False
