"""Which iterations of a loop over all nodes do nothing, and for how long."""
