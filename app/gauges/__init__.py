"""The strip of gauges along the bottom of the window."""
