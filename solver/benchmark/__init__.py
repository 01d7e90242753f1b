"""The full benchmark: this program beside others that do the same, on the same positions."""
