"""The sets of a program: what may hold the same nodes, and whether a node can come into one twice."""
