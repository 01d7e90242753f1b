"""Why a move is best: lines told in words, compared with each other, and hinted at."""
