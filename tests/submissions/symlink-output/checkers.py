"""Makes the output a link to the expected file."""

import json
import os
import sys

with open("where.json") as file:
    expected = json.load(file)["expected"]
os.symlink(expected, sys.argv[2])
