"""The heads of HTTP requests, valid and hostile."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from http import HTTPStatus

import pytest

from solver.web.http import HttpRequest, RefusedRequest, parse_head
from solver.web.server import check_host, check_origin

OURS = ("board.local", "192.0.2.7")


def test_head_of_a_browser() -> None:
    request = parse_head(
        b"GET /main.js?v=1 HTTP/1.1\r\nHost: localhost:8017\r\nAccept: a\r\nACCEPT:  b \r\n\r\n"
    )
    assert request == HttpRequest("GET", "/main.js", {"host": "localhost:8017", "accept": "a, b"})
    assert request.header("origin") == ""


def test_invalid_heads() -> None:
    good = b"GET / HTTP/1.1\r\n"
    for head in (
        *(b"", b"GET / HTTP/2.0", b"GET http://localhost/ HTTP/1.1", b"GET  / HTTP/1.1"),
        *(b"get / HTTP/1.1", b"GET /\xe9 HTTP/1.1", b"GET / HTTP/1.1\nHost: a"),
        *(good + row for row in (b"no header", b"A: b\r\n c", b"A : b", b"A: \0")),
        good + b"Host: a\r\nHost: b",
    ):
        with pytest.raises(RefusedRequest) as caught:
            parse_head(head + b"\r\n\r\n")
        assert caught.value.status == HTTPStatus.BAD_REQUEST


def is_allowed(check: Callable[..., None], headers: dict[str, str], *more: object) -> bool:
    with suppress(RefusedRequest):
        check(HttpRequest("GET", "/", headers), *more)
        return True
    return False


@pytest.mark.parametrize(
    ("hosts", "port", "allowed"),
    [
        ("localhost:8017 LOCALHOST:8017 127.0.0.1:8017 [::1]:8017", 8017, True),
        ("Board.local:8017 192.0.2.7:8017", 8017, True),
        ("localhost [::1]", 80, True),
        ("localhost localhost: localhost:80 localhost:80170 localhost:x", 8017, False),
        ("example.org:8017 localhost.example.org:8017", 8017, False),
        ("127.0.0.2:8017 [::2]:8017 ::1 [::1] 192.0.2.8:8017", 8017, False),
        ("127.0.0.1.example.org:8017 localhost:٨٠١٧", 8017, False),
    ],
)
def test_hosts(hosts: str, port: int, allowed: bool) -> None:
    assert not is_allowed(check_host, {"host": ""}, OURS, port)
    for host in hosts.split():
        assert is_allowed(check_host, {"host": host}, OURS, port) == allowed, host


def test_origins() -> None:
    host = "localhost:8017"
    assert is_allowed(check_origin, {"host": host, "origin": f"http://{host}"})
    for origin in (
        *("", "null", "http://localhost", "http://localhost:8018", "https://localhost:8017"),
        *("http://example.org", "http://localhost:8017.example.org", "http://127.0.0.1:8017"),
    ):
        assert not is_allowed(check_origin, {"host": host, "origin": origin}), origin
