"""Bytes that are no text."""

import sys

with open(sys.argv[2], "wb") as file:
    file.write(b"\xff\xfe\x80\x00" * 18)
