"""The space of a GPU plan's options, and what a run in the emulator may be given besides: rows of their values.

Whatever option the compiler has is in it, without a word here. Schedulers that a plan joins by `+` are an option each
in covers, `np:tb` and so on, since each is on or off by itself; a row has them joined.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations

from irgl.plan import OFF, Option, Plan
from irgl.plan import OPTIONS as PLAN_OPTIONS
from irgl.space import Choice
from support.covering import Row, cover, every

#: What the emulator knows nothing of: how many registers nvcc may use.
REGISTERS = ("bounds", "regs")
#: Numbers that are worth trying; of other options that take numbers, the plain one, the default and the second least.
NUMBERS = {"block": ("32", "96", "256"), "bounds": (OFF, "2"), "regs": (OFF, "64")}
RUNS = {"capacity": ("0", "1"), "mode": ("check", "lockstep"), "seed": ("1", "2")}
JOINED = {o.name: o.words for o in PLAN_OPTIONS["simt"] if o.joined}


def _values(option: Option) -> tuple[str, ...]:
    if not option.words:
        return NUMBERS.get(option.name) or tuple(dict.fromkeys(
            (option.plain, option.default, *([OFF] if option.can_be_off else []), str(option.low + option.step))))
    words = [w for w in option.words if w != option.plain]
    if not option.joined:
        return (option.plain, *words)
    return (option.plain, *("+".join(some) for k in range(1, len(words) + 1) for some in combinations(words, k)))


#: What a plan may say, the plain value first.
PLANNED = {o.name: _values(o) for o in PLAN_OPTIONS["simt"]}


def plan_of(row: Row, target: str = "simt") -> Plan:
    """The plan of a row, which may say something for one place alone; options that it does not name are plain."""
    said = {o: v for o, v in row.items() if (o in PLANNED or "." in o) and _means_something(row, o)}
    return Plan.parse(" ".join(["none", *(f"{o}={v}" for o, v in said.items())]), target)


def _means_something(row: Row, key: str) -> bool:
    """Not what is said of a form that the row doesn't take there."""
    place, _, name = key.rpartition(".")
    with_ = next((o.only_with for o in PLAN_OPTIONS["simt"] if o.name == name), None)
    if with_ is None or with_[0] != "format" or (name == "np" and not place):
        return True
    return row.get(f"{place}.format" if place else "format", row.get("format", "csr")) in with_[1]


def rows(options: Mapping[str, Sequence[str]], seed: int = 0, least: int = 0) -> list[Row]:
    """A pairwise cover of the options, each scheduler of a joined one by itself."""
    split: dict[str, Sequence[str]] = {}
    for o, values in options.items():
        if o in JOINED and len(values) == len(PLANNED[o]):
            split |= {f"{o}:{word}": (OFF, word) for word in JOINED[o][1:]}
        else:
            split[o] = values
    return [_joined(row, options) for row in cover(split, seed, least)]


def _joined(row: Row, options: Mapping[str, Sequence[str]]) -> Row:
    def value(o: str) -> str:
        if o in row:
            return row[o]
        return "+".join(w for w in JOINED[o][1:] if row[f"{o}:{w}"] == w) or JOINED[o][0]

    return {o: value(o) for o in options}


def product(options: Mapping[str, Sequence[str]], given: Mapping[str, str]) -> list[Row]:
    """All plans with the given values, but for registers; each is run in one way, all ways and orders in turn."""
    plans = every({o: (given.get(o) or values[0],) if o in given or o in REGISTERS else values
                   for o, values in options.items() if o in PLANNED and o != "order"})
    ways = every({"capacity": RUNS["capacity"], "mode": RUNS["mode"], "order": options["order"]})
    return [plan | ways[i % len(ways)] | {"seed": str(i)} for i, plan in enumerate(plans)]


def mixed(choices: Iterable[Choice], options: Mapping[str, Sequence[str]], seed: int) -> Row:
    """A random row in which every place has values of its own; what runs on the host or as a graph isn't unrolled."""
    chance = random.Random(seed)
    row = {o: chance.choice(options[o]) for o in (*NUMBERS, *RUNS)}
    row |= {f"{c.place}.{c.option}": chance.choice(c.values) for c in choices
            if c.reason is None and c.place and c.values}
    return {o: v for o, v in row.items() if not o.endswith(".unroll") or _strategy(row, o.rpartition(".")[0]) == "all"}


def _strategy(row: Row, place: str) -> str:
    """How a Pipe or Iterate is outlined: as the outermost around it is that stays on the GPU."""
    parts = place.split(".")
    around = (row.get(f"{'.'.join(parts[:k])}.outline", OFF) for k in range(2, len(parts) + 1))
    return next((how for how in around if how != OFF), OFF)
