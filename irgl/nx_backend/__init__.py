"""A backend of NetworkX: its functions, answered by compiled irgl programs on a graph that is converted once."""
