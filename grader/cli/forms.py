"""`-o FORMAT[:FILE]` for results that are not gradings."""

from __future__ import annotations

import argparse
import os
from collections.abc import Callable, Collection
from dataclasses import dataclass

from solver.cli.files import check_output, write_text
from solver.errors import FileError, UserError, did_you_mean

STDOUT = "-"
TABLE = "table"


@dataclass(frozen=True)
class Form:
    """A format, and where it goes."""

    name: str
    path: str = STDOUT


def add_forms(parser: argparse._ActionsContainer, known: Collection[str]) -> None:
    def form(word: str) -> Form:
        name, colon, path = word.partition(":")
        if name not in known:
            hint = did_you_mean(name, list(known))
            raise argparse.ArgumentTypeError(f"{name!r} is not one of {', '.join(known)}.{hint}")
        if colon and not path:
            raise argparse.ArgumentTypeError(f"{word!r}: the name of the file is missing")
        return Form(name, path or STDOUT)

    parser.add_argument(
        "-o",
        dest="forms",
        metavar="FORMAT[:FILE]",
        type=form,
        action="append",
        help=f"{', '.join(known)}; to standard output without a file; may be repeated",
    )


def checked_forms(forms: list[Form] | None) -> list[Form]:
    """With the table, if nothing else goes to the screen; fails if one cannot be written, or two
    would be written over each other."""
    found = list(forms or [])
    for each in found:
        check_output(each.path)
    paths = [each.path if each.path == STDOUT else os.path.realpath(each.path) for each in found]
    for path in paths:
        if paths.count(path) > 1:
            name = "standard output" if path == STDOUT else path
            raise UserError(f"-o: two results cannot both go to {name}. Name another file.")
    return found if STDOUT in paths else [Form(TABLE), *found]


def write_forms(forms: list[Form], render: Callable[[str], str]) -> None:
    """Every result; one that cannot be written does not keep the others back."""
    faults = []
    for each in forms:
        try:
            write_text(each.path, render(each.name))
        except FileError as error:
            faults.append(str(error))
    if faults:
        raise FileError("\n".join(faults))
