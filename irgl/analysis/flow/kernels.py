"""The shape of a kernel: whether its threads wait for each other, what is done once in it, which helpers it calls."""

from __future__ import annotations

from collections.abc import Iterable

from irgl.analysis.effects.effects import Place, by_kind, changed_variables, effects_of, kernel_effects
from irgl.analysis.names.methods import of_library
from irgl.analysis.names.symbols import Checked, Symbol
from irgl.analysis.values.none_values import leaves_loops
from irgl.ast import nodes as A
from irgl.ast import types as T
from irgl.ast.visit import walk


def unlabelled(s: A.Stmt) -> A.Stmt:
    """A statement, a label apart."""
    return s.body if isinstance(s, A.Labeled) else s


def only_loop(around: A.Kernel | A.ForAll) -> A.ForAll | None:
    """The ForAll that is all of a body, a label apart."""
    loop = unlabelled(around.body[0]) if len(around.body) == 1 else None
    return loop if isinstance(loop, A.ForAll) else None


def done_once(checked: Checked, kernel: A.Kernel) -> A.Stmt | None:
    """The first statement beside the loop whose items come back that can't be done again with it; None: all can.

    What computes variables from what the kernel doesn't change gives the same in each round; WL holds others in each.
    """
    facts = checked.facts[kernel.name]
    if not facts.comes_back or facts.together:
        return None
    written = by_kind(kernel_effects(checked, kernel).writes)
    for s in kernel.body:
        found = effects_of(checked, [s])
        again = by_kind(found.reads).isdisjoint(written) and Place("list", "", "WL") not in found.reads
        if not is_loop(s) and (found.writes or found.host or not again):
            return s
    return None


def helpers_of(checked: Checked, roots: Iterable[A.Node]) -> list[A.Function]:
    """The helpers that the roots call, and those that these call, in the order of the text."""
    found: set[str] = set()
    waiting = [*roots]
    while waiting:
        for n in walk(waiting.pop()):
            if isinstance(n, A.Call) and n.function in checked.functions and n.function not in found:
                found.add(n.function)
                waiting.append(checked.functions[n.function])
    return [f for name, f in checked.functions.items() if name in found]


def is_loop(s: A.Stmt) -> bool:
    """Is the statement a ForAll, a label apart?"""
    return isinstance(s.body if isinstance(s, A.Labeled) else s, A.ForAll)


def kept_between_rounds(checked: Checked, kernel: A.Kernel) -> list[Symbol]:
    """The variables that the rounds of such a kernel share: those declared before its loop, parameters that change."""
    before = kernel.body[:next(i for i, s in enumerate(kernel.body) if is_loop(s))]
    declared = [checked.symbols[s] for s in before if isinstance(s, A.VarDecl)]
    return [*declared, *(v for v in changed_variables(checked, kernel.body) if v.kind == "param")]


def moves_its_range(checked: Checked, loop: A.ForAll) -> bool:
    """Does the loop change what its range is computed from, or does computing that change anything, or may it give
    each thread another one behind a fault?

    The items of a library object are those that it had before (cuda_rt/array.cuh).
    """
    items = loop.iterator
    if isinstance(items, A.Member) and isinstance(checked.types.get(items.object), T.Named):
        return False
    computed = effects_of(checked, [items])
    return bool(computed.writes) or leaves_loops(checked, items) or not by_kind(computed.reads).isdisjoint(
        by_kind(effects_of(checked, loop.body).writes))


def waits_for_none(checked: Checked, kernel: A.Kernel) -> bool:
    """Does no thread wait for the others of the grid: for an Exclusive, between loops, for what a range was, or for a
    variable of the kernel that a loop combines?"""
    inside = list(walk(kernel))
    if any(isinstance(n, A.Exclusive) for n in inside):
        return False
    loop = only_loop(kernel)
    if loop is not None:
        combines = any(v.kind != "global" for v, _ in checked.combined[loop])
        return not combines and not moves_its_range(checked, loop)
    return not any(isinstance(n, A.ForAll) for n in inside)


def walked_objects(checked: Checked, kernel: A.Kernel) -> frozenset[str]:
    """The kernel's library objects whose items it may walk: all, where a helper walks those of any."""
    def walks(node: A.Node) -> list[A.Member]:
        return [n for n in walk(node) if isinstance(n, A.Member) and isinstance(checked.types[n], T.Range)
                and of_library(checked, checked.types[n.object])]

    if any(walks(f) for f in checked.functions.values()):
        return frozenset(p.name for p in kernel.params if of_library(checked, checked.symbols[p].type))
    return frozenset(n.object.id for n in walks(kernel) if isinstance(n.object, A.Name))
