"""Choices of settings that hold every pair of two options' values (pairwise covers).

Numbers stand for an option's values, and bits for whom each is beside: who is new is counted by one look.
"""

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
    apart = frozenset(apart)
    values = _Values(options)
    found: list[Row] = [{o: those[0] for o, those in options.items()}]
    begins = sorted(all_pairs(options) - pairs(found[0]) - apart)
    left, never = values.beside(begins), values.beside(apart)
    while begins:
        rows = [_grown(values, left, begins, chance, never) for _ in range(TRIES)]
        best = max(rows, key=lambda row: values.held(row, left))
        found.append(best)
        values.take(best, left)
        begins = [(a, x, b, y) for a, x, b, y in begins if left[values.number[a, x]] & values.bit(b, y)]
    others = [row for row in every(options) if row not in found and pairs(row).isdisjoint(apart)
              ] if len(found) < least else []
    return found + chance.sample(others, min(len(others), least - len(found))) if others else found


def shared(covers: Mapping[str, Sequence[Row]]) -> dict[str, list[Row]]:
    """Of several covers, by name, rows that hold together every pair that any of the covers holds, and of each cover
    every value of every option."""
    taken: dict[str, list[Row]] = {}
    numbers: dict[Pair, int] = {}
    bits = {name: [sum(1 << numbers.setdefault(pair, len(numbers)) for pair in pairs(row)) for row in rows]
            for name, rows in covers.items()}
    held = 0
    rest: list[tuple[str, Row, int]] = []
    for name, rows in covers.items():
        mine = taken.setdefault(name, [])
        both = [*zip(rows, bits[name], strict=True)]
        values = {value for row in rows for value in row.items()}
        while values:
            best, new = max(both, key=lambda of: (len(values & of[0].items()), (of[1] & ~held).bit_count()))
            mine.append(best)
            held |= new
            values -= best.items()
    rest = [(name, row, own) for name, rows in covers.items() for row, own in zip(rows, bits[name], strict=True)
            if row not in taken[name]]
    while rest:
        name, best, new = max(rest, key=lambda of: (of[2] & ~held).bit_count())
        if not new & ~held:
            break
        taken[name].append(best)
        held |= new
        rest = [of for of in rest if of[:2] != (name, best) and of[2] & ~held]
    return taken


def every(options: Mapping[str, Sequence[str]]) -> list[Row]:
    """All rows there are."""
    return [dict(zip(options, values, strict=True)) for values in product(*options.values())]


class _Values:
    """The values of all options, by number. What is left of the pairs is, for each, a number whose bits are those that
    it is to stand beside."""

    def __init__(self, options: Mapping[str, Sequence[str]]) -> None:
        self.options = options
        self.number = {of: i for i, of in enumerate((o, v) for o, those in options.items() for v in those)}

    def bit(self, option: str, value: str) -> int:
        return 1 << self.number[option, value]

    def beside(self, some: Collection[Pair]) -> list[int]:
        """What is left, where some pairs are."""
        found = [0] * len(self.number)
        for a, x, b, y in some:
            found[self.number[a, x]] |= self.bit(b, y)
            found[self.number[b, y]] |= self.bit(a, x)
        return found

    def _of(self, row: Row) -> tuple[list[int], int]:
        mine = [self.number[of] for of in row.items()]
        return mine, sum(1 << i for i in mine)

    def held(self, row: Row, left: Sequence[int]) -> int:
        """How many of the pairs that are left a row holds."""
        mine, bits = self._of(row)
        return sum([(left[i] & bits).bit_count() for i in mine]) // 2

    def take(self, row: Row, left: list[int]) -> None:
        """The pairs of a row are no longer left."""
        mine, bits = self._of(row)
        for i in mine:
            left[i] &= ~bits


def _grown(values: _Values, left: Sequence[int], begins: Sequence[Pair], chance: random.Random,
           never: Sequence[int]) -> Row:
    """A row that begins with one of the pairs that are left, which `begins` has in order."""
    a, x, b, y = chance.choice(begins)
    row, number = {a: x, b: y}, values.number
    bits = values.bit(a, x) | values.bit(b, y)
    order = [o for o in values.options if o not in row]
    chance.shuffle(order)
    for o in order:
        those = [v for v in values.options[o] if not never[number[o, v]] & bits]
        chance.shuffle(those)
        most = -1
        for v in those:
            new = (left[number[o, v]] & bits).bit_count()
            if new > most:
                row[o], most = v, new
        bits |= values.bit(o, row[o])
    return {o: row[o] for o in values.options}
