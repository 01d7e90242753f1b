"""Frames in any pieces, and everything that a frame may not be."""

from __future__ import annotations

from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.web_host import BINARY, CLOSE, PING, PONG, TEXT, masked

from solver.web.websocket import (
    MOST_BYTES,
    Message,
    Receiver,
    Refused,
    Violation,
    accepted,
    close_code,
    closing_frame,
    frame,
    parse_head,
    unmasked,
)

KEY = "dGhlIHNhbXBsZSBub25jZQ=="
HANDSHAKE = {
    "Host": "localhost",
    "Upgrade": "websocket",
    "Connection": "Upgrade",
    "Sec-WebSocket-Key": KEY,
    "Sec-WebSocket-Version": "13",
}

sizes = st.sampled_from([0, 1, 125, 126, 127, 65535, 65536, 70000]) | st.integers(0, 300)
control_frames = st.lists(
    st.tuples(st.sampled_from([PING, PONG]), st.binary(max_size=125)), max_size=2
)


def received(data: bytes, cuts: list[int] | None = None) -> list[Message]:
    """The messages of a stream that comes in pieces."""
    receiver, found = Receiver(), []
    ends = sorted({min(cut, len(data)) for cut in cuts or []} | {len(data)})
    for start, end in zip([0, *ends], ends, strict=False):
        found += list(receiver.feed(data[start:end]))
    return found


def refused(data: bytes) -> int:
    with pytest.raises(Violation) as caught:
        received(data)
    assert str(caught.value)
    return caught.value.code


@given(sizes, st.sampled_from([TEXT, BINARY]), st.lists(st.integers(0, 80000), max_size=5))
def test_a_message_is_the_same_in_whatever_pieces_it_comes(
    size: int, kind: int, cuts: list[int]
) -> None:
    content = bytes(at % 120 for at in range(size))
    data = masked(kind, content) + masked(TEXT, b"next")
    assert received(data, cuts) == [Message(kind, content), Message(TEXT, b"next")]


@given(st.binary(max_size=300))
def test_byte_by_byte(content: bytes) -> None:
    data = masked(BINARY, content) + masked(PING, b"")
    assert received(data, list(range(len(data)))) == [Message(BINARY, content), Message(PING, b"")]


@given(
    st.lists(st.tuples(st.text(max_size=40), control_frames), min_size=1, max_size=6),
    st.lists(st.integers(0, 2000), max_size=4),
)
def test_fragments_make_one_message_and_control_frames_may_come_between(
    parts: list[tuple[str, list[tuple[int, bytes]]]], cuts: list[int]
) -> None:
    data, between = b"", []
    for at, (text, controls) in enumerate(parts):
        final = at == len(parts) - 1
        data += masked(TEXT if at == 0 else 0, text.encode(), final)
        if not final:
            data += b"".join(masked(kind, content) for kind, content in controls)
            between += [Message(kind, content) for kind, content in controls]
    whole = "".join(text for text, _ in parts)
    *others, message = received(data, cuts)
    assert others == between
    assert (message.kind, message.text()) == (TEXT, whole)


def test_a_letter_may_be_cut_between_fragments() -> None:
    letter = "é".encode()
    data = masked(TEXT, letter[:1], final=False) + masked(0, letter[1:])
    assert received(data)[0].text() == "é"


@given(st.binary(max_size=1000), st.lists(st.integers(0, 1000), max_size=3))
def test_whatever_bytes_come_they_are_messages_or_a_violation(data: bytes, cuts: list[int]) -> None:
    with suppress(Violation):
        kinds = {message.kind for message in received(data, cuts)}
        assert kinds <= {TEXT, BINARY, CLOSE, PING, PONG}


@given(sizes)
def test_a_frame_of_the_server_is_one_of_a_client_without_a_mask(size: int) -> None:
    content = b"x" * size
    data = frame(TEXT, content)
    head = data[: len(data) - size]
    assert data == head + content
    assert received(head[:1] + bytes([head[1] | 0x80]) + head[2:] + bytes(4) + content) == [
        Message(TEXT, content)
    ]


