"""Which iterations of rounds do nothing, and for how long; and which rounds need not wait for each other."""
