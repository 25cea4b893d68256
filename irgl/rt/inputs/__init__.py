"""What callers give besides a graph and numbers: values for every node or edge, lists of nodes, arrays of numbers."""
