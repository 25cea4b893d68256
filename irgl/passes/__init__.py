"""One pass a file, from program to program; pipeline.py and lowering/lower_cuda.py have their order."""
