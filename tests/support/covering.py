"""Choices of settings that hold every pair of two options' values (pairwise covers)."""

from __future__ import annotations

import random
from collections.abc import Collection, Mapping, Sequence
from itertools import combinations, product

Row = dict[str, str]
#: Two options with a value each, in their order.
Pair = tuple[str, str, str, str]
TRIES = 30


def pairs(row: Row) -> set[Pair]:
    return {(a, row[a], b, row[b]) for a, b in combinations(row, 2)}


def all_pairs(options: Mapping[str, Sequence[str]]) -> set[Pair]:
    return {(a, x, b, y) for a, b in combinations(options, 2) for x, y in product(options[a], options[b])}


def cover(options: Mapping[str, Sequence[str]], seed: int = 0, least: int = 0,
          apart: Collection[Pair] = ()) -> list[Row]:
    """Rows that hold every pair of values of two options, but for those that are `apart`, of which no row holds one; at
    least so many, if there are. No first value of an option may be apart from another's.

    The first has the first value of each. Every other row is the best of some that begin with a pair that no row holds
    yet and then choose, option by option, the value that is new beside the most of those chosen before.
    """
    chance = random.Random(seed)
    found: list[Row] = [{o: values[0] for o, values in options.items()}]
    left = all_pairs(options) - pairs(found[0]) - set(apart)
    places = {o: i for i, o in enumerate(options)}
    apart = frozenset(apart)
    while left:
        begins = sorted(left)
        rows = [_grown(options, left, begins, chance, apart, places) for _ in range(TRIES)]
        best = max(rows, key=lambda row: len(pairs(row) & left))
        found.append(best)
        left -= pairs(best)
    others = [row for row in every(options) if row not in found and pairs(row).isdisjoint(apart)
              ] if len(found) < least else []
    return found + chance.sample(others, min(len(others), least - len(found))) if others else found


def shared(covers: Mapping[str, Sequence[Row]]) -> dict[str, list[Row]]:
    """Of several covers, by name, rows that hold together every pair that any of the covers holds, and of each cover
    every value of every option."""
    taken: dict[str, list[Row]] = {}
    held: set[Pair] = set()

    def take(name: str, row: Row) -> None:
        taken.setdefault(name, []).append(row)
        held.update(pairs(row))

    for name, rows in covers.items():
        values = {value for row in rows for value in row.items()}
        while values:
            best = max(rows, key=lambda row: (len(values & set(row.items())), len(pairs(row) - held)))
            take(name, best)
            values -= set(best.items())
    rest = [(name, row) for name, rows in covers.items() for row in rows if row not in taken[name]]
    while rest:
        name, best = max(rest, key=lambda of: len(pairs(of[1]) - held))
        if pairs(best) <= held:
            break
        take(name, best)
        rest = [(n, row) for n, row in rest if (n, row) != (name, best) and not pairs(row) <= held]
    return taken


def every(options: Mapping[str, Sequence[str]]) -> list[Row]:
    """All rows there are."""
    return [dict(zip(options, values, strict=True)) for values in product(*options.values())]


def _grown(options: Mapping[str, Sequence[str]], left: Collection[Pair], begins: Sequence[Pair],
           chance: random.Random, apart: Collection[Pair], places: Mapping[str, int]) -> Row:
    """A row that begins with one of the pairs that are left, which `begins` has in order."""
    a, x, b, y = chance.choice(begins)
    row = {a: x, b: y}
    order = [o for o in options if o not in row]
    chance.shuffle(order)
    for o in order:
        at = places[o]
        before = [(p, v) for p, v in row.items() if places[p] < at]
        behind = [(p, v) for p, v in row.items() if places[p] > at]

        def count(value: str, of: Collection[Pair], o: str = o, before: list[tuple[str, str]] = before,
                  behind: list[tuple[str, str]] = behind) -> int:
            return (sum([(p, v, o, value) in of for p, v in before])
                    + sum([(o, value, p, v) in of for p, v in behind]))
        values = [v for v in options[o] if not (apart and count(v, apart))]
        chance.shuffle(values)
        row[o] = max(values, key=lambda value: count(value, left))
    return {o: row[o] for o in options}
