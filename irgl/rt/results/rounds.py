"""What a run counted by round of the Program's loops, as its unit noted it (irgl/codegen/cxx/rounds.py)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

Counted = dict[str, float]

#: What the emulator counts, what a CPU does, and what a GPU.
NOTED = ("launches", "ms")
COUNTED, TIMED = ("launches", "grid_barriers", "atomics", "warp_steps", "transactions"), ("ms",)
_WAYS = {0: "", 1: "push", 2: "pull", 3: "push+pull"}


@dataclass(frozen=True, slots=True)
class Round:
    """One round of the loop at a place, its number from 1; around: those of the rounds that it is part of.

    frontier: how many items the first kernel invoked in it runs over, edges: how many these have, if they are nodes
    whose edges it looks at; None: nobody knows. direction: of a loop that may turn. counted: what is in no inner round.
    """

    loop: str
    number: int
    around: tuple[int, ...]
    frontier: int | None
    edges: int | None
    direction: str
    counted: Counted

    def as_json(self) -> dict[str, Any]:
        """The object of --json, and of the tuner's database."""
        return {"loop": self.loop, "round": self.number, "around": list(self.around), "frontier": self.frontier,
                "edges": self.edges, "direction": self.direction or None, **rounded(self.counted)}


@dataclass(frozen=True, slots=True)
class Rounds:
    """The rounds of a run, in order; outside: what is counted in none. further: how many there were beyond those that
    are kept; beyond: what is counted in them."""

    kept: tuple[Round, ...]
    outside: Counted
    further: int
    beyond: Counted


def of_emulator(raw: Mapping[str, Any], places: Sequence[str]) -> Rounds:
    """From the report of the emulator (cuda_rt/emu/runtime/rounds.hpp), which has no rounds where none was begun."""
    names = [name for name in COUNTED if name in raw]  # steps are counted where lanes step together
    columns = [5 + COUNTED.index(name) for name in names]
    if "rounds" not in raw:
        return Rounds((), {name: raw[name] for name in names}, 0, {})
    rows = [[*row[:5], *(row[k] for k in columns)] for row in raw["rounds"]]
    return _rounds(rows, raw["further_rounds"], places, names)


def of_cpu(words: Sequence[int], places: Sequence[str], ms: float) -> Rounds:
    """From what irgl_rounds (cpu_rt/rounds.hpp) tells of a run that took so long, noting included."""
    further, noting, *rest = words
    rows: list[list[float]] = [[*rest[k:k + 5], rest[k + 5] / 1e6] for k in range(0, len(rest), 6)]
    rows[0][5] = ms - noting / 1e6 - sum(row[5] for row in rows[1:])
    return _rounds(rows, further, places, TIMED)


def of_gpu(words: Sequence[int], places: Sequence[str]) -> Rounds:
    """From the log that a GPU kept (cuda_rt/round_log.cuh): how many notes and rounds there were, the time of the last
    note, and five numbers of each that is kept; none where the run ended before."""
    rows: list[list[float]] = [[0, 0, -1, -1, 0, 0, 0.0]]
    if not words:
        return _rounds(rows, 0, places, NOTED)
    count, begun, end, *rest = words
    open_, told = list[int](), {0}
    before, launched, counting = rest[3], rest[4], False
    for what, a, b, time, launches in zip(*(rest[k::5] for k in range(5)), strict=True):
        now = open_[-1] if open_ else 0
        rows[now][6] += 0 if counting else (time - before) / 1e6
        before, counting = time, what == 5
        if launches >= 0:  # a kernel's own notes know nothing of them
            rows[now][5] += launches - launched
            launched = launches
        match what:
            case 1:
                open_[b:] = [len(rows)]
                rows.append([a, b, -1, -1, 0, 0, 0.0])
            case 2:
                del open_[a:]
            case 3:
                rows[now][4] = int(rows[now][4]) | a
            case 4:
                for r in (r for r in open_ if r not in told):
                    rows[r][2:4] = a, b
                told.update(open_)
    further = begun - (len(rows) - 1)
    if count * 5 > len(rest):
        rows.append([0, 0, -1, -1, 0, 0, (end - before) / 1e6])
    return _rounds(rows, further, places, NOTED)


def _rounds(rows: Sequence[Sequence[Any]], further: int, places: Sequence[str], names: Sequence[str]) -> Rounds:
    counted = [dict(zip(names, row[5:], strict=True)) for row in rows]
    end = len(rows) - (further > 0)  # the last one is all further rounds
    kept = tuple(_numbered(rows[1:end], counted[1:end], places))
    return Rounds(kept, counted[0], further, counted[-1] if further else {})


def _numbered(rows: Sequence[Sequence[Any]], counted: Sequence[Counted], places: Sequence[str]) -> Iterator[Round]:
    """The rounds with their numbers: a loop begins anew where a round around it does."""
    at: list[tuple[int, int]] = []  # by depth: which loop runs, in its how manieth round
    for row, values in zip(rows, counted, strict=True):
        place, depth, items, edges, ways = (int(x) for x in row[:5])
        before = at[depth] if depth < len(at) else (-1, 0)
        at[depth:] = [(place, before[1] + 1 if before[0] == place else 1)]
        yield Round(places[place], at[-1][1], tuple(n for _, n in at[:-1]), None if items < 0 else items,
                    None if edges < 0 else edges, _WAYS[ways], values)


def rounded(counted: Counted) -> Counted:
    """Times to the nanosecond."""
    return {name: value if isinstance(value, int) else round(value, 6) for name, value in counted.items()}
