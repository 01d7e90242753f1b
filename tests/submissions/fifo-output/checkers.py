"""Makes the output a pipe on which a reader would wait for ever."""

import os
import sys

os.mkfifo(sys.argv[2])
