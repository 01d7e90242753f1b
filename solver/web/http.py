"""The heads of HTTP requests and responses as bytes; nothing here knows a socket."""

from __future__ import annotations

import re
from dataclasses import dataclass
from http import HTTPStatus

MOST_HEAD = 16 * 1024  # bytes
REQUEST_LINE = re.compile(r"([A-Z]{1,20}) (/[!-~]*) HTTP/1\.[01]")
HEADER = re.compile(r"([!#$%&'*+.^_`|~0-9A-Za-z-]+):[ \t]*([\t -~\x80-\xff]*?)[ \t]*")
ONLY_ONCE = ("host", "origin", "content-length")


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
    """Without a body, what follows is the body; the connection ends with it."""
    if body is not None:
        headers = {"Content-Length": str(len(body)), **headers}
    headers = {**headers, "Connection": "close"}
    rows = [f"HTTP/1.1 {status.value} {status.phrase}"]
    rows += [f"{name}: {value}" for name, value in headers.items()]
    return ("\r\n".join(rows) + "\r\n\r\n").encode("latin-1") + (body or b"")
