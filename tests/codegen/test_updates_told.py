"""What explain tells of updates is what generated code does: as many operations of each kind, under any plan."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator

import pytest
from support.programs import SHIPPED, path_of

from irgl import driver
from irgl.analysis.explain.updates import ATOMIC, EITHER, PLAIN, STORE, Update
from irgl.cli.explaining.updates import updates_under
from irgl.forms.find import has_header, names, shares_parts
from irgl.plan import Plan
from irgl.source import IrglError

CPU = ("default", "direction=pull", "direction=hybrid", "frontier=queue", "giant=1024", "format=cr2 expand=off",
       *(f"format={name} {('frontier=bitmap', 'direction=pull', 'frontier=bytemap')[k % 3]}"
         for k, name in enumerate(names())))
GPU = ("default", "np=serial cc=off outline=off", "np=tb cc=warp outline=graph unroll=1", "np=fg unroll=2",
       *(f"format={name} cc={('block', 'off')[k % 2]}" for k, name in enumerate(names()) if has_header(name, "cuh")))
#: Operations in generated text, by what they are.
OPERATIONS = (
    (ATOMIC, r"irgl::atomic_(?!returned)\w+\((?!c\.globals->value\.items)|irgl::reduce_\w+<(IRGL_RACED\(|true>)"
             rf"|irgl::reduce_\w+<irgl::forms::({'|'.join(filter(shares_parts, names()))})::shared>"),
    (EITHER, r"irgl::reduce_\w+<(IRGL_SHARED\(|!irgl::is_own)"),
    (STORE, r"irgl::store\("),
    ("push", r"\.(push|push_own|retry|respawn|reserve_\w+|again_\w+)\((t|c\.host\(\)), |\.insert\("),
    ("push of own words", r"\.push_own\("),
)


def kernels(text: str, target: str) -> Iterator[str]:
    """The functions that iterations run: kernels, and helpers that they call."""
    if target == "cpu":
        yield re.split(r"\nstatic void program\(", text)[0].split("namespace unit {")[-1]
    else:
        yield from re.findall(r"^__device__ [^;{]*\{\n.*?^\}", text, re.MULTILINE | re.DOTALL)


def done(text: str) -> Counter[str]:
    """The operations in a text. In a sweep no threads share what a node owns."""
    found, sweep = Counter[str](), ""
    for line in text.splitlines():
        if sweep and line == sweep:
            sweep = ""
        if "irgl::each_edge" in line:
            sweep = line[: len(line) - len(line.lstrip())] + "});"
        for how, pattern in OPERATIONS:
            if not (sweep and how == EITHER):
                found[how] += len(re.findall(pattern, line))
    return found


def told(updates: list[Update]) -> Counter[str]:
    pushed = [u for u in updates if ".push(" in u.text or u.text.startswith(("Retry", "Respawn"))]
    found = Counter(u.how for u in updates if u not in pushed and u.how != PLAIN)
    found["push"] = len(pushed)
    found["push of own words"] = sum("nodes of the word" in u.why or "bits in one word" in u.why for u in pushed)
    return found


def differing(program: driver.Ready, target: str, text: str) -> str | None:
    """How the two differ under a plan; nothing where they agree, or where the target refuses the program."""
    plan = Plan.parse(text, target)
    try:
        unit = driver.emit(program, plan, target)
    except IrglError:
        return None
    generated = sum((done(part) for part in kernels(unit.text, target)), Counter[str]())
    said = told(updates_under(program.checked, plan))
    return None if +generated == +said else f"{target} {text}: generated {+generated}, told {+said}"


#: What no program of the shelf has: sums of what an outer iteration owns, locks, helpers, sets of every kind.
MIXED = """import "array.irgl";
graph Graph { node int p = 0; node double q = 0; node int r = 0; node int s = 0; node lock held; edge int seen = 0; }
long count = 0;
int top = 0;
int mark(Graph g, node n) { return (n.r += 1).old; }
Kernel sums(Graph g) {
  ForAll (n In g.nodes) {
    double sum = 0;
    n.p = 1;
    ForAll (e In n.edges) { n.q += 0.5; e.seen += 1; sum += 1; count += 1; mark(g, e.dst); }
    n.s = (int)sum;
  }
}
Kernel locks(Graph g) {
  ForAll (n In g.nodes) {
    if ((top max= n.p).changed) { cas(n.r, 0, 1); }
    Atomic (n.held) { n.p += 1; n.s = 3; }
  }
}
Kernel lists(Graph g, set<node> once, bitmap<node> bits, bytemap<node> bytes, count<node> many, array<int> more) {
  ForAll (n In g.nodes) {
    bits.push(n);
    ForAll (e In n.edges) { once.push(e.dst); bits.push(e.dst); bytes.push(e.dst); many.push(e.dst); more[0] += 1; }
  }
}
Program main(transpose Graph g) {
  set<node> once; bitmap<node> bits; bytemap<node> bytes; count<node> many; array<int> more;
  more.resize(1);
  Invoke sums(g); Invoke locks(g); Invoke lists(g, once, bits, bytes, many, more);
}
"""


@pytest.mark.parametrize("program", [*SHIPPED, "mixed"])
def test_explain_tells_as_many_operations_as_generated_code_has(program: str) -> None:
    ready = driver.ready("mixed.irgl", MIXED) if program == "mixed" else driver.ready(path_of(program))
    plans = [*(("cpu", p) for p in CPU), *(("cuda", p) for p in GPU)]
    assert [wrong for target, plan in plans if (wrong := differing(ready, target, plan)) is not None] == []
