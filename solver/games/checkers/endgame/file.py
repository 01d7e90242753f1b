"""The file of the tables: format, `pieces N`, `sha256 HASH`, a line `KvK 312` (name and block size)
per slice, an empty line, and the compressed blocks.  The hash is that of all values in order."""

from __future__ import annotations

import os

from solver.errors import FileError
from solver.games.checkers.endgame import MOST_PIECES
from solver.games.checkers.endgame.slices import all_slices

try:
    import lzma
except ImportError:  # optional in Python builds
    raise FileError(
        "This Python has no module lzma, and cannot unpack endgame tables. Use --without tables."
    ) from None

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from solver.games.checkers.endgame.slices import Slice, Values

FORMAT = "checkmark endgame tables 1"
SHIPPED = os.path.join(os.path.dirname(os.path.abspath(__file__)), "four.tables")
LARGEST = f"endgame-{MOST_PIECES}.tables"
LONGEST_HEAD = 1 << 14
PRESET = 6  # of lzma; higher ones save nothing


def cache_folder() -> str:
    """Of this user and this program."""
    home = os.path.join(os.path.expanduser("~"), ".cache")
    return os.path.join(os.environ.get("XDG_CACHE_HOME") or home, "checkmark")


def best_tables() -> str:
    """Those that the user has built for the most pieces, or those of the package."""
    built = os.path.join(cache_folder(), LARGEST)
    return built if os.path.exists(built) else SHIPPED


class Archive:
    """A file of tables; slices are unpacked one by one."""

    def __init__(self, path: str) -> None:
        self.path = path
        self._data = _read(path)
        if not self._data:
            raise FileError(
                f"{path}: not endgame tables.\nWrite some with 'solver endgame build FILE'."
            )
        self.pieces = 0
        self.sha256 = ""
        self.blocks: dict[str, tuple[int, int]] = {}
        try:
            self._read_head()
        except ValueError:
            raise self.damaged("its head cannot be read") from None

    def _read_head(self) -> None:
        end = self._data.index(b"\n\n", 0, LONGEST_HEAD)
        lines = self._data[:end].decode("ascii").split("\n")
        if lines[0] != FORMAT:
            raise self.damaged(f"it begins with {lines[0]!r} and not with {FORMAT!r}")
        fields = dict(line.split(" ") for line in lines[1:])
        self.pieces = int(fields.pop("pieces", ""))
        self.sha256 = fields.pop("sha256", "")
        start = end + 2
        for name, length in fields.items():
            self.blocks[name] = (start, int(length))
            start += int(length)
        if self.pieces > MOST_PIECES or self.pieces != max(map(len, self.blocks)) - 1:
            raise ValueError
        if start != len(self._data):
            raise self.damaged(f"{len(self._data)} bytes instead of {start}")

    def values(self, here: Slice) -> bytes:
        name = here.name()
        if name not in self.blocks:
            raise self.damaged(f"{name} is missing")
        start, length = self.blocks[name]
        try:
            block = lzma.LZMADecompressor()
            values = block.decompress(self._data[start : start + length], here.size + 1)
        except (lzma.LZMAError, EOFError):
            raise self.damaged(f"{name} cannot be unpacked") from None
        if len(values) != here.size or not block.eof:
            raise self.damaged(f"{name} does not have {here.size} values")
        return values

    def damaged(self, reason: str) -> FileError:
        advice = (
            "Install checkmark again"
            if self.path == SHIPPED
            else "Write it again with 'solver endgame build'"
        )
        return FileError(f"{self.path}: damaged endgame tables: {reason}.\n{advice}.")


def is_tables(path: str) -> bool:
    return _read(path) != b""


def _read(path: str) -> bytes:
    """A whole file if it starts like tables of any version; else nothing: it may be endless."""
    start = FORMAT.rpartition(" ")[0].encode()
    try:
        with open(path, "rb") as file:
            begun = file.read(len(start))
            return begun + file.read() if begun == start else b""
    except OSError as error:
        raise FileError(f"{path}: {error.strerror}") from None
    except ValueError as error:  # a path with a NUL byte
        raise FileError(f"{path!r}: {error}") from None


def packed(pieces: int, values: Values, poll: Callable[[int], object]) -> bytes:
    """The content of a file; `poll` gets the size of every slice."""
    slices = all_slices(pieces)
    lines = [FORMAT, f"pieces {pieces}", f"sha256 {digest(slices, values)}"]
    blocks = []
    for here in slices:
        block = lzma.compress(values.all_of(here), check=lzma.CHECK_CRC32, preset=PRESET)
        lines.append(f"{here.name()} {len(block)}")
        blocks.append(block)
        poll(here.size)
    return "\n".join(lines).encode() + b"\n\n" + b"".join(blocks)


def digest(slices: list[Slice], values: Values) -> str:
    """The hash of all values, independent of compression."""
    from hashlib import sha256

    content = sha256()
    for here in slices:
        content.update(values.all_of(here))
    return content.hexdigest()
