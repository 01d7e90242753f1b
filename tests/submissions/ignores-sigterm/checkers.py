"""Cannot be asked to end."""

import signal
import time

for number in range(1, signal.NSIG):
    if number not in (signal.SIGKILL, signal.SIGSTOP):
        try:
            signal.signal(number, signal.SIG_IGN)
        except (OSError, ValueError):
            continue
while True:
    time.sleep(1)
