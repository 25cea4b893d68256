"""Meshes in memory, and their files."""
