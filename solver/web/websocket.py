"""WebSocket messages (RFC 6455), as bytes in and bytes out; nothing here knows a socket."""

from __future__ import annotations

import re
from base64 import b64decode, b64encode
from binascii import Error
from dataclasses import dataclass
from hashlib import sha1
from http import HTTPStatus

TYPE_CHECKING = False

if TYPE_CHECKING:
    from collections.abc import Iterator


# HTTP as far as one page needs it: the head of a request, and answers as a whole.


MOST_HEAD = 16 * 1024  # bytes
REQUEST_LINE = re.compile(r"([A-Z]{1,20}) (/[!-~]*) HTTP/1\.[01]")
HEADER = re.compile(r"([!#$%&'*+.^_`|~0-9A-Za-z-]+):[ \t]*([\t -~\x80-\xff]*?)[ \t]*")
ONLY_ONCE = ("host", "origin", "sec-websocket-key", "sec-websocket-version")


class Refused(Exception):
    """A request that gets no more than a status and the reason for it."""

    def __init__(self, status: HTTPStatus, reason: str, **headers: str) -> None:
        super().__init__(reason)
        self.status = status
        self.headers = headers


@dataclass(frozen=True)
class Request:
    """What was asked for; headers by their names in small letters."""

    method: str
    path: str  # without a query
    headers: dict[str, str]

    def header(self, name: str) -> str:
        return self.headers.get(name, "")

    def tokens(self, name: str) -> list[str]:
        """The words of a header that is a list, in small letters."""
        return [word.strip().lower() for word in self.header(name).split(",")]


def parse_head(head: bytes) -> Request:
    """The request of a head, its empty line included; raises `Refused` if it makes no sense."""
    first, *rows = head.decode("latin-1").removesuffix("\r\n\r\n").split("\r\n")
    asked = REQUEST_LINE.fullmatch(first)
    if asked is None:
        raise Refused(HTTPStatus.BAD_REQUEST, "This is not a request of HTTP/1.1.")
    headers: dict[str, str] = {}
    for row in rows:
        header = HEADER.fullmatch(row)
        if header is None:
            raise Refused(HTTPStatus.BAD_REQUEST, "A line of the head is not like 'Name: value'.")
        name = header[1].lower()
        if name in headers and name in ONLY_ONCE:
            raise Refused(HTTPStatus.BAD_REQUEST, f"The header {name} is there twice.")
        headers[name] = f"{headers[name]}, {header[2]}" if name in headers else header[2]
    return Request(asked[1], asked[2].partition("?")[0], headers)


def answer(
    status: HTTPStatus, body: bytes, kind: str, headers: dict[str, str], head_only: bool = False
) -> bytes:
    """A whole answer, after which the connection ends."""
    rows = {
        "Content-Type": kind,
        "Content-Length": str(len(body)),
        "Connection": "close",
        **headers,
    }
    return head(status, rows) + (b"" if head_only else body)


def head(status: HTTPStatus, headers: dict[str, str]) -> bytes:
    rows = [f"HTTP/1.1 {status.value} {status.phrase}"]
    rows += [f"{name}: {value}" for name, value in headers.items()]
    return ("\r\n".join(rows) + "\r\n\r\n").encode("latin-1")


MOST_BYTES = 256 * 1024  # of a message, and so of a frame
MOST_REASON = 123  # bytes of the words that a closing frame has room for
VERSION = "13"
SALT = b"258EAFA5-E914-47DA-95CA-C5AB0DC85B11"

CONTINUED, TEXT, BINARY, CLOSE, PING, PONG = 0, 1, 2, 8, 9, 10
FINAL, MASKED = 0x80, 0x80

# Why a connection is closed.
NORMAL, GOING_AWAY, PROTOCOL_ERROR, NO_TEXT = 1000, 1001, 1002, 1007
NOT_ALLOWED, TOO_LARGE, TRY_LATER = 1008, 1009, 1013


class Violation(Exception):
    """What the other side may not do; `code` says so in the frame that closes the connection."""

    def __init__(self, code: int, reason: str) -> None:
        super().__init__(reason)
        self.code = code


@dataclass(frozen=True)
class Message:
    """Everything that was said at once, from however many frames."""

    kind: int  # TEXT, BINARY, CLOSE, PING or PONG
    content: bytes

    def text(self) -> str:
        return _decoded(self.content)


def accepted(request: Request) -> dict[str, str]:
    """The headers that agree to a WebSocket; raises `Refused` if this does not ask for one."""
    if request.method != "GET" or "websocket" not in request.tokens("upgrade"):
        raise Refused(
            HTTPStatus.UPGRADE_REQUIRED, "Only a WebSocket is spoken here.", Upgrade="websocket"
        )
    if "upgrade" not in request.tokens("connection"):
        raise Refused(HTTPStatus.BAD_REQUEST, "The header Connection does not say Upgrade.")
    if request.header("sec-websocket-version") != VERSION:
        raise Refused(
            HTTPStatus.UPGRADE_REQUIRED,
            f"Only version {VERSION} of WebSocket is spoken here.",
            **{"Upgrade": "websocket", "Sec-WebSocket-Version": VERSION},
        )
    key = request.header("sec-websocket-key")
    try:
        valid = len(b64decode(key, validate=True)) == 16
    except (Error, ValueError):
        valid = False
    if not valid:
        raise Refused(HTTPStatus.BAD_REQUEST, "Sec-WebSocket-Key is not 16 bytes in base64.")
    digest = sha1(key.encode("ascii") + SALT, usedforsecurity=False).digest()
    return {
        "Upgrade": "websocket",
        "Connection": "Upgrade",
        "Sec-WebSocket-Accept": b64encode(digest).decode("ascii"),
    }


