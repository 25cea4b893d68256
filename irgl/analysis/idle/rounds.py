"""What a loop of the Program over rounds of one kernel, whose loop runs over all nodes, changes from round to round."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from irgl.analysis.effects.effects import by_kind, effects_of, home_graph, kernel_effects, stored_variables
from irgl.analysis.flow.kernels import only_loop
from irgl.analysis.idle.own_values import OwnValues
from irgl.analysis.names.symbols import Checked
from irgl.ast import nodes as A
from irgl.ast import types as T
from irgl.ast.visit import walk

_RUNS = (A.Invoke, A.InvokeResult, A.Iterate)


@dataclass(frozen=True, slots=True)
class Rounds:
    """`loop` is all of `kernel`, and runs over all nodes of `graph` in each round of `iterate`.

    growing: the kernel's parameters that are given a number which grows by one in each round, and what that is.
    """

    iterate: A.Iterate
    kernel: A.Kernel
    loop: A.ForAll
    graph: str
    own: OwnValues
    growing: dict[str, A.Name]


def rounds_of(checked: Checked, iterate: A.Iterate) -> Rounds | str:
    """What the rounds of an Iterate are, or why they are no rounds over all nodes that go on while anything happens."""
    kernel, facts = checked.kernels[iterate.kernel], checked.facts[iterate.kernel]
    if iterate.mode == "worklist" or facts.uses_worklist:
        return "it runs over a worklist as it is written"
    if (iterate.mode, iterate.reduction) != ("while", "any"):
        return "it doesn't go on while any node has something to do: it is no Iterate While Any"
    why = why_not_alone(checked, iterate)
    if why is not None:
        return why
    loop = only_loop(kernel)
    if loop is None:
        return f"'{kernel.name}' is more than one ForAll"
    graph = home_graph(checked, kernel.params)
    match loop.iterator:
        case A.Member(name="nodes", object=A.Name(id=word)) if word == graph:
            pass
        case _:
            return f"'{kernel.name}' doesn't run over all nodes of its graph"
    if sum(isinstance(p.type, T.Named) and p.type.name in checked.graph_types for p in kernel.params) != 1:
        return f"'{kernel.name}' has several graphs"
    outside = by_kind(effects_of(checked, iterate.body).writes)
    changed = outside | by_kind(kernel_effects(checked, kernel).writes)
    given = list(zip(kernel.params, iterate.args, strict=True))
    varying = [p.name for p, a in given if not _is_fixed(checked, iterate, a, changed)]
    growing = {p.name: a for p, a in given if p.name in varying and isinstance(a, A.Name)
               and _grows(checked, iterate, p, a)}
    return Rounds(iterate, kernel, loop, graph, OwnValues(checked, loop, changed, outside, varying), growing)


def why_not_alone(checked: Checked, iterate: A.Iterate) -> str | None:
    """Why an Iterate's kernel can't be written anew for it, with lists of its own."""
    assert checked.entry is not None
    if any(isinstance(n, A.Pipe | A.Iterate) and n is not iterate and iterate in walk(n) for n in walk(checked.entry)):
        return "it stands in another Iterate or Pipe, whose rounds it is part of"
    if sum(isinstance(n, _RUNS) and n.kernel == iterate.kernel for n in walk(checked.entry)) > 1:
        return f"'{iterate.kernel}' is invoked elsewhere, too"
    return None


def _is_fixed(checked: Checked, iterate: A.Iterate, e: A.Expr, changed: set[tuple[str, str]]) -> bool:
    """Is what a kernel is given the same in each round?"""
    moved = stored_variables(checked, iterate.body)
    for n in walk(e):
        match n:
            case A.Name():
                symbol = checked.symbols.get(n)
                if symbol in moved or ("scalar", n.id) in changed:
                    return False
            case A.Member():
                named = isinstance(n.object, A.Name) and str(checked.types[n.object]) in checked.graph_types
                if not named:
                    return False
            case A.IntLit() | A.FloatLit() | A.BoolLit() | A.Unary() | A.Binary() | A.Cast() | A.Conditional():
                pass
            case _:
                return False
    return True


def _grows(checked: Checked, iterate: A.Iterate, p: A.Param, v: A.Name) -> bool:
    """Is a variable one more in each round than in the one before?"""
    symbol = checked.symbols.get(v)
    if symbol is None or symbol.kind == "global" or T.bare(symbol.type) != T.bare(p.type):
        return False
    if any(isinstance(n, A.Continue) for s in iterate.body for n in walk(s)):
        return False
    stores = [*_stores(checked, iterate, v)]
    return len(stores) == 1 and any(s is stores[0] or (isinstance(s, A.ExprStmt) and s.value is stores[0])
                                    for s in iterate.body) and _adds_one(checked, stores[0], v)


def _stores(checked: Checked, iterate: A.Iterate, v: A.Name) -> Iterator[A.Assign | A.Reduce]:
    symbol = checked.symbols[v]
    for n in (n for s in iterate.body for n in walk(s)):
        if isinstance(n, A.Assign | A.Reduce) and checked.symbols.get(n.target) is symbol:
            yield n


def _adds_one(checked: Checked, s: A.Assign | A.Reduce, v: A.Name) -> bool:
    """`v += 1`, or `v = v + 1`."""
    match s:
        case A.Reduce(op="+", value=A.IntLit(value=1)):
            return True
        case A.Assign(value=A.Binary(op="+", left=A.Name() as name, right=A.IntLit(value=1)) as e):
            return (checked.symbols.get(name) is checked.symbols[v]
                    and T.bare(checked.types[e]) == T.bare(checked.symbols[v].type))
        case _:
            return False
