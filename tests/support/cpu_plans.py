"""Plans of the CPU that hold every pair of two options' values, drawn from what is legal in a program.

Whatever option the compiler has is in them, without a word here. What generated code knows of a plan costs a build, the
rest is given when it runs: so there are few plans of the code, and many of the run.
"""

from __future__ import annotations

import random
import zlib
from functools import cache

from irgl import driver
from irgl.options import LEADING, OFF, Option
from irgl.options import OPTIONS as PLAN_OPTIONS
from irgl.plan import Plan
from irgl.space import legal_space
from support.covering import Row, cover

OPTIONS = PLAN_OPTIONS["cpu"]
#: What a run's number of threads is called in a row, where `threads` is an option of loops.
TEAM = "threads of the run"
#: Less than any search tries: every loop is parallel, every item a chunk and a giant, nothing is fused.
TIGHT = {"serial": OFF, "grain": "1", "giant": "1", "fuse": "1", "segments": "48n"}


def values(option: Option) -> tuple[str, ...]:
    """What an option takes: its words, or the numbers worth trying and the least; of a program's names none."""
    if option.words:
        return option.words
    if option.names:
        return (option.plain,)
    return tuple(dict.fromkeys((option.plain, *option.tried, TIGHT.get(option.name, str(option.low)))))


@cache
def legal(path: str, text: str | None = None) -> dict[str, tuple[str, ...]]:
    """By option, the values that are legal anywhere in a program."""
    found: dict[str, tuple[str, ...]] = {}
    choices = [c for c in legal_space(driver.ready(path, text).checked.program) if c.reason is None]
    for option in OPTIONS:
        here = [c for c in choices if c.option == option.name]
        words = {word for c in here for word in c.values}
        some = tuple(v for v in values(option) if v in words or not option.words) if here else ()
        if option.names:
            some = tuple(dict.fromkeys((*some, *(v for c in here for v in c.values))))
        if len(some) > 1:
            found[option.name] = some
    return found


def codes(space: dict[str, tuple[str, ...]], seed: int = 0) -> list[Row]:
    """Plans of the code: every pair of two values; the first is plain."""
    of_code = {o.name: space[o.name] for o in OPTIONS if not o.at_run and o.name in space}
    return cover(of_code, seed) if len(of_code) > 1 else [{n: v} for n, some in of_code.items() for v in some] or [{}]


def runs(space: dict[str, tuple[str, ...]], seed: int = 0) -> list[Row]:
    """Plans of the run with numbers of threads: every pair of two values."""
    of_run = {o.name: space[o.name] for o in OPTIONS if o.at_run and o.name in space}
    return cover({**of_run, TEAM: ("1", "2", "4")}, seed)


def text_of(*rows: Row) -> str:
    """The plan that rows say together, in words; what is said of a form or a direction that the plan doesn't take is
    left out."""
    said = {name: value for row in rows for name, value in row.items() if name != TEAM}
    of = {o.name: o.only_with for o in OPTIONS}
    plain = {o.name: o.plain for o in OPTIONS if o.name in LEADING}
    return " ".join(["none", *(f"{name}={value}" for name, value in said.items() if (with_ := of[name]) is None
                               or with_[0] not in plain or said.get(with_[0], plain[with_[0]]) in with_[1])])


def drawn(text: str) -> Plan:
    """A plan of the code for the program of that text, always the same one: half of its options are plain."""
    chance = random.Random(zlib.crc32(text.encode()))
    of_code = {o.name: values(o) for o in OPTIONS if not o.at_run}
    row = {n: chance.choice(some) for n, some in of_code.items() if chance.random() < 0.5}
    if row.get("inside") == "runs" and int(row.get("tile", "16")) > 16:  # ids of a run have 16 bits
        del row["tile"]
    return Plan.parse(text_of(row))
