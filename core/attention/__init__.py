"""Attention over disjoint sets of keys, merged exactly."""
