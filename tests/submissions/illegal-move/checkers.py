"""The man jumps three rows."""

import sys

board = "........\n....b...\n..r.....\n..R.....\n........\n........\n........\n........\n"
with open(sys.argv[2], "w") as file:
    file.write(board)
