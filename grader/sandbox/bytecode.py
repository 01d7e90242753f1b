"""Compiling the modules of a Python submission once, instead of in each of its runs.

That is work for a box too: no source is trusted enough to be compiled outside.
"""

from __future__ import annotations

import os
from dataclasses import replace

from grader.sandbox.answer_file import read_answer
from grader.sandbox.job import File, Limits
from grader.sandbox.order import Order

LIMITS = Limits(cpu_s=20, wall_s=60, output_bytes=16 << 20)
COMPILE = (
    *("-I", "-S", "-X", "pycache_prefix={output}"),
    *("-m", "compileall", "-q", "--invalidation-mode", "unchecked-hash", "{submission}"),
)


def is_worth_it(order: Order) -> bool:
    """A single file is compiled whenever it is started; only modules are kept."""
    sources = [file for file in order.files or () if file.path.endswith(".py")]
    return order.python and len(sources) > 1


def compiling(order: Order) -> Order:
    """The run that compiles, into what is otherwise the output file."""
    return replace(order, files=None, forget=(), arguments=COMPILE, limits=LIMITS)


def harvest(files: tuple[File, ...], output: int, name: str, inside: str) -> tuple[File, ...]:
    """What was compiled, as files to be put beside their sources.  `inside` is where the box
    saw the submission; `output` and `name` say where the compiled tree is."""
    present = {file.path for file in files}
    harvested: list[File] = []
    for parent in sorted({os.path.dirname(path) for path in present if path.endswith(".py")}):
        if os.path.join(parent, "__pycache__") in present:  # a file of that name
            continue
        tree = f"{name}{inside}/{parent}".rstrip("/")
        for compiled in _listed(output, tree):
            path = os.path.join(parent, "__pycache__", compiled)
            content, _, _ = read_answer(output, f"{tree}/{compiled}", LIMITS.output_bytes)
            if content is not None and path not in present:
                harvested.append(File(path, content))
    return tuple(harvested)


def _listed(output: int, tree: str) -> list[str]:
    try:
        descriptor = os.open(tree, os.O_RDONLY | os.O_DIRECTORY, dir_fd=output)
    except OSError:
        return []
    try:
        return [name for name in os.listdir(descriptor) if name.endswith(".pyc")]
    finally:
        os.close(descriptor)
