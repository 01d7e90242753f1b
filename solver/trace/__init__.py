"""A recorded search as a tree with windows, values, cutoffs and reasons."""
