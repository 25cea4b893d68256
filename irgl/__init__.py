"""irgl: a compiler for graph algorithms."""

__version__ = "0.1.0"
