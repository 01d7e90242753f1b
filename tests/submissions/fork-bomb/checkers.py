"""Starts processes until it is stopped, at the latest by itself after four hundred."""

import os
import sys
import time

for _ in range(400):
    if os.fork() == 0:
        time.sleep(60)
        os._exit(0)
with open(sys.argv[1]) as board, open(sys.argv[2], "w") as file:
    file.write(board.read())
