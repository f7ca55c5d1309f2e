"""Document caches on disk: what was read once, so that it need not be read again. Free of torch."""
