"""The protocol: messages in a stream of text, the dialects, and a socket read as messages.  Some
programs end a message with nothing: then two arrive glued (`a7a5exit`), or one in two pieces."""

from __future__ import annotations

import re
import select
import socket
import time
from collections import deque
from typing import NamedTuple

SETTLED = 0.1  # seconds of silence after which a message without an end is complete
CUT = 1.0  # where lines have ends, one without is a line cut in two, and waited for longer
MOST_WAITING = 4096  # characters that may wait for the rest of a message; a setup has 110
LONGEST_END = 16  # characters after which nothing could still belong to the message before
LONGEST_WORD = 64  # no message begins with a longer word
PIECE = 4096  # bytes read at once
APART = 0.25  # seconds between two messages without an end, so that they arrive apart
MOST_MESSAGES = 1_000  # unread

# Kinds of messages.
GREETING = "greeting"  # value: how it greets
SETUP = "setup"  # value: the whole Setup line
TIME = "time"  # value: minutes for the whole game
NUMBER = "number"  # a number alone: minutes as well, in one dialect
BEGIN = "begin"
PROMPT = "prompt"  # asks for a move, in some servers of the course
ROLE = "role"  # value: white or black, by the word role
COLOUR = "colour"  # value: the same, without it
INFORMATION = "information"  # clocks and turns, which we keep ourselves
COMPLAINT = "complaint"  # value: what the other side found wrong
MOVE = "move"  # value: like e2e4, without a promotion
OK = "ok"
WON = "won"
LOST = "lost"
WINNER = "winner"  # value: white or black
GAME_OVER = "game over"  # value: white or black, who has won, if it says so
EXIT = "exit"
RESET = "reset"
READY = "ready"
TOURNAMENT = "tournament"  # value: the number of games asked for
ACCEPTED = "accepted"  # value: the number of games
UNKNOWN = "unknown"  # value: a word that means nothing to us

# Tried in this order at every place of the stream; a group holds the value.
PATTERNS = (
    (GREETING, r"connected to the server!?|welcome!?"),
    (OK, r"setup-ack|ok"),
    (SETUP, r"(setup(?:[ \t]+[wb][a-h][1-8](?![1-8]))*(?:[ \t]+(?:white|black)(?!'))?)"),
    (INFORMATION, r"(?:time ?remaining|timer)(?:[ \t]*[wb]?[:=]?[ \t]*\d+(?:\.\d+)?)*"),
    (INFORMATION, r"(?:white|black)'s turn"),
    (TIME, r"time[ \t]*:?[ \t]*(\d+(?:\.\d+)?)"),
    (BEGIN, r"begin"),
    (PROMPT, r"your turn"),
    (WINNER, r"win(?:ner)?(?: is)?[: \t]+(white|black)"),
    (WINNER, r"(white|black)(?: has)? (?:wins?|won)"),
    (ROLE, r"role[ \t]*:?[ \t]*(white|black|w|b)"),
    (COLOUR, r"colou?r[ \t]*:?[ \t]*(white|black|w|b)"),
    (COLOUR, r"(white|black)"),
    (COMPLAINT, r"((?:illegal|invalid|error)[^\n]*)"),
    (GAME_OVER, r"game ?over(?:[ \t]+(white|black))?(?:[ \t]+plies=\d+)?"),
    (WON, r"(?:you(?: have)? )?(?:winner|win|won)!?"),
    (LOST, r"(?:you(?: have)? )?(?:loser|lost|lose)!?"),
    (EXIT, r"exit"),
    (RESET, r"reset"),
    (READY, r"ready"),
    (ACCEPTED, r"tournamentaccepted[ \t]+(\d+)"),
    (TOURNAMENT, r"tournament[ \t]+(\d+)"),
    (MOVE, r"([a-h][1-8][a-h][2-7])"),
    (MOVE, r"([a-h][1-8][a-h][18])(?:[qrbn](?![a-z0-9]))?"),
    (NUMBER, r"(\d+(?:\.\d+)?)"),
)
KNOWN = [(kind, re.compile(pattern, re.IGNORECASE)) for kind, pattern in PATTERNS]
COLOURS = {"w": "white", "b": "black"}
SELF_ENDING = {BEGIN, PROMPT, EXIT, RESET, READY}  # complete, whatever follows
# A word that means nothing to us ends where one of these begins: `ClassicYour turn`.
INSIDE = r"Your turn|Setup|Time|Begin|BEGIN|Role|White|Black|OK|exit|[a-h][1-8][a-h][1-8]"
WORD = re.compile(rf"\S(?:(?!{INSIDE})\S){{,{LONGEST_WORD - 1}}}")


class Flood(Exception):
    """More text than any game needs."""


class Message(NamedTuple):
    kind: str
    value: str = ""

    def __str__(self) -> str:
        return f"{self.kind} {self.value}".rstrip()


class Scanner:
    """Turns the pieces of a stream into messages: each as soon as no further text could
    change it."""

    def __init__(self) -> None:
        self.waiting = ""
        self.newline_heard: bool | None = None  # None as long as nothing was heard

    def feed(self, data: bytes) -> list[Message]:
        """The messages that are complete with this piece."""
        self.newline_heard = self.newline_heard or b"\n" in data
        found = self._scan(data.decode("ascii", "replace").replace("\r", "\n"))
        if len(self.waiting) > MOST_WAITING:
            raise Flood
        return found

    def settle(self) -> list[Message]:
        """The messages that are complete if nothing follows."""
        return self._scan("\n")

    @property
    def settles_after(self) -> float:
        """Seconds of silence after which a message is complete."""
        return CUT if self.newline_heard else SETTLED

    def _scan(self, more: str) -> list[Message]:
        found = []
        text = (self.waiting + more).lstrip()
        while text:
            end, message = _read_message(text)
            if not end:
                break
            found.append(message)
            text = text[end:].lstrip()
        self.waiting = text
        return found


