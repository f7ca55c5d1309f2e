"""Models: where their files are, whether the engine can run them, loading and running them."""
