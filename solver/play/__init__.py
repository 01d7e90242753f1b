"""A game in progress, the time of its players, and what they think about."""
