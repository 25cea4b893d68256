"""Several variants of a program in one unit: each in a namespace of its own, and an entry that chooses between them.

The first graph's figures decide when the program runs (cpu_rt/choose.hpp): the variant of the first rule that holds.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from irgl.frontends.own_headers import behind, directives
from irgl.source import IrglError

#: What rules may speak of, and what it means: the members of irgl::Figures.
FIGURES = {
    "nodes": "how many nodes",
    "edges": "how many arcs; an undirected edge is two",
    "mean_degree": "arcs per node; 0 without nodes",
    "max_degree": "the most arcs that leave one node",
    "dispersion": "variance of the out-degrees, divided by their mean: 1 where arcs leave at random; 0 without arcs",
}
ALWAYS = "always"

_UNIT = re.compile(r"(.*?)^(namespace unit \{\n.*?^\}  // namespace unit\n.*)", re.DOTALL | re.MULTILINE)
_ENTRY = 'extern "C" int irgl_run('
_RULE = re.compile(rf"{'|'.join(FIGURES)}|and|[0-9.e+*<>= -]")


@dataclass(frozen=True, slots=True)
class Variant:
    """A rule - comparisons of figures and numbers, joined by `and`, or `always` -, the plan in words, the unit that it
    makes, and those numbers of the plan that a unit is given when it runs."""

    rule: str
    plan: str
    unit: str
    numbers: Mapping[str, int]

    def __str__(self) -> str:
        return f"{self.rule}: {self.plan}"


def join(variants: Sequence[Variant]) -> str:
    """One unit of all of them; variants whose units are alike but for the plan's numbers share one.

    Raises IrglError where their units can't stand in one file.
    """
    heads, bodies = zip(*(_parts(v.unit) for v in variants), strict=True)
    units = list(dict.fromkeys(bodies))
    at_head = dict.fromkeys(text for head in heads for text in directives(head))
    _refuse_two_meanings(at_head)
    return "".join([
        heads[0].splitlines(keepends=True)[0],
        "// Several variants; the first graph decides which one runs: the first whose rule holds.\n",
        *(f"//   {number}  {v.rule}\n//      {v.plan}\n" for number, v in enumerate(variants, 1)),
        *(f"{text}\n" for text in at_head),
        '#include "cpu_rt/choose.hpp"\n\n',
        *(_numbered(body, number) for number, body in enumerate(units, 1)),
        "\nnamespace unit = unit_1;  // what a main names of it is the same in all of them\n\n",
        *_entry(variants, [units.index(body) + 1 for body in bodies]),
    ])


def condition(rule: str) -> str:
    """A rule in C++, over a variable `f` of the figures."""
    assert not _RULE.sub("", rule), f"no rule: {rule}"
    return re.sub(rf"\b({'|'.join(FIGURES)})\b", r"f.\1", rule).replace(" and ", " && ")


def _parts(unit: str) -> tuple[str, str]:
    begin = behind(unit)
    found = _UNIT.fullmatch(unit, begin)
    assert found is not None and found[2].count(_ENTRY) == 1, "this is no unit"
    return unit[:begin] + found[1], found[2]


def _refuse_two_meanings(at_head: Mapping[str, None]) -> None:
    sizes = [line.split()[2] for line in at_head if line.startswith("#define IRGL_BLOCK ")]
    if len(sizes) > 1:
        raise IrglError(f"variants of one file have the same number of threads in a block, not {' and '.join(sizes)}",
                        hint="give all of them the same `block`")


def _numbered(body: str, number: int) -> str:
    own = re.sub(r"^(namespace |\}  // namespace |  using namespace )unit\b", rf"\1unit_{number}", body, flags=re.M)
    unit, entry, run = own.partition(_ENTRY)
    assert entry == _ENTRY
    run = re.sub(r"\bunit::", f"unit_{number}::", run)
    return f"{unit}static int irgl_run_{number}({run}\n"


def _entry(variants: Sequence[Variant], units: Sequence[int]) -> list[str]:
    lines = [f"{_ENTRY}irgl_run_args* args) {{",
             "  [[maybe_unused]] const irgl::Figures f = irgl::figures<irgl::edge_t>(*args);",
             "  irgl_run_args mine = *args;  // with the plan's own numbers"]
    for number, (v, unit) in enumerate(zip(variants, units, strict=True), 1):
        given = ", ".join(f"mine.{name} = {value}" for name, value in v.numbers.items())
        chosen = [f"args->stats[IRGL_STAT_VARIANT] = {number};", *([f"{given};"] if given else []),
                  f"return irgl_run_{unit}(&mine);"]
        if v.rule == ALWAYS:
            lines += [f"  {line}" for line in chosen]
        else:
            lines += [f"  if ({condition(v.rule)}) {{", *(f"    {line}" for line in chosen), "  }"]
    return [f"{line}\n" for line in [*lines, "}"]]
