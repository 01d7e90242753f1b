"""The analysis page: a small web server on this computer, and the page that it shows."""
