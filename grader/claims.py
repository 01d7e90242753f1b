"""What a program says about its own effort.  Kept for the reader, never marked."""

from __future__ import annotations

import re

NODES = re.compile(
    rb"(?:^|[^\w.,])(\d[\d,_]{0,17})\s+nodes\b|\bnodes\b\s*[:=]\s*(\d{1,18})\b", re.IGNORECASE
)


def nodes_claimed(said: bytes) -> int | None:
    """The last number of nodes in an output, such as `proven win in 9; 4711 nodes, 0.02 s`."""
    found = NODES.findall(said)
    if not found:
        return None
    digits = re.sub(rb"[,_]", b"", found[-1][0] or found[-1][1])
    return int(digits)
