"""The dialects of the wire: the facts that clients and servers must agree on."""

from __future__ import annotations

from typing import NamedTuple

from solver.twoflags.net import wire


class Dialect(NamedTuple):
    """What differs between servers."""

    name: str
    answered: frozenset[str]  # the kinds of messages that want an `OK`
    speaks_first: bool = False  # the client opens with `OK`
    tells_roles: bool = False  # `Begin` does not yet say who is who
    claims: bool = False  # the winner says so
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
DIALECTS = {dialect.name: dialect for dialect in (COURSE, TOURNAMENT, SEED)}

# What only one of them says.
TELLTALES = {
    wire.NUMBER: SEED,
    wire.ROLE: SEED,
    wire.RESET: TOURNAMENT,
    wire.ACCEPTED: TOURNAMENT,
    wire.GAME_OVER: TOURNAMENT,
}


def detected(message: wire.Message, before: Dialect | None) -> Dialect | None:
    """The dialect that a message betrays; as before if it could be any."""
    if message.kind == wire.GREETING:
        return COURSE
    return TELLTALES.get(message.kind, before)
