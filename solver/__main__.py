"""`python3 -m solver`."""

import gc
import os
import sys

# The folder we are called in may hold a `copy.py` that is not the library's.
sys.path.append(sys.path.pop(0))

from solver.cli import entry

# Positions know no cycles: to look for some every few hundred objects is time lost.
gc.set_threshold(100_000)
code = entry()
# A plain call has written what it has to say, and leaves nothing behind: to take down a whole
# interpreter, object by object, would cost as much as a quick answer.  Not so if it is called by
# another program, such as a profiler, which wants to go on.
if "argparse" not in sys.modules and sys.orig_argv[1:3] == ["-m", "solver"]:
    os._exit(code)
sys.exit(code)
