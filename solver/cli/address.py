"""Where a server is, as a word on the command line."""

from __future__ import annotations

from argparse import ArgumentTypeError

LOOPBACK = "127.0.0.1"


def host(word: str) -> str:
    """A name that can be looked up at all; an empty one would mean every network there is."""
    try:
        valid = bool(word.encode("idna"))
    except UnicodeError:
        valid = False
    if not valid:
        raise ArgumentTypeError(f"{word!r} is not the name or number of a computer")
    return word


def address(word: str) -> tuple[str, int]:
    """`HOST:PORT`, or a port alone on this computer."""
    name, _, port = word.rpartition(":")
    if not (port.isascii() and port.isdigit() and len(port) < 6 and 0 < int(port) <= 65535):
        raise ArgumentTypeError(f"{word!r} is not like {LOOPBACK}:9999")
    return host(name.strip("[]") or LOOPBACK), int(port)
