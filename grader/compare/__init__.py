"""Variants measured on the same positions: answers, effort, and how much of the truth is kept."""
