"""The dialects of the wire: the facts that clients and servers must agree on."""

from __future__ import annotations

from typing import NamedTuple

from solver.twoflags.net import wire


class Dialect(NamedTuple):
    """What differs between servers."""

    name: str
    answered: frozenset[str]  # the kinds of messages that want an `OK`
    newlines: bool = True
    speaks_first: bool = False  # the client opens with `OK`
    tells_roles: bool = False  # `Begin` does not yet say who is who
    asks_turns: bool = False  # a move is asked for by `Your turn`
    claims: bool = False  # the winner says so
    loser_exits: bool = True  # whoever has lost says `exit`
    variant: str = ""


COURSE = Dialect("course", frozenset({wire.GREETING, wire.SETUP, wire.TIME}))
TOURNAMENT = Dialect("tournament", frozenset({wire.SETUP, wire.TIME}), speaks_first=True)
SEED = Dialect(
    "seed",
    frozenset({wire.GREETING, wire.SETUP, wire.TIME, wire.NUMBER}),
    tells_roles=True,
    claims=True,
    variant="no-en-passant",
)
PROMPT = Dialect(
    "prompt",
    frozenset({wire.GREETING, wire.SETUP, wire.TIME, wire.BEGIN, wire.ROLE, wire.COLOUR}),
    newlines=False,
    tells_roles=True,
    asks_turns=True,
    loser_exits=False,
)
DIALECTS = {dialect.name: dialect for dialect in (COURSE, TOURNAMENT, SEED, PROMPT)}

# What only one of them says.
TELLTALES = {
    wire.NUMBER: SEED,
    wire.ROLE: SEED,
    wire.COLOUR: PROMPT,
    wire.YOUR_TURN: PROMPT,
    wire.INFORMATION: PROMPT,
    wire.RESET: TOURNAMENT,
    wire.ACCEPTED: TOURNAMENT,
    wire.GAME_OVER: TOURNAMENT,
}
WITHOUT_EXCLAMATION = "connected to the server"


def detected(message: wire.Message, before: Dialect | None) -> Dialect | None:
    """The dialect that a message betrays; as before if it could be any."""
    if message.kind == wire.GREETING:
        return PROMPT if message.value == WITHOUT_EXCLAMATION else COURSE
    return TELLTALES.get(message.kind, before)