def _read_message(text: str) -> tuple[int, Message]:
    """The message it begins with, and where that ends: at 0 if it may still change."""
    for kind, pattern in KNOWN:
        match = pattern.match(text)
        if match is not None:
            message = Message(kind, _value(kind, match))
            return (match.end() if _is_complete(message, text, match.end()) else 0), message
    word = WORD.match(text)
    assert word is not None
    certain = len(text) >= LONGEST_WORD or "\n" in text
    return (word.end() if certain else 0), Message(UNKNOWN, word[0])


def _value(kind: str, match: re.Match[str]) -> str:
    if not match.lastindex:
        return match[0].lower() if kind == GREETING else ""
    if kind in (SETUP, COMPLAINT):
        return match[1]
    value = match[1].lower()
    return COLOURS.get(value, value) if kind in (ROLE, COLOUR) else value


def _is_complete(message: Message, text: str, end: int) -> bool:
    """Whether more text could not change this message."""
    if message.kind in SELF_ENDING or (message.kind == MOVE and message.value[3] not in "18"):
        return True
    return len(text) - end >= LONGEST_END or text.find("\n", end) >= 0


class Dialect(NamedTuple):
    """What differs between servers."""

    name: str
    answered: frozenset[str]  # the kinds of messages that want an `OK`
    speaks_first: bool = False  # the client opens with `OK`
    tells_roles: bool = False  # `Begin` does not yet say who is who
    claims: bool = False  # the winner says so
    resets: bool = False  # games are told apart by `Reset`; setup and time stay
    last_word: str = ""  # of the server, after the last game; after every game if it resets
    variant: str = ""

    def time_line(self, minutes: float) -> str:
        """Whole minutes from one on: some clients can read nothing else."""
        told = f"{int(minutes) or minutes:g}"
        return told if self.tells_roles else f"Time {told}"

    def begin_lines(self, colour: str, mover: str) -> list[str]:
        """What a player hears when a game begins: often only the one who is to move."""
        if self.tells_roles:
            return ["BEGIN", f"Role {colour.capitalize()}"]
        return ["Begin"] if colour == mover else []


COURSE = Dialect("course", frozenset({GREETING, SETUP, TIME}), last_word="exit")
TOURNAMENT_DIALECT = Dialect(
    "tournament",
    frozenset({SETUP, TIME}),
    speaks_first=True,
    resets=True,
    last_word="GameOver {winner} plies={plies}",
)
SEED = Dialect(
    "seed",
    frozenset({GREETING, SETUP, TIME, NUMBER}),
    tells_roles=True,
    claims=True,
    variant="no-en-passant",
)
GREETING_LINE = "Connected to the server!"
UNKNOWN_DIALECT = Dialect("", COURSE.answered | {NUMBER})
DIALECTS = {dialect.name: dialect for dialect in (COURSE, TOURNAMENT_DIALECT, SEED)}
# Messages that only one dialect has; the greeting of another is corrected by what follows.
SERVER_SPEAKS = {
    GREETING: COURSE,
    NUMBER: SEED,
    ROLE: SEED,
    RESET: TOURNAMENT_DIALECT,
    ACCEPTED: TOURNAMENT_DIALECT,
    GAME_OVER: TOURNAMENT_DIALECT,
}
CLIENT_SPEAKS_FIRST = {OK: TOURNAMENT_DIALECT, TOURNAMENT: TOURNAMENT_DIALECT, SETUP: SEED}


class Stream:
    """A socket read as messages, in one thread; it never waits without an end."""

    def __init__(self, connected: socket.socket, sending: float) -> None:
        connected.settimeout(sending)
        self.socket = connected
        self.scanner = Scanner()
        self.messages: deque[Message] = deque()  # not taken yet
        self.heard_at = time.monotonic()
        self.closed = False  # by the other side, or because it sends too much
        self.flooded = False

    def close(self) -> None:
        self.socket.close()

    def read_all(self) -> None:
        """Read all that is there, without waiting."""
        while not self.closed and self._readable(0):
            self.read()

    def wait(self, seconds: float) -> None:
        """Until there is a message, the stream has ended, or the time is up."""
        until = time.monotonic() + seconds
        while not self.messages and not self.closed:
            settles = self.heard_at + self.scanner.settles_after
            settling = bool(self.scanner.waiting) and settles <= until
            # What decides is what was waited for: on a busy machine the clock may be far ahead.
            if self._readable(max((settles if settling else until) - time.monotonic(), 0)):
                self.read()
            elif settling:
                self.messages += self.scanner.settle()
            else:
                break

    def read(self) -> bytes:
        """The next piece, as it came; nothing at the end."""
        try:
            data = self.socket.recv(PIECE)
        except OSError:
            data = b""
        self.heard_at = time.monotonic() if data else self.heard_at
        try:
            self.messages += self.scanner.feed(data) if data else self.scanner.settle()
        except Flood:
            self.flooded = True
        self.flooded = self.flooded or len(self.messages) > MOST_MESSAGES
        self.closed = not data or self.flooded
        return data

    def _readable(self, seconds: float) -> bool:
        return bool(select.select([self.socket], [], [], seconds)[0])
