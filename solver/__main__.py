"""`python3 -m solver`."""

import sys

from solver.cli import entry

sys.exit(entry())
