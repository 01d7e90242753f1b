"""A search told to people: its visits as a tree with windows, values, cuts and reasons."""
