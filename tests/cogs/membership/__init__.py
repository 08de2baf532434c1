"""Who plays again, waits, leaves, takes over and comes back: without Discord."""
