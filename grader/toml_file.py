"""A TOML file of the user's, read; what is wrong with it is told."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

from solver.errors import FileError, UserError


def read_toml(path: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(path.read_text("utf-8"))
    except OSError as error:
        raise FileError(f"{path}: {error.strerror}") from None
    except UnicodeDecodeError:
        raise UserError(f"{path}: not UTF-8 text") from None
    except tomllib.TOMLDecodeError as error:
        raise UserError(f"{path}: not TOML: {error}") from None