@given(st.binary(max_size=100), st.binary(min_size=4, max_size=4))
def test_a_mask_undoes_itself(content: bytes, mask: bytes) -> None:
    hidden = unmasked(content, mask)
    assert hidden == bytes(byte ^ mask[at % 4] for at, byte in enumerate(content))
    assert unmasked(hidden, mask) == content


def test_good_messages_before_a_bad_one_are_heard() -> None:
    receiver = Receiver()
    heard = receiver.feed(masked(TEXT, b"good") + b"\x81\x00")
    assert next(heard) == Message(TEXT, b"good")
    with pytest.raises(Violation):
        next(heard)


def test_what_is_too_large_is_refused_by_its_head_alone() -> None:
    assert received(masked(TEXT, b"x" * MOST_BYTES))[0].content == b"x" * MOST_BYTES
    assert refused(b"\x81\xff" + (MOST_BYTES + 1).to_bytes(8)) == 1009


def test_fragments_are_too_large_together() -> None:
    half = b"x" * (MOST_BYTES // 2 + 1)
    assert refused(masked(TEXT, half, final=False) + masked(0, half)) == 1009


@pytest.mark.parametrize(
    "data",
    {
        "no mask": b"\x81\x00",
        "a reserved bit": b"\xc1\x80\0\0\0\0",
        "kind 3": b"\x83\x80\0\0\0\0",
        "kind 11": b"\x8b\x80\0\0\0\0",
        "a ping in pieces": masked(PING, b"", final=False),
        "a long ping": masked(PING, b"x" * 126),
        "the rest of nothing": masked(0, b""),
        "a message within a message": masked(TEXT, b"", final=False) + masked(TEXT, b""),
        "two bytes for a small size": b"\x81\xfe\x00\x7d\0\0\0\0",
        "eight bytes for a small size": b"\x81\xff" + (65535).to_bytes(8),
    }.values(),
)
def test_breaches_of_the_protocol(data: bytes) -> None:
    assert refused(data) == 1002


def test_a_text_must_be_utf_8() -> None:
    assert refused(masked(TEXT, b"\xff")) == 1007


@pytest.mark.parametrize(
    ("content", "code"),
    [(b"", 1000), (b"\x03\xe8", 1000), (b"\x03\xe9bye", 1001), (b"\x0b\xb8", 3000)],
)
def test_the_code_of_a_closing_frame(content: bytes, code: int) -> None:
    assert close_code(content) == code


@pytest.mark.parametrize("content", [b"\x03", b"\x03\xed", b"\x03\xee", b"\0\0", b"\x03\xe8\xff"])
def test_codes_that_nobody_may_send(content: bytes) -> None:
    with pytest.raises(Violation):
        close_code(content)


def test_a_long_reason_is_cut_between_letters() -> None:
    data = closing_frame(1008, "é" * 100)
    assert data[1] == len(data) - 2 <= 125
    assert data[4:].decode() == "é" * 61


def agreed(**changes: str) -> dict[str, str]:
    headers = {**HANDSHAKE, **{name.replace("_", "-"): value for name, value in changes.items()}}
    rows = [f"{name}: {value}\r\n" for name, value in headers.items() if value]
    return accepted(parse_head(f"GET /socket HTTP/1.1\r\n{''.join(rows)}\r\n".encode()))


def test_the_handshake_of_the_standard() -> None:
    assert agreed()["Sec-WebSocket-Accept"] == "s3pPLMBiTxaQ9kYGzzhZRbK+xOo="
    assert agreed(Connection="keep-alive, upgrade", Upgrade="WebSocket") == agreed()


@pytest.mark.parametrize(
    ("changes", "status"),
    [
        ({"Upgrade": ""}, 426),
        ({"Upgrade": "h2c"}, 426),
        ({"Connection": "close"}, 400),
        ({"Sec_WebSocket_Version": "8"}, 426),
        ({"Sec_WebSocket_Key": ""}, 400),
        ({"Sec_WebSocket_Key": "dGhl"}, 400),
        ({"Sec_WebSocket_Key": "no base64 at all!!!!!!!="}, 400),
        ({"Sec_WebSocket_Key": "\xe9" * 24}, 400),
    ],
)
def test_handshakes_that_are_none(changes: dict[str, str], status: int) -> None:
    with pytest.raises(Refused) as caught:
        agreed(**changes)
    assert caught.value.status == status
