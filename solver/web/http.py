"""HTTP as far as one page needs it: the head of a request, and answers as a whole."""

from __future__ import annotations

import re
from dataclasses import dataclass
from http import HTTPStatus

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
