"""The arithmetic of comparing: strength from games, tests, ratios, shares.  Numbers in, numbers
out."""
