"""Two Flags over the network: agent, server, and the dialects they speak."""
