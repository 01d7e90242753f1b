"""The opponent is never crowned."""

import sys  # called as argv says: IN OUT

import right

right.DEPTH = 4
right.is_crowned = lambda piece, y: piece == "r" and y == 0
sys.exit(right.main())
