"""The desktop application: the window over `core`."""
