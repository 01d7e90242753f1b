"""HTTP requests and WebSocket messages (RFC 6455) as bytes; nothing here knows a socket."""

from __future__ import annotations

import re
from base64 import b64encode
from collections.abc import Iterator
from dataclasses import dataclass
from hashlib import sha1
from http import HTTPStatus

MOST_HEAD = 16 * 1024  # bytes
REQUEST_LINE = re.compile(r"([A-Z]{1,20}) (/[!-~]*) HTTP/1\.[01]")
HEADER = re.compile(r"([!#$%&'*+.^_`|~0-9A-Za-z-]+):[ \t]*([\t -~\x80-\xff]*?)[ \t]*")
ONLY_ONCE = ("host", "origin", "sec-websocket-key", "sec-websocket-version")
MOST_BYTES = 256 * 1024  # of a message, and so of a frame
MOST_REASON = 123  # bytes of text in a closing frame
VERSION = "13"
KEY = re.compile(r"[A-Za-z0-9+/]{21}[AQgw]==")  # 16 bytes in base64
SALT = b"258EAFA5-E914-47DA-95CA-C5AB0DC85B11"

CONTINUED, TEXT, BINARY, CLOSE, PING, PONG = 0, 1, 2, 8, 9, 10
FINAL, MASKED = 0x80, 0x80

# Why a connection is closed.
NORMAL, GOING_AWAY, PROTOCOL_ERROR, NO_TEXT = 1000, 1001, 1002, 1007
NOT_ALLOWED, TOO_LARGE, TRY_LATER = 1008, 1009, 1013
ALLOWED_CODES = {1000, 1001, 1002, 1003, *range(1007, 1015)}


class RefusedRequest(Exception):
    """A request that is answered with an error status and its reason."""

    def __init__(self, status: HTTPStatus, reason: str, **headers: str) -> None:
        super().__init__(reason)
        self.status = status
        self.headers = headers


@dataclass(frozen=True)
class HttpRequest:
    """The head of a request; names of headers are in lower case."""

    method: str
    path: str  # without a query
    headers: dict[str, str]

    def header(self, name: str) -> str:
        return self.headers.get(name, "")

    def tokens(self, name: str) -> list[str]:
        """The items of a header that is a list, in lower case."""
        return [word.strip().lower() for word in self.header(name).split(",")]


def parse_head(head: bytes) -> HttpRequest:
    """The request with this head, its empty line included; raises `RefusedRequest`."""
    first, *rows = head.decode("latin-1").removesuffix("\r\n\r\n").split("\r\n")
    asked = REQUEST_LINE.fullmatch(first)
    if asked is None:
        raise RefusedRequest(HTTPStatus.BAD_REQUEST, "Not an HTTP/1.1 request.")
    headers: dict[str, str] = {}
    for row in rows:
        header = HEADER.fullmatch(row)
        if header is None:
            raise RefusedRequest(HTTPStatus.BAD_REQUEST, "Invalid header line.")
        name = header[1].lower()
        if name in headers and name in ONLY_ONCE:
            raise RefusedRequest(HTTPStatus.BAD_REQUEST, f"Duplicate header {name}.")
        headers[name] = f"{headers[name]}, {header[2]}" if name in headers else header[2]
    return HttpRequest(asked[1], asked[2].partition("?")[0], headers)


def format_response(
    status: HTTPStatus, headers: dict[str, str], body: bytes | None = None
) -> bytes:
    """After a response with a body the connection ends."""
    if body is not None:
        headers = {"Content-Length": str(len(body)), "Connection": "close", **headers}
    rows = [f"HTTP/1.1 {status.value} {status.phrase}"]
    rows += [f"{name}: {value}" for name, value in headers.items()]
    return ("\r\n".join(rows) + "\r\n\r\n").encode("latin-1") + (body or b"")


class Violation(Exception):
    """A breach of the protocol by the other side; `code` goes into the closing frame."""

    def __init__(self, code: int, reason: str) -> None:
        super().__init__(reason)
        self.code = code


@dataclass(frozen=True)
class Frame:
    """One message, from one or more frames."""

    kind: int  # TEXT, BINARY, CLOSE, PING or PONG
    content: bytes

    def text(self) -> str:
        return _decode(self.content)


def accept_upgrade(request: HttpRequest) -> dict[str, str]:
    """The headers that open a WebSocket; raises `RefusedRequest` if none was requested."""
    version = request.header("sec-websocket-version")
    if "websocket" not in request.tokens("upgrade") or version != VERSION:
        reason = f"WebSocket version {VERSION} required."
        headers = {"Upgrade": "websocket", "Sec-WebSocket-Version": VERSION}
        raise RefusedRequest(HTTPStatus.UPGRADE_REQUIRED, reason, **headers)
    key = request.header("sec-websocket-key")
    if request.method != "GET" or "upgrade" not in request.tokens("connection"):
        raise RefusedRequest(HTTPStatus.BAD_REQUEST, "GET with Connection: Upgrade required.")
    if not KEY.fullmatch(key):
        reason = "Sec-WebSocket-Key must be 16 bytes in base64."
        raise RefusedRequest(HTTPStatus.BAD_REQUEST, reason)
    digest = sha1(key.encode("ascii") + SALT, usedforsecurity=False).digest()
    return {
        "Upgrade": "websocket",
        "Connection": "Upgrade",
        "Sec-WebSocket-Accept": b64encode(digest).decode("ascii"),
    }


