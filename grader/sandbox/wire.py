"""How the grader and a warden talk: JSON, each message after its length.  Never pickle."""

from __future__ import annotations

import json
import socket
import struct
from typing import Any

HEAD = struct.Struct("!Q")


class Closed(Exception):
    """The other side has gone."""


def send(link: socket.socket, message: dict[str, Any]) -> None:
    body = json.dumps(message).encode()
    try:
        link.sendall(HEAD.pack(len(body)) + body)
    except OSError as error:
        raise Closed(str(error)) from None


def receive(link: socket.socket) -> dict[str, Any]:
    (length,) = HEAD.unpack(_read(link, HEAD.size))
    message: dict[str, Any] = json.loads(_read(link, length))
    return message


def _read(link: socket.socket, length: int) -> bytes:
    """Exactly so many bytes."""
    pieces = bytearray()
    while len(pieces) < length:
        try:
            piece = link.recv(min(1 << 20, length - len(pieces)))
        except OSError as error:
            raise Closed(str(error)) from None
        if not piece:
            raise Closed("end of file")
        pieces += piece
    return bytes(pieces)
