"""What callers give besides a graph and numbers: values for every node or edge."""
