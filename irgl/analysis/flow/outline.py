"""The outline tree: which loops of a Program may move to the GPU as a whole, and why not.

Nodes are the Pipes and Iterates, and the `while`, `do` and `for` that invoke kernels: a tree for each outermost one,
with those nested in it. A node can be outlined when nothing in it wants the host and all of its children can be (Pai
and Pingali, OOPSLA 2016, 4.1). A choice of what to outline is a set of such nodes, none inside another.

Only effects decide. Scalars, properties, lists and their layers are read and changed on the device as on the host.
Lists that are filled may grow: an outlined loop leaves for that before they are, and comes back.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import TypeGuard, get_args

from irgl.analysis.flow.kernels import walked_objects
from irgl.analysis.names.methods import of_library, stays
from irgl.analysis.names.once import once
from irgl.analysis.names.paths import paths_of
from irgl.analysis.names.symbols import Checked
from irgl.analysis.refusal import Refusal
from irgl.ast import nodes as A
from irgl.ast import types as T
from irgl.ast.fresh import written
from irgl.ast.visit import children, walk

#: What a node of the tree may be.
Loop = A.Pipe | A.Iterate | A.While | A.DoWhile | A.CFor | A.For
LOOPS: tuple[type[Loop], ...] = get_args(Loop)

#: How loops of C begin, and a sequential For.
WORDS: dict[type[A.Node], str] = {A.While: "while", A.DoWhile: "do", A.CFor: "for", A.For: "For"}


@dataclass(eq=False, slots=True)
class OutlineNode:
    """A loop; `refusals` are its own, in the order of the text, without those of `children`."""

    stmt: Loop
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
        if not isinstance(self.stmt, A.Iterate):
            return WORDS[type(self.stmt)]
        condition = f" {self.stmt.mode} {self.stmt.reduction}".title() if self.stmt.mode != "worklist" else ""
        return f"Iterate{condition}"

    def walk(self) -> Iterator[OutlineNode]:
        """This node and all below it, in the order of the text."""
        yield self
        for c in self.children:
            yield from c.walk()


@once
def outline_trees(checked: Checked) -> list[OutlineNode]:
    """The tree of each outermost loop of the Program that invokes kernels, in the order of the text."""
    if checked.entry is None:
        return []
    names = paths_of(checked.entry)

    def visit(node: A.Node, found: list[OutlineNode]) -> None:
        if _is_node(node):
            new = OutlineNode(node, names[node], list(_refusals(checked, node)))
            found.append(new)
            found = new.children
        for child in children(node):
            visit(child, found)

    roots: list[OutlineNode] = []
    visit(checked.entry, roots)
    return roots


def _is_node(node: A.Node) -> TypeGuard[Loop]:
    if isinstance(node, A.Pipe | A.Iterate):
        return True
    return isinstance(node, LOOPS) and any(isinstance(n, A.Invoke | A.Iterate | A.InvokeResult) for n in walk(node))


def initial_of(loop: Loop) -> A.Initial | None:
    """The first items of a loop's own list, which the host puts there."""
    return loop.initial if isinstance(loop, A.Pipe | A.Iterate) else None


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
    "clock": ("clock() is the host's", "ask before and behind it"),
    "oriented": ("it makes a graph", "make the graph before it"),
}


def _refusals(checked: Checked, loop: Loop) -> Iterator[Refusal]:
    """What in a loop, without the loops nested in it, wants the host."""
    own: list[A.Node] = [loop]
    stack = [n for n in reversed(list(children(loop))) if n is not initial_of(loop)]
    while stack:
        n = stack.pop()
        if not _is_node(n):
            own.append(n)
            stack += reversed(list(children(n)))
        elif n in checked.lists:
            yield Refusal(f"the {type(n).__name__} in it begins with a list of its own each time, for which the host "
                          "finds memory", "declare lists before the loop, and pass them to kernels", n)
    taken = {taken_value(n) for n in own}
    for n in own:
        if n not in taken:
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
            yield Refusal("the host takes the value of an Invoke inside of a larger expression",
                          "take it into a variable of its own", n)
        case A.Return():
            yield Refusal("it ends the Program", "end the loop by break, and return after it", n)
        case A.VarDecl() if not _plain(checked, checked.symbols[n].type):
            what = f"{T.bare(checked.symbols[n].type)} '{written(n.name, n.span)}'"
            yield Refusal(f"it declares the {what}, which the host makes", "declare it before the loop", n)
        case A.For():
            yield Refusal("the host reads the items of a sequential For", "do it in a kernel", n)
        case A.Sections() if len(n.body) > 1:
            yield Refusal("the host runs its Sections at once", "put a loop into each section", n)
        case A.CBlock():
            yield Refusal("what a CBlock does is the host's", "write it in IrGL", n)
        case A.MethodCall():
            yield from _method(checked, n)
        case A.Index() if _is_the_hosts(checked, checked.types[n.object]):
            yield Refusal("the host reads or stores an element of a library object", "do it in a kernel", n)
        case A.Member() if of_library(checked, checked.types[n.object]):
            yield Refusal(f"the host reads '{n.name}' of a library object", "count in a program scalar", n)
        case A.Name() if _kept(t := checked.types.get(n)):
            what = T.QUEUE if t.by is not None else str(T.bare(t))
            yield Refusal(f"the host keeps the {what} '{written(n.id, n.span)}'", "use a list", n)
        case _:
            pass


