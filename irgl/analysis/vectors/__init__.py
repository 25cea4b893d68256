"""Vectors and constants: what a program says of several values at once, spelled out one by one before it is checked."""
