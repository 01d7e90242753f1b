"""Messages from a stream: however it is cut, the same ones."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from solver.twoflags.net import protocol
from solver.twoflags.net.protocol import Flood, Message, Scanner


def heard(*pieces: str | bytes) -> list[str]:
    """The messages of a stream that then falls silent."""
    scanner = Scanner()
    found = []
    for piece in pieces:
        found += scanner.feed(piece.encode() if isinstance(piece, str) else piece)
    return [str(message) for message in found + scanner.settle()]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("Connected to the server!", Message(protocol.GREETING, "connected to the server!")),
        ("Connected to the server", Message(protocol.GREETING, "connected to the server")),
        ("Welcome", Message(protocol.GREETING, "welcome")),
        ("Setup Wa2 Bh7", Message(protocol.SETUP, "Setup Wa2 Bh7")),
        ("Setup Wa2 Bh7 BLACK", Message(protocol.SETUP, "Setup Wa2 Bh7 BLACK")),
        ("setup wa2 bh7", Message(protocol.SETUP, "setup wa2 bh7")),
        ("Time 5", Message(protocol.TIME, "5")),
        ("time 0.25", Message(protocol.TIME, "0.25")),
        ("10", Message(protocol.NUMBER, "10")),
        ("Begin", Message(protocol.BEGIN)),
        ("BEGIN", Message(protocol.BEGIN)),
        ("Role White", Message(protocol.ROLE, "white")),
        ("Black", Message(protocol.COLOUR, "black")),
        ("Color W", Message(protocol.COLOUR, "white")),
        ("colour: b", Message(protocol.COLOUR, "black")),
        ("White's turn", Message(protocol.INFORMATION)),
        ("TimeRemaining 12.5", Message(protocol.INFORMATION)),
        ("TIMER W:30 B:29", Message(protocol.INFORMATION)),
        ("e2e4", Message(protocol.MOVE, "e2e4")),
        ("E2E4", Message(protocol.MOVE, "e2e4")),
        ("a7a8q", Message(protocol.MOVE, "a7a8")),
        ("a7a8Q", Message(protocol.MOVE, "a7a8")),
        ("OK", Message(protocol.OK)),
        ("SETUP-ACK", Message(protocol.OK)),
        ("Win", Message(protocol.WON)),
        ("Lost", Message(protocol.LOST)),
        ("win: White", Message(protocol.WINNER, "white")),
        ("White wins", Message(protocol.WINNER, "white")),
        ("Winner is Black", Message(protocol.WINNER, "black")),
        ("Black has won", Message(protocol.WINNER, "black")),
        ("You have lost", Message(protocol.LOST)),
        ("Winner", Message(protocol.WON)),
        ("GameOver BLACK plies=24", Message(protocol.GAME_OVER, "black")),
        ("exit", Message(protocol.EXIT)),
        ("Reset", Message(protocol.RESET)),
        ("Ready", Message(protocol.READY)),
        ("TOURNAMENT 4", Message(protocol.TOURNAMENT, "4")),
        ("TournamentAccepted 4", Message(protocol.ACCEPTED, "4")),
        ("Illegal move e2e4", Message(protocol.COMPLAINT, "Illegal move e2e4")),
        ("i9j8", Message(protocol.UNKNOWN, "i9j8")),
    ],
)
def test_every_message_by_itself(text: str, message: Message) -> None:
    assert Scanner().feed(f"{text}\r\n".encode()) == [message]
    scanner = Scanner()
    assert scanner.feed(text.encode()) + scanner.settle() == [message]


def test_glued_messages_come_apart() -> None:
    assert heard("a7a5exit") == ["move a7a5", "exit"]
    assert heard("OKSetup Wa2 Bh7Time 5BeginWhite") == [
        *("ok", "setup Setup Wa2 Bh7", "time 5", "begin", "colour white"),
    ]
    assert heard("Connected to the server!Time 10Setup Wb2 Bb7") == [
        *("greeting connected to the server!", "time 10", "setup Setup Wb2 Bb7"),
    ]
    assert heard("WinexitLost") == ["won", "exit", "lost"]


def test_a_message_cut_in_two_waits_for_its_rest() -> None:
    scanner = Scanner()
    assert scanner.feed(b"e2") == []
    assert scanner.feed(b"e4") == [Message(protocol.MOVE, "e2e4")]
    assert scanner.feed(b"Setup Wa2 W") == []
    assert scanner.feed(b"b2 Bh7 BLA") == []
    assert scanner.feed(b"CK\n") == [Message(protocol.SETUP, "Setup Wa2 Wb2 Bh7 BLACK")]
    assert scanner.feed(b"Time 1") == []
    assert scanner.feed(b"0\n") == [Message(protocol.TIME, "10")]
    assert scanner.feed(b"White") == []  # White's turn?
    assert scanner.feed(b"'s turn\n") == [Message(protocol.INFORMATION)]


def test_a_move_onto_the_last_rank_waits_for_a_promotion() -> None:
    scanner = Scanner()
    assert scanner.feed(b"a7a8") == []
    assert scanner.feed(b"q\n") == [Message(protocol.MOVE, "a7a8")]
    assert scanner.feed(b"b7b8") == []
    assert scanner.settle() == [Message(protocol.MOVE, "b7b8")]


def test_the_b_of_begin_is_no_promotion() -> None:
    scanner = Scanner()
    assert scanner.feed(b"e2e4B") == [Message(protocol.MOVE, "e2e4")]
    assert scanner.feed(b"egin") == [Message(protocol.BEGIN)]
    assert heard("a7a8Begin") == ["move a7a8", "begin"]


def test_a_side_belongs_to_the_setup_only_on_its_line() -> None:
    assert heard("Setup Wa2 Bh7 BLACK\n") == ["setup Setup Wa2 Bh7 BLACK"]
    assert heard("setup wa2 bh7 black\n") == ["setup setup wa2 bh7 black"]
    assert heard("Setup Wa2 Bh7\nBLACK\n") == ["setup Setup Wa2 Bh7", "colour black"]
    assert heard("Setup Wa2 Bh7Black") == ["setup Setup Wa2 Bh7", "colour black"]


def test_what_is_no_message_is_unknown_and_harmless() -> None:
    assert heard("hello there\ne2e4\n") == ["unknown hello", "unknown there", "move e2e4"]
    assert heard(b"\xff\xfe\x00\n\ne2e4\n")[-1] == "move e2e4"


def test_a_flood_is_refused_before_it_fills_the_memory() -> None:
    with pytest.raises(Flood):
        Scanner().feed(b"Setup" + b" Wa2" * 2_000_000)


def test_a_long_line_of_words_is_read_and_forgotten() -> None:
    scanner = Scanner()
    for _ in range(1000):
        scanner.feed(b"nothing " * 100)
        assert len(scanner.waiting) < 100


LINES = st.sampled_from(
    [
        *("e2e4", "a7a8q", "h2h1", "OK", "Begin", "exit", "White", "White's turn"),
        *("Setup Wa2 Wb2 Bh7", "Setup Wc3 Bd6 BLACK", "Time 5", "Time 0.5", "Role Black", "12"),
        *("GameOver WHITE plies=30", "win: Black", "Win", "Connected to the server!", "nonsense"),
    ]
)


@given(st.lists(LINES, max_size=8), st.lists(st.integers(1, 12), max_size=60))
def test_cutting_a_stream_of_lines_changes_nothing(lines: list[str], sizes: list[int]) -> None:
    text = "".join(f"{line}\n" for line in lines)
    assert heard(*pieces_of(text, sizes)) == heard(text)


GLUED = st.sampled_from(
    ["e2e4", "d7d5", "OK", "Begin", "exit", "Ready", "Time 5", "Setup Wa2 Bh7", "Color W"]
)


@given(st.lists(GLUED, max_size=8), st.lists(st.integers(1, 12), max_size=60))
def test_cutting_a_stream_without_ends_changes_nothing(words: list[str], sizes: list[int]) -> None:
    text = "".join(words)
    assert heard(*pieces_of(text, sizes)) == heard(text)


@settings(max_examples=200)
@given(st.lists(st.binary(max_size=40), max_size=20))
def test_any_bytes_at_all_give_messages_or_a_flood(pieces: list[bytes]) -> None:
    scanner = Scanner()
    for piece in pieces:
        for message in scanner.feed(piece):
            assert message.kind
    scanner.settle()
    assert scanner.waiting == ""


def pieces_of(text: str, sizes: list[int]) -> list[str]:
    pieces = []
    for size in sizes:
        pieces.append(text[:size])
        text = text[size:]
    return [*pieces, text]
