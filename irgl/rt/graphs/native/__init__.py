"""C++ that reads, builds and generates graphs on all threads. Where it can't, NumPy does the same."""
