"""What `lectern bench` measures: figures as ratios against a peer in the same run."""
