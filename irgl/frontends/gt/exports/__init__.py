"""Exported functions: a program for each, which begins with what others left."""
