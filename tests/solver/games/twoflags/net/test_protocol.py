"""Messages from a stream: however it is cut, the same ones."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from solver.games.twoflags.net import protocol
from solver.games.twoflags.net.protocol import Flood, Message, Scanner

MESSAGES = {
    "Connected to the server!": "greeting connected to the server!",
    "Welcome": "greeting welcome",
    "Setup Wa2 Bh7": "setup Setup Wa2 Bh7",
    "Setup Wa2 Bh7 BLACK": "setup Setup Wa2 Bh7 BLACK",
    "setup wa2 bh7": "setup setup wa2 bh7",
    "Time 5": "time 5",
    "time 0.25": "time 0.25",
    "10": "number 10",
    "BEGIN": "begin",
    "Role White": "role white",
    "Black": "colour black",
    "Color W": "colour white",
    "colour: b": "colour black",
    "White's turn": "information",
    "TimeRemaining 12.5": "information",
    "TIMER W:30 B:29": "information",
    "E2E4": "move e2e4",
    "a7a8Q": "move a7a8",
    "OK": "ok",
    "SETUP-ACK": "ok",
    "Win": "won",
    "Winner": "won",
    "Lost": "lost",
    "You have lost": "lost",
    "win: White": "winner white",
    "White wins": "winner white",
    "Winner is Black": "winner black",
    "Black has won": "winner black",
    "GameOver BLACK plies=24": "game over black",
    "exit": "exit",
    "Reset": "reset",
    "Ready": "ready",
    "TOURNAMENT 4": "tournament 4",
    "TournamentAccepted 4": "accepted 4",
    "Illegal move e2e4": "complaint Illegal move e2e4",
    "i9j8": "unknown i9j8",
}
GLUED = {
    "a7a5exit": "move a7a5, exit",
    "OKSetup Wa2 Bh7Time 5BeginWhite": "ok, setup Setup Wa2 Bh7, time 5, begin, colour white",
    "WinexitLost": "won, exit, lost",
    "a7a8Begin": "move a7a8, begin",
    "Setup Wa2 Bh7\nBLACK\n": "setup Setup Wa2 Bh7, colour black",
    "Setup Wa2 Bh7Black": "setup Setup Wa2 Bh7, colour black",
    "OKOK": "ok, ok",
    "ClassicYour turn": "unknown Classic, prompt",
    "e7e5OKYour turn": "move e7e5, ok, prompt",
    "hello there\ne2e4\n": "unknown hello, unknown there, move e2e4",
}


def read(*pieces: str | bytes) -> str:
    """The messages of a stream that then falls silent."""
    scanner = Scanner()
    found = []
    for piece in pieces:
        found += scanner.feed(piece.encode() if isinstance(piece, str) else piece)
    return ", ".join(str(message) for message in found + scanner.settle())


@pytest.mark.parametrize(("text", "expected"), [*MESSAGES.items(), *GLUED.items()])
def test_messages_alone_and_glued(text: str, expected: str) -> None:
    assert read(text) == read(f"{text}\r\n") == expected


def test_a_message_cut_in_two_waits_for_its_rest() -> None:
    scanner = Scanner()
    for piece, found in (
        (b"e2", []),
        (b"e4B", [Message(protocol.MOVE, "e2e4")]),  # the B of Begin is no promotion
        (b"egin", [Message(protocol.BEGIN)]),
        (b"Setup Wa2 W", []),
        (b"b2 Bh7 BLA", []),
        (b"CK\n", [Message(protocol.SETUP, "Setup Wa2 Wb2 Bh7 BLACK")]),
        (b"Time 1", []),
        (b"0\n", [Message(protocol.TIME, "10")]),
        (b"White", []),
        (b"'s turn\n", [Message(protocol.INFORMATION)]),
        (b"a7a8", []),
        (b"q\n", [Message(protocol.MOVE, "a7a8")]),
    ):
        assert scanner.feed(piece) == found


def test_a_flood_is_refused_and_a_long_line_of_words_forgotten() -> None:
    with pytest.raises(Flood):
        Scanner().feed(b"Setup" + b" Wa2" * 2_000)
    scanner = Scanner()
    for _ in range(100):
        scanner.feed(b"nothing " * 100)
        assert len(scanner.waiting) < 100


LINES = st.sampled_from([f"{text}\n" for text in MESSAGES])
WORDS = st.sampled_from(
    ["e2e4", "d7d5", "OK", "Begin", "exit", "Ready", "Time 5", "Setup Wa2 Bh7", "Color W"]
)


@given(
    st.lists(LINES, max_size=8) | st.lists(WORDS, max_size=8),
    st.lists(st.integers(1, 12), max_size=60),
)
def test_cutting_a_stream_changes_nothing(words: list[str], sizes: list[int]) -> None:
    text = "".join(words)
    pieces, rest = [], text
    for size in sizes:
        pieces.append(rest[:size])
        rest = rest[size:]
    assert read(*pieces, rest) == read(text)
