"""Values made of plain JSON, and back again, by their types.

For frozen dataclasses of texts, numbers, bytes, paths, enums, tuples and each other, which is what
travels between processes or waits in a journal.
"""

from __future__ import annotations

import types
from base64 import b64decode, b64encode
from dataclasses import fields, is_dataclass
from enum import Enum
from functools import cache
from pathlib import Path
from typing import Any, TypeVar, Union, get_args, get_origin, get_type_hints

T = TypeVar("T")


def as_plain(value: Any) -> Any:
    if is_dataclass(value):
        return {field.name: as_plain(getattr(value, field.name)) for field in fields(value)}
    if isinstance(value, tuple):
        return [as_plain(each) for each in value]
    if isinstance(value, bytes):
        return b64encode(value).decode("ascii")
    if isinstance(value, Enum):
        return value.value
    return str(value) if isinstance(value, Path) else value


def from_plain(kind: type[T], plain: Any) -> T:
    """Raises `ValueError`, `TypeError` or `KeyError` for what is no such value."""
    value: T = _value(kind, plain)
    return value


def _value(kind: Any, plain: Any) -> Any:
    origin = get_origin(kind)
    if origin in (Union, types.UnionType):  # something or None
        (kind,) = [each for each in get_args(kind) if each is not types.NoneType]
        return None if plain is None else _value(kind, plain)
    if origin is tuple:
        return tuple(_value(get_args(kind)[0], each) for each in plain)
    if isinstance(kind, type) and is_dataclass(kind):
        hints = _hints(kind)
        return kind(**{name: _value(hints[name], each) for name, each in plain.items()})
    if kind is bytes:
        return b64decode(plain)
    if issubclass(kind, Enum | Path):
        return kind(plain)
    return plain


@cache
def _hints(kind: Any) -> dict[str, Any]:
    return get_type_hints(kind)
