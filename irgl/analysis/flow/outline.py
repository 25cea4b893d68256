"""The outline tree: which Pipes and Iterates of a Program may move to the GPU as a whole, and why not.

Each outermost Pipe or Iterate is the root of a tree, whose nodes are the Pipes and Iterates nested in it. A node can be
outlined when nothing in it wants the host and all of its children can be (Pai and Pingali, OOPSLA 2016, 4.1). A choice
of what to outline is a set of such nodes, none inside another.

Only effects decide. Scalars, properties and sizes of lists are read and stored on the device as on the host. Lists that
kernels push to may grow: an outlined loop leaves at the end of a round for that, and comes back.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import TypeGuard

from irgl.analysis.names.methods import effect_of, of_library
from irgl.analysis.names.paths import paths_of
from irgl.analysis.names.symbols import Checked
from irgl.analysis.refusal import Refusal
from irgl.ast import nodes as A
from irgl.ast import types as T
from irgl.ast.fresh import written
from irgl.ast.visit import children, walk


@dataclass(eq=False, slots=True)
class OutlineNode:
    """A Pipe or Iterate; `refusals` are its own, in the order of the text, without those of `children`."""

    stmt: A.Pipe | A.Iterate
    path: str
    refusals: list[Refusal]
    children: list[OutlineNode] = field(default_factory=list)

    @property
    def legal(self) -> bool:
        return not self.refusals and all(c.legal for c in self.children)

    @property
    def word(self) -> str:
        """How the statement begins: `Pipe Once`, `Iterate While Any`."""
        if isinstance(self.stmt, A.Pipe):
            return "Pipe Once" if self.stmt.once else "Pipe"
        condition = f" {self.stmt.mode} {self.stmt.reduction}".title() if self.stmt.mode != "worklist" else ""
        return f"Iterate{condition}"

    def walk(self) -> Iterator[OutlineNode]:
        """This node and all below it, in the order of the text."""
        yield self
        for c in self.children:
            yield from c.walk()


def outline_trees(checked: Checked) -> list[OutlineNode]:
    """The tree of each outermost Pipe and Iterate of the Program, in the order of the text."""
    if checked.entry is None:
        return []
    names = paths_of(checked.entry)

    def visit(node: A.Node, found: list[OutlineNode]) -> None:
        if isinstance(node, A.Pipe | A.Iterate):
            new = OutlineNode(node, names[node], list(_refusals(checked, node)))
            found.append(new)
            found = new.children
        for child in children(node):
            visit(child, found)

    roots: list[OutlineNode] = []
    visit(checked.entry, roots)
    return roots


def outline_choices(trees: Iterable[OutlineNode]) -> Iterator[tuple[OutlineNode, ...]]:
    """Every set of legal nodes of which none stands in another, the empty one first. There may be very many."""
    chosen = list(trees)
    if not chosen:
        yield ()
        return
    first, rest = chosen[0], chosen[1:]
    for below in outline_choices(first.children):
        for others in outline_choices(rest):
            yield (*below, *others)
    if first.legal:
        for others in outline_choices(rest):
            yield (first, *others)


def count_choices(trees: Iterable[OutlineNode]) -> int:
    """How many choices there are, without making them."""
    product = 1
    for t in trees:
        product *= count_choices(t.children) + t.legal
    return product


_CALLS = {
    "print": ("it prints", "print before or after it, from a program scalar"),
    "stop": ("it can end the program", "stop after it, from a program scalar"),
    "random": ("random() is drawn on the host", "draw before it, or use hash() of a counter"),
    "oriented": ("it makes a graph", "make the graph before it"),
}


def _refusals(checked: Checked, loop: A.Pipe | A.Iterate) -> Iterator[Refusal]:
    """What in a loop, without the loops nested in it, wants the host."""
    own: list[A.Node] = [loop]
    stack: list[A.Node] = [*reversed(loop.body), *reversed(loop.args if isinstance(loop, A.Iterate) else ())]
    while stack:
        n = stack.pop()
        if not isinstance(n, A.Pipe | A.Iterate):
            own.append(n)
            stack += reversed(list(children(n)))
    for n in own:
        yield from _statement(checked, n)
    told: set[str] = set()
    for n in own:
        if isinstance(n, A.Invoke | A.InvokeResult | A.Iterate) and n.kernel not in told:
            told.add(n.kernel)
            yield from _kernel(checked, n)


def _statement(checked: Checked, n: A.Node) -> Iterator[Refusal]:
    match n:
        case A.Call() if n.function in _CALLS:
            yield Refusal(*_CALLS[n.function], n)
        case A.Call() if n.function in checked.functions:
            yield Refusal(f"it calls the helper '{n.function}' on the host", "write what it does in the loop", n)
        case A.InvokeResult():
            yield Refusal("the host takes the value of an Invoke", "write Iterate While Any, or use a scalar", n)
        case A.Return():
            yield Refusal("it ends the Program", "end the loop by break, and return after it", n)
        case A.VarDecl() if not _plain(checked, checked.symbols[n].type):
            what = f"{T.bare(checked.symbols[n].type)} '{written(n.name, n.span)}'"
            yield Refusal(f"it declares the {what}, which the host makes", "declare it before the loop", n)
        case A.For():
            yield Refusal("the host reads the items of a sequential For", "do it in a kernel", n)
        case A.CBlock():
            yield Refusal("what a CBlock does is the host's", "write it in IrGL", n)
        case A.MethodCall():
            yield from _method(checked, n)
        case A.Index() if of_library(checked, checked.types[n.object]):
            yield Refusal("the host reads or stores an element of a library object", "do it in a kernel", n)
        case A.Member() if of_library(checked, checked.types[n.object]):
            yield Refusal(f"the host reads '{n.name}' of a library object", "count in a program scalar", n)
        case A.Name() if _kept(t := checked.types.get(n)):
            yield Refusal(f"the host keeps the {T.bare(t)} '{written(n.id, n.span)}'", "use a list", n)
        case _:
            pass


def _method(checked: Checked, n: A.MethodCall) -> Iterator[Refusal]:
    t = checked.types[n.object]
    if of_library(checked, t):
        yield Refusal(f"the host calls {n.name}() of a library object", "call it before the loop, or in a kernel", n)
    elif isinstance(t, T.Worklist) and _grows(checked, n):
        yield Refusal(f"{n.name}() on the host may make a list grow", "push in a kernel", n)
    elif isinstance(t, T.Worklist) and n.name in ("clear", "swap") and _layers(checked):
        yield Refusal(f"{n.name}() on the host also changes which layers lists have", "exchange lists by passing them "
                      "to kernels in turn, or do it outside of the loop", n)


def _layers(checked: Checked) -> bool:
    """Does the program keep lists in layers, of which only the host knows?"""
    return any(isinstance(n, A.MethodCall) and n.name in ("stack", "unstack")
               and isinstance(checked.types[n.object], T.Worklist) for n in walk(checked.program))


def _grows(checked: Checked, n: A.MethodCall) -> bool:
    """Does a method of a list need room? All that change it do, but for those that empty or exchange it."""
    return effect_of(checked, n) != "reads" and n.name not in ("clear", "swap")


def _kernel(checked: Checked, n: A.Invoke | A.InvokeResult | A.Iterate) -> Iterator[Refusal]:
    facts = checked.facts[n.kernel]
    if facts.uses_worklist and facts.worklist.kind != "list":
        yield Refusal(f"the host advances the {facts.worklist.kind} of '{n.kernel}'",
                      f"write WL list<{T.bare(facts.worklist.item)}>", n)
    if any(isinstance(v, A.VarDecl) and isinstance(checked.symbols[v].type, T.Worklist)
           for v in walk(checked.kernels[n.kernel])):
        yield Refusal(f"the host finds memory for the scratch sets of '{n.kernel}'", "mark in a property", n)
    for p in checked.kernels[n.kernel].params:
        t = checked.symbols[p].type
        if _kept(t) or of_library(checked, t):
            remedy = "invoke it before or after the loop" if of_library(checked, t) else "use a list"
            yield Refusal(f"'{n.kernel}' uses the {T.bare(t)} '{p.name}', which the host keeps", remedy, n)


def _plain(checked: Checked, t: T.Type) -> bool:
    """A variable that takes no memory of its own; a graph is refused where it is made."""
    return T.is_scalar(t) or checked.fields(t) is not None or (isinstance(t, T.Named) and t.name in checked.graph_types)


def _kept(t: T.Type | None) -> TypeGuard[T.Worklist]:
    """Is it a list whose rounds the host begins?"""
    return isinstance(t, T.Worklist) and t.kind != "list"
