"""Loops over edges: whose values they speak of, and whether they may turn round or repeat."""
