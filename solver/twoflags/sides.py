"""The two sides."""

from __future__ import annotations

SIDES = ("white", "black")


def other(side: str) -> str:
    return "black" if side == "white" else "white"
