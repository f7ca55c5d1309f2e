"""What a model, a context and a machine need from each other, worked out before anything is loaded."""