def _method(checked: Checked, n: A.MethodCall) -> Iterator[Refusal]:
    t = checked.types[n.object]
    if of_library(checked, t):
        yield Refusal(f"the host calls {n.name}() of a library object", "call it before the loop, or in a kernel", n)


def taken_value(s: A.Node) -> A.InvokeResult | None:
    """The invocation whose value a statement takes, as it is or denied; None where it is part of something larger."""
    match s:
        case (A.VarDecl(init=e) | A.Assign(target=A.Name(), value=e)
              | A.If(test=e) | A.While(test=e) | A.DoWhile(test=e)):
            while isinstance(e, A.Unary) and e.op == "!":
                e = e.operand
            return e if isinstance(e, A.InvokeResult) else None
        case _:
            return None


def fills(n: A.Node, checked: Checked) -> TypeGuard[A.MethodCall]:
    """Does the host put items into a list?"""
    return (isinstance(n, A.MethodCall) and isinstance(checked.types[n.object], T.Worklist)
            and n.name in ("push", "update", "stack", "unstack"))


def has_layers(checked: Checked, loop: Loop) -> bool:
    """Does the loop change which layers lists have, in a program that stacks some?"""
    def calls(node: A.Node) -> set[str]:
        return {n.name for n in walk(node) if isinstance(n, A.MethodCall)
                and isinstance(checked.types[n.object], T.Worklist)}

    stacked, changed = {"stack", "unstack"}, {"stack", "unstack", "clear", "swap"}
    return not calls(loop).isdisjoint(changed) and not calls(checked.program).isdisjoint(stacked)


def _kernel(checked: Checked, n: A.Invoke | A.InvokeResult | A.Iterate) -> Iterator[Refusal]:
    facts = checked.facts[n.kernel]
    if isinstance(n, A.Invoke) and n.queue is not None:
        yield Refusal(f"'{n.kernel}' runs the queue '{n.queue}', which the host keeps",
                      "run it by an Iterate or a Pipe", n)
    if facts.uses_worklist and _joins(facts.worklist) and facts.pushes and not facts.reads:
        yield Refusal(f"'{n.kernel}' pushes to buckets and runs none: the host joins what it pushes with the next one",
                      "invoke it before or after the loop", n)
    if any(isinstance(v, A.VarDecl) and isinstance(checked.symbols[v].type, T.Worklist)
           for v in walk(checked.kernels[n.kernel])):
        yield Refusal(f"the host finds memory for the scratch sets of '{n.kernel}'", "mark in a property", n)
    walked = walked_objects(checked, checked.kernels[n.kernel])
    for p in checked.kernels[n.kernel].params:
        t = checked.symbols[p].type
        if p.name in walked and stays(checked, t):
            yield Refusal(f"'{n.kernel}' runs over the items of the {T.bare(t)} '{p.name}', which the host counts",
                          "invoke it before or after the loop", n)
        elif _kept(t) or _is_the_hosts(checked, t):
            remedy = "invoke it before or after the loop" if of_library(checked, t) else "use a list"
            yield Refusal(f"'{n.kernel}' uses the {T.bare(t)} '{p.name}', which the host keeps", remedy, n)


def _plain(checked: Checked, t: T.Type) -> bool:
    """A variable that takes no memory of its own; a graph is refused where it is made."""
    return T.is_scalar(t) or checked.fields(t) is not None or (isinstance(t, T.Named) and t.name in checked.graph_types)


def _is_the_hosts(checked: Checked, t: T.Type) -> bool:
    """Is a `t` an object of a library of which kernels take something else each time?"""
    return of_library(checked, t) and not stays(checked, t)


def _joins(t: T.Worklist) -> bool:
    """Does what a kernel files join the bucket that is to run? A queue looks for its next one when it has to."""
    return t.kind == "buckets" and t.by is None


def _kept(t: T.Type | None) -> TypeGuard[T.Worklist]:
    """Is it a list whose rounds the host begins, because it finds the next priority?"""
    return isinstance(t, T.Worklist) and t.kind == "buckets"
