"""`python3 -m grader`."""

import sys

# The folder we are called in is perhaps a student's, whose `copy.py` is not the library's.
sys.path.append(sys.path.pop(0))

from grader.cli import entry

sys.exit(entry())
