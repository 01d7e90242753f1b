"""Forgets that columns end."""

import sys

rows = [list(line) for line in open(sys.argv[1]).read().split()]
for y, x in [(y, x) for y in range(8) for x in range(8)]:
    if rows[y][x] in "rR" and rows[y - 1][x + 1] == ".":
        rows[y][x], rows[y - 1][x + 1] = ".", rows[y][x]
        break
open(sys.argv[2], "w").write("\n".join(map("".join, rows)))
