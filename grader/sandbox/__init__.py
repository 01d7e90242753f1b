"""Runs one untrusted command on one input and leaves nothing of it behind.  `client.run(job)` is
the only way in; README.md says what each level of isolation promises."""