def encode_frame(kind: int, content: bytes) -> bytes:
    """A message in one frame, as a server sends it."""
    size = len(content)
    if size < 126:
        head = bytes([FINAL | kind, size])
    elif size < 1 << 16:
        head = bytes([FINAL | kind, 126]) + size.to_bytes(2)
    else:
        head = bytes([FINAL | kind, 127]) + size.to_bytes(8)
    return head + content


def encode_close(code: int, reason: str) -> bytes:
    words = reason.encode("utf-8")[:MOST_REASON].decode("utf-8", "ignore")
    return encode_frame(CLOSE, code.to_bytes(2) + words.encode("utf-8"))


class Receiver:
    """Turns what a client sends, in pieces of any size, into messages."""

    def __init__(self) -> None:
        self._unread = bytearray()
        self._kind = CONTINUED  # of the unfinished message
        self._begun = bytearray()

    def feed(self, data: bytes) -> Iterator[Frame]:
        """The messages that end in these bytes; raises `Violation` after the last good one."""
        self._unread += data
        while (found := self._next_frame()) is not None:
            message = self._take(*found)
            if message is not None:
                yield message

    def _next_frame(self) -> tuple[int, bool, bytes] | None:
        """The kind of the first unread frame, whether it ends a message, and its content; None if
        it is incomplete.  An invalid one is refused as soon as its head is there."""
        data = self._unread
        if len(data) < 2:
            return None
        size, start = data[1] & ~MASKED, 2
        _check_head(data[0], data[1])
        if size >= 126:
            start, least = (4, 126) if size == 126 else (10, 1 << 16)
            if len(data) < start:
                return None
            size = int.from_bytes(data[2:start])
            if size < least:
                raise Violation(PROTOCOL_ERROR, "size not in the shortest form")
        if size > MOST_BYTES:
            raise Violation(TOO_LARGE, f"frame of more than {MOST_BYTES} bytes")
        end = start + 4 + size
        if len(data) < end:
            return None
        content = apply_mask(bytes(data[start + 4 : end]), bytes(data[start : start + 4]))
        kind, final = data[0] & 0x0F, data[0] & FINAL != 0
        del data[:end]
        return kind, final, content

    def _take(self, kind: int, final: bool, content: bytes) -> Frame | None:
        if kind >= CLOSE:
            return Frame(kind, content)
        if (kind == CONTINUED) != bool(self._kind):
            raise Violation(PROTOCOL_ERROR, "unexpected continuation or start of a message")
        if len(self._begun) + len(content) > MOST_BYTES:
            raise Violation(TOO_LARGE, f"message of more than {MOST_BYTES} bytes")
        self._kind = self._kind or kind
        self._begun += content
        if not final:
            return None
        message = Frame(self._kind, bytes(self._begun))
        self._kind = CONTINUED
        self._begun.clear()
        if message.kind == TEXT:
            message.text()  # raises if it is not UTF-8
        return message


def _check_head(first: int, second: int) -> None:
    kind = first & 0x0F
    if first & 0x70:
        raise Violation(PROTOCOL_ERROR, "extension not negotiated")
    if kind not in (CONTINUED, TEXT, BINARY, CLOSE, PING, PONG):
        raise Violation(PROTOCOL_ERROR, f"unknown frame kind {kind}")
    if not second & MASKED:
        raise Violation(PROTOCOL_ERROR, "frame without a mask")
    if kind >= CLOSE and (second & ~MASKED > 125 or not first & FINAL):
        raise Violation(PROTOCOL_ERROR, "control frame too long or fragmented")


def apply_mask(content: bytes, mask: bytes) -> bytes:
    """The content with its mask put on or taken off: both are the same."""
    size = len(content)
    pattern = (mask * (size // 4 + 1))[:size]
    return (int.from_bytes(content) ^ int.from_bytes(pattern)).to_bytes(size)


def close_code(content: bytes) -> int:
    """The code of a closing frame, to be sent back; raises `Violation` if it is not allowed."""
    if not content:
        return NORMAL
    code = int.from_bytes(content[:2])
    if len(content) == 1 or not (code in ALLOWED_CODES or 3000 <= code < 5000):
        raise Violation(PROTOCOL_ERROR, "invalid code in a closing frame")
    _decode(content[2:])
    return code


def _decode(content: bytes) -> str:
    try:
        return content.decode("utf-8")
    except UnicodeDecodeError:
        raise Violation(NO_TEXT, "text is not UTF-8") from None
