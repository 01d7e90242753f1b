"""The weights of a heuristic, fitted to the results of games and endings."""
