"""Game trees that are written down whole, as in lectures and homework."""
