"""Hashes of content: the same bytes, the same name."""

from __future__ import annotations

import hashlib
import json
from typing import Any

# Written into every journal, so that no other file is taken for one.
APPLICATION = 0x43686B6D


def sha256(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


def digest(*parts: Any) -> str:
    """A hash of plain values; what it was made of cannot be shifted from one to another."""
    return sha256(json.dumps(parts, sort_keys=True).encode())
