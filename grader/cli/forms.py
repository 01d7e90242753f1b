"""`-o FORMAT[:FILE]`: where results go, and in which form."""

from __future__ import annotations

import argparse
import os
from collections.abc import Callable, Collection
from dataclasses import dataclass
from pathlib import Path

from solver.cli.files import check_output, write_text
from solver.errors import FileError, UserError, did_you_mean

STDOUT = "-"
TABLE = "table"


@dataclass(frozen=True)
class Form:
    """A format, and where it goes."""

    name: str
    path: str = STDOUT

    def __str__(self) -> str:
        return f"{self.name}:{self.path}"


def form_of(known: Collection[str]) -> Callable[[str], Form]:
    """What `-o` says, for the argument parser."""

    def form(word: str) -> Form:
        name, colon, path = word.partition(":")
        if name not in known:
            hint = did_you_mean(name, list(known))
            raise argparse.ArgumentTypeError(f"{name!r} is not one of {', '.join(known)}.{hint}")
        if colon and not path:
            raise argparse.ArgumentTypeError(f"{word!r}: the name of the file is missing")
        return Form(name, os.path.abspath(path) if path and path != STDOUT else STDOUT)

    return form


def add_forms(parser: argparse._ActionsContainer, known: Collection[str]) -> None:
    parser.add_argument(
        "-o",
        dest="outputs",
        metavar="FORMAT[:FILE]",
        type=form_of(known),
        action="append",
        help=f"{', '.join(known)}; to standard output without a file; may be repeated",
    )


def checked_forms(forms: list[Form] | None, journal: str | Path | None = None) -> list[Form]:
    """With the table, if nothing else goes to the screen; fails if one cannot be written, or is
    the place of another or of the journal."""
    found = list(forms or [])
    for each in found:
        check_output(each.path)
    paths = [each.path if each.path == STDOUT else os.path.realpath(each.path) for each in found]
    if journal is not None and os.path.realpath(journal) in paths:
        raise UserError(f"-o: {journal} is the journal. Name another file.")
    for path in paths:
        if paths.count(path) > 1:
            name = "standard output" if path == STDOUT else path
            raise UserError(f"-o: two results cannot both go to {name}. Name another file.")
    return found if STDOUT in paths else [Form(TABLE), *found]


def write_forms(forms: list[Form], render: Callable[[str], str], remedy: str = "") -> None:
    """Every result; one that cannot be written does not keep the others back.

    Files come first: who reads standard output may go away, as `head` does, and that ends us.
    """
    faults = []
    for each in sorted(forms, key=lambda form: form.path == STDOUT):
        try:
            write_text(each.path, render(each.name))
        except FileError as error:
            faults.append(str(error))
    if faults:
        raise FileError("\n".join([*faults, remedy] if remedy else faults))
