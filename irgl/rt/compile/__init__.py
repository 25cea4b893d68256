"""Compilers: which there are, how they are started, and the cache of what they made."""
