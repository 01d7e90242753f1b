"""What a tab asks for, field by field; whatever is not as it must be gets a clear word."""

from __future__ import annotations

import json
import math

from solver.errors import UserError, did_you_mean

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection
    from typing import Any

MOST_ID = 1 << 53  # beyond it a browser cannot count


class BadAsk(UserError):
    """An ask that cannot be understood, and its number if that much is plain."""

    def __init__(self, message: str, number: int | None = None) -> None:
        super().__init__(message)
        self.number = number


class Ask:
    """One ask; every field is checked when it is taken."""

    def __init__(self, fields: dict[str, Any], number: int = 0, kind: str = "") -> None:
        self.fields = fields
        self.number = number
        self.kind = kind

    def has(self, name: str) -> bool:
        return self.fields.get(name) is not None

    def text(self, name: str, most: int, default: str | None = None) -> str:
        value = self._value(name, default)
        if not isinstance(value, str):
            raise UserError(f"{name} must be a text.")
        if len(value) > most:
            raise UserError(f"{name} has {len(value)} characters; at most {most} are read.")
        return value

    def flag(self, name: str) -> bool:
        value = self._value(name, False)
        if not isinstance(value, bool):
            raise UserError(f"{name} must be true or false.")
        return value

    def whole(self, name: str, least: int, most: int, default: int | None = None) -> int:
        value = self._value(name, default)
        if not isinstance(value, int) or isinstance(value, bool) or not least <= value <= most:
            raise UserError(f"{name} must be a whole number from {least} to {most}.")
        return value

    def amount(self, name: str, most: float) -> float:
        """A number above 0."""
        value = self._value(name, None)
        number = isinstance(value, int | float) and not isinstance(value, bool)
        if not number or not math.isfinite(value) or not 0 < value <= most:
            raise UserError(f"{name} must be a number above 0 and up to {most:g}.")
        return float(value)

    def one_of(self, name: str, known: Collection[str], default: str | None = None) -> str:
        return _known(name, self._value(name, default), known)

    def some_of(self, name: str, known: Collection[str], most: int) -> list[str]:
        values = self._value(name, [])
        if not isinstance(values, list) or len(values) > most:
            raise UserError(f"{name} must be a list of at most {most} names.")
        return [_known(name, value, known) for value in values]

    def group(self, name: str, known: Collection[str]) -> Ask:
        """Fields within a field; none but the known ones."""
        value = self._value(name, {})
        if not isinstance(value, dict):
            raise UserError(f"{name} must be an object.")
        for inner in value:
            _known(name, inner, known)
        return Ask(value)

    def _value(self, name: str, default: Any) -> Any:
        value = self.fields.get(name)
        if value is None:
            value = default
        if value is None:
            raise UserError(f"{name} is missing.")
        return value


def _known(name: str, value: Any, known: Collection[str]) -> str:
    if not isinstance(value, str) or value not in known:
        hint = did_you_mean(value[:100], list(known)) if isinstance(value, str) else ""
        shown = ascii(value)[:100]
        raise UserError(f"{name}: {shown} is not one of {', '.join(known)}.{hint}")
    return value


def parse_ask(text: str) -> Ask:
    """The ask that a message is; raises `BadAsk`."""
    try:
        fields = json.loads(text, parse_constant=_no_number)
    except (ValueError, RecursionError) as error:
        raise BadAsk(f"This is not JSON: {error}.") from None
    if not isinstance(fields, dict):
        raise BadAsk('An ask is an object like {"id": 1, "ask": "hello"}.')
    number = fields.get("id")
    if not isinstance(number, int) or isinstance(number, bool) or not 0 <= number < MOST_ID:
        raise BadAsk("An ask needs an id, a whole number from 0 on.")
    kind = fields.get("ask")
    if not isinstance(kind, str):
        raise BadAsk('An ask says what it asks for, like {"id": 1, "ask": "hello"}.', number)
    return Ask(fields, number, kind)


def _no_number(word: str) -> float:
    raise ValueError(f"{word} is no number of JSON")
