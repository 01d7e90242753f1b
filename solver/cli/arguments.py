"""What the commands have in common on the command line: options, help, mistakes."""

from __future__ import annotations

import argparse
import sys

from solver.errors import UserError, did_you_mean

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import NoReturn


EXIT_CODES = """exit codes:
  0    solved, or the game is over already
  2    wrong usage or a malformed board; no file was touched
  3    a file could not be read or written
  130  interrupted
"""
MOST_DIGITS = 17  # of a whole number: more than any can mean, and quickly read


def program(name: str = "solver") -> str:
    """How the user has called us, for help that can be copied."""
    return f"python3 -m {name}" if sys.argv[0].endswith("__main__.py") else name


class Parser(argparse.ArgumentParser):
    """Reports mistakes the way everything here does, with the nearest option by name.

    `command` is empty for the program itself; in examples, its name is how it was called.
    """

    def __init__(
        self,
        command: str,
        about: str,
        examples: str,
        usage: str | None = None,
        exit_codes: str = EXIT_CODES,
        name: str = "solver",
    ) -> None:
        called = program(name)
        super().__init__(
            prog=f"{called} {command}".rstrip(),
            usage=usage,
            description=about,
            epilog=f"examples:\n{examples}\n{exit_codes}".replace(f"{name} ", f"{called} "),
            formatter_class=argparse.RawDescriptionHelpFormatter,
            allow_abbrev=False,
        )

    def error(self, message: str) -> NoReturn:
        end = "" if message.endswith(("?", ".")) else "."
        raise UserError(f"{message}{end}{self._hint(message)} Try '{self.prog} --help'.")

    def _hint(self, message: str) -> str:
        """The nearest option to one that does not exist."""
        known = [name for action in self._actions for name in action.option_strings]
        words = [word.partition("=")[0].rstrip(":,") for word in message.split()]
        unknown = [word for word in words if word.startswith("--") and word not in known]
        return "".join(did_you_mean(word, known) for word in unknown)


def one_of(*known: str) -> Callable[[str], str]:
    def check(word: str) -> str:
        if word not in known:
            hint = did_you_mean(word, list(known))
            raise argparse.ArgumentTypeError(f"{word!r} is not one of {', '.join(known)}.{hint}")
        return word

    return check


def number(least: int, most: int | None = None) -> Callable[[str], int]:
    def check(word: str) -> int:
        digits = word.isascii() and word.isdigit()
        if digits and len(word) > MOST_DIGITS:
            raise argparse.ArgumentTypeError(f"a number of {len(word)} digits is too large")
        if not digits or int(word) < least:
            raise argparse.ArgumentTypeError(f"{word!r} is not a whole number from {least} on")
        if most is not None and int(word) > most:
            raise argparse.ArgumentTypeError(f"{word} is more than {most}")
        return int(word)

    return check


def amount(
    unit: str, most: float = 1e9, least: float = 0.0, zero: bool = False
) -> Callable[[str], float]:
    """A number of something: above 0, from `least` if that is more, or 0 where that is said."""

    def check(word: str) -> float:
        try:
            value = float(word)
        except ValueError:
            value = -1.0
        if not (max(least, 1e-12) <= value <= most) and not (zero and value == 0):
            start = f"from {least:g}" if least else "above 0"
            end = "" if most >= 1e9 else f" up to {most:g}"
            also = ", or 0" if zero else ""
            raise argparse.ArgumentTypeError(
                f"{word!r} is not a number of {unit} {start}{end}{also}"
            )
        return value

    return check


LOOPBACK = "127.0.0.1"


def parse_host(word: str) -> str:
    """A name that can be looked up at all; an empty one would mean every network there is."""
    try:
        valid = bool(word.encode("idna"))
    except UnicodeError:
        valid = False
    if not valid:
        raise argparse.ArgumentTypeError(f"{word!r} is not the name or number of a computer")
    return word


def parse_address(word: str) -> tuple[str, int]:
    """`HOST:PORT`, or a port alone on this computer."""
    name, _, port = word.rpartition(":")
    if not (port.isascii() and port.isdigit() and len(port) < 6 and 0 < int(port) <= 65535):
        raise argparse.ArgumentTypeError(f"{word!r} is not like {LOOPBACK}:9999")
    return parse_host(name.strip("[]") or LOOPBACK), int(port)
