"""The orders of priority queues: a struct for each, which knows a node's bucket and whether the node waits."""

from __future__ import annotations

from irgl.analysis.names.symbols import Checked
from irgl.ast import nodes as A
from irgl.ast import types as T
from irgl.codegen.cxx.names import cxx_type, order_name, property_name, type_name
from irgl.passes.queues.parts import narrow


def orders(checked: Checked, on_gpu: bool) -> list[str]:
    """Their texts, each once."""
    on: dict[str, list[tuple[A.Kernel, T.Worklist, T.Priority]]] = {}
    for k in checked.kernels.values():
        t = checked.facts[k.name].worklist
        if t.by is not None and checked.facts[k.name].uses_worklist:
            on.setdefault(order_name(t.by), []).append((k, t, t.by))
    return [_order(checked, *alike[0], on_gpu, all(narrow(k, by) for k, _, by in alike)) for alike in on.values()]


def _order(checked: Checked, k: A.Kernel, t: T.Worklist, by: T.Priority, on_gpu: bool, small: bool) -> str:
    """small: numbers are those of an int, whichever kernel is on such a queue."""
    assert isinstance(t.item, T.NodeT)
    graph = type_name(next(str(p.type) for p in k.params if p.name == t.item.graph))
    node, at = cxx_type(t.item, checked), f"g.{property_name(by.property)}[n]"
    mark = "IRGL_DEVICE " if on_gpu else ""
    fast = not on_gpu and by.delta != "" and small
    bucket = "now" if not by.delta else "int64_t(irgl::quotient(now, delta))" if fast else "(now / delta)"
    knows = f"  static constexpr bool knows = {'true' if by.ran else 'false'};  // what nodes last ran with"
    whole = f"  static constexpr bool whole = {'true' if by.whole else 'false'};  // is each node in it until it runs?"
    free = f"  static constexpr bool free = {'true' if by.free else 'false'};  // may nodes run in any order?"
    lazy = f"  static constexpr bool lazy = {'true' if by.lazy else 'false'};  // does who is filed come here first?"
    return "\n".join([
        f"// The order of a queue by `{by}`.",
        f"struct {order_name(by)} {{",
        *((free, lazy) if on_gpu else (knows, whole)),
        f"  {graph} g;",
        *([f"  {'irgl::Divisor' if fast else 'int64_t'} delta;"] if by.delta else []),
        *([f"  {f'irgl::View<{_RAN}>' if on_gpu else f'{_RAN}*'} ran;  // what nodes last ran with"] if by.ran else []),
        f"  {mark}int64_t bucket({node} n) const {{",
        f"    const {'int32_t' if fast else 'int64_t'} now = irgl::load({at});",
        f"    return {_earlier(bucket, on_gpu and by.is_wide()) if by.higher else bucket};",
        "  }",
        *(_waits(by, at, node, mark, on_gpu)),
        "};",
    ])


def _earlier(bucket: str, can_overflow: bool) -> str:
    """Higher values go first. can_overflow: the least long may be among them."""
    return f"irgl::negative<int64_t>({bucket})" if can_overflow else f"-{bucket}"


_RAN = "irgl::array<int64_t>"


def _waits(by: T.Priority, at: str, node: str, mark: str, on_gpu: bool) -> list[str]:
    """Is a node in the queue?"""
    if not by.ran:
        return [f"  {mark}bool waits({node} n, int64_t p, int64_t) const {{ return bucket(n) >= p; }}"] * on_gpu
    test = f"irgl::load({'ran.at(n)' if on_gpu else 'ran->at(n)'}) {'>' if by.falls else '<'} int64_t(irgl::load({at}))"
    if by.is_wide():
        test += f" &&\n           irgl::inside(irgl::load({at}))"
    if on_gpu:
        return [f"  {mark}bool waits({node} n, int64_t, int64_t running) const {{",
                f"    return {test} && bucket(n) <= running;", "  }"]
    if by.is_wide():
        return [f"  bool waits({node} n) const {{", f"    return {test};", "  }"]
    return [f"  bool waits({node} n) const {{ return {test}; }}"]
