"""The puzzles and what is known about them."""
