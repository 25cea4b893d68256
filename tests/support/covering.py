"""Choices of settings that hold every pair of two options' values (pairwise covers)."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from itertools import combinations, product

Row = dict[str, str]
TRIES = 30


def pairs(row: Row) -> set[tuple[str, str, str, str]]:
    return {(a, row[a], b, row[b]) for a, b in combinations(row, 2)}


def all_pairs(options: Mapping[str, Sequence[str]]) -> set[tuple[str, str, str, str]]:
    return {(a, x, b, y) for a, b in combinations(options, 2) for x, y in product(options[a], options[b])}


def cover(options: Mapping[str, Sequence[str]], seed: int = 0, least: int = 0) -> list[Row]:
    """Rows that hold every pair of values of two options; at least so many, if there are.

    The first has the first value of each. Every other row is the best of some that begin with a pair that no row holds
    yet and then choose, option by option, the value that is new beside the most of those chosen before.
    """
    chance = random.Random(seed)
    found: list[Row] = [{o: values[0] for o, values in options.items()}]
    left = all_pairs(options) - pairs(found[0])
    while left:
        rows = [_grown(options, left, chance) for _ in range(TRIES)]
        best = max(rows, key=lambda row: len(pairs(row) & left))
        found.append(best)
        left -= pairs(best)
    others = [row for row in every(options) if row not in found] if len(found) < least else []
    return found + chance.sample(others, min(len(others), least - len(found))) if others else found


def every(options: Mapping[str, Sequence[str]]) -> list[Row]:
    """All rows there are."""
    return [dict(zip(options, values, strict=True)) for values in product(*options.values())]


def _grown(options: Mapping[str, Sequence[str]], left: set[tuple[str, str, str, str]], chance: random.Random) -> Row:
    a, x, b, y = chance.choice(sorted(left))
    row = {a: x, b: y}
    order = [o for o in options if o not in row]
    chance.shuffle(order)
    places = {o: i for i, o in enumerate(options)}
    for o in order:
        def gain(value: str, o: str = o) -> int:
            return sum(((o, value, p, v) if places[o] < places[p] else (p, v, o, value)) in left
                       for p, v in row.items())
        values = list(options[o])
        chance.shuffle(values)
        row[o] = max(values, key=gain)
    return {o: row[o] for o in options}
