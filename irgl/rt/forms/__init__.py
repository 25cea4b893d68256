"""Edges in the forms that a plan wants: built of a graph's rows, once, and kept."""
