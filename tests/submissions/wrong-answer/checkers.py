"""A legal move that loses."""

import sys

LOSES = "........\n....b...\n...R....\n........\n........\n..r.....\n........\n........\n"
with open(sys.argv[2], "w") as file:
    file.write(LOSES)
