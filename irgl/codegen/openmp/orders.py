"""The orders of priority queues: a struct for each, which knows a node's bucket and whether the node waits."""

from __future__ import annotations

from irgl.analysis.names.symbols import Checked
from irgl.ast import nodes as A
from irgl.ast import types as T
from irgl.codegen.cxx.names import cxx_type, order_name, property_name, type_name


def orders(checked: Checked, on_gpu: bool) -> list[str]:
    """Their texts, each once."""
    found: dict[str, str] = {}
    for k in checked.kernels.values():
        t = checked.facts[k.name].worklist
        if t.by is not None and checked.facts[k.name].uses_worklist:
            found.setdefault(order_name(t.by), _order(checked, k, t, t.by, on_gpu))
    return list(found.values())


def _order(checked: Checked, k: A.Kernel, t: T.Worklist, by: T.Priority, on_gpu: bool) -> str:
    assert isinstance(t.item, T.NodeT)
    graph = type_name(next(str(p.type) for p in k.params if p.name == t.item.graph))
    ran = "irgl::array<int64_t>"
    ran = f"irgl::View<{ran}>" if on_gpu else f"{ran}*"
    call = "ran.at(n)" if on_gpu else "ran->at(n)"
    node, at = cxx_type(t.item, checked), f"g.{property_name(by.property)}[n]"
    mark = "IRGL_DEVICE " if on_gpu else ""
    coarse = " / delta" if by.delta else ""
    sign = "-" if by.higher else ""
    bucket = f"{sign}(now{coarse})" if sign else f"now{coarse}"
    return "\n".join([
        f"// The order of a queue by `{by}`.",
        f"struct {order_name(by)} {{",
        f"  {graph} g;",
        *(["  int64_t delta;"] if by.delta else []),
        f"  {ran} ran;  // what nodes last ran with",
        f"  {mark}int64_t bucket({node} n) const {{",
        f"    const int64_t now = irgl::load({at});",
        f"    return {bucket};",
        "  }",
        f"  {mark}bool waits({node} n, int64_t running) const {{",
        f"    return irgl::load({call}) {'>' if by.falls else '<'} int64_t(irgl::load({at})) && bucket(n) <= running;",
        "  }",
        "};",
    ])
