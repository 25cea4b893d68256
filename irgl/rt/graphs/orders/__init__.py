"""Orders of a graph's nodes that take more than a sort, and how much of a graph an order brings together."""
