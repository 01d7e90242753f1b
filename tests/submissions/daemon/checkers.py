"""Answers well, and leaves a process behind that has cut every tie."""

import os
import sys
import time

BEST = "........\n....b...\n........\n..R.....\n...r....\n........\n........\n........\n"

if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        os.closerange(0, 3)
        time.sleep(600)
    os._exit(0)
os.wait()
with open(sys.argv[2], "w") as file:
    file.write(BEST)
