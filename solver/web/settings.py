"""What the page is to show, and where."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Settings:
    version: str
    compiled: bool
    host: str = "127.0.0.1"
    port: int = 0  # 0: any free one
    puzzles: Path | None = None  # a folder with GAME/NAME.txt
    watch: tuple[str, int] | None = None  # the port for spectators of a Two Flags server
