"""The space of a GPU plan's options, and what a run in the emulator may be given besides: rows of their values.

Whatever option the compiler has is in it, without a word here. Schedulers that a plan joins by `+` are an option each
in covers, `np:tb` and so on, since each is on or off by itself, and those that stand alone are one, `np:`; a row has
them joined.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations

from irgl.forms.find import form
from irgl.options import LEADING as LEADING_OPTIONS
from irgl.options import OFF, Option
from irgl.options import OPTIONS as PLAN_OPTIONS
from irgl.plan import Plan
from irgl.space import Choice
from support.covering import Pair, Row, cover, every

#: What the emulator knows nothing of: how many registers nvcc may use.
REGISTERS = ("bounds", "regs")
#: Numbers that are worth trying; of other options that take numbers, the plain one, the default and the second least.
NUMBERS = {"block": ("32", "96", "256"), "bounds": (OFF, "2"), "regs": (OFF, "64")}
#: What is worth trying of how many pieces there are, or how large each is.
PIECES = ("auto", "48n")
RUNS = {"capacity": ("0", "1"), "mode": ("check", "lockstep"), "seed": ("1", "2")}
#: Options for whose values others stand, and the plain ones.
LEADING = {o.name: o.plain for o in PLAN_OPTIONS["simt"] if o.name in LEADING_OPTIONS}
JOINED = {o.name: o for o in PLAN_OPTIONS["simt"] if o.joined}


def _values(option: Option) -> tuple[str, ...]:
    if option.pieces:
        return (option.plain, *PIECES)
    if option.names:
        return (option.plain,)  # and what a program has
    if not option.words:
        return NUMBERS.get(option.name) or tuple(dict.fromkeys(
            (option.plain, option.default, *([option.word] if option.word else []), str(option.low + option.step))))
    joined = option.joined
    alone = [w for w in option.words if w not in (option.plain, *joined)]
    return (option.plain, *("+".join(some) for k in range(1, len(joined) + 1) for some in combinations(joined, k)),
            *alone)


#: What a plan may say, the plain value first.
PLANNED = {o.name: _values(o) for o in PLAN_OPTIONS["simt"]}


def plan_of(row: Row, target: str = "simt") -> Plan:
    """The plan of a row, which may say something for one place alone; options that it does not name are plain."""
    said = {o: v for o, v in row.items() if (o in PLANNED or "." in o) and _means_something(row, o)}
    return Plan.parse(" ".join(["none", *(f"{o}={v}" for o, v in said.items())]), target)


def _means_something(row: Row, key: str) -> bool:
    """Not what is said of a form, a scheduler or a direction that the row doesn't take there."""
    place, _, name = key.rpartition(".")
    option = next((o for o in PLAN_OPTIONS["simt"] if o.name == name), None)
    never = option.never_with if option is not None and place else None
    if never is not None and _means_something(row, f"{place}.{never[0]}") and never[1] == row.get(
            f"{place}.{never[0]}", row.get(never[0])):
        return False
    with_ = option.only_with if option is not None else None
    if with_ is None or with_[0] not in LEADING or (name == "np" and not place):
        return True
    said = row.get(with_[0], LEADING[with_[0]])
    return row.get(f"{place}.{with_[0]}" if place else with_[0], said) in with_[1]


def rows(options: Mapping[str, Sequence[str]], seed: int = 0, least: int = 0) -> list[Row]:
    """A pairwise cover of the options, each scheduler of a joined one by itself, and apart from those that stand
    alone."""
    split: dict[str, Sequence[str]] = {}
    apart: set[Pair] = set()
    for o, values in options.items():
        joined = [w for w in JOINED[o].joined if w in values] if o in JOINED else []
        alone = [v for v in values if o in JOINED and v in JOINED[o].words[1:] and v not in joined]
        if joined:
            split |= {f"{o}:{word}": (OFF, word) for word in joined} | {f"{o}:": (OFF, *alone)}
            apart |= {(f"{o}:{word}", word, f"{o}:", other) for word in joined for other in alone}
        else:
            split[o] = values
    return [_joined(row, options) for row in cover(split, seed, least, apart)]


def _joined(row: Row, options: Mapping[str, Sequence[str]]) -> Row:
    def value(o: str) -> str:
        if o in row:
            return row[o]
        if row[f"{o}:"] != OFF:
            return row[f"{o}:"]
        return "+".join(w for w in JOINED[o].joined if row.get(f"{o}:{w}") == w) or JOINED[o].plain

    return {o: value(o) for o in options}


def product(options: Mapping[str, Sequence[str]], given: Mapping[str, str]) -> list[Row]:
    """All plans with the given values, but for registers; each is run in one way, all ways and orders in turn."""
    idle = [o.name for o in PLAN_OPTIONS["simt"] if o.only_with is not None
            and given.get(o.only_with[0]) not in (None, *o.only_with[1])]
    plans = every({o: (given.get(o) or values[0],) if o in (*given, *REGISTERS, *idle) else values
                   for o, values in options.items() if o in PLANNED and o != "order"})
    ways = every({"capacity": RUNS["capacity"], "mode": RUNS["mode"], "order": options["order"]})
    return [plan | ways[i % len(ways)] | {"seed": str(i)} for i, plan in enumerate(plans)]


def mixed(choices: Iterable[Choice], options: Mapping[str, Sequence[str]], seed: int) -> Row:
    """A random row in which every place has values of its own, but for those that speak of the same lists.

    What runs on the host or as a graph isn't unrolled, what copies values ahead of a loop, or has blocks that wait for
    each other, isn't part of a graph, a loop that chooses between a list and bytes isn't turned round, and where lists
    have a place for each node none marks first what it puts there.
    """
    chance = random.Random(seed)
    row = {o: chance.choice(options[o]) for o in (*NUMBERS, *RUNS)}
    row |= {f"{c.place}.{c.option}": chance.choice(c.values) for c in choices
            if c.reason is None and c.place and c.values and not c.like}
    for place in [o.removesuffix(".frontier") for o, v in row.items() if o.endswith(".frontier") and v == "either"]:
        row |= {f"{place}.direction": "written", f"{place}.switch": "edges:1/20"} if f"{place}.direction" in row else {}
    if any(o.endswith(".frontier") and v in ("bitmap", "bytemap") for o, v in row.items()):
        row = {o: "push" if o.endswith(".collect") else v for o, v in row.items()}
    if any(o.endswith(".outline") and v == "graph" for o, v in row.items()):
        row = {o: "wf" if o.endswith(".np") and v == "even" else "written" if o.endswith(".direction") else v
               for o, v in row.items()}
    if any(o.endswith(".format") and v != "csr" and form(v).copies for o, v in row.items()):
        row = {o: "all" if o.endswith(".outline") and v == "graph" else v for o, v in row.items()}
    return {o: v for o, v in row.items() if not o.endswith(".unroll") or _strategy(row, o.rpartition(".")[0]) == "all"}


def _strategy(row: Row, place: str) -> str:
    """How a Pipe or Iterate is outlined: as the outermost around it is that stays on the GPU."""
    parts = place.split(".")
    around = (row.get(f"{'.'.join(parts[:k])}.outline", OFF) for k in range(2, len(parts) + 1))
    return next((how for how in around if how != OFF), OFF)
