"""What a model and a context take on this machine, in pictures and figures, before anything is loaded."""
