"""Kings never move backward."""

import sys  # called as argv says: IN OUT

import right

right.directions = lambda piece: right.UP if piece in "rR" else right.DOWN
sys.exit(right.main())
