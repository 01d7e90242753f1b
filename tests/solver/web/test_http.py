"""Heads of requests, good and bad, and who may come in."""

from __future__ import annotations

from contextlib import suppress
from http import HTTPStatus

import pytest
from hypothesis import given
from hypothesis import strategies as st

from solver.web.server import check_host, check_origin
from solver.web.websocket import Refused, Request, answer, parse_head


def test_a_head_as_a_browser_sends_it() -> None:
    request = parse_head(
        b"GET /main.js?v=1 HTTP/1.1\r\nHost: localhost:8017\r\nAccept: a\r\nACCEPT:  b \r\n\r\n"
    )
    assert request == Request("GET", "/main.js", {"host": "localhost:8017", "accept": "a, b"})
    assert request.header("origin") == ""


@pytest.mark.parametrize(
    "head",
    [
        b"\r\n\r\n",
        b"GET / HTTP/2.0\r\n\r\n",
        b"GET http://localhost/ HTTP/1.1\r\n\r\n",
        b"GET  / HTTP/1.1\r\n\r\n",
        b"get / HTTP/1.1\r\n\r\n",
        b"GET /\xe9 HTTP/1.1\r\n\r\n",
        b"GET / HTTP/1.1\r\nno header\r\n\r\n",
        b"GET / HTTP/1.1\r\nA: b\r\n c\r\n\r\n",
        b"GET / HTTP/1.1\r\nA : b\r\n\r\n",
        b"GET / HTTP/1.1\nHost: a\r\n\r\n",
        b"GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n",
        b"GET / HTTP/1.1\r\nA: \0\r\n\r\n",
    ],
)
def test_heads_that_make_no_sense(head: bytes) -> None:
    with pytest.raises(Refused) as caught:
        parse_head(head)
    assert caught.value.status == HTTPStatus.BAD_REQUEST


@given(st.binary(max_size=300))
def test_any_bytes_are_a_request_or_refused(head: bytes) -> None:
    with suppress(Refused):
        request = parse_head(b"GET / HTTP/1.1\r\n" + head + b"\r\n\r\n")
        assert (request.method, request.path) == ("GET", "/")


def test_an_answer_says_how_long_it_is_and_that_it_is_the_last() -> None:
    head, _, body = answer(HTTPStatus.OK, b"text", "text/plain", {"X": "y"}).partition(b"\r\n\r\n")
    assert head.split(b"\r\n") == [
        b"HTTP/1.1 200 OK",
        b"Content-Type: text/plain",
        b"Content-Length: 4",
        b"Connection: close",
        b"X: y",
    ]
    assert body == b"text"
    assert answer(HTTPStatus.OK, b"text", "text/plain", {"X": "y"}, head_only=True) == (
        head + b"\r\n\r\n"
    )


def asked(host: str, origin: str = "") -> Request:
    return Request("GET", "/", {"host": host, "origin": origin})


@pytest.mark.parametrize(
    "host",
    ["localhost:8017", "LOCALHOST:8017", "127.0.0.1:8017", "[::1]:8017", "Board.local:8017"],
)
def test_names_of_this_computer(host: str) -> None:
    check_host(asked(host), ("board.local", "192.0.2.7"), 8017)


@pytest.mark.parametrize(
    "host",
    [
        *("", "localhost", "localhost:", "localhost:80", "localhost:80170", "localhost:x"),
        *("example.org:8017", "localhost.example.org:8017", "127.0.0.1.example.org:8017"),
        *("127.0.0.2:8017", "[::2]:8017", "::1", "[::1]", "localhost:٨٠١٧", "192.0.2.8:8017"),
    ],
)
def test_names_that_are_not_ours(host: str) -> None:
    with pytest.raises(Refused) as caught:
        check_host(asked(host), ("board.local", "192.0.2.7"), 8017)
    assert caught.value.status == HTTPStatus.FORBIDDEN


def test_the_usual_port_need_not_be_named() -> None:
    check_host(asked("localhost"), (), 80)
    check_host(asked("[::1]"), (), 80)


def test_only_the_page_itself_may_ask() -> None:
    check_origin(asked("localhost:8017", "http://localhost:8017"))
    for origin in (
        *("", "null", "http://localhost", "http://localhost:8018", "https://localhost:8017"),
        *("http://example.org", "http://localhost:8017.example.org", "http://127.0.0.1:8017"),
    ):
        with pytest.raises(Refused):
            check_origin(asked("localhost:8017", origin))
