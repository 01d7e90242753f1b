"""The analysis page and its web server."""
