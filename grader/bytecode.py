"""Bytecode beside sources, as Python itself would leave it, for code of our own.

A box is read-only, so that a program of many modules would be compiled anew in every run.
Only ever for our own solver: what others have written is not even parsed outside a box.
"""

from __future__ import annotations

import py_compile
from collections.abc import Iterable
from importlib.util import cache_from_source
from pathlib import Path
from tempfile import TemporaryDirectory

from grader.runs import File

# The sources do not change, and their times are not those of the originals.
NEVER_STALE = py_compile.PycInvalidationMode.UNCHECKED_HASH


def with_bytecode(files: Iterable[File]) -> tuple[File, ...]:
    found = list(files)
    with TemporaryDirectory() as name:
        source, target = Path(name, "source.py"), Path(name, "target.pyc")
        for file in [file for file in found if file.path.endswith(".py")]:
            source.write_bytes(file.content)
            py_compile.compile(
                str(source), str(target), file.path, doraise=True, invalidation_mode=NEVER_STALE
            )
            found.append(File(cache_from_source(file.path), target.read_bytes()))
    return tuple(found)
