"""Kernels that choose among several loops become a launch for each loop, and the host chooses.

What it does: a kernel of several loops is one launch whose threads wait for each other in between, with as many blocks
as the largest of its ways wants. Where the host can choose as well as the threads can, each loop gets a kernel of its
own, which has no barriers, and as many blocks as that loop's items fill.

    Kernel relax(Graph g, bitmap<node> front) {        Kernel relax_loop1_front(Graph g, bitmap<node> front) {
        long work = WL.items.size;                         ForAll (n In WL.items) { ... }
        if (work > g.num_nodes / 10) {                 }
            front.clear();                         =>  Kernel relax_loop1_pull(Graph g, bitmap<node> front) { ... }
            loop1_front: ForAll (n In WL.items) ...    Kernel relax_loop1(Graph g) {
            loop1_pull: ForAll (n In g.nodes) ...          ForAll (n In WL.items) { ... }
        } else {                                       }
            loop1: ForAll (n In WL.items) ...
        }
    }

The kernel itself stays, for loops of the Program that run on the device as a whole; the host's function of it is what
stands between its loops (codegen/cuda/host.py).

When it applies: to kernels that the host launches, with loops under an `if`, where what stands outside the loops knows
what it does from the kernel's parameters, the graph's size and the number of the Pipe's items, which the host has.
What it needs and keeps: a program checked as `lowered`, and a check as that; every other kernel's nodes. Its loops are
copied: `Split.copies` says what became of each, and of those in it.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import TypeVar

from irgl.analysis.check import check
from irgl.analysis.flow.kernels import is_loop
from irgl.analysis.names.members import DENSE
from irgl.analysis.names.paths import outer_loops
from irgl.analysis.names.symbols import Checked
from irgl.ast import nodes as A
from irgl.ast import types as T
from irgl.ast.fresh import Fresh, names_in
from irgl.ast.visit import copied, walk
from irgl.passes.lift_objects import emptied

Known = TypeVar("Known")


@dataclass(frozen=True, slots=True)
class Split:
    """The program with the kernels of single loops. kernels: by the kernel that is split, and each of its outermost
    loops, the one that runs it. copies: by a loop of such a kernel, the one in its kernel."""

    checked: Checked
    kernels: Mapping[str, Mapping[A.ForAll, str]] = field(default_factory=dict)
    copies: Mapping[A.ForAll, A.ForAll] = field(default_factory=dict)

    def also(self, known: Mapping[A.ForAll, Known]) -> dict[A.ForAll, Known]:
        """What is known of loops, of their copies, too."""
        return {**known, **{new: known[old] for old, new in self.copies.items() if old in known}}


def run(checked: Checked, launched: Collection[str]) -> Split:
    """The kernels of these names split where that is legal."""
    fresh = Fresh(checked.program, checked.program)
    kernels: dict[str, dict[A.ForAll, str]] = {}
    copies: dict[A.ForAll, A.ForAll] = {}
    decls: list[A.Decl] = []
    for decl in checked.program.decls:
        if isinstance(decl, A.Kernel) and decl.name in launched and can_split(checked, decl):
            kernels[decl.name] = {}
            for place, loop in outer_loops(decl):
                word = fresh.bare(f"{decl.name}_{place.rpartition('.')[2]}")
                decls.append(_of_one(checked, decl, loop, word, copies))
                kernels[decl.name][loop] = word
        decls.append(decl)
    if not kernels:
        return Split(checked)
    program = A.Program(tuple(decls), span=checked.program.span)
    return Split(check(program, lowered=True), kernels, copies)


def can_split(checked: Checked, kernel: A.Kernel) -> bool:
    """Does the host know what the kernel does outside its loops, and has that choices?"""
    if checked.facts[kernel.name].together:
        return False  # all of it is a round, which comes again
    loops = [loop for _, loop in outer_loops(kernel)]
    inside = {n for loop in loops for n in walk(loop)}
    outside = [n for n in walk(kernel) if n not in inside]
    choices = [s for s in outside if isinstance(s, A.If) and any(map(is_loop, (*s.body, *s.orelse)))]
    if not choices or any(symbol.kind != "global" for loop in loops for symbol, _ in checked.combined[loop]):
        return False  # a variable, which the next loop, or the host, wants from the threads
    return all(_statement_known(checked, s) for s in outside if isinstance(s, A.Stmt)) and \
        all(_value_known(checked, e) for s in outside for e in _values(s))


def _statement_known(checked: Checked, s: A.Stmt) -> bool:
    match s:
        case A.VarDecl(type=T.Bool() | T.Int() | T.Float()):
            return s.init is not None
        case A.If() | A.Block() | A.Labeled():
            return True
        case A.ExprStmt() if (word := emptied(s)) is not None:
            return any(isinstance(t := checked.types.get(n), T.Worklist) and t.kind in DENSE
                       for n in walk(s) if isinstance(n, A.Name) and n.id == word)
        case _:
            return False


def _values(s: A.Node) -> Iterator[A.Expr]:
    """What a statement outside the loops computes."""
    match s:
        case A.VarDecl(init=init) if init is not None:
            yield init
        case A.If(test=test):
            yield test
        case _:
            pass


def _value_known(checked: Checked, e: A.Expr) -> bool:
    match e:
        case A.IntLit() | A.FloatLit() | A.BoolLit():
            return True
        case A.Name():
            return checked.symbols[e].kind in ("param", "local") if e in checked.symbols else e.id in ("INF", "NONE")
        case A.Member(object=A.Name(), name="num_nodes" | "num_edges"):
            return True
        case A.Member(name="size", object=A.Member(name="items", object=A.Name(id="WL") as items)):
            t = checked.types[items]
            return isinstance(t, T.Worklist) and t.kind not in DENSE  # which has to be counted
        case A.Unary(operand=operand):
            return _value_known(checked, operand)
        case A.Binary(left=left, right=right):
            return _value_known(checked, left) and _value_known(checked, right)
        case _:
            return False


def _of_one(checked: Checked, kernel: A.Kernel, loop: A.ForAll, name: str,
            copies: dict[A.ForAll, A.ForAll]) -> A.Kernel:
    """The kernel of one loop, which is given the graphs and what the loop names of the kernel's."""
    new = copied(loop)
    copies.update(zip(*([n for n in walk(s) if isinstance(n, A.ForAll)] for s in (loop, new)), strict=True))
    used = {*names_in(loop), *(p.name for p in kernel.params if str(p.type) in checked.graph_types)}
    params = [p for p in kernel.params if p.name in used]
    inside = {n for _, other in outer_loops(kernel) for n in walk(other)}
    asked = {checked.symbols.get(n) for n in walk(loop) if isinstance(n, A.Name)}
    made = [A.Param(n.type, n.name, None, (), span=n.span) for n in walk(kernel)
            if isinstance(n, A.VarDecl) and n not in inside and checked.symbols[n] in asked]
    return replace(kernel, name=name, params=(*params, *made), body=(new,))
