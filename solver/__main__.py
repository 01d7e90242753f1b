"""`python3 -m solver`, and the installed command `solver`."""

import gc
import os
import sys

if __name__ == "__main__":
    # The current folder may have a `copy.py` that is not the standard library's.
    sys.path.append(sys.path.pop(0))

from solver.interrupt import run_program


def run() -> int:
    return run_program("solver")


if __name__ == "__main__":
    # Positions have no reference cycles: looking for some every few hundred objects wastes time.
    gc.set_threshold(100_000)
    code = run()
    # A plain call has written its answer.  Taking down the interpreter object by object would cost
    # as much as a quick answer; but another program that runs us, such as a profiler, goes on.
    if "argparse" not in sys.modules and sys.orig_argv[1:3] == ["-m", "solver"]:
        os._exit(code)
    sys.exit(code)
