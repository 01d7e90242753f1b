"""The `solver` command as a real process, and boards to try it on."""

from __future__ import annotations

import subprocess
import sys
from typing import Any

SHOT = """\
.....b.R
......r.
........
..R.b...
.......b
......b.
...r....
........
"""
SHOT_ANSWER = """\
.....b.R
......r.
...R....
....b...
.......b
......b.
...r....
........
"""
BLOCKED = "........\n........\n........\n..b.....\n.b......\nr.......\n........\n........\n"


def solver(*words: str, text: str = "", **options: Any) -> subprocess.CompletedProcess[str]:
    """A real process."""
    return subprocess.run(
        [sys.executable, "-m", "solver", *words],
        input=text,
        capture_output=True,
        text=True,
        timeout=60,
        **options,
    )
