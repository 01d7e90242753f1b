"""Messages on the wire: a stream of text is read as words we know, however it is cut.

No two programs frame alike: some end a message by a newline, some by nothing, and then two
arrive glued (`a7a5exit`) or one in two pieces.  So nothing here trusts packets.  A
message is taken as soon as no further text could change it; `settled` takes what is left when
the other side has been silent for a moment.
"""

from __future__ import annotations

import re
from typing import NamedTuple

SETTLED = 0.1  # seconds of silence after which a message without an end is complete
CUT = 1.0  # where lines have ends, one without is a line cut in two, and waited for longer
MOST_WAITING = 4096  # characters that may wait for the rest of a message; a setup has 110
LONGEST_END = 16  # characters after which nothing could still belong to the message before
LONGEST_WORD = 64  # no message begins with a longer word

# Kinds of messages.
GREETING = "greeting"  # value: how it greets
SETUP = "setup"  # value: the whole Setup line
TIME = "time"  # value: minutes for the whole game
NUMBER = "number"  # a number alone: minutes as well, in one dialect
BEGIN = "begin"
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
# Whatever follows, these are complete.
SELF_ENDING = {BEGIN, EXIT, RESET, READY}


class Flood(Exception):
    """More text than any message has, and none of it a message."""


class Message(NamedTuple):
    kind: str
    value: str = ""

    def __str__(self) -> str:
        return f"{self.kind} {self.value}".rstrip()


class Scanner:
    """Turns the pieces of a stream into messages."""

    def __init__(self) -> None:
        self.waiting = ""

    def feed(self, data: bytes) -> list[Message]:
        """The messages that are complete with this piece."""
        self.waiting += data.decode("ascii", "replace").replace("\r", "\n")
        found = self._scan()
        if len(self.waiting) > MOST_WAITING:
            raise Flood
        return found

    def settled(self) -> list[Message]:
        """The messages that are complete if nothing follows."""
        self.waiting += "\n"
        return self._scan()

    def _scan(self) -> list[Message]:
        found = []
        text = self.waiting
        at = _after_blanks(text, 0)
        while at < len(text):
            end, message = _first(text, at)
            if end == at:
                break
            found.append(message)
            at = _after_blanks(text, end)
        self.waiting = text[at:]
        return found


BLANKS = re.compile(r"\s*")
WORD = re.compile(rf"\S{{1,{LONGEST_WORD}}}")


def _after_blanks(text: str, at: int) -> int:
    match = BLANKS.match(text, at)
    assert match is not None
    return match.end()


def _first(text: str, at: int) -> tuple[int, Message]:
    """The message that begins there, and where it ends: at once if that may still change."""
    for kind, pattern in KNOWN:
        match = pattern.match(text, at)
        if match is not None:
            message = Message(kind, _value(kind, match))
            return (match.end() if _is_complete(message, text, match.end()) else at), message
    word = WORD.match(text, at)
    assert word is not None
    certain = len(text) - at >= LONGEST_WORD or text.find("\n", at) >= 0
    return (word.end() if certain else at), Message(UNKNOWN, word[0])


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
