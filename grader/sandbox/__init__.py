"""The box: runs one command that nobody trusts, and leaves nothing of it behind.

The grader talks to wardens (`client`), small processes that start one box at a time (`warden`).
What a box sees is described once (`view`) and built by each level in its own way.
"""
