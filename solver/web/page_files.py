"""The files of the page: a fixed list, found when the server starts."""

from __future__ import annotations

from http import HTTPStatus
from pathlib import Path

from solver.web.http import Refused

FOLDER = Path(__file__).parent / "page"
KINDS = {
    ".html": "text/html; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".svg": "image/svg+xml",
}


class PageFiles:
    """Files by the paths they are asked for; no path is ever made from a request."""

    def __init__(self, folder: Path = FOLDER) -> None:
        self.files = {
            f"/{file.relative_to(folder).as_posix()}": file
            for file in sorted(folder.rglob("*"))
            if file.suffix in KINDS
        }
        self.files["/"] = folder / "index.html"

    def read(self, path: str) -> tuple[bytes, str]:
        """The content of a file and its kind."""
        file = self.files.get(path)
        try:
            if file is not None:
                return file.read_bytes(), KINDS[file.suffix]
        except OSError:
            pass
        raise Refused(HTTPStatus.NOT_FOUND, "There is no such file. The page is at /.")
