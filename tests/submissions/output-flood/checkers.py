"""Prints for ever."""

import sys

while True:
    sys.stdout.write("red moves " * 1000)
