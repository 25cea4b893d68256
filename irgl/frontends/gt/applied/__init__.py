"""Functions that are applied to edges and vertices: kernels."""
