"""What a loop of the Program over rounds of one kernel, whose loop runs over all nodes, changes from round to round."""

from __future__ import annotations

from collections.abc import Collection, Sequence
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

    counters: what may be another number in each round and stays in it, by its name in the kernel, and what that is in
    the Program: parameters that a variable is given for, scalars that the Program alone changes.
    """

    iterate: A.Iterate
    kernel: A.Kernel
    loop: A.ForAll
    graph: str
    own: OwnValues
    counters: dict[str, A.Name]


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
    inside = by_kind(kernel_effects(checked, kernel).writes)
    changed = outside | inside
    given = list(zip(kernel.params, iterate.args, strict=True))
    varying = varying_in(checked, kernel, iterate.args, iterate.body, changed)
    counters = {p.name: a for p, a in given if p.name in varying and isinstance(a, A.Name)
                and T.bare(checked.types[a]) == T.bare(p.type) and ("scalar", a.id) not in inside}
    counters |= {word: A.Name(word, span=iterate.span) for kind, word in outside - inside if kind == "scalar"}
    return Rounds(iterate, kernel, loop, graph, OwnValues(checked, loop, changed, outside, varying), counters)


def why_not_alone(checked: Checked, iterate: A.Iterate) -> str | None:
    """Why an Iterate's kernel can't be written anew for it, with lists of its own."""
    assert checked.entry is not None
    if any(isinstance(n, A.Pipe | A.Iterate) and n is not iterate and iterate in walk(n) for n in walk(checked.entry)):
        return "it stands in another Iterate or Pipe, whose rounds it is part of"
    if sum(isinstance(n, _RUNS) and n.kernel == iterate.kernel for n in walk(checked.entry)) > 1:
        return f"'{iterate.kernel}' is invoked elsewhere, too"
    return None


def varying_in(checked: Checked, kernel: A.Kernel, args: Sequence[A.Expr], between: Sequence[A.Stmt],
               changed: Collection[tuple[str, str]]) -> list[str]:
    """The parameters that a kernel may be given otherwise in each round, between which that is done."""
    return [p.name for p, a in zip(kernel.params, args, strict=True) if not _is_fixed(checked, between, a, changed)]


def _is_fixed(checked: Checked, between: Sequence[A.Stmt], e: A.Expr, changed: Collection[tuple[str, str]]) -> bool:
    """Is what a kernel is given the same in each round?"""
    moved = stored_variables(checked, between)
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
