"""`python3 -m solver`."""

import gc
import os
import sys

# The current folder may have a `copy.py` that is not the standard library's.
sys.path.append(sys.path.pop(0))

from solver.cli import entry

# Positions have no reference cycles: looking for some every few hundred objects wastes time.
gc.set_threshold(100_000)
code = entry()
# A plain call has written its answer.  Taking down the interpreter object by object would cost as
# much as a quick answer; but another program that runs us, such as a profiler, wants to go on.
if "argparse" not in sys.modules and sys.orig_argv[1:3] == ["-m", "solver"]:
    os._exit(code)
sys.exit(code)
