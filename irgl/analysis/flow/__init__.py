"""Control flow: dominance, uniform branches, focal points, the outline tree, the shape of kernels."""
