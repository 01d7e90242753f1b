"""How a submission is started: the words of its command line."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterable

from solver.errors import UserError, did_you_mean

PLACES = ("{input}", "{output}")
BY_PLACE: tuple[str, ...] = PLACES
BY_OPTION: tuple[str, ...] = ("--inputfile", "{input}", "--outputfile", "{output}")
SUBMISSION = "{submission}"


def words_of(call: str) -> list[str]:
    """A command line as a shell would split it."""
    try:
        words = shlex.split(call)
    except ValueError as error:
        raise UserError(f"{call}: {error}".replace("No closing", "no closing")) from None
    if not words:
        raise UserError("The command is empty. Try 'python3 checkers.py {input} {output}'.")
    return words


def check_call(call: str | Iterable[str]) -> tuple[str, ...]:
    """The words of a call, in which both places or neither must be."""
    words = tuple(words_of(call) if isinstance(call, str) else call)
    line = " ".join(words)
    known = [*PLACES, SUBMISSION]
    for word in re.findall(r"\{\w*\}", line):
        hint = did_you_mean(word, known)
        if word not in known and hint:
            raise UserError(f"{line}: {word} stands for nothing.{hint}")
    there = [place for place in PLACES if place in line]
    if len(there) == 1:
        raise UserError(f"{line}: has {there[0]} only. Give {' and '.join(PLACES)}, or neither.")
    return words


def has_places(words: Iterable[str]) -> bool:
    return any(place in word for word in words for place in PLACES)


def style_of(source: bytes) -> tuple[str, ...] | None:
    """How a program wants its files, if its text tells."""
    if b"--inputfile" in source:
        return BY_OPTION
    return BY_PLACE if b"argv" in source else None


def other_call(command: tuple[str, ...]) -> tuple[str, ...]:
    """The same command in the other of the two styles; itself if it is in neither."""
    for style, other in ((BY_OPTION, BY_PLACE), (BY_PLACE, BY_OPTION)):
        if command[-len(style) :] == style:
            return (*command[: -len(style)], *other)
    return command
