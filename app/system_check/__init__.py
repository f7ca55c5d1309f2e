"""The panel that lists what could be set up better on this machine."""
