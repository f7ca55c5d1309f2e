"""Which models there are and how they reach this machine."""
