"""Variants built, run, checked and timed, by a worker that may die; and the cost model of a GPU."""
