"""`python3 -m grader`, and the installed command `grader`."""

import sys

if __name__ == "__main__":
    # The folder we are called in is perhaps a student's, whose `copy.py` is not the library's.
    sys.path.append(sys.path.pop(0))

from solver.interrupt import run_program


def run() -> int:
    return run_program("grader")


if __name__ == "__main__":
    sys.exit(run())
