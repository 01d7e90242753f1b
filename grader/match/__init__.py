"""Games between variants and engines: openings, players, tournaments, and what they say."""
