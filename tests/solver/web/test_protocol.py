"""HTTP heads and WebSocket frames, in any pieces, valid and hostile."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from http import HTTPStatus

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.web_host import BINARY, CLOSE, PING, PONG, TEXT, masked

from solver.web.server import check_host, check_origin
from solver.web.websocket import (
    MOST_BYTES,
    Frame,
    HttpRequest,
    Receiver,
    RefusedRequest,
    Violation,
    accept_upgrade,
    apply_mask,
    close_code,
    encode_close,
    encode_frame,
    parse_head,
)

HANDSHAKE = {
    "Host": "localhost",
    "Upgrade": "websocket",
    "Connection": "Upgrade",
    "Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ==",
    "Sec-WebSocket-Version": "13",
}
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


@given(st.binary(max_size=300))
def test_any_bytes_are_a_request_or_refused(head: bytes) -> None:
    with suppress(RefusedRequest):
        request = parse_head(b"GET / HTTP/1.1\r\n" + head + b"\r\n\r\n")
        assert (request.method, request.path) == ("GET", "/")


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


def upgrade(**changes: str) -> dict[str, str]:
    headers = {**HANDSHAKE, **{name.replace("_", "-"): value for name, value in changes.items()}}
    rows = [f"{name}: {value}\r\n" for name, value in headers.items() if value]
    return accept_upgrade(parse_head(f"GET /socket HTTP/1.1\r\n{''.join(rows)}\r\n".encode()))


def test_handshake_of_the_standard() -> None:
    assert upgrade()["Sec-WebSocket-Accept"] == "s3pPLMBiTxaQ9kYGzzhZRbK+xOo="
    assert upgrade(Connection="keep-alive, upgrade", Upgrade="WebSocket") == upgrade()


def test_invalid_handshakes() -> None:
    for name, value, status in [
        ("Upgrade", "", 426),
        ("Upgrade", "h2c", 426),
        ("Connection", "close", 400),
        ("Sec_WebSocket_Version", "8", 426),
        *(("Sec_WebSocket_Key", key, 400) for key in ("", "dGhl", "no base64!!!=", "\xe9" * 24)),
    ]:
        with pytest.raises(RefusedRequest) as caught:
            upgrade(**{name: value})
        assert caught.value.status == status


sizes = st.sampled_from([0, 1, 125, 126, 127, 65535, 65536, 70000]) | st.integers(0, 300)
control_frames = st.lists(
    st.tuples(st.sampled_from([PING, PONG]), st.binary(max_size=125)), max_size=2
)


def receive(data: bytes, cuts: list[int] | None = None) -> list[Frame]:
    """The messages of a stream that arrives in pieces."""
    receiver, found = Receiver(), []
    ends = sorted({min(cut, len(data)) for cut in cuts or []} | {len(data)})
    for start, end in zip([0, *ends], ends, strict=False):
        found += list(receiver.feed(data[start:end]))
    return found


@given(sizes, st.sampled_from([TEXT, BINARY]), st.lists(st.integers(0, 80000), max_size=5))
def test_messages_in_any_pieces(size: int, kind: int, cuts: list[int]) -> None:
    content = bytes(at % 120 for at in range(size))
    data = masked(kind, content) + masked(TEXT, b"next")
    assert receive(data, cuts) == [Frame(kind, content), Frame(TEXT, b"next")]
    if size < 300:
        assert receive(data, list(range(len(data)))) == receive(data)


@given(
    st.lists(st.tuples(st.text(max_size=40), control_frames), min_size=1, max_size=6),
    st.lists(st.integers(0, 2000), max_size=4),
)
def test_fragments_with_control_frames_between(
    parts: list[tuple[str, list[tuple[int, bytes]]]], cuts: list[int]
) -> None:
    data, between = b"", []
    for at, (text, controls) in enumerate(parts):
        final = at == len(parts) - 1
        data += masked(TEXT if at == 0 else 0, text.encode(), final)
        if not final:
            data += b"".join(masked(kind, content) for kind, content in controls)
            between += [Frame(kind, content) for kind, content in controls]
    *others, message = receive(data, cuts)
    assert others == between
    assert (message.kind, message.text()) == (TEXT, "".join(text for text, _ in parts))


@given(st.binary(max_size=1000), st.lists(st.integers(0, 1000), max_size=3))
def test_any_bytes_are_messages_or_a_violation(data: bytes, cuts: list[int]) -> None:
    with suppress(Violation):
        kinds = {message.kind for message in receive(data, cuts)}
        assert kinds <= {TEXT, BINARY, CLOSE, PING, PONG}


@given(sizes, st.binary(min_size=4, max_size=4))
def test_frames_of_the_server_and_masks(size: int, mask: bytes) -> None:
    content = b"x" * size
    data = encode_frame(TEXT, content)
    head = data[: len(data) - size]
    assert data == head + content
    hidden = apply_mask(content, mask)
    assert hidden == bytes(byte ^ mask[at % 4] for at, byte in enumerate(content))
    client = head[:1] + bytes([head[1] | 0x80]) + head[2:] + mask + hidden
    assert receive(client) == [Frame(TEXT, content)]


HALF = b"x" * (MOST_BYTES // 2 + 1)


VIOLATIONS = [
    (b"\x81\x00", 1002),  # no mask
    (b"\xc1\x80\0\0\0\0", 1002),  # a reserved bit
    (b"\x83\x80\0\0\0\0", 1002),  # unknown kinds
    (b"\x8b\x80\0\0\0\0", 1002),
    (masked(PING, b"", final=False), 1002),
    (masked(PING, b"x" * 126), 1002),
    (masked(0, b""), 1002),  # a continuation of nothing
    (masked(TEXT, b"", final=False) + masked(TEXT, b""), 1002),
    (b"\x81\xfe\x00\x7d\0\0\0\0", 1002),  # sizes in more bytes than they need
    (b"\x81\xff" + (65535).to_bytes(8), 1002),
    (masked(TEXT, b"\xff"), 1007),
    (b"\x81\xff" + (MOST_BYTES + 1).to_bytes(8), 1009),  # too large, by the head alone
    (masked(TEXT, HALF, final=False) + masked(0, HALF), 1009),
]


def test_violations_after_a_good_message() -> None:
    for data, code in VIOLATIONS:
        messages = Receiver().feed(masked(BINARY, b"good") + data)
        assert next(messages) == Frame(BINARY, b"good")
        with pytest.raises(Violation, match=r"\w") as caught:
            list(messages)
        assert caught.value.code == code


def test_closing_frames() -> None:
    for content, code in [(b"", 1000), (b"\x03\xe8", 1000), (b"\x03\xe9bye", 1001)]:
        assert close_code(content) == code
    for content in (b"\x03", b"\x03\xed", b"\x03\xee", b"\0\0", b"\x03\xe8\xff"):
        with pytest.raises(Violation):
            close_code(content)
    data = encode_close(1008, "é" * 100)  # cut between letters
    assert data[1] == len(data) - 2 <= 125
    assert data[4:].decode() == "é" * 61
