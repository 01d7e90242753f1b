"""Comparisons and matches as one static page, with plots that are drawn here."""
