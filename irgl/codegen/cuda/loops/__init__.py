"""A kernel's loops in CUDA C++ where they run over forms of edges, or where several lanes run an iteration."""
