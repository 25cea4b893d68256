"""Kernels that run to the least (or greatest) fixpoint of monotone updates, which every order of execution reaches."""

from __future__ import annotations

from support.choices import Choices
from support.random_expressions import Prop
from support.random_kernels import Kernel

MODES = ("list", "set", "bitmap", "bytemap", "respawn", "retry", "buckets", "sweep")


def candidates(props: list[Prop]) -> list[Prop]:
    """The properties that a fixpoint can be taken of."""
    return [
        p for p in props if p.owner == "node" and p.type in ("int", "long", "double", "uint16", "uint64") and p.init
    ]


def fixpoint(c: Choices, name: str, props: list[Prop], weight: str) -> tuple[Kernel, str]:
    """A kernel, and the host statement that runs it to its fixpoint from all nodes; `weight`: an integer of edge e."""
    p, mode, way = c.pick(candidates(props)), c.pick(MODES), c.pick(("edges", "in_edges"))
    there = "dst" if way == "edges" else "src"
    own, other = f"n.{p.name}", f"e.{there}.{p.name}"
    guard, step = "", ""
    kind = c.below(3) if p.type != "double" else c.below(2)
    if kind == 0:
        guard = f"if (relaxed {own} >= 30000) continue;"
        step = f"({other} min= ({p.type})({own} + ({weight} & 7)))"
    elif kind == 1:
        step = f"({other} max= ({p.type})min({own} + 1, {c.pick(('5', '20'))}))"
    else:
        step = f"({other} |= ({p.type})({own} & {c.pick(('15', '1023'))}))"
    again = {"respawn": "Respawn e.{};", "retry": "Respawn e.{};", "buckets": "WL.push(e.{}, {});"}.get(
        mode, "WL.push(e.{});"
    )
    again = again.format(there, f"{c.pick(('0', weight + ' & 3', f'(long)e.{there}.id'))}")
    kernel = Kernel(
        name, {"sweep": ""}.get(mode, f"{mode}<node>") if mode not in ("respawn", "retry") else "list<node>"
    )
    over = {"sweep": "n In g.nodes", "list": "i In WL", "buckets": "i In WL", "respawn": "i In WL", "retry": "i In WL"}
    item = over.get(mode, "n In WL.items")
    pop = "node n = WL.pop(i);" if item == "i In WL" else ""
    if mode == "sweep":
        again = "ReduceAndReturn(true);"
    body = f"ForAll (e In n.{way}) {{ {guard} if ({step}.changed) {{ {again} }} }}"
    if mode == "retry":
        body = f"bool more = false; For (e In n.{way}) {{ {guard} if ({step}) more = true; }} if (more) {{ Retry n; }}"
        body = body.replace("more = true", f"more = true; if (more) WL.push(e.{there})")
    suffix = f" WL {kernel.worklist}" if kernel.worklist else ""
    kernel.text = f"Kernel {name}(Graph g, int turn){suffix} {{\n  ForAll ({item}) {{\n    {pop} {body}\n  }}\n}}"
    call = f"{name}(g, turn)"
    host = f"Iterate While Any {call};" if mode == "sweep" else f"Iterate {call} Initial (g.nodes);"
    return kernel, host
