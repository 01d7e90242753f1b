"""Ways to search that can be compared: what they are, how they are named, and at work."""