def frame(kind: int, content: bytes) -> bytes:
    """A whole message in one frame, as a server sends it."""
    size = len(content)
    if size < 126:
        head = bytes([FINAL | kind, size])
    elif size < 1 << 16:
        head = bytes([FINAL | kind, 126]) + size.to_bytes(2)
    else:
        head = bytes([FINAL | kind, 127]) + size.to_bytes(8)
    return head + content


def closing_frame(code: int, reason: str) -> bytes:
    words = reason.encode("utf-8")[:MOST_REASON].decode("utf-8", "ignore")
    return frame(CLOSE, code.to_bytes(2) + words.encode("utf-8"))


class Receiver:
    """Takes what a client sends, in pieces of any size, and gives its messages."""

    def __init__(self) -> None:
        self._unread = bytearray()
        self._kind = CONTINUED  # of the message that has begun
        self._begun = bytearray()

    def feed(self, data: bytes) -> Iterator[Message]:
        """The messages that end in these bytes; raises `Violation` after the last good one."""
        self._unread += data
        at = 0
        try:
            while True:
                parsed = _parsed(self._unread, at)
                if parsed is None:
                    return
                at, first, content = parsed
                message = self._take(first & 0x0F, first & FINAL != 0, content)
                if message is not None:
                    yield message
        finally:
            del self._unread[:at]

    def _take(self, kind: int, final: bool, content: bytes) -> Message | None:
        if kind >= CLOSE:
            return Message(kind, content)
        if (kind == CONTINUED) != bool(self._kind):
            raise Violation(PROTOCOL_ERROR, "a message within a message, or the end of none")
        if len(self._begun) + len(content) > MOST_BYTES:
            raise Violation(TOO_LARGE, f"a message of more than {MOST_BYTES} bytes")
        self._kind = self._kind or kind
        self._begun += content
        if not final:
            return None
        message = Message(self._kind, bytes(self._begun))
        self._kind = CONTINUED
        self._begun.clear()
        if message.kind == TEXT:
            message.text()  # fails here if it is none
        return message


def _parsed(data: bytearray, at: int) -> tuple[int, int, bytes] | None:
    """The frame that begins here: where it ends, its first byte, its content without the mask;
    None if it has not come as a whole.  A bad one is refused as soon as its head shows it."""
    if len(data) < at + 2:
        return None
    first, size = data[at], data[at + 1] & ~MASKED
    _check(first, size, data[at + 1] & MASKED != 0)
    start = at + 2
    if size >= 126:
        wide = 2 if size == 126 else 8
        if len(data) < start + wide:
            return None
        size = int.from_bytes(data[start : start + wide])
        if size < (126 if wide == 2 else 1 << 16):
            raise Violation(PROTOCOL_ERROR, "a size in more bytes than it needs")
        start += wide
    if size > MOST_BYTES:
        raise Violation(TOO_LARGE, f"a frame of more than {MOST_BYTES} bytes")
    end = start + 4 + size
    if len(data) < end:
        return None
    return end, first, unmasked(bytes(data[start + 4 : end]), bytes(data[start : start + 4]))


def _check(first: int, size: int, masked: bool) -> None:
    kind = first & 0x0F
    if first & 0x70:
        raise Violation(PROTOCOL_ERROR, "an extension that nobody agreed to")
    if kind not in (CONTINUED, TEXT, BINARY, CLOSE, PING, PONG):
        raise Violation(PROTOCOL_ERROR, f"frames of kind {kind} do not exist")
    if not masked:
        raise Violation(PROTOCOL_ERROR, "a frame without a mask")
    if kind >= CLOSE and (size > 125 or not first & FINAL):
        raise Violation(PROTOCOL_ERROR, "a control frame that is long or in pieces")


def unmasked(content: bytes, mask: bytes) -> bytes:
    """The content without its mask, or with it: the same thing twice is nothing."""
    size = len(content)
    pattern = (mask * (size // 4 + 1))[:size]
    return (int.from_bytes(content) ^ int.from_bytes(pattern)).to_bytes(size)


def close_code(content: bytes) -> int:
    """The code of a closing frame, to be sent back; raises `Violation` if it has none to have."""
    if not content:
        return NORMAL
    code = int.from_bytes(content[:2])
    if len(content) == 1 or not (code in ALLOWED_CODES or 3000 <= code < 5000):
        raise Violation(PROTOCOL_ERROR, "a closing frame with a code that does not exist")
    _decoded(content[2:])
    return code


ALLOWED_CODES = {1000, 1001, 1002, 1003, *range(1007, 1015)}


def _decoded(content: bytes) -> str:
    try:
        return content.decode("utf-8")
    except UnicodeDecodeError:
        raise Violation(NO_TEXT, "a text that is not UTF-8") from None
