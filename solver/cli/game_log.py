"""The file into which the games of a server go."""

from __future__ import annotations

import os
import stat
import time

from solver.cli.files import check_output, write_text
from solver.cli.words import tell
from solver.errors import FileError, UserError


class Log:
    """The file with all games so far, written anew after each one; or a folder, where every
    match has a file of its own."""

    def __init__(self, path: str) -> None:
        if path == "-":
            raise UserError("--log needs a file or a folder; standard output has the results.")
        if os.path.exists(path) and stat.S_ISFIFO(os.stat(path).st_mode):
            raise UserError(f"--log {path}: a pipe cannot hold a log; give a file or a folder.")
        self.folder = path if os.path.isdir(path) else ""
        self.path = path
        self.games = ""
        self.failure: FileError | None = None
        self.started = time.strftime("%Y%m%d-%H%M%S")
        self.matches = 0
        self.next_match()
        check_output(self.path)

    def next_match(self) -> None:
        if self.folder:
            self.matches += 1
            self.games = ""
            self.path = os.path.join(self.folder, f"match-{self.started}-{self.matches:04d}.txt")

    def add(self, game: str) -> None:
        """A full disk must not end the match: the players cannot help it."""
        self.games += game
        try:
            write_text(self.path, self.games)
            self.failure = None
        except FileError as error:
            self.failure = error
            tell(f"solver: {error}")

    def check(self) -> None:
        if self.failure is not None:
            raise self.failure
