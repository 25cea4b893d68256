"""Graphs whose arrays come when they are asked for: as the cache on disk keeps them."""
