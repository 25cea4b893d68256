"""Whether the bucket that ran tells who is finished: a node up to there that isn't as it was at first.

So it is where nodes move to the front alone, and each node that was ever in the queue has another value than at first:
those that updates moved have, and the loop's first items, to which the Program stores a number that lies further on.

    node int dist = INF;
    src.dist = 0;
    Iterate Until (WL.finished(goal)) relax(g, delta) Initial [src] { }
"""

from __future__ import annotations

from irgl.analysis.effects.effects import effects_of, home_graph
from irgl.analysis.flow.kernels import unlabelled
from irgl.analysis.names.conversions import literal_value
from irgl.analysis.names.members import of_wl
from irgl.analysis.names.symbols import Checked
from irgl.ast import nodes as A
from irgl.ast import types as T
from irgl.ast.visit import walk
from irgl.passes.parts.calls import Call


def asked_of(checked: Checked, by: T.Priority) -> list[A.MethodCall]:
    """Where the Program asks who of a queue by `by` is finished."""
    return [n for n in walk(checked.program) if isinstance(n, A.MethodCall) and n.name == "finished"
            and isinstance(t := checked.types.get(n.object), T.Worklist) and t.by is not None
            and t.by.key() == by.key()]


def never_filed(checked: Checked, k: A.Kernel, by: T.Priority, falls: bool) -> A.Expr | None:
    """The value of nodes that were never in the queue of a kernel, the only one on it, whose nodes move to the front
    alone, where nodes that were have another; None: nobody can tell by that.

    falls: updates make the property smaller. O(size of the program).
    """
    entry = checked.entry
    declared = next((p for g in checked.graph_types.values() if g.name == by.owner for p in g.properties
                     if p.name == by.property), None)
    if (entry is None or declared is None or declared.given or declared.init is None or by.is_wide()
            or not isinstance(by.of, T.Int)):
        return None
    loops = [(at, s) for at, s in enumerate(map(unlabelled, entry.body))
             if isinstance(s, A.Iterate) and s.kernel == k.name]
    runs = [n for n in walk(entry) if isinstance(n, Call) and n.kernel == k.name]
    if len(loops) != 1 or len(runs) != 1 or any(of_wl(e, "finished") is None for e in asked_of(checked, by)):
        return None
    at, loop = loops[0]
    began, first = _number(declared.init, by.of), loop.initial
    if began is None or not isinstance(first, A.InitialItems):
        return None
    stored = _stored(checked, entry, at, by)
    items = {e.id for e in first.items if isinstance(e, A.Name)}
    known = stored is not None and len(items) == len(first.items) and items == stored.keys() and all(
        value < began if falls else value > began for value in stored.values())
    return declared.init if known and not items & _assigned(entry) else None


def _number(e: A.Expr, of: T.Int) -> int | None:
    """A number that is written down, as a property of that type has it; None where it has another."""
    minus = isinstance(e, A.Unary) and e.op == "-"
    inner = e.operand if isinstance(e, A.Unary) and minus else e
    found = of.max if isinstance(inner, A.Name) and inner.id == "INF" else literal_value(inner)
    if found is None:
        return None
    return number if of.min <= (number := -found if minus else found) <= of.max else None


def _stored(checked: Checked, entry: A.Entry, before: int, by: T.Priority) -> dict[str, int] | None:
    """Of each variable to whose node the Program stores a number by which a queue goes, in its first statements, the
    number; None: they change such properties in another way, too."""
    found: dict[str, int] = {}
    home, of = home_graph(checked, entry.params), by.of
    assert isinstance(of, T.Int)
    for s in entry.body[:before]:
        match s:
            case A.Assign(target=A.Member(object=A.Name(id=word), name=name), access="plain", value=value) if (
                    name == by.property and (number := _number(value, of)) is not None):
                found[word] = number
            case _ if any(p.kind == "node" and p.name == by.property for p in effects_of(checked, [s], home).writes):
                return None
    return found


def _assigned(entry: A.Entry) -> set[str]:
    """Variables that hold something else later."""
    return {n.target.id for n in walk(entry) if isinstance(n, A.Assign | A.Reduce) and isinstance(n.target, A.Name)}
