"""What irglc run --stats=rounds shows: a table of rounds for people, or the same in JSON."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from irgl.rt.results.rounds import Round, Rounds, rounded

#: The headings of the columns whose names aren't what people read.
_HEADINGS = {"grid_barriers": "grid barriers", "warp_steps": "warp steps"}
_NONE = "no loop of the Program invokes kernels, so there are no rounds"


def rounds_as_json(rounds: Rounds) -> dict[str, Any]:
    """The keys that rounds add to the object of --json."""
    found: dict[str, Any] = {
        "rounds": [r.as_json() for r in rounds.kept],
        "outside_rounds": rounded(rounds.outside),
    }
    if rounds.further:
        found["further_rounds"] = {"rounds": rounds.further, **rounded(rounds.beyond)}
    return found


def round_lines(rounds: Rounds) -> list[str]:
    """A line a round of each loop, those of a loop below its place, then what is in no round, and the sums."""
    if not rounds.kept:
        return [_NONE]
    turns = any(r.direction for r in rounds.kept)
    counted = [*rounds.outside]
    head = ["rounds", "frontier", "edges", *(["direction"] if turns else []), *(_HEADINGS.get(c, c) for c in counted)]
    rows = [head, *_rows(rounds, turns, counted)]
    widths = [max(len(row[k]) for row in rows if k < len(row)) for k in range(len(head))]
    left = {0, 3} if turns else {0}
    return ["  ".join(f"{cell:{'<' if k in left else '>'}{widths[k]}}" for k, cell in enumerate(row)).rstrip()
            for row in rows]


def _rows(rounds: Rounds, turns: bool, counted: list[str]) -> Iterator[list[str]]:
    for loop in dict.fromkeys(r.loop for r in rounds.kept):
        yield [loop]
        for r in (r for r in rounds.kept if r.loop == loop):
            number = ".".join(map(str, (*r.around, r.number)))
            yield [f"  {number}", *_cells(r, turns), *(_shown(r.counted[c]) for c in counted)]
    empty = [""] * (3 if turns else 2)
    if rounds.further:
        yield [f"{rounds.further:,} further rounds", *empty, *(_shown(rounds.beyond[c]) for c in counted)]
    yield ["outside of rounds", *empty, *(_shown(rounds.outside[c]) for c in counted)]
    every = [rounds.outside, rounds.beyond, *(r.counted for r in rounds.kept)]
    yield ["all", *empty, *(_shown(sum(x.get(c, 0) for x in every)) for c in counted)]


def _cells(r: Round, turns: bool) -> list[str]:
    known = ["" if x is None else f"{x:,}" for x in (r.frontier, r.edges)]
    return [*known, r.direction] if turns else known


def _shown(value: float) -> str:
    return f"{value:,}" if isinstance(value, int) else f"{value:,.3f}"
