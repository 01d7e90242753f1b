"""Results as text for people and for other systems: gradings, comparisons and matches."""
