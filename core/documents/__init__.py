"""Documents: read in a worker process, put in order, quoted and cited."""
