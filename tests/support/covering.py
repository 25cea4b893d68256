"""Choices of settings that hold every pair of two options' values (pairwise covers)."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from itertools import combinations, product

Row = dict[str, str]


def pairs(row: Row) -> set[tuple[str, str, str, str]]:
    return {(a, row[a], b, row[b]) for a, b in combinations(row, 2)}


def cover(options: Mapping[str, Sequence[str]], seed: int = 0) -> list[Row]:
    """Rows that hold every pair of values of two options; the first ones hold the most."""
    rows = [dict(zip(options, values, strict=True)) for values in product(*options.values())]
    random.Random(seed).shuffle(rows)
    held = [pairs(row) for row in rows]
    left = set().union(*held)
    found = []
    while left:
        best = max(range(len(rows)), key=lambda i: len(held[i] & left))
        found.append(rows[best])
        left -= held[best]
    return found


def has_every_value(rows: Sequence[Row], options: Mapping[str, Sequence[str]]) -> bool:
    return all({row[o] for row in rows} == set(values) for o, values in options.items())
