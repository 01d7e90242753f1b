"""`python3 -m solver`."""

import sys

# The folder we are called in may hold a `copy.py` that is not the library's.
sys.path.append(sys.path.pop(0))

from solver.cli import entry

sys.exit(entry())
