"""Graphs in memory: read, generated, built, prepared for a program, laid out, cached, written."""
