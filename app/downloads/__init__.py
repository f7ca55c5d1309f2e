"""Downloads of models while the window goes on: the work, and the strip that tells of it."""
